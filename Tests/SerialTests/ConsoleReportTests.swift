import GameCore
import Input
import Testing

@Suite struct ConsoleReportTests {
  private func image(_ fields: [String: ConsoleField]) -> ConsoleImage {
    var image = ConsoleImage()
    for (name, field) in fields { image[name] = field }
    return image
  }

  private func scores(_ home: Int, _ away: Int, _ more: [String: ConsoleField] = [:]) -> ConsoleImage {
    image(["home_score": .number(home), "away_score": .number(away)].merging(more) { $1 })
  }

  private func report(_ name: String) throws -> Report? {
    let frame = try #require(GoldenFrame.all.first { $0.name == name })
    var decoder = try frame.makeDecoder()
    decoder.feed(frame.bytes)
    return ConsoleReport.of(decoder.image())
  }

  @Test("B57: nothing is reported before both scores were seen once")
  func waitsForScores() throws {
    #expect(try report("daktronics-rtd/clock-only-says-nothing-else") == nil)
    let onlyHome = image(["home_score": .number(0), "clock_tenths": .number(6000)])
    #expect(ConsoleReport.of(onlyHome) == nil)
    #expect(ConsoleReport.isWaitingForScores(onlyHome))
    let both = scores(0, 0, ["clock_tenths": .number(6000)])
    #expect(ConsoleReport.of(both)?.home.score == 0)
    #expect(!ConsoleReport.isWaitingForScores(both))
  }

  @Test("B57: a feed that has sent only its clock says that it waits for the score")
  func statusWord() throws {
    let frame = try #require(GoldenFrame.all.first { $0.name == "daktronics-rtd/clock-only-says-nothing-else" })
    var feed = try ConsoleFeed(DecoderSettings(console: frame.console, sport: .basketball))
    let actions = feed.received(frame.bytes[...], at: Instant(nanoseconds: 0))
    #expect(actions.isEmpty)
    #expect(feed.word == "waiting for score")
  }

  @Test("a basketball board becomes a report with every field that was seen")
  func basketball() throws {
    var expected = Report()
    expected.home.score = 7
    expected.away.score = 12
    expected.home.fouls = 4
    expected.away.fouls = 3
    expected.home.timeoutsTaken = 1
    expected.away.timeoutsTaken = 1
    expected.home.bonus = true
    expected.away.bonus = false
    expected.clock = Report.Clock(reading: .seconds(514), running: true)
    expected.clockText = "8:34"
    expected.isRest = false
    expected.shotClock = Report.Clock(reading: .seconds(17), running: false)
    expected.restClock = Report.Clock(reading: .seconds(38))
    expected.isTimeout = true
    expected.periodNumber = 3
    #expect(try report("bodet-scorepad/basketball") == expected)
  }

  @Test("rest and time-out clocks never land in the game clock")
  func restClock() throws {
    let rest = try report("bodet-scorepad/period-end-horn-then-rest-timer")
    #expect(rest == nil)
    let board = scores(
      30, 23, ["clock_tenths": .number(1150), "clock_kind": .text("rest"), "clock_running": .truth(true)])
    let report = try #require(ConsoleReport.of(board))
    #expect(report.clock == nil && report.clockText == nil)
    #expect(report.restClock == Report.Clock(reading: .seconds(115), running: true))
    #expect(report.isRest == true)
    let timeout = try #require(try self.report("daktronics-rtd/main-clock-item-14-is-not-the-game-clock"))
    #expect(timeout.clock?.reading == .seconds(585))
    #expect(timeout.restClock?.reading == .seconds(30))
    #expect(timeout.isTimeout == true)
  }

  @Test("B37: a shot clock is reported as one, and never as the game's")
  func shotClock() throws {
    let report = try #require(
      ConsoleReport.of(scores(1, 2, ["clock_tenths": .number(3320), "shot_tenths": .number(140)])))
    #expect(report.clock?.reading == .seconds(332))
    #expect(report.shotClock?.reading == .seconds(14))
    let hidden = scores(1, 2, ["shot_tenths": .number(240), "shot_shown": .truth(false)])
    #expect(ConsoleReport.of(hidden)?.shotClock == nil)
  }

  @Test("penalties are reported in the order of their slots, those without time left out")
  func penalties() throws {
    let hockey = try #require(try report("daktronics-rtd/hockey-penalties-by-slot"))
    #expect(
      hockey.home.penalties == [
        Report.ReportedPenalty(player: "17", remaining: .seconds(119)), Report.ReportedPenalty(remaining: .seconds(45)),
      ])
    #expect(hockey.away.penalties == [Report.ReportedPenalty(player: "4", remaining: .seconds(300))])
    let floorball = try #require(try report("bodet-scorepad/floorball-clock-counts-up-and-number-goes-blank"))
    #expect(floorball.home.penalties == nil)
    #expect(floorball.away.penalties == [Report.ReportedPenalty(remaining: .seconds(119))])
    let handball = try #require(try report("stramatel-tv/handball-penalties-running-1"))
    #expect(handball.home.penalties == [Report.ReportedPenalty(remaining: .seconds(110))])
  }

  @Test("what stands for off because it was never sent is not reported")
  func assumedFields() throws {
    let frame = try #require(GoldenFrame.all.first { $0.name == "daktronics-rtd/two-packets-in-one-read" })
    var decoder = try frame.makeDecoder()
    decoder.feed(frame.bytes)
    #expect(decoder.image()["home_bonus"] == .number(0))
    var expected = Report()
    expected.home.score = 12
    expected.away.score = 7
    #expect(ConsoleReport.of(decoder.image()) == expected)
  }

  @Test("boards in sets report sets and points, tennis its games and spoken points")
  func sets() throws {
    let volleyball = try #require(try report("bodet-scorepad/volleyball"))
    #expect(volleyball.home.sets == 1 && volleyball.home.score == nil)
    #expect(volleyball.home.points == .number(19) && volleyball.away.points == .number(11))
    #expect(volleyball.possession == .home)
    let tennis = try #require(try report("daktronics-rtd/tennis-top-is-home"))
    #expect(tennis.home.points == .number(40) && tennis.away.points == .advantage)
    #expect(tennis.home.games == 3 && tennis.home.sets == 1)
  }

  @Test("baseball, football and boards without rules tell their own fields")
  func others() throws {
    let baseball = try #require(try report("daktronics-rtd/baseball-top-of-the-inning"))
    #expect(baseball.inning == 2 && baseball.isTopOfInning == true)
    #expect(baseball.balls == 3 && baseball.strikes == 2 && baseball.outs == 1)
    #expect(baseball.possession == .away)
    let football = try #require(try report("daktronics-rtd/american-football"))
    #expect(football.down == 2 && football.distance == 7 && football.ballOn == 35)
    #expect(football.shotClock?.reading == .seconds(25))
    let fencing = try #require(try report("favero-fa05/makers-example"))
    #expect(fencing.home.score == 12 && fencing.away.score == 6)
    #expect(fencing.clockText == "2:56" && fencing.possession == .home && fencing.periodNumber == 2)
    let pool = try #require(try report("cts-gen6/worked-example"))
    #expect(pool.home.score == nil && pool.periodText == "Event 27, heat 1" && pool.clockText == "0.0")
  }

  @Test("overtime is told by its text, a numbered period by its number")
  func periods() throws {
    let overtime = try #require(ConsoleReport.of(scores(70, 70, ["period": .text("OT")])))
    #expect(overtime.periodText == "OT" && overtime.periodNumber == nil)
    let second = try #require(ConsoleReport.of(scores(1, 0, ["period": .text("2"), "period_text": .text("2ND")])))
    #expect(second.periodText == nil && second.periodNumber == 2)
    let rest = try #require(ConsoleReport.of(scores(1, 0, ["period": .text("R")])))
    #expect(rest.periodText == nil && rest.periodNumber == nil)
  }

  @Test("the same board twice is one report")
  func repetition() throws {
    let frame = try #require(GoldenFrame.all.first { $0.name == "stramatel-tv/basketball" })
    var feed = try ConsoleFeed(DecoderSettings(console: frame.console, sport: .basketball))
    let first = feed.received(frame.bytes[...], at: Instant(nanoseconds: 0))
    let second = feed.received(frame.bytes[...], at: Instant(nanoseconds: 1))
    #expect(first.count == 1 && second.isEmpty)
  }

  @Test("a reopened port drops what had begun and keeps what was shown")
  func reopened() throws {
    let frame = try #require(GoldenFrame.all.first { $0.name == "stramatel-tv/basketball" })
    var feed = try ConsoleFeed(DecoderSettings(console: frame.console, sport: .basketball))
    _ = feed.received(frame.bytes[...], at: Instant(nanoseconds: 0))
    _ = feed.received(frame.bytes[..<20], at: Instant(nanoseconds: 1))
    feed.reopened()
    #expect(feed.received(frame.bytes[20...], at: Instant(nanoseconds: 2)).isEmpty)
    #expect(feed.shown["home_score"] == .number(8))
  }
}
