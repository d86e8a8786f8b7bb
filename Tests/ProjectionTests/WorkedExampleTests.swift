import Foundation
import GameCore
import LiveContract
import Testing

@testable import Publishing

/// The two games of the worked examples, told with what the bridge has: states, instants, the event rules.
private struct Game {
  var gameID: String
  var broadcast: Broadcast
  var deviceID: String
  var attributes: GameAttributes
  var scheduled: WallTime
  var startSent: WallTime
  var updateSent: WallTime
  var endSent: WallTime
  var before: GameAttributes.ContentState
  var during: GameAttributes.ContentState
  var after: GameAttributes.ContentState
  var startAlert: Alert
  var kind: UpdateKind
  var updateAlert: Alert?

  static let basketball = Game(
    gameID: "bb-20261205-riv-har",
    broadcast: Broadcast(id: "apb_7Qm2xR9dK4", apnsChannelID: "bGlzdGVuLWJiLTAx", policy: .nothing),
    deviceID: "01JD8Z3T8Q4V6N2K9B5D7F1G0M",
    attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"),
    scheduled: WallTime(milliseconds: 1_796_432_400_000), startSent: WallTime(milliseconds: 1_796_431_800_250),
    updateSent: WallTime(milliseconds: 1_796_440_548_250), endSent: WallTime(milliseconds: 1_796_441_040_250),
    before: Fixture.state(
      home: 0, away: 0, status: .scheduled, period: "Q1", clock: "12:00", lastPlay: "Tip-off soon", seq: 1),
    during: Fixture.state(direction: .down, anchor: 1_796_440_548_000 + 72_000),
    after: Fixture.state(
      home: 104, away: 101, status: .finished, period: "Final", clock: "", lastPlay: "Riverton wins", seq: 447),
    startAlert: Alert(title: "Harbor City at Riverton", body: "Tip-off in 10 minutes"), kind: .basket)

  static let hockey = Game(
    gameID: "hk-20261206-ngw-lak",
    broadcast: Broadcast(id: "apb_2Vd8sL0pW6", apnsChannelID: "bGlzdGVuLWhrLTAy", policy: .newest),
    deviceID: "01JD8Z5R7M2P4X9C6H1T3W8E0K",
    attributes: GameAttributes(homeTeam: "Northgate", awayTeam: "Lakeside"),
    scheduled: WallTime(milliseconds: 1_796_517_000_000), startSent: WallTime(milliseconds: 1_796_516_400_250),
    updateSent: WallTime(milliseconds: 1_796_521_321_250), endSent: WallTime(milliseconds: 1_796_526_420_250),
    before: Fixture.state(
      home: 0, away: 0, status: .scheduled, period: "1st", clock: "20:00", lastPlay: "Puck drop soon", seq: 1),
    during: Fixture.state(
      home: 2, away: 1, period: "2nd", clock: "7:41", lastPlay: "NGW #19 power-play goal", seq: 203),
    after: Fixture.state(
      home: 3, away: 2, status: .finished, period: "Final/OT", clock: "", lastPlay: "Northgate wins in overtime",
      seq: 388),
    startAlert: Alert(title: "Lakeside at Northgate", body: "Puck drop in 10 minutes"), kind: .goal,
    updateAlert: Alert(title: "Goal Northgate", body: "Northgate 2, Lakeside 1 (2nd 7:41)"))

  private static let rules = EventRules()

  /// Whole seconds, as the facts' own examples count from them.
  private static func whole(_ time: WallTime) -> WallTime { WallTime(milliseconds: time.seconds * 1000) }

  private func staleAt(_ rule: EventRule, at now: WallTime) -> WallTime? {
    rule.staleAt(now: now, lastFrame: Self.whole(now), breakLeft: .zero, scheduledStart: scheduled)
  }

  func activity(_ event: String) -> LiveActivityPayload {
    switch event {
    case "start":
      let rule = Self.rules.start
      return LiveActivityPayload(
        stampSeconds: startSent.seconds,
        event: .start(
          attributesType: Contract.standard.attributesType, attributes: attributes,
          inputPushChannel: broadcast.apnsChannelID, staleSeconds: staleAt(rule, at: startSent)!.seconds,
          alert: startAlert),
        state: before,
        headers: LiveActivityPayload.Headers(
          priority: rule.priority(sinceLastNow: nil, lastMinutes: false),
          expirationSeconds: (startSent + rule.expiration).seconds))
    case "update":
      let rule = Self.rules[kind]
      return LiveActivityPayload(
        stampSeconds: updateSent.seconds,
        event: .update(staleSeconds: staleAt(rule, at: updateSent)?.seconds, alert: updateAlert), state: during,
        headers: LiveActivityPayload.Headers(
          priority: rule.priority(sinceLastNow: .seconds(60), lastMinutes: false),
          expirationSeconds: broadcast.policy.expirationSeconds(keeping: rule.expiration, at: updateSent)))
    default:
      let rule = Self.rules.end
      return LiveActivityPayload(
        stampSeconds: endSent.seconds, event: .end(dismissalSeconds: (endSent + .seconds(1800)).seconds), state: after,
        headers: LiveActivityPayload.Headers(
          priority: rule.priority(sinceLastNow: nil, lastMinutes: false),
          expirationSeconds: broadcast.policy.expirationSeconds(keeping: rule.expiration, at: endSent)))
    }
  }

  func card(_ event: String) -> LiveUpdatePayload {
    func payload(
      _ event: LiveUpdatePayload.Event, _ state: GameAttributes.ContentState, _ sent: WallTime, _ stale: WallTime?,
      _ alert: Alert?, _ rule: EventRule
    ) -> LiveUpdatePayload {
      LiveUpdatePayload(
        event: event, gameID: gameID, attributes: attributes, state: state, stampMilliseconds: sent.milliseconds,
        staleAtMilliseconds: stale?.milliseconds, alert: alert, fcm: rule.fcm)
    }
    switch event {
    case "start":
      return payload(.start, before, startSent, staleAt(Self.rules.start, at: startSent), startAlert, Self.rules.start)
    case "update":
      return payload(
        .update, during, updateSent, staleAt(Self.rules[kind], at: updateSent), updateAlert, Self.rules[kind])
    default:
      return payload(.end, after, endSent, Self.whole(endSent) + .seconds(1800), nil, Self.rules.end)
    }
  }

  func call(_ example: WorkedExample) -> AblyCall {
    switch (example.sink, example.event) {
    case (.ios, "start"):
      .start(broadcast, audience: .channels(["live-ios:\(gameID)"]), activity("start").fitted())
    case (.ios, "update"): .update(broadcast, activity("update").fitted())
    case (.ios, _): .end(broadcast, activity("end").fitted())
    case (.channel, let event): .publish(channel: "live-android:\(gameID)", [card(event).fitted().message])
    case (.device, let event): .publishToDevice(id: deviceID, card(event).fitted())
    }
  }
}

@Suite("Worked examples") struct WorkedExampleTests {
  private func game(_ example: WorkedExample) -> Game { example.isHockey ? .hockey : .basketball }

  private func sorted(_ json: Data) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: JSONSerialization.jsonObject(with: json), options: [.sortedKeys, .withoutEscapingSlashes])
  }

  @Test("every worked request is rebuilt to the byte, and means the same as decoded JSON")
  func requests() throws {
    let identity = CallIdentity(requestID: "r", messageBase: "b")
    for example in WorkedExample.all {
      let request = try AblyRequest(game(example).call(example), settings: Fixture.settings(), identity: identity)
      let claim: Comment = "\(example.isHockey ? "hockey" : "basketball") \(example.event) \(example.sink)"
      #expect(request.method == "POST" && request.target == example.path + "?request_id=r", claim)
      #expect(String(decoding: request.body, as: UTF8.self) == example.json, claim)
      let ours = try sorted(Data(request.body))
      #expect(try ours == sorted(Data(example.json.utf8)), claim)
      #expect(ours.count == example.bytes && request.body.count == example.bytes, claim)
    }
  }

  @Test("the parts have the sizes that the facts give")
  func sizes() {
    for example in WorkedExample.all {
      let game = game(example)
      let activity = game.activity(example.event)
      guard let stateBytes = example.stateBytes, let shownBytes = example.shownBytes else {
        #expect(game.card(example.event).push.dataBytes == example.payloadBytes)
        continue
      }
      #expect(activity.apnsJSON().count == example.payloadBytes)
      #expect(activity.state.json().count == stateBytes)
      #expect(activity.state.json().count + game.attributes.json().count == shownBytes)
    }
  }

  @Test("B123 and B126: every worked state decodes on a phone of the reference contract and of ours")
  func decodes() throws {
    for example in WorkedExample.all where example.sink == .ios {
      let payload = game(example).activity(example.event)
      #expect(Contract.standard.check(payload) == nil && Contract.reference.check(payload) == nil)
      let state = try JSONDecoder().decode(GameAttributes.ContentState.self, from: Data(payload.state.json()))
      #expect(state == payload.state)
    }
    for example in WorkedExample.all where example.sink != .ios {
      let card = game(example).card(example.event)
      let map = Dictionary(uniqueKeysWithValues: card.data.map { ($0.key, $0.value.text!) })
      #expect(LiveUpdate(map)?.state == card.state && LiveUpdate(map)?.attributes == card.attributes)
    }
  }

  @Test("B85: an iOS stamp has ten digits, an Android stamp thirteen")
  func stampUnits() {
    for game in [Game.basketball, .hockey] {
      for event in ["start", "update", "end"] {
        #expect(String(game.activity(event).stampSeconds).count == 10)
        #expect(game.card(event).data.first { $0.key == "timestamp" }?.value.text?.count == 13)
      }
    }
  }

  @Test("a client not written by us, asked for the same, sends what we send")
  func otherClient() throws {
    let file = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Fixtures/pypi-ably-requests.json")
    let recorded = try #require(JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any])
    let theirs = try #require(recorded["requests"] as? [[String: Any]])
    let card = Game.basketball.card("update")
    let calls = [
      AblyCall.publish(channel: "live-android:\(card.gameID)", [card.message]),
      .publishToDevice(id: Game.basketball.deviceID, card),
    ]
    #expect(theirs.count == calls.count)
    for (call, their) in zip(calls, theirs) {
      let ours = try AblyRequest(
        call, settings: Fixture.settings(), identity: CallIdentity(requestID: "r", messageBase: "b"))
      #expect(ours.method == their["method"] as? String)
      let path = ours.target.split(separator: "?").first.map(String.init)
      #expect(path?.removingPercentEncoding == (their["target"] as? String)?.removingPercentEncoding)
      func header(_ name: String) -> String? { ours.headers.first { $0.name == name }?.value }
      #expect(header("Content-Type") == their["content-type"] as? String)
      #expect(header("Accept") == their["accept"] as? String)
      #expect(header("Authorization")?.split(separator: " ").first == (their["authorization"] as? String)?[...])
      var body = try JSONSerialization.jsonObject(with: Data(ours.body))
      if let list = body as? [Any], list.count == 1 { body = list[0] }
      #expect(NSDictionary(dictionary: try #require(body as? [String: Any])) == their["body"] as? NSDictionary)
    }
  }

  @Test("create names only its policy, in 26 bytes")
  func create() throws {
    for policy in StoragePolicy.allCases {
      let identity = CallIdentity(requestID: "r", messageBase: "b")
      let request = try AblyRequest(.create(policy), settings: Fixture.settings(), identity: identity)
      #expect(request.body.count == 26 && request.target.hasPrefix("/push/apnsBroadcastChannels?"))
    }
  }
}
