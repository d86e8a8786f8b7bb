import GameCore
import Input
import LiveContract
import Publishing
import Testing

/// Part B of the bug log: operator actions and game logic, each with the row's own input.
@Suite("Bug log, part B") struct BugLogPartB {
  private func kinds(_ table: ScorersTable) -> [UpdateKind] { table.plan.map(\.kind) }

  private func alerts(_ table: ScorersTable) -> [String] { table.rung.map(\.body) }

  @Test("B24: end of period 1, start of period 2, undo: the state is the one before the start, the clock included")
  func undoOfStart() {
    var table = ScorersTable("ice-hockey", [("break_length", "15m")])
    for step in ["1 clock start", "30 home +1", "60 period next", "5 wait"] { table.step(step) }
    let before = table.game.state
    for step in ["10 clock start", "3 undo"] { table.step(step) }
    #expect(table.game.state == before)
    #expect(table.game.state.clock?.isRunning == false)
  }

  @Test("B26: the clock hits 0, the horn sounds, undo: clock and period as before the expiry, and it stays so")
  func undoOfExpiry() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "599 wait"] { table.step(step) }
    let before = table.game.state
    for step in ["1.5 horn", "0.5 undo"] { table.step(step) }
    #expect(table.game.state == before)
    #expect(table.game.state.clock?.isRunning == true)
    table.step("60 wait")
    #expect(table.game.state == before)
    #expect(table.shown == "0-0 live Q1 [0:00] stop |")
    table.step("1 redo")
    #expect(table.game.state.clock?.isRunning == false && table.game.state.expiry != nil)
  }

  @Test("B27: expiry at 0, time-out at +0.8 s: the period is open, 0:00 on the clock, the time-out running")
  func lateTimeout() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "600 wait", "0.8 home timeout"] { table.step(step) }
    #expect(table.game.state.phase == .live(.regular(1)))
    #expect(table.game.state.timeout?.side == .home && table.game.state.home.timeoutsTaken == 1)
    #expect(table.shown == "0-0 live Q1 [0:00] stop | Timeout Riverton")
    table.step("60 wait")
    #expect(table.game.state.phase == .live(.regular(1)))
    table.step("1 period next")
    #expect(table.game.state.lastPeriod == .regular(1) && table.game.state.phase != .live(.regular(1)))
  }

  @Test("B27: a basket within the grace belongs to the period, one second after it no time-out is called any more")
  func graceEnds() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "600 wait", "2.9 home +2"] { table.step(step) }
    #expect(table.shown == "2-0 live Q1 [0:00] stop | RIV two points")
    table.step("1.1 home timeout")
    #expect(table.refusal == "a time-out needs a period that is on")
  }

  @Test("B28: three reloads of the config, one press: +1")
  func reload() {
    var table = ScorersTable("basketball")
    var bindings: [Binding] = []
    for _ in 0..<3 {
      guard case .binding(let binding) = Binding.parse("home +1", rules: table.rules) else { return }
      bindings = [binding]
    }
    for binding in bindings { if let kind = binding.kind(armed: false) { table.happened(kind) } }
    #expect(table.content.homeScore == 1)
  }

  @Test("B30: start pressed twice in 300 ms is one start and no end; an end within 2 s of it is refused, armed or not")
  func doubleStart() {
    var table = ScorersTable("basketball")
    table.step("1 game start")
    let started = table.game.log.events.count
    table.step("0.3 game start")
    #expect(table.game.log.events.count == started && table.game.state.life == .playing)
    table.step("1.5 hold game end")
    #expect(table.refusal == "refused just after a start; hold again")
    table.step("0.3 game end")
    #expect(table.refusal == "this needs a hold, so that a mere press cannot do it")
    table.step("0.1 hold game end")
    #expect(table.game.state.life == .settling)
  }

  @Test("B31: game A ends 80-75, game B begins: its first payload has 0-0 and its own teams")
  func nextGame() {
    var table = ScorersTable("basketball")
    for step in ["1 game start", "1 set score home 80", "1 set score away 75", "3 hold game final"] { table.step(step) }
    let answer = table.happened(.nextGameOpened)
    #expect(answer.accepted.flatMap(\.change.facts) == [.ended, .nextGameWanted])
    #expect(table.game.state.life == .ended)
    let teams = Pair(home: Team(name: "Northgate", code: "ngw"), away: Team(name: "Lakeside", code: "lak"))
    let next = Game(
      id: "game-2", rules: table.rules, names: Pair(home: teams.home, away: teams.away), opening: .open)
    let content = GameAttributes.ContentState(
      next.published, rules: next.rules, names: teams, texts: Texts(),
      in: ProjectionContext(moment: table.now, timeIsTrusted: true))
    #expect(content.homeScore == 0 && content.awayScore == 0 && content.gameStatus == .scheduled)
    #expect(GameAttributes(teams) == GameAttributes(homeTeam: "Northgate", awayTeam: "Lakeside"))
  }

  @Test("B32: the wall clock steps back an hour: game clock, order and state do not move")
  func wallStep() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "60 home +2"] { table.step(step) }
    table.now.wall = WallTime(milliseconds: table.now.wall.milliseconds - 3_600_000)
    table.step("10 away +3")
    #expect(table.shown == "2-3 live Q1 [8:50] down | HAR three-pointer")
    #expect(table.game.log.events.map(\.moment.instant) == table.game.log.events.map(\.moment.instant).sorted())
  }

  @Test("B35: final 3-2 after a correction from 2-3: the headline names home as the winner")
  func winner() {
    var table = ScorersTable("ice-hockey")
    for step in ["1 game start", "1 set score home 2", "1 set score away 3", "3 hold game final"] { table.step(step) }
    #expect(table.content.lastPlay == "Harbor City wins")
    for step in ["5 set score away 2", "1 set score home 3"] { table.step(step) }
    #expect(kinds(table) == [.finalCorrection])
    #expect(table.shown == "3-2 finished Final stop | Riverton wins")
  }

  @Test("B37: game 5:32 and shot clock 14 from the console: the clock is 5:32")
  func shotClock() {
    var table = ScorersTable("basketball")
    table.step("1 report home=0 away=0 clock=5:32 run shot=14")
    #expect(table.content.clock == "5:32")
    table.step("1 report clock=5:31 run shot=13")
    #expect(table.content.clock == "5:31")
    table.step("1 report rest=0:45")
    #expect(table.content.clock == "5:30")
  }

  @Test(
    "B39: basketball's period 5 is OT, 6 is 2OT; hockey's 4 is OT",
    arguments: [
      ("basketball", 5, "OT"), ("basketball", 6, "2OT"), ("ice-hockey", 4, "OT"), ("basketball", 4, "Q4"),
    ])
  func overtimeNames(_ sport: String, _ number: Int, _ name: String) {
    var table = ScorersTable(sport)
    table.step("1 report home=1 away=1 clock=5:00 period=\(number)")
    #expect(table.content.period == name)
  }

  @Test("B41: a shoot-out of 3-2 after 2-2: final 3-2, the tally apart")
  func shootout() {
    var table = ScorersTable("ice-hockey")
    for step in ["1 game start", "1 set score home 2", "1 set score away 2", "1 period SO"] { table.step(step) }
    for _ in 0..<3 { table.step("5 home +1") }
    for _ in 0..<2 { table.step("5 away +1") }
    #expect(table.content.homeScore == 2 && table.content.awayScore == 2)
    table.step("5 hold game final")
    #expect(table.shown == "3-2 finished Final/SO stop | Riverton wins the shoot-out 3-2")
    #expect(
      table.game.state.score == Pair(home: 2, away: 2) && table.game.state.shootoutTally == Pair(home: 3, away: 2))
  }

  @Test("B42: 41-38, then 0-0 for 2 s, then 41-38: no push, no alert")
  func zeros() {
    var table = ScorersTable("basketball")
    table.step("1 report home=41 away=38 clock=5:00 stop")
    let events = table.game.log.events.count
    for number in 0..<20 {
      table.step("0.1 report home=0 away=0")
      #expect(table.refusal == "held" && table.plan.isEmpty, "\(number)")
    }
    #expect(table.game.plausibility.held?.why == "the board shows 0-0")
    table.step("0.1 report home=41 away=38")
    table.step("30 wait")
    #expect(table.plan.isEmpty && table.game.plausibility.held == nil && table.game.log.events.count == events)
    #expect(table.shown == "41-38 live Q1 [5:00] stop |")
  }

  @Test("B42: 0-0 that stands for 5 s, or that a person confirms, is taken; without an alert")
  func zerosThatStand() {
    var table = ScorersTable("ice-hockey")
    table.step("1 report home=4 away=3 clock=5:00 stop")
    table.step("1 report home=0 away=0")
    table.step("4.9 report home=0 away=0")
    #expect(table.content.homeScore == 4)
    table.step("0.1 wait")
    #expect(table.content.homeScore == 0 && kinds(table) == [.correction] && alerts(table).isEmpty)
    table.step("1 report home=4 away=3")
    table.step("1 held confirm")
    #expect(table.content.homeScore == 4 && alerts(table).isEmpty)
  }

  @Test("B43: two goals in a row by one side: two alerts, with 1 and 2")
  func twoGoals() {
    var table = ScorersTable("ice-hockey")
    table.step("1 clock start")
    table.step("59 home +1")
    #expect(alerts(table) == ["Riverton 1, Harbor City 0 (1st 19:01)"])
    table.step("1 home +1")
    #expect(alerts(table) == ["Riverton 2, Harbor City 0 (1st 19:00)"])
  }

  @Test("B44: 1-0 repeated by the console every second for 10 min: one alert")
  func repetition() {
    var table = ScorersTable("ice-hockey")
    table.step("1 report home=0 away=0 clock=20:00 stop")
    table.step("1 game start")
    var rung = 0
    for _ in 0..<600 {
      table.step("1 report home=1 away=0")
      rung += alerts(table).count
    }
    #expect(rung == 1)
    #expect(table.game.log.events.count == 2)
  }

  @Test("B46: a name with an ampersand, an umlaut and an emoji arrives byte for byte")
  func names() {
    let name = "Aim & Chill Köln 🏒"
    var table = ScorersTable("ice-hockey")
    table.happened(.teamsNamed(home: Team(name: name, code: ""), away: nil))
    let names = Pair(home: table.game.state.names.home!, away: table.names.away)
    #expect(Array(GameAttributes(names).homeTeam.utf8) == Array(name.utf8))
    for step in ["1 game start", "3 home +1"] { table.step(step) }
    let content = GameAttributes.ContentState(
      table.game.published, rules: table.rules, names: names, texts: Texts(),
      in: ProjectionContext(moment: table.now, timeIsTrusted: true))
    #expect(Array(content.lastPlay.utf8) == Array("\(name) goal".utf8))
  }
}
