import Foundation
import GameCore
import Simulation
import Testing

/// Games of arbitrary events, sensible or not, in any order: what must hold whatever the table does.
@Suite("Properties of the log") struct GameProperties {
  /// `GAMES=100000` plays more of them.
  static var games: Int { ProcessInfo.processInfo.environment["GAMES"].flatMap { Int($0) } ?? 10_000 }

  @Test(
    "10,000 seeded games: fold equals increment, undo then redo is nothing, the same event twice is once",
    arguments: 0..<4)
  func games(_ part: Int) {
    var broken: [String] = []
    let all = Sport.allCases.map { rules($0) }
    for seed in stride(from: part, to: Self.games, by: 4) {
      if let fault = Self.play(seed: UInt64(seed), rules: all[seed % all.count]) {
        broken.append("seed \(seed): \(fault)")
      }
    }
    #expect(broken.prefix(3) == [])
  }

  private static func play(seed: UInt64, rules: Rules) -> String? {
    var random = SeededGenerator(seed: seed)
    var log = GameLog(rules: rules, opening: .open)
    var kept: [GameEvent] = []
    var seconds = 0.0
    for number in 0..<20 {
      // Now and then an event comes late, stamped before others that were taken already.
      seconds += random.happens(percent: 10) ? -3 : Double(random.below(200)) / 2
      let next = event(kind(&random, rules, kept), id: "e\(number)", at: seconds)
      let before = log.state
      guard case .changed = log.append(next) else {
        if log.state != before || log.events.count != kept.count { return "ignored, and yet changed" }
        continue
      }
      kept.append(next)
      if next.kind == .undone {
        let redo = event(.redone, id: "redo\(number)", at: seconds)
        guard case .changed = log.append(redo) else { return "no redo after undo" }
        kept.append(redo)
        if log.state != before { return "undo and redo is not nothing" }
        let undo = event(.undone, id: "undo\(number)", at: seconds)
        guard case .changed = log.append(undo) else { return "no undo after redo" }
        kept.append(undo)
      }
      let once = log.state
      guard case .ignored = log.append(next), log.state == once else { return "the same event twice is not once" }
      if once.teams.home.score < 0 || once.teams.away.score < 0 { return "a score below zero" }
    }
    if log.folded() != log.state { return "the fold is not the increment" }
    let restored = GameLog(rules: rules, opening: .open, restoring: log.events)
    if restored.state != log.state || restored.isMarkedCorrected != log.isMarkedCorrected {
      return "a restart changes it"
    }
    return nil
  }

  private static func kind(_ random: inout SeededGenerator, _ rules: Rules, _ kept: [GameEvent]) -> GameEvent.Kind {
    let side: Side = random.happens(percent: 50) ? .home : .away
    let step = rules.scoreSteps.isEmpty ? 1 : random.one(of: rules.scoreSteps)
    switch random.below(34) {
    case 0..<8: return plus(side, step)
    case 8: return plus(side, -1)
    case 9: return .fouled(side, by: 1, player: nil)
    case 10, 11: return .clockStarted
    case 12: return .clockStopped
    case 13: return .clockSet(.seconds(random.below(700)))
    case 14: return .clockExpired
    case 15: return .periodAdvanced
    case 16: return .timeoutCalled(side)
    case 17: return .reviewStarted
    case 18: return .reviewOver
    case 19: return .pitched(random.one(of: Pitch.allCases))
    case 20: return .totalSet(random.one(of: GameEvent.Total.allCases), side, random.below(20))
    case 21: return .penaltyGiven(side, length: .seconds(120), player: "7")
    case 22: return .possessionSwitched
    case 23: return .reported(report(&random))
    case 24: return .finalDeclared(armed: random.happens(percent: 30))
    case 25: return .gameReset(armed: random.happens(percent: 10))
    case 26: return .periodSet(random.happens(percent: 50) ? .overtime(1) : .regular(1 + random.below(3)))
    case 27: return .jamStarted
    case 28: return .shootoutAttempted(side, scored: true)
    case 29, 30: return .undone
    case 31: return .redone
    default:
      guard let old = kept.isEmpty ? nil : random.one(of: kept) else { return .undone }
      return .corrected(id: old.id, to: random.happens(percent: 50) ? nil : plus(side, step))
    }
  }

  private static func report(_ random: inout SeededGenerator) -> Report {
    var report = Report()
    if random.happens(percent: 70) { report.home.score = random.below(9) }
    if random.happens(percent: 70) { report.away.score = random.below(9) }
    if random.happens(percent: 40) {
      report.clock = Report.Clock(reading: .seconds(random.below(600)), running: random.happens(percent: 50))
    }
    if random.happens(percent: 20) { report.periodNumber = 1 + random.below(5) }
    return report
  }

  @Test(
    "numbers beyond all measure, from any source, are refused or left out and never a trap", arguments: Sport.allCases)
  func extremes(_ sport: Sport) {
    let numbers = [Int.min, -1, 0, 1, 3, 99, 100, 1_000_000, Int.max]
    var game = Game(id: "g", rules: rules(sport), opening: .open)
    var number = 0
    for value in numbers {
      let span = Duration.seconds(Int64(value))
      var report = Report()
      for side in Side.allCases {
        report[side].score = value
        report[side].sets = value
        report[side].games = value
        report[side].points = .number(value)
        report[side].fouls = value
        report[side].penalties = [Report.ReportedPenalty(remaining: span)]
      }
      report.clock = Report.Clock(reading: span, running: value % 2 == 0)
      report.restClock = report.clock
      report.shotClock = report.clock
      report.periodNumber = value
      report.inning = value
      report.outs = value
      report.down = value
      let kinds: [GameEvent.Kind] = [
        .reported(report), .heldConfirmed, plus(.home, value), .fouled(.away, by: value, player: nil),
        .shotTaken(.home, by: value), .penaltyOver(.home, slot: value),
        .penaltyGiven(.home, length: span, player: String(repeating: "x", count: 100)), .clockSet(span),
        .clockAdjusted(span), .shotClockReset(span), .periodSet(.overtime(value)), .periodSet(.regular(value)),
        .totalSet(.points, .home, value), .totalSet(.games, .away, value), .totalSet(.score, .home, value),
        .downSet(Downs(down: value, distance: value, ballOn: value)), .periodAdvanced, .undone,
      ]
      for kind in kinds {
        number += 1
        _ = game.handle(event(kind, id: "x\(number)", at: Double(number)))
      }
      #expect(game.state.home.score >= 0 && game.state.home.score < 2_000_000)
    }
  }

  @Test("a log of 5,000 events folds in well under 50 ms in a release build, and a press is microseconds")
  func speed() {
    var log = NumberedLog(.basketball)
    let clock = ContinuousClock()
    log.append(.clockStarted)
    let presses = clock.measure {
      for number in 0..<5_000 { log.append(plus(number % 2 == 0 ? .home : .away, 2), at: Double(number) / 100 + 1) }
    }
    #expect(log.log.events.count == 5_001)
    var folded = log.state
    let fold = clock.measure { folded = log.log.folded() }
    #expect(folded == log.state)
    let undo = clock.measure { log.append(.undone, at: 60) }
    print("5,000 presses \(presses), fold \(fold), undo \(undo)")
  }
}
