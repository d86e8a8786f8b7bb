import GameCore
import Testing

@Suite("Game log") struct GameLogTests {
  @Test("sixty presses are undone one by one across a restart, each to the state before it, and redone again")
  func deepUndo() {
    var log = NumberedLog(.basketball)
    var states: [GameState] = []
    let kinds: [GameEvent.Kind] = [
      plus(.home, 2), plus(.away, 3), .clockToggled, .fouled(.home, by: 1, player: nil), .possessionSwitched,
      .timeoutCalled(.away), .shotClockReset(.seconds(14)), .clockSet(.seconds(300)), .periodAdvanced, plus(.home, 1),
    ]
    var seconds = 0.0
    while states.count < 60 {
      for kind in kinds where states.count < 60 {
        seconds += 7
        let before = log.state
        if case .changed = log.append(kind, at: seconds) { states.append(before) }
      }
    }
    let last = log.state
    var restarted = GameLog(rules: log.log.rules, opening: .open, restoring: log.log.events)
    #expect(restarted.state == last)
    for (step, state) in states.reversed().enumerated() {
      guard case .changed = restarted.append(event(.undone, id: "u\(step)", at: seconds + Double(step))) else {
        Issue.record("nothing to undo after \(step) steps")
        return
      }
      #expect(restarted.state == state, "undo \(step + 1)")
    }
    guard case .ignored(let why) = restarted.append(event(.undone, id: "more", at: seconds + 99)) else { return }
    #expect(why.reason == "nothing is left to undo")
    for step in 0..<60 { _ = restarted.append(event(.redone, id: "r\(step)", at: seconds + 100)) }
    #expect(restarted.state == last)
  }

  @Test("a press after an undo ends what could be redone")
  func redoEnds() {
    var log = NumberedLog(.soccer)
    for kind in [GameEvent.Kind.playStarted, plus(.home, 1), .undone, plus(.away, 1)] { log.append(kind, at: 3) }
    #expect(log.append(.redone, at: 4) == .ignored(Ignored("nothing was undone")))
    #expect(log.state.score == Pair(home: 0, away: 1))
  }

  @Test("undo passes over what is no press: reports, names, texts, horns")
  func notPresses() {
    var log = NumberedLog(.basketball)
    log.append(.clockStarted)
    log.append(plus(.home, 2), at: 5)
    var report = Report()
    report.away.score = 1
    log.append(.reported(report), at: 6, .console)
    log.append(.teamsNamed(home: Team(name: "A", code: "a"), away: nil), at: 7)
    log.append(.hornSounded, at: 8)
    log.append(.undone, at: 9)
    #expect(log.state.score == Pair(home: 0, away: 1))
    #expect(log.state.names.home?.name == "A")
  }

  @Test("an older event is corrected by its id, taken out, and put back by undo; unknown ids and reports are refused")
  func corrections() {
    var log = NumberedLog(.basketball)
    for kind in [GameEvent.Kind.clockStarted, plus(.home, 3), plus(.away, 2), plus(.home, 2)] {
      log.append(kind, at: 5)
    }
    log.append(.corrected(id: "e2", to: plus(.home, 2)), at: 9)
    #expect(log.state.score == Pair(home: 4, away: 2))
    log.append(.corrected(id: "e3", to: nil), at: 10)
    #expect(log.state.score == Pair(home: 4, away: 0))
    log.append(.undone, at: 11)
    log.append(.undone, at: 12)
    #expect(log.state.score == Pair(home: 5, away: 2))
    #expect(log.append(.corrected(id: "e99", to: nil)) == .ignored(Ignored("no event has the id 'e99'")))
    #expect(log.append(.corrected(id: "e5", to: nil)) == .ignored(Ignored("an event of that kind cannot be corrected")))
  }

  @Test("the score never goes below zero, not even by a correction of what it stands on")
  func neverNegative() {
    var log = NumberedLog(.basketball)
    log.append(.clockStarted)
    log.append(plus(.home, 1), at: 1)
    log.append(plus(.home, -1), at: 2)
    #expect(log.append(plus(.home, -1), at: 3) == .ignored(Ignored("the score cannot go below zero")))
    log.append(.corrected(id: "e2", to: nil), at: 4)
    #expect(log.state.home.score == 0)
  }

  @Test("B20: the same event id twice is +1, whatever the second copy says")
  func sameID() {
    var log = NumberedLog(.basketball)
    #expect(log.log.append(event(plus(.home, 1), id: "press")) != .ignored(Ignored("")))
    guard case .ignored(let why) = log.log.append(event(plus(.home, 3), id: "press", at: 9)) else { return }
    #expect(why.reason == "this event has been counted already" && log.state.home.score == 1)
  }

  @Test("another boot's clock: a running clock goes on by the time away, or stops where it was when nobody knows")
  func reboot() {
    for (away, running, seconds) in [(Duration.seconds(20), true, 540), (nil as Duration?, false, 570)] {
      var log = NumberedLog(.basketball)
      log.append(.clockStarted, at: 0)
      let last = moment(30).instant
      let boot = Moment(instant: Instant(nanoseconds: 4_000_000_000), wall: moment(50).wall)
      _ = log.log.append(
        GameEvent(id: "boot", source: Source(.engine), moment: boot, kind: .rebooted(last: last, away: away)))
      let later = boot.instant + .seconds(10)
      #expect(log.state.clock?.isRunning == running)
      #expect(log.state.clock?.reading(at: later) == .seconds(seconds))
    }
  }

  @Test("a clock is an equation: it shows the same whoever asks how often")
  func equation() {
    var clock = GameClock(.down, showing: .seconds(600))
    clock.start(at: Instant(nanoseconds: 0))
    let asked = (0...6_000).map { clock.reading(at: Instant(nanoseconds: Int64($0) * 100_000_000)) }
    #expect(asked.first == .seconds(600) && asked.last == .zero)
    #expect(clock.reading(at: Instant(nanoseconds: 90_000_000_000)) == .seconds(510))
    #expect(clock.instant(showing: .zero) == Instant(nanoseconds: 600_000_000_000))
    #expect(clock.reading(at: Instant(nanoseconds: -5)) == .seconds(600))
  }

  @Test("an expiry is stamped with the instant at which it was due, however late the loop comes round")
  func lateLoop() {
    for late in [0.0, 0.2, 7, 3600] {
      var game = Game(id: "g", rules: rules(.basketball), opening: .open)
      _ = game.handle(event(.clockStarted, id: "a", at: 0))
      #expect(game.nextDeadline == moment(24).instant)
      let accepted = game.timePassed(at: moment(603 + late))
      #expect(accepted.map(\.event.kind) == [.shotClockExpired, .clockExpired, .periodClosed])
      #expect(accepted.map(\.event.moment.instant) == [moment(24).instant, moment(600).instant, moment(603).instant])
      #expect(game.state.phase == .intermission(Rest(after: .regular(1), since: moment(603).instant)))
    }
  }

  @Test("a press stamped before the expiry and handed over after it counts for the period")
  func lateHandOver() {
    var game = Game(id: "g", rules: rules(.basketball), opening: .open)
    _ = game.handle(event(.clockStarted, id: "a", at: 0))
    _ = game.timePassed(at: moment(600.2))
    let answer = game.handle(event(plus(.home, 3), id: "b", at: 599.9))
    #expect(answer.verdict == .counted && game.state.home.score == 3 && game.state.phase == .live(.regular(1)))
  }

  @Test("penalties run with the game clock and end by themselves; the shot clock is never the game clock")
  func penalties() {
    var game = Game(id: "g", rules: rules(.iceHockey), opening: .open)
    _ = game.handle(event(.clockStarted, id: "a", at: 0))
    _ = game.handle(event(.penaltyGiven(.home, length: .seconds(120), player: "7"), id: "b", at: 10))
    _ = game.handle(event(.clockStopped, id: "c", at: 20))
    _ = game.handle(event(.clockStarted, id: "d", at: 100))
    #expect(game.nextDeadline == moment(210).instant)
    #expect(game.timePassed(at: moment(300)).map(\.event.kind) == [.penaltyOver(.home, slot: 1)])
    #expect(game.state.home.penalties.isEmpty)
  }
}
