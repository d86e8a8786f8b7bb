import Foundation
import Testing

@testable import LiveContract

@Suite("Live contract") struct ClockStateTests {
  private func state(_ direction: GameAttributes.ClockDirection, anchor: Int, clock: String = "7:41")
    -> GameAttributes.ContentState
  {
    GameAttributes.ContentState(
      homeScore: 2, awayScore: 1, gameStatus: .live, period: "2nd", clock: clock, lastPlay: "", clockDir: direction,
      clockAnchorMs: anchor, seq: 1)
  }

  @Test(
    "a clock reads as a scoreboard would: rounded up while it runs down, down while it runs up, never below zero",
    arguments: [
      (GameAttributes.ClockDirection.down, 72_000, "1:12"), (.down, 71_001, "1:12"), (.down, 71_000, "1:11"),
      (.down, 1, "0:01"), (.down, 0, "0:00"), (.down, -5_000, "0:00"), (.up, -59_999, "0:59"), (.up, -60_000, "1:00"),
      (.up, 10_000, "0:00"), (.down, 3_600_000, "60:00"),
    ])
  func text(direction: GameAttributes.ClockDirection, anchorFromNow: Int, text: String) {
    let now = 1_796_440_548_000
    let clock = ClockState(state(direction, anchor: now + anchorFromNow))
    #expect(clock.isRunning && clock.text(atMs: now) == text)
  }

  @Test("a stopped clock, and one without an anchor, shows the text as it was sent")
  func stopped() {
    for direction in GameAttributes.ClockDirection.allCases {
      let clock = ClockState(state(direction, anchor: 0))
      #expect(clock == .stopped(text: "7:41") && !clock.isRunning && clock.text(atMs: 5) == "7:41")
    }
  }

  @Test("the stock decoder reads the nine keys back and ignores keys that come later")
  func decodes() throws {
    let text = """
      {"homeScore":98,"awayScore":99,"gameStatus":"live","period":"Q4","clock":"1:12","lastPlay":"","clockDir":"down",\
      "clockAnchorMs":1796440620000,"seq":412,"later":{"deep":[1]}}
      """
    let state = try JSONDecoder().decode(GameAttributes.ContentState.self, from: Data(text.utf8))
    #expect(state.homeScore == 98 && state.clockDir == .down && state.clockAnchorMs == 1_796_440_620_000)
    let again = try JSONDecoder().decode(GameAttributes.ContentState.self, from: JSONEncoder().encode(state))
    #expect(again == state)
  }
}

@Suite("Live update map") struct LiveUpdateTests {
  private let data = [
    "event": "update", "gameId": "bb-20261205-riv-har", "homeTeam": "Riverton", "awayTeam": "Harbor City",
    "homeScore": "98", "awayScore": "99", "gameStatus": "live", "period": "Q4", "clock": "1:12",
    "lastPlay": "HAR #11 three-pointer", "clockDir": "down", "clockAnchorMs": "1796440620000", "seq": "412",
    "timestamp": "1796440548250", "staleAtMs": "1796440968000", "alertTitle": "t", "alertBody": "b", "later": "x",
  ]

  @Test("the map of texts holds the same facts as the iOS state")
  func reads() throws {
    let update = try #require(LiveUpdate(data))
    #expect(update.event == .update && update.gameID == "bb-20261205-riv-har")
    #expect(update.attributes == GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"))
    #expect(ClockState(update.state) == .runningDown(untilMs: 1_796_440_620_000))
    #expect(update.state.homeScore == 98 && update.state.awayScore == 99 && update.state.seq == 412)
    #expect(update.timestampMs == 1_796_440_548_250 && update.staleAtMs == 1_796_440_968_000)
    #expect(update.alertTitle == "t" && update.alertBody == "b")
  }

  @Test("the extra keys may be absent, as from an older sender")
  func withoutExtras() throws {
    let bare = data.filter { !["clockDir", "clockAnchorMs", "seq", "gameId", "staleAtMs"].contains($0.key) }
    let update = try #require(LiveUpdate(bare))
    #expect(update.state.clockDir == .stop && update.state.seq == 0 && update.staleAtMs == nil && update.gameID == "")
  }

  @Test(
    "a map with a missing or odd fact is no update",
    arguments: [
      ("homeTeam", nil), ("homeTeam", "  "), ("event", "resume"), ("homeScore", "102.0"), ("homeScore", " 102"),
      ("awayScore", "102 "), ("awayScore", "+1"), ("awayScore", ""), ("gameStatus", "Live"), ("period", nil),
      ("timestamp", "soon"), ("timestamp", nil),
    ] as [(String, String?)])
  func refuses(key: String, value: String?) {
    var data = data
    data[key] = value
    #expect(LiveUpdate(data) == nil)
  }
}
