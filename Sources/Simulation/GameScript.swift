package import GameCore

/// A whole plausible game from a seed: what people at the table do, and how long after the last thing. It is written by
/// playing it: the writer looks at the game as it stands, as a scorekeeper does, and decides what comes next.
package struct GameScript: Sendable {
  package struct Step: Hashable, Sendable {
    /// After the step before.
    package var delay: Duration
    package var source: Source
    package var kind: GameEvent.Kind
  }

  package private(set) var steps: [Step] = []
  /// How long after the last step everything has settled.
  package let settles: Duration

  /// Longer than any game: the bound of a writer that does not find the end.
  private static let mostSteps = 5_000

  /// `haste` divides the time in which nothing is played: before the game, in breaks, reviews and delays.
  package init(rules: Rules, seed: UInt64, haste: Int = 1) {
    settles = rules.table.settleAtMost + .seconds(1)
    var writer = Writer(rules: rules, seed: seed, haste: haste)
    while steps.count < Self.mostSteps, let step = writer.next() { steps.append(step) }
  }
}

/// Plays the game that it writes.
private struct Writer {
  private var random: SeededGenerator
  private var game: Game
  private var now = Moment(instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 1_796_000_000_000))
  private let pace: Pace
  private let haste: Int
  private var number = 0
  private var board = ConsoleBoard()
  /// Added time of the half that is on, in sports whose clock runs past its end.
  private var addedTime: Duration?

  init(rules: Rules, seed: UInt64, haste: Int) {
    random = SeededGenerator(seed: seed)
    self.haste = haste
    game = Game(id: "script", rules: rules, opening: .announced)
    pace = Pace(rules.sport)
  }

  private var rules: Rules { game.rules }
  private var state: GameState { game.state }

  /// The next thing that somebody does; nil once the game is final.
  mutating func next() -> GameScript.Step? {
    guard let (delay, kind) = decide() else { return nil }
    now = Moment(instant: now.instant + delay, wall: now.wall + delay)
    number += 1
    let sort: Source.Sort = rules.scoring == .reports && kind.isReport ? .console : .button
    let source = Source(sort, "script")
    _ = game.handle(GameEvent(id: "s\(number)", source: source, moment: now, kind: kind))
    return GameScript.Step(delay: delay, source: source, kind: kind)
  }

  private mutating func decide() -> (Duration, GameEvent.Kind)? {
    switch state.phase {
    case .scheduled(.announced): return (.seconds(1), .opened)
    case .scheduled(.open): return (random.milliseconds(60_000...600_000) / haste, beginning)
    case .live(.shootout): return shootout()
    case .live(let period): return play(in: period)
    case .intermission(let rest), .halftime(let rest): return afterBreak(rest)
    case .review: return (random.milliseconds(20_000...90_000) / haste, .reviewOver)
    case .delayed: return (random.milliseconds(300_000...900_000) / haste, .resumed)
    case .finished, .cancelled: return nil
    }
  }

  private var beginning: GameEvent.Kind {
    rules.sport == .rollerDerby ? .jamStarted : .playStarted
  }

  // MARK: A period

  private mutating func play(in period: Period) -> (Duration, GameEvent.Kind) {
    if rules.scoring == .reports { return consoleReport() }
    if case .innings = rules.scoring, hasWalkedOff(in: period) { return (.seconds(20), .finalDeclared(armed: true)) }
    if state.clock == nil, case .overtime = period, rules.clock != nil, !state.score.isTied {
      return (.seconds(10), .finalDeclared(armed: true))
    }
    if let ending = periodEnding(period) { return ending }
    if let clock = state.clock, !clock.isRunning, clock.reading(at: now.instant) != rules.closingReading(of: period) {
      return (random.milliseconds(1_000...20_000), restart)
    }
    return something()
  }

  private var restart: GameEvent.Kind { rules.sport == .rollerDerby && !jamIsOn ? .jamStarted : .clockStarted }

  private var jamIsOn: Bool {
    if case .derby(let jam) = state.play { return jam.clock != nil }
    return false
  }

  /// What ends a period: the horn and its grace, or the referee where the clock runs on.
  private mutating func periodEnding(_ period: Period) -> (Duration, GameEvent.Kind)? {
    guard let clock = state.clock, let closing = rules.closingReading(of: period) else { return nil }
    if rules.clock?.expires == false {
      let added = addedTime ?? random.milliseconds(30_000...300_000)
      addedTime = added
      guard clock.reading(at: now.instant) >= closing + added else { return nil }
      addedTime = nil
      return (.seconds(2), .periodAdvanced)
    }
    guard clock.reading(at: now.instant) == closing else { return nil }
    if jamIsOn { return (random.milliseconds(2_000...60_000), .jamEnded) }
    // A time-out in the grace keeps the period open, and a horn is then no more than a horn.
    if state.expiry == .keptOpen { return (.seconds(5), .periodAdvanced) }
    // The horn is heard; a last basket may still be pressed in the grace.
    if random.happens(percent: 20) { return (.milliseconds(700), score()) }
    return (rules.table.grace + .seconds(4), .hornSounded)
  }

  private mutating func something() -> (Duration, GameEvent.Kind) {
    let delay = pace.wait(&random)
    let chance = random.below(100)
    switch chance {
    case 0..<2: return (.seconds(2), .undone)
    case 2..<5: if state.clock?.isRunning == true, rules.clock?.expires == true { return (delay, .clockStopped) }
    case 5..<9: if rules.timeouts.allowance != nil, !jamIsOn { return (delay, .timeoutCalled(side())) }
    case 9..<15: if rules.fouls.areCounted { return (delay, .fouled(side(), by: 1, player: jersey())) }
    case 15..<19:
      if let length = rules.penalties.first { return (delay, .penaltyGiven(side(), length: length, player: jersey())) }
    case 19..<20: if state.clock != nil { return (delay, .reviewStarted) }
    case 20..<28: if rules.possession == .possession { return (delay, .possessionSwitched) }
    case 28..<45: if rules.sport == .rollerDerby { return (delay, jamIsOn ? .jamEnded : .jamStarted) }
    default: break
    }
    if case .diamond = state.play { return (random.milliseconds(5_000...40_000), pitch()) }
    return (delay, score())
  }

  private mutating func side() -> Side { random.happens(percent: 50) ? .home : .away }

  private mutating func jersey() -> String? { random.happens(percent: 60) ? String(random.below(98) + 1) : nil }

  private mutating func score() -> GameEvent.Kind {
    let side = side()
    return .scored(side, points: random.one(of: rules.scoreSteps), player: jersey(), play: nil)
  }

  private mutating func pitch() -> GameEvent.Kind {
    let batting = state.possession ?? .away
    switch random.below(100) {
    case 0..<30: return .pitched(.ball)
    case 30..<62: return .pitched(.strike)
    case 62..<72: return .pitched(.foulBall)
    case 72..<88: return .pitched(.out)
    case 88..<95: return .pitched(.newBatter)
    default: return .scored(batting, points: random.happens(percent: 80) ? 1 : 2, player: jersey(), play: nil)
    }
  }

  /// The home side leads in the last inning or after: the game is over where it stands.
  private func hasWalkedOff(in period: Period) -> Bool {
    rules.isDeciding(period) && rules.battingSide(in: period) == .home && state.score.leader == .home
  }

  private mutating func consoleReport() -> (Duration, GameEvent.Kind) {
    guard board.reports < 120 else { return (.seconds(30), .finalDeclared(armed: true)) }
    board.change(&random)
    return (random.milliseconds(900...6_000), .reported(board.report))
  }

  // MARK: Breaks and the end

  private mutating func afterBreak(_ rest: Rest) -> (Duration, GameEvent.Kind) {
    var homeNeedNotBat = false
    if case .innings = rules.scoring {
      homeNeedNotBat =
        rules.battingSide(in: rest.after) == .away && isLastInning(rest.after) && state.score.leader == .home
    }
    if state.isDecided(rules) || homeNeedNotBat {
      return (random.milliseconds(5_000...30_000), .finalDeclared(armed: true))
    }
    if rules.period(after: rest.after, isTied: state.isLevel) == nil {
      return (random.milliseconds(5_000...30_000), .finalDeclared(armed: true))
    }
    return (random.milliseconds(60_000...300_000) / haste, .periodAdvanced)
  }

  private func isLastInning(_ period: Period) -> Bool {
    switch period {
    case .regular(let number): number >= rules.periods.count - 1
    case .overtime, .shootout: true
    }
  }

  /// Turn by turn; decided when both have had five and one leads.
  private mutating func shootout() -> (Duration, GameEvent.Kind) {
    let home = state.home.shootoutAttempts
    let away = state.away.shootoutAttempts
    if home == away, home >= 5, !state.shootoutTally.isTied { return (.seconds(15), .finalDeclared(armed: true)) }
    let side: Side = home <= away ? .home : .away
    return (random.milliseconds(15_000...40_000), .shootoutAttempted(side, scored: random.happens(percent: 55)))
  }
}

/// How often something happens, by sport.
private struct Pace {
  private let range: ClosedRange<Int>

  init(_ sport: Sport) {
    switch sport {
    case .basketball: range = 5_000...35_000
    case .basketball3x3: range = 4_000...25_000
    case .iceHockey, .futsal, .floorball: range = 60_000...600_000
    case .soccer: range = 300_000...1_500_000
    case .handball: range = 10_000...90_000
    case .waterPolo: range = 20_000...150_000
    case .volleyball: range = 10_000...35_000
    case .tennis: range = 8_000...40_000
    case .baseball: range = 5_000...40_000
    case .americanFootball: range = 60_000...400_000
    case .rugbyUnion: range = 120_000...700_000
    case .rollerDerby: range = 5_000...30_000
    case .console: range = 1_000...6_000
    }
  }

  func wait(_ random: inout SeededGenerator) -> Duration { random.milliseconds(range) }
}

/// A board that is seen only through its reports.
private struct ConsoleBoard {
  private(set) var reports = 0
  private var home = 0
  private var away = 0
  private var clock = 300

  mutating func change(_ random: inout SeededGenerator) {
    reports += 1
    clock = max(clock - 2, 0)
    switch random.below(5) {
    case 0: home += 1
    case 1: away += 1
    default: break
    }
  }

  var report: Report {
    var report = Report()
    report.home.score = home
    report.away.score = away
    report.clock = Report.Clock(reading: .seconds(clock), running: reports > 0 && clock > 0)
    report.periodText = reports < 60 ? "1" : "2"
    return report
  }
}

extension GameEvent.Kind {
  fileprivate var isReport: Bool {
    if case .reported = self { return true }
    return false
  }
}
