import GameCore
import LiveContract
import Publishing
import Testing

@Suite("Projection") struct ContentStateTests {
  @Test(
    "a countdown rounds up, a count-up down: 2:00.0 shows 2:00, 1:59.9 shows 2:00 down and 1:59 up",
    arguments: [
      (120_000, "2:00", "2:00"), (119_900, "2:00", "1:59"), (119_000, "1:59", "1:59"), (59_999, "1:00", "0:59"),
      (1, "0:01", "0:00"), (0, "0:00", "0:00"), (5_999_001, "100:00", "99:59"),
    ])
  func rounding(_ milliseconds: Int, _ down: String, _ up: String) {
    #expect(GameClock.Direction.down.text(of: .milliseconds(milliseconds)) == down)
    #expect(GameClock.Direction.up.text(of: .milliseconds(milliseconds)) == up)
  }

  @Test(
    "the hall shows tenths below a minute, rounded up, and never 0.0 before zero",
    arguments: [
      ("1:00", "1:00"), ("59.9", "59.9"), ("9.45", "9.5"), ("0.01", "0.1"), ("0", "0.0"), ("2:00", "2:00"),
    ])
  func tenths(_ reading: String, _ shows: String) {
    var table = ScorersTable("basketball")
    table.step("1 clockset \(reading)")
    #expect(table.game.state.hallClock(table.rules, at: table.now.instant) == shows)
  }

  @Test("an anchor less than 1.5 s ahead is not told, nor one of a clock whose time of day is not trusted")
  func anchors() {
    var table = ScorersTable("basketball")
    for step in ["1 clockset 0:10", "1 clock start", "8.5 wait"] { table.step(step) }
    #expect(table.content.clockDir == .down && table.content.clock == "0:02")
    table.pass(.milliseconds(1))
    #expect(table.content.clockDir == .stop && table.content.clockAnchorMs == 0 && table.content.clock == "0:02")
    var soccer = ScorersTable("soccer")
    for step in ["1 game start", "65 wait"] { soccer.step(step) }
    #expect(soccer.content.clockDir == .up)
    #expect(soccer.content.clockAnchorMs == Int(soccer.now.wall.milliseconds) - 65_000)
    soccer.timeIsTrusted = false
    #expect(soccer.content.clockDir == .stop && soccer.content.clockAnchorMs == 0 && soccer.content.clock == "1:05")
  }

  @Test(
    "added time: 45:00 is 45+1, 46:30 is 45+2; the second half shows 90+1 from 90:00",
    arguments: [
      ("44:59", 0.5, "44:59"), ("45:00", 0, "45+1"), ("46:30", 0, "45+2"), ("54:59", 0, "45+10"),
    ])
  func addedTime(_ reading: String, _ wait: Double, _ shows: String) {
    var table = ScorersTable("soccer")
    for step in ["1 game start", "0 clockset \(reading)", "\(wait) wait"] { table.step(step) }
    #expect(table.content.clock == shows)
  }

  @Test("a break clock counts down where the rules give it a length")
  func breakClock() {
    var table = ScorersTable("basketball", [("break_length", "2m"), ("halftime_length", "15m")])
    for step in ["1 clock start", "10 period next", "30 wait"] { table.step(step) }
    #expect(table.shown == "0-0 live End Q1 [1:30] down | End of Q1")
    for step in ["200 period next", "1 clock start", "10 period next"] { table.step(step) }
    #expect(table.shown == "0-0 halftime Half [15:00] down | End of Q2")
  }

  @Test("a delay before the start stays scheduled; called off before it is PPD or CANC")
  func beforeTheStart() {
    var table = ScorersTable("baseball")
    for step in ["1 delay", "600 hold game cancel"] { table.step(step) }
    #expect(table.shown == "0-0 finished CANC stop | Cancelled")
    var other = ScorersTable("baseball")
    other.step("1 delay")
    #expect(other.content.gameStatus == .scheduled && other.content.period == "Delay")
    for step in ["1 resume", "5 hold game postpone"] { other.step(step) }
    #expect(other.shown == "0-0 finished PPD stop | Postponed")
  }

  @Test("only jersey numbers appear, unless names are allowed")
  func players() {
    var table = ScorersTable("ice-hockey")
    table.step("1 score home 1 Smith")
    #expect(table.content.lastPlay == "RIV goal")
    table.texts.allowsPlayerNames = true
    #expect(table.content.lastPlay == "RIV Smith goal")
  }

  @Test("texts change by key and language; a wrong key, place or bracket is refused with what is possible")
  func texts() {
    guard case .texts(let texts) = Texts.make(language: "de", changes: [("score.ice-hockey", "TOOOR {name}!")]) else {
      Issue.record("refused")
      return
    }
    var table = ScorersTable("ice-hockey")
    table.texts = texts
    table.step("1 home +1")
    #expect(table.content.lastPlay == "TOOOR Riverton!")
    guard
      case .problems(let problems) = Texts.make(
        language: "fr", changes: [("scored", "x"), ("score", "{who}"), ("final", "[{name}")])
    else {
      Issue.record("accepted")
      return
    }
    #expect(problems.map(\.key) == ["language", "scored", "score", "final"])
  }

  @Test(
    "a correction, an undo, a foul and a clock never ring",
    arguments: [
      "home -1", "undo", "clock stop", "set score home 0", "wrong e2", "lastplay Encore", "home timeout", "period next",
    ])
  func silence(_ step: String) {
    var table = ScorersTable("ice-hockey")
    for step in ["1 clock start", "5 home +1", "5 away +1"] { table.step(step) }
    table.step("5 " + step)
    #expect(table.refusal == nil && !table.plan.isEmpty)
    #expect(table.rung.isEmpty)
  }

  @Test("an older press corrected by its id: totals follow, the headline says so, history keeps both")
  func correction() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "5 home +3", "5 away +2", "5 wrong e2 home +2"] { table.step(step) }
    #expect(table.shown == "2-2 live Q1 [9:45] down | Score corrected")
    #expect(table.plan.map(\.kind).contains(.correction))
    #expect(table.game.log.events.count == 4)
    table.step("1 away +2")
    #expect(table.shown == "2-4 live Q1 [9:44] down | HAR two points")
  }

  @Test("overtime, delay, resumption and final ring once each; the second half of extra time does not")
  func alerts() {
    var table = ScorersTable("soccer")
    var rung: [String] = []
    for step in [
      "1 game start", "60 delay", "60 resume", "1 clock start", "60 period next", "9 period next", "9 period next",
      "9 period next", "9 period next", "9 period next", "9 home +1", "9 hold game final",
    ] {
      table.step(step)
      rung += table.rung.map(\.title)
    }
    #expect(rung == ["Play is delayed", "Play resumes", "Extra time", "Goal Riverton", "Final"])
  }

  @Test("a period's end has words for those who want it to ring; the kinds that may ring are those with words")
  func wordsOfAlerts() {
    var table = ScorersTable("basketball")
    for step in ["1 clock start", "5 home +3", "9 period next"] { table.step(step) }
    let alert = table.plan.first { $0.kind == .periodEnded }?.alert
    #expect(alert == Alert(title: "End of Q1", body: "Riverton 3, Harbor City 0 (Q1)"))
    var told: [UpdateKind: Bool] = [:]
    for (sport, steps) in [
      ("basketball", "clock start, home +3, clock stop, home timeout, period next, period next, delay, resume, undo"),
      ("ice-hockey", "clock start, home +1, penalty away 2:00 12, period next, hold game final"),
      ("soccer", "game start, period next, period next, period next, period next, period next, home +1"),
      ("volleyball", "game start" + String(repeating: ", home +1", count: 25)), ("basketball", "hold game cancel"),
    ] {
      var table = ScorersTable(sport)
      for step in steps.split(separator: ",") {
        table.step("9\(step.hasPrefix(" ") ? "" : " ")\(step)")
        for update in table.plan { told[update.kind] = update.alert != nil || told[update.kind] == true }
      }
    }
    #expect(told.allSatisfy { $0.key.mayRing == $0.value } && told.count > 10, "\(told)")
    #expect(Set(UpdateKind.allCases.filter(\.mayRing)).isSubset(of: told.keys))
  }

  @Test("the alert of the start names the minutes, or says that it is now, or how the game stands")
  func startAlert() {
    var table = ScorersTable("basketball")
    let alert = Alert.start(
      names: table.names, state: table.game.state, rules: table.rules, texts: Texts(), in: .seconds(600))
    #expect(alert.title == "Harbor City at Riverton" && alert.body == "Tip-off in 10 minutes")
    let late = Alert.start(names: table.names, state: table.game.state, rules: table.rules, texts: Texts(), in: .zero)
    #expect(late.body == "Starting now")
    let soon = Alert.start(
      names: table.names, state: table.game.state, rules: table.rules, texts: Texts(), in: .seconds(60))
    #expect(soon.body == "Starting now")
    table.step("0 home +2")
    let on = Alert.start(names: table.names, state: table.game.state, rules: table.rules, texts: Texts(), in: .zero)
    #expect(on.body == "Riverton 2, Harbor City 0 (Q1)")
  }
}
