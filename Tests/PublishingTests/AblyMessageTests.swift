import Document
import GameCore
import LiveContract
import Testing

@testable import Publishing

@Suite("Ably messages") struct AblyMessageTests {
  // MARK: Android

  @Test("case 33: a game's message on its channel is data only, urgent, and has its own id")
  func publish() throws {
    let call = AblyCall.publish(channel: "games:lal-bos", [Fixture.android().message])
    #expect(try Draft.path(call) == "/channels/games%3Alal-bos/messages")
    let messages = try #require(Draft.body(call).elements)
    #expect(messages.count == 1 && messages[0].keys == ["extras", "id", "name"])
    #expect(messages[0]["id"]?.text == "lal-bos-412-update:0")
    let push = try #require(messages[0]["extras"]?["push"])
    #expect(push.keys == ["data", "fcm"] && push["fcm"]?["priority"]?.text == "HIGH")
  }

  @Test("case 34: push data becomes text, and what has no text is refused")
  func pushValues() throws {
    let data = [
      PushDatum("score", .integer(102)), PushDatum("live", .truth(true)), PushDatum("name", .text("A")),
      PushDatum("rate", .number(0.5)),
    ]
    func call(_ data: [PushDatum]) -> AblyCall {
      .publish(channel: "c", [AblyMessage(push: PushObject(data: data, fcm: nil))])
    }
    let sent = try Draft.body(call(data)).elements?[0]["extras"]?["push"]?["data"]
    #expect(sent?.meaning == #"{"live":"true","name":"A","rate":"0.5","score":"102"}"#)
    for datum in [
      PushDatum("x", .unrepresentable), PushDatum("x", .number(.infinity)), PushDatum("x", .number(.nan)),
      PushDatum("from", .text("a")), PushDatum("message_type", .text("a")), PushDatum("google.x", .text("a")),
      PushDatum("gcm_x", .text("a")), PushDatum("collapse_key", .text("a")),
    ] {
      #expect(Draft.refusal(call(data + [datum]))?.code == 40013, "\(datum)")
      #expect(Draft.refusal(call(data + [datum]))?.status == 400)
    }
  }

  @Test(
    "case 35: a channel's name is one path segment, or is refused",
    arguments: [
      ("pitch 3/final", "/channels/pitch%203%2Ffinal/messages"), ("", nil), (":x", nil), ("[x]y", nil), ("a\nb", nil),
      ("a\r\nb", nil),
    ] as [(String, String?)])
  func channels(name: String, path: String?) throws {
    let call = AblyCall.publish(channel: name, [AblyMessage(name: "n")])
    if let path {
      #expect(try Draft.path(call) == path)
    } else {
      #expect(Draft.refusal(call)?.code == 40010)
    }
  }

  @Test("case 37: a message of the largest size is sent, one byte more is refused")
  func messageSize() throws {
    func call(_ bytes: Int) -> AblyCall {
      .publish(channel: "c", [AblyMessage(name: "n", body: .text(String(repeating: "x", count: bytes - 1)))])
    }
    #expect(Draft.refusal(call(65_536)) == nil)
    #expect(Draft.refusal(call(65_537))?.code == 40009)
    var small = try Fixture.settings()
    small.maxMessageSize = 100
    #expect(Draft.refusal(call(101), settings: small)?.code == 40009)
    let example = AblyMessage(
      id: "not counted", name: "live-update", body: .json(Array(#"{"home":1}"#.utf8)),
      push: PushObject(data: [PushDatum("home", .text("1"))], fcm: nil))
    #expect(example.size == 51)
    #expect(AblyMessage(name: "é").size == 2)
  }

  @Test("JSON data travels as a text with its encoding named, and absent fields are left out")
  func json() throws {
    let call = AblyCall.publish(
      channel: "court:1", [AblyMessage(name: "activity", body: .json(Array(#"{"a":1}"#.utf8)))])
    #expect(
      try Draft.body(call).meaning
        == #"[{"data":"{"a":1}","encoding":"json","id":"BBBBBBBBBBBBBBBB:0","name":"activity"}]"#)
  }

  @Test("cases 38 and 39: a push to one device has its members beside the recipient, and needs one")
  func device() throws {
    let call = AblyCall.publishToDevice(id: "D1", Fixture.android())
    #expect(try Draft.path(call) == "/push/publish")
    #expect(try Draft.body(call).keys == ["data", "fcm", "recipient"])
    #expect(try Draft.body(call)["recipient"]?.meaning == #"{"deviceId":"D1"}"#)
    #expect(Draft.refusal(.publishToDevice(id: "", Fixture.android()))?.code == 40000)
    #expect(Draft.refusal(.publish(channel: "c", []))?.code == 40000)
  }

  @Test("case 40: a batch reaches ten thousand devices at most, and is never larger than the service takes")
  func batch() throws {
    #expect(Draft.refusal(.publishToDevices(ids: (0...10_000).map { "D\($0)" }, Fixture.android()))?.code == 40000)
    #expect(Draft.refusal(.publishToDevices(ids: [], Fixture.android()))?.code == 40000)
    let call = AblyCall.publishToDevices(ids: ["D1", "D2"], Fixture.android())
    #expect(try Draft.path(call) == "/push/batch/publish")
    let items = try #require(Draft.body(call).elements)
    #expect(items.count == 2 && items[1].keys == ["payload", "recipient"])
    #expect(items[1]["recipient"]?["deviceId"]?.text == "D2" && items[1]["payload"]?.keys == ["data", "fcm"])
    #expect(Draft.refusal(.publishToDevices(ids: (1...10_000).map { "D\($0)" }, Fixture.android()))?.code == 40009)
  }

  @Test("the push data of a device has FCM's limit")
  func fcmLimit() {
    let room = 4000 - Fixture.android(state: Fixture.state(period: "")).push.dataBytes
    for (extra, fits) in [(0, true), (1, false)] {
      let push = Fixture.android(state: Fixture.state(period: String(repeating: "x", count: room + extra))).push
      let message = AblyMessage(name: "n", push: push)
      #expect((Draft.refusal(.publish(channel: "c", [message])) == nil) == fits)
    }
  }

  @Test("B115: a client cuts texts before it sends, so that no long last play is ever refused")
  func clientFits() throws {
    let text = String(repeating: "👩‍👩‍👧‍👦 scores ", count: 200)
    let state = Fixture.state(lastPlay: text)
    for call in [
      AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start(state: state)),
      .update(Fixture.broadcast, Fixture.update(state: state)), .end(Fixture.broadcast, Fixture.end(state: state)),
      .publish(channel: "c", [Fixture.android(state: state).message]),
      .publishToDevice(id: "D1", Fixture.android(state: state)),
      .publishToDevices(ids: ["D1"], Fixture.android(state: state)),
    ] {
      var talk = try Conversation()
      #expect(talk.call(call, .status(201)).verdict.isAccepted, "\(call.name)")
      #expect(talk.requests[0].body.count < 3000, "\(call.name)")
    }
  }

  @Test("B126: a push that the declared app would drop is refused with the key's name, and no request is made")
  func contract() throws {
    var settings = try Fixture.settings()
    settings.contract.state.append(Contract.Field("venue", .text))
    for call in [
      AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start()),
      .update(Fixture.broadcast, Fixture.update()), .end(Fixture.broadcast, Fixture.end()),
    ] {
      var talk = Conversation(settings)
      let outcome = talk.call(call, .status(201))
      #expect(talk.requests.isEmpty && outcome.attempts == 0)
      #expect(outcome.verdict.refusal?.code == 40000)
      #expect(outcome.verdict.refusal?.message.contains("venue") == true)
    }
  }

  @Test("a key that only this app has goes with every state, behind ours")
  func extra() throws {
    var settings = try Fixture.settings()
    settings.contract.extra = [Contract.Extra("league", .text("U19")), Contract.Extra("round", .integer(3))]
    var talk = Conversation(settings)
    for call in [
      AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start()),
      .update(Fixture.broadcast, Fixture.update()), .end(Fixture.broadcast, Fixture.end()),
    ] {
      #expect(talk.call(call, .status(200)).verdict.isAccepted)
      let text = String(decoding: talk.requests[0].body, as: UTF8.self)
      #expect(text.contains(#""seq":412,"league":"U19","round":3}"#))
    }
  }

  @Test("B119, traps 27 and 28: a game's message is urgent, lives shortly, and has no collapse key")
  func doze() throws {
    for kind in [UpdateKind.basket, .goal, .correction, .periodStarted, .final] {
      let rule = EventRules()[kind]
      var payload = Fixture.android()
      payload.fcm = rule.fcm
      let text = String(decoding: try Draft.request(.publishToDevice(id: "D1", payload)).body, as: UTF8.self)
      #expect(text.contains(#""priority":"HIGH","ttl":"\#(rule.timeToLive.components.seconds)s""#))
      #expect(!text.lowercased().contains("collapse") && !text.contains("notification"))
      #expect(payload.push.dataBytes <= 2000 && rule.timeToLive <= .seconds(14_400))
    }
  }

  // MARK: Idempotency

  @Test("case 41: a message without an id gets one, which the fallback attempt repeats")
  func madeIDs() throws {
    var talk = try Conversation()
    let publish = AblyCall.publish(channel: "c", [AblyMessage(name: "n")])
    func ids() -> [String] {
      talk.requests.flatMap { (JSONText.parse($0.body)?.elements ?? []).compactMap { $0["id"]?.text } }
    }
    _ = talk.call(publish, .status(500), .status(201))
    let first = ids()
    #expect(first.count == 2 && first[0] == first[1] && first[0].hasSuffix(":0") && first[0].utf8.count >= 14)
    _ = talk.call(publish, .status(201))
    #expect(ids()[0] != first[0])
  }

  @Test("case 42: several messages without ids share one base and are numbered; with one id among them all stay")
  func severalIDs() throws {
    func ids(_ messages: [AblyMessage]) throws -> [String?] {
      try (Draft.body(.publish(channel: "c", messages)).elements ?? []).map { $0["id"]?.text }
    }
    let message = AblyMessage(name: "n")
    #expect(try ids([message, message, message]) == (0..<3).map { "BBBBBBBBBBBBBBBB:\($0)" })
    #expect(try ids([message, AblyMessage(id: "own:1", name: "n")]) == [nil, "own:1"])
  }

  @Test("case 43 and B117: a message keeps the id it came with, and two games never share one")
  func ownIDs() throws {
    let call = AblyCall.publish(channel: "c", [AblyMessage(id: "m-77:0", name: "n")])
    #expect(try Draft.body(call).elements?[0]["id"]?.text == "m-77:0")
    let ids = ["hk-1", "hk-2"].flatMap { game in
      LiveUpdatePayload.Event.allCases.map { Fixture.android(event: $0, gameID: game).messageID }
    }
    #expect(Set(ids).count == 6 && ids[0] == "hk-1-412-start:0")
  }

  @Test("the push log is read where it is")
  func pushLog() throws {
    let sent = try Draft.request(.pushLog(limit: 100))
    #expect(sent.method == "GET" && sent.body.isEmpty)
    #expect(sent.target.hasPrefix("/channels/%5Bmeta%5Dlog%3Apush/messages?limit=100&request_id="))
  }
}
