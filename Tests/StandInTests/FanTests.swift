import GameCore
import LiveContract
import Publishing
import Testing

@testable import StandIn

/// What fans do with their phones, which no sender ever hears of, and what our pushes are worth there.
@Suite("Fans and their phones") struct FanTests {
  private static let now = PhoneTests.start

  /// A message as our rules for this kind of event have it carried.
  private static func push(_ kind: UpdateKind, home: Int = 1, away: Int = 0) -> JSON {
    let state = GameAttributes.ContentState(
      homeScore: home, awayScore: away, gameStatus: .live, period: "Q4", clock: "", lastPlay: "", clockDir: .stop,
      clockAnchorMs: 0, seq: 1)
    let payload = LiveUpdatePayload(
      event: .update, gameID: "g", attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"),
      state: state, stampMilliseconds: now.milliseconds, staleAtMilliseconds: nil, alert: nil,
      fcm: EventRules()[kind].fcm)
    let settings = try! AblySettings(
      hosts: AblyHosts(), credential: .key(AblyKey("a.b:c")), agent: "scoreboard-bridge/0")
    let request = try! AblyRequest(
      .publish(channel: "live-android:g", [payload.message]), settings: settings,
      identity: CallIdentity(requestID: "r", messageBase: "b"))
    return JSON(request.body)!.elements![0]["extras"]!["push"]!
  }

  @Test(
    "trap 29: who forbade notifications is woken for little, and for nothing once the app has left the channel"
  )
  func invisible() throws {
    var fleet = Fleet()
    fleet.add(AndroidPhone(deviceID: "a", channels: ["live-android:g"]))
    fleet.change(android: "a") { $0.allowsNotifications = false }
    for kind in UpdateKind.allCases { fleet.message(on: "live-android:g", FanTests.push(kind), at: FanTests.now) }
    let quiet: [UpdateKind] = [
      .clockStarted, .clockStopped, .clockSet, .detail, .timeoutCalled, .breakClock, .heartbeat,
    ]
    #expect(fleet[android: "a"]?.invisibleWakes == UpdateKind.allCases.count - quiet.count)
    #expect(fleet[android: "a"]?.card == nil)
    // What fan-app.md asks of the app: leave the channel while notifications are off, and come back with them.
    fleet.change(android: "a") { $0.channels = [] }
    fleet.message(on: "live-android:g", FanTests.push(.goal), at: FanTests.now)
    #expect(fleet[android: "a"]?.invisibleWakes == UpdateKind.allCases.count - quiet.count)
    fleet.change(android: "a") {
      $0.channels = ["live-android:g"]
      $0.allowsNotifications = true
    }
    fleet.message(on: "live-android:g", FanTests.push(.goal, home: 7), at: FanTests.now)
    #expect(fleet[android: "a"]?.card?.homeScore == 7)
  }

  @Test(
    "trap 39: a score that the status bar would cut is not put there, and one that fits is",
    arguments: [
      (98, 99, "98–99"), (102, 99, "102–99"), (99, 102, "99–102"), (102, 101, nil), (1000, 9, "1000–9"), (0, 0, "0–0"),
      (10_000, 9, nil),
    ] as [(Int, Int, String?)])
  func chip(home: Int, away: Int, chip: String?) throws {
    var fleet = Fleet()
    fleet.add(AndroidPhone(deviceID: "a", channels: ["live-android:g"]))
    fleet.message(on: "live-android:g", FanTests.push(.basket, home: home, away: away), at: FanTests.now)
    #expect(try #require(fleet[android: "a"]?.card).chip == chip)
    // What the contract gives the app for it is never longer than what is shown whole.
    var data: [String: String] = [:]
    for message in fleet[android: "a"]?.received ?? [] { data = message }
    #expect(try #require(LiveUpdate(data)).state.chip == chip)
  }

  @Test("trap 36: an app that was thrown out starts nothing, whatever the token says, until the fan opens it")
  func forceQuit() {
    var fleet = Fleet()
    fleet.add(IPhone(deviceID: "fan", channels: ["live-ios:x"]))
    fleet.open("Q0g=", policy: 0)
    fleet.change(iPhone: "fan") { $0.isForceQuit = true }
    fleet.start(JSON(Bodies.start("Q0g=").utf8)!, at: FanTests.now)
    #expect(fleet[iPhone: "fan"]?.tiles.isEmpty == true && fleet[iPhone: "fan"]?.drops == [.forceQuit])
    fleet.change(iPhone: "fan") {
      $0.startLocally(
        GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"),
        GameAttributes.ContentState(
          homeScore: 0, awayScore: 0, gameStatus: .live, period: "Q1", clock: "", lastPlay: "", clockDir: .stop,
          clockAnchorMs: 0, seq: 0), appleChannel: "Q0g=", at: FanTests.now)
    }
    PhoneTests.update(&fleet, home: 5, at: 1)
    #expect(fleet[iPhone: "fan"]?.tiles.map(\.state.homeScore) == [5])
  }
}
