import GameCore
import Testing

@Suite("Plausibility of reports") struct PlausibilityTests {
  private func report(_ home: Int?, _ away: Int?, clock: Int? = nil) -> GameEvent.Kind {
    var report = Report()
    report.home.score = home
    report.away.score = away
    report.clock = clock.map { Report.Clock(reading: .seconds($0), running: true) }
    return .reported(report)
  }

  private func playing(_ sport: Sport, _ home: Int, _ away: Int) -> Game {
    var game = Game(id: "g", rules: rules(sport), opening: .open)
    _ = game.handle(event(.playStarted, id: "start", at: 0))
    _ = game.handle(event(.totalSet(.score, .home, home), id: "h", at: 0))
    _ = game.handle(event(.totalSet(.score, .away, away), id: "a", at: 0))
    return game
  }

  @Test(
    "from 41-38 at basketball",
    arguments: [
      (42, 38, true), (43, 38, true), (44, 38, true), (45, 38, false), (40, 38, true), (38, 38, true), (37, 38, false),
      (41, 41, true), (0, 0, false), (0, 38, false), (44, 41, true), (141, 38, false),
    ])
  func steps(_ home: Int, _ away: Int, _ passes: Bool) {
    var game = playing(.basketball, 41, 38)
    let answer = game.handle(event(report(home, away), id: "r", at: 10, .console))
    #expect((answer.verdict == .counted) == passes)
    #expect((answer.verdict == .held) == !passes)
    #expect(game.state.score == (passes ? Pair(home: home, away: away) : Pair(home: 41, away: 38)))
  }

  @Test(
    "what is held must stand unchanged: each change of the board begins the wait anew, repetition does not shorten it")
  func standing() {
    var game = playing(.iceHockey, 2, 1)
    for tenth in 0..<30 { _ = game.handle(event(report(9, 1), id: "r\(tenth)", at: 10 + Double(tenth) / 10, .console)) }
    #expect(game.nextDeadline == moment(15).instant)
    _ = game.handle(event(report(8, 1), id: "x", at: 13, .console))
    #expect(game.nextDeadline == moment(18).instant)
    _ = game.timePassed(at: moment(17.9))
    #expect(game.state.score == Pair(home: 2, away: 1))
    let accepted = game.timePassed(at: moment(18))
    #expect(accepted.count == 1 && accepted.first?.event.source.sort == .engine)
    #expect(game.state.score == Pair(home: 8, away: 1))
  }

  @Test("the clock and everything else of a report pass while its score is held")
  func rest() {
    var game = playing(.basketball, 41, 38)
    let answer = game.handle(event(report(0, 0, clock: 300), id: "r", at: 10, .console))
    #expect(answer.verdict == .held && answer.accepted.count == 1)
    #expect(game.state.clock?.reading(at: moment(11).instant) == .seconds(299))
    #expect(game.state.score == Pair(home: 41, away: 38))
  }

  @Test("a person throws away what is held; the board counts again once it changes")
  func rejected() {
    var game = playing(.basketball, 41, 38)
    _ = game.handle(event(report(0, 0), id: "r", at: 10, .console))
    #expect(game.handle(event(.heldRejected, id: "no", at: 11)).verdict == .counted)
    _ = game.handle(event(report(0, 0), id: "r2", at: 12, .console))
    #expect(game.nextDeadline == nil && game.plausibility.held == nil)
    _ = game.handle(event(report(42, 38), id: "r3", at: 13, .console))
    #expect(game.state.score == Pair(home: 42, away: 38))
  }

  @Test("B57: while only the clock was seen no score passes; halves of the score are put together")
  func halves() {
    var game = Game(id: "g", rules: rules(.basketball), opening: .open)
    _ = game.handle(event(report(nil, nil, clock: 500), id: "r1", at: 1, .console))
    #expect(game.plausibility.isWaitingForScores)
    _ = game.handle(event(report(41, nil), id: "r2", at: 2, .console))
    #expect(game.plausibility.isWaitingForScores && game.state.home.score == 0)
    _ = game.handle(event(report(nil, 38), id: "r3", at: 9, .console))
    #expect(game.plausibility.isWaitingForScores == false)
  }

  @Test("the legal resets pass at once: the end of a volleyball set, of a tennis game, a new game")
  func resets() {
    var volleyball = Game(id: "v", rules: rules(.volleyball), opening: .open)
    func sets(_ home: Int, _ away: Int, _ points: (Int, Int)) -> GameEvent.Kind {
      var report = Report()
      (report.home.sets, report.away.sets) = (home, away)
      (report.home.points, report.away.points) = (.number(points.0), .number(points.1))
      return .reported(report)
    }
    _ = volleyball.handle(event(sets(0, 0, (24, 20)), id: "a", at: 1, .console))
    #expect(volleyball.handle(event(sets(0, 0, (25, 20)), id: "b", at: 2, .console)).verdict == .counted)
    #expect(volleyball.handle(event(sets(0, 0, (0, 0)), id: "c", at: 3, .console)).verdict == .held)
    #expect(volleyball.handle(event(sets(1, 0, (0, 0)), id: "d", at: 4, .console)).verdict == .counted)
    #expect(volleyball.state.score == Pair(home: 1, away: 0) && volleyball.state.phase == .live(.regular(2)))
    var board = Game(id: "b", rules: rules(.console), opening: .open)
    #expect(board.handle(event(report(0, 0), id: "z", at: 1, .console)).verdict == .ignored(Ignored("nothing new")))
    #expect(board.handle(event(report(7, 3), id: "y", at: 2, .console)).verdict == .counted)
  }

  @Test("once the final stands, a board that is cleared for the next game does not wipe it out at once")
  func afterTheFinal() {
    var game = playing(.basketball, 80, 75)
    _ = game.handle(event(.finalDeclared(armed: true), id: "f", at: 20))
    _ = game.handle(event(report(0, 0), id: "r", at: 25, .console))
    #expect(game.state.score == Pair(home: 80, away: 75) && game.plausibility.held != nil)
  }

  @Test(
    "a console that does not say whether its clock runs: seconds that pass are one start, seconds that stand one stop")
  func silentClock() {
    var game = playing(.basketball, 0, 0)
    func shows(_ seconds: Int, at: Double) -> [GameChange.Fact] {
      var report = Report()
      report.clock = Report.Clock(reading: .seconds(seconds))
      return game.handle(event(.reported(report), id: "c\(at)", at: at, .console)).accepted.flatMap(\.change.facts)
    }
    #expect(shows(600, at: 10).isEmpty)
    #expect(shows(599, at: 11) == [.clockStarted])
    for second in 2..<20 { #expect(shows(600 - second, at: 10 + Double(second)).isEmpty) }
    #expect(game.state.clock?.isRunning == true)
    #expect(shows(581, at: 29.4).isEmpty)
    let stopped = game.timePassed(at: moment(40))
    #expect(stopped.flatMap(\.change.facts) == [.clockStopped])
    #expect(game.state.clock?.reading(at: moment(41).instant) == .seconds(581))
    #expect(shows(590, at: 50) == [.clockSet])
    #expect(game.state.clock?.isRunning == false)
  }

  @Test("the bonus follows from the other side's fouls, unless the console says otherwise")
  func bonus() {
    var game = playing(.basketball, 0, 0)
    _ = game.handle(event(.fouled(.away, by: 5, player: nil), id: "f", at: 5))
    #expect(game.state.isInBonus(.home, game.rules) && !game.state.isInBonus(.away, game.rules))
    var report = Report()
    report.home.bonus = false
    _ = game.handle(event(.reported(report), id: "b", at: 6, .console))
    #expect(!game.state.isInBonus(.home, game.rules))
  }
}
