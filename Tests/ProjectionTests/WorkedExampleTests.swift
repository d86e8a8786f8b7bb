import Foundation
import GameCore
import LiveContract
import Publishing
import Testing

/// The two games of the worked examples, played at the scorer's table and told by the event rules.
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
  var kind: UpdateKind?
  var updateAlert: Alert?

  static let basketball: Game = {
    var table = ScorersTable("basketball", [("period_length", "12m")])
    let before = table.state(seq: 1)
    for step in ["1 period Q4", "1 set score home 98", "1 set score away 96", "1 clockset 1:20", "1 clock start"] {
      table.step(step)
    }
    table.now.wall = WallTime(milliseconds: 1_796_440_540_000)
    table.step("8 score away 3 11")
    let update = table.plan.first
    let during = table.state(seq: 412)
    for step in ["9 set score home 104", "1 set score away 101", "1 clockset 0:00", "5 hold game final"] {
      table.step(step)
    }
    return Game(
      gameID: "bb-20261205-riv-har",
      broadcast: Broadcast(id: "apb_7Qm2xR9dK4", apnsChannelID: "bGlzdGVuLWJiLTAx", policy: .nothing),
      deviceID: "01JD8Z3T8Q4V6N2K9B5D7F1G0M", attributes: GameAttributes(table.names),
      scheduled: WallTime(milliseconds: 1_796_432_400_000), startSent: WallTime(milliseconds: 1_796_431_800_250),
      updateSent: WallTime(milliseconds: 1_796_440_548_250), endSent: WallTime(milliseconds: 1_796_441_040_250),
      before: before, during: during, after: table.state(seq: 447), startAlert: startAlert("basketball", table.names),
      kind: update?.kind, updateAlert: update?.alert)
  }()

  static let hockey: Game = {
    let teams = Pair(home: Team(name: "Northgate", code: "ngw"), away: Team(name: "Lakeside", code: "lak"))
    var table = ScorersTable("ice-hockey", teams: teams)
    let before = table.state(seq: 1)
    for step in ["1 period 2nd", "1 set score home 1", "1 set score away 1", "1 clockset 7:41"] { table.step(step) }
    table.step("1 score home 1 19 power-play")
    let update = table.plan.first
    let during = table.state(seq: 203)
    for step in ["9 set score away 2", "1 period OT", "9 score home 1 7", "5 hold game final"] { table.step(step) }
    return Game(
      gameID: "hk-20261206-ngw-lak",
      broadcast: Broadcast(id: "apb_2Vd8sL0pW6", apnsChannelID: "bGlzdGVuLWhrLTAy", policy: .newest),
      deviceID: "01JD8Z5R7M2P4X9C6H1T3W8E0K", attributes: GameAttributes(table.names),
      scheduled: WallTime(milliseconds: 1_796_517_000_000), startSent: WallTime(milliseconds: 1_796_516_400_250),
      updateSent: WallTime(milliseconds: 1_796_521_321_250), endSent: WallTime(milliseconds: 1_796_526_420_250),
      before: before, during: during, after: table.state(seq: 388), startAlert: startAlert("ice-hockey", teams),
      kind: update?.kind, updateAlert: update?.alert)
  }()

  private static func startAlert(_ sport: String, _ names: Pair<Team>) -> Alert {
    let table = ScorersTable(sport, teams: names)
    return Alert.start(
      names: names, state: table.game.state, rules: table.rules, texts: Texts(), in: .seconds(600))
  }

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
      let rule = Self.rules[kind!]
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
        .update, during, updateSent, staleAt(Self.rules[kind!], at: updateSent), updateAlert, Self.rules[kind!])
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

  private func settings() throws(LocalRefusal) -> AblySettings {
    try AblySettings(hosts: AblyHosts(), credential: .key(AblyKey("a.b:c")), agent: "score-bridge/0.4.0")
  }

  private func sorted(_ json: Data) throws -> Data {
    try JSONSerialization.data(
      withJSONObject: JSONSerialization.jsonObject(with: json), options: [.sortedKeys, .withoutEscapingSlashes])
  }

  @Test("every worked request is rebuilt to the byte, and means the same as decoded JSON")
  func requests() throws {
    let identity = CallIdentity(requestID: "r", messageBase: "b")
    for example in WorkedExample.all {
      let request = try AblyRequest(game(example).call(example), settings: settings(), identity: identity)
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

  @Test("create names only its policy, in 26 bytes")
  func create() throws {
    for policy in StoragePolicy.allCases {
      let identity = CallIdentity(requestID: "r", messageBase: "b")
      let request = try AblyRequest(.create(policy), settings: settings(), identity: identity)
      #expect(request.body.count == 26 && request.target.hasPrefix("/push/apnsBroadcastChannels?"))
    }
  }
}

extension ScorersTable {
  /// What phones are shown now, under the sender's number.
  fileprivate func state(seq: Int) -> GameAttributes.ContentState {
    var state = content
    state.seq = seq
    return state
  }
}
