import GameCore
import LiveContract
import Publishing
import Testing

@testable import StandIn

/// The strict service and our client meet: what `Publishing` makes is taken, and the phones show it.
@Suite("Our requests at the strict service") struct OurRequestsTests {
  private static let state = GameAttributes.ContentState(
    homeScore: 98, awayScore: 99, gameStatus: .live, period: "Q4", clock: "1:12", lastPlay: "Köln 🏒",
    clockDir: .stop, clockAnchorMs: 0, seq: 412)
  private static let attributes = GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City")
  private static let now: Int64 = 1_796_440_000

  private static func live(_ event: LiveActivityPayload.Event, at second: Int64, expires: Int64) -> LiveActivityPayload
  {
    LiveActivityPayload(
      stampSeconds: now + second, event: event, state: state,
      headers: LiveActivityPayload.Headers(priority: .now, expirationSeconds: expires))
  }

  private static func android(_ event: LiveUpdatePayload.Event) -> LiveUpdatePayload {
    LiveUpdatePayload(
      event: event, gameID: "g", attributes: attributes, state: state, stampMilliseconds: now * 1_000,
      staleAtMilliseconds: now * 1_000 + 60_000, alert: Alert(title: "A", body: "B"),
      fcm: FCMOptions(priority: .high, timeToLive: .seconds(180)))
  }

  /// Sends one call of ours to the service, as bytes.
  private static func send(_ call: AblyCall, to service: inout AblyService) throws -> (answer: Answer, seen: Seen) {
    let key = try AblyKey(StandIn.Options().key)
    let settings = try AblySettings(
      hosts: AblyHosts(endpoint: "127.0.0.1", fallbacks: nil, scheme: "https"), credential: .key(key),
      agent: "scoreboard-bridge/0.1.0 swift/6.0", clientID: nil)
    let request = try AblyRequest(
      call, settings: settings, identity: CallIdentity(requestID: "abcdefghijklmnop", messageBase: "abcdefghijklmnop"))
    let incoming = Incoming(
      method: request.method, target: request.target,
      headers: request.headers.map { ($0.name.lowercased(), $0.value) }
        + (request.body.isEmpty ? [] : [("content-length", String(request.body.count))]),
      body: request.body)
    let moment = Moment(instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: now * 1_000))
    var seen = Seen(incoming, number: 0, connection: 0, spoken: "http/1.1", at: moment)
    let answer = service.answer(&seen)
    return (answer, seen)
  }

  @Test("every call of a game is taken, and the phones show it", arguments: [StoragePolicy.nothing, .newest])
  func game(policy: StoragePolicy) throws {
    var service = AblyRulesTests.service
    service.fleet.add(IPhone(deviceID: "fan", channels: ["live-ios:x"]))
    service.fleet.add(AndroidPhone(deviceID: "D1", channels: ["live-android:x"]))
    let created = try OurRequestsTests.send(.create(policy), to: &service).answer
    let ids = try #require(JSON(created.body.utf8))
    let broadcast = Broadcast(
      id: try #require(ids["id"]?.string), apnsChannelID: try #require(ids["apnsChannelId"]?.string), policy: policy)
    let expires = policy == .nothing ? 0 : OurRequestsTests.now + 1_800
    let alert = Alert(title: "A", body: "B")
    let calls: [AblyCall] = [
      .start(
        broadcast, audience: .channels(["live-ios:x"]),
        OurRequestsTests.live(
          .start(
            attributesType: "GameAttributes", attributes: OurRequestsTests.attributes,
            inputPushChannel: broadcast.apnsChannelID, staleSeconds: OurRequestsTests.now + 900, alert: alert),
          at: 0, expires: OurRequestsTests.now + 600)),
      .update(
        broadcast,
        OurRequestsTests.live(
          .update(staleSeconds: OurRequestsTests.now + 420, alert: alert), at: 1, expires: expires)),
      .publish(channel: "live-android:x", [OurRequestsTests.android(.update).message]),
      .publishToDevice(id: "D1", OurRequestsTests.android(.update)),
      .publishToDevices(ids: ["D1", "D2"], OurRequestsTests.android(.end)),
      .end(
        broadcast,
        OurRequestsTests.live(.end(dismissalSeconds: OurRequestsTests.now + 1_800), at: 2, expires: expires)),
      .time, .pushLog(limit: 100),
    ]
    for call in calls {
      let (answer, seen) = try OurRequestsTests.send(call, to: &service)
      #expect((200..<300).contains(answer.status), "\(seen.target): \(answer.body)")
    }
    #expect(service.fleet[iPhone: "fan"]?.tiles.first?.state == OurRequestsTests.state)
    #expect(service.fleet[iPhone: "fan"]?.drops == [])
    #expect(service.fleet[iPhone: "fan"]?.alerts.count == 2)
    #expect(service.fleet[android: "D1"]?.shown.count == 3)
    #expect(service.fleet[android: "D1"]?.card?.isFinal == true)
  }
}
