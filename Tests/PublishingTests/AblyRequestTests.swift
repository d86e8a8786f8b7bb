import Document
import GameCore
import LiveContract
import Testing

@testable import Publishing

@Suite("Ably requests") struct AblyRequestTests {
  private func request(
    _ call: AblyCall, settings: AblySettings? = nil
  ) throws -> HTTPRequest {
    let settings = try settings ?? Fixture.settings()
    let identity = CallIdentity(requestID: "AAAAAAAAAAAAAAAA", messageBase: "BBBBBBBBBBBBBBBB")
    return try AblyRequest(call, settings: settings, identity: identity).addressed(
      to: settings.hosts.primary, settings.hosts)
  }

  private func body(_ call: AblyCall) throws -> Node { try #require(JSONText.parse(request(call).body)) }

  private func path(_ call: AblyCall) throws -> String {
    String(try request(call).target.prefix { $0 != "?" })
  }

  private func refusal(_ call: AblyCall, settings: AblySettings? = nil) -> LocalRefusal? {
    do {
      _ = try request(call, settings: settings)
      return nil
    } catch {
      return error as? LocalRefusal
    }
  }

  // MARK: Headers and credentials

  @Test("case 12: a publish carries exactly the headers it must")
  func headers() throws {
    let publish = AblyCall.publish(channel: "c", [AblyMessage(id: "m:0", name: "n", body: .text("x"))])
    #expect(
      try request(publish).headers == [
        HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("X-Ably-Version", "6"), HTTPHeader("Ably-Agent", "score-bridge/0.4.0"),
        HTTPHeader("Authorization", Fixture.basic),
      ])
  }

  @Test("case 13: the key does not travel without TLS, unless a test talks to this very machine")
  func plain() throws {
    let call = AblyCall.create(.newest)
    #expect(refusal(call, settings: try Fixture.settings(endpoint: "ably.example.com", scheme: "http"))?.code == 40103)
    var local = try Fixture.settings(endpoint: "127.0.0.1", scheme: "http")
    #expect(refusal(call, settings: local)?.code == 40103)
    local.allowsPlainLoopback = true
    #expect(refusal(call, settings: local) == nil)
    var far = try Fixture.settings(endpoint: "ably.example.com", scheme: "http")
    far.allowsPlainLoopback = true
    #expect(refusal(call, settings: far)?.status == 401)
  }

  @Test("case 14: a client id goes into its header and into no message")
  func clientID() throws {
    let settings = try Fixture.settings(clientID: "wädi ☃")
    let sent = try request(.publish(channel: "c", [Fixture.android().message]), settings: settings)
    #expect(sent.headers.contains(HTTPHeader("X-Ably-ClientId", "d8OkZGkg4piD")))
    #expect(!String(decoding: sent.body, as: UTF8.self).contains("clientId"))
  }

  @Test(
    "case 15: a key that is not one is refused at start",
    arguments: [
      "abc", "a.b", "a.b:", ":s", " a.b:c", "a.b:c\n", "a.b:c ", "a.b.c:d", ".b:c", "a.:c", "a.b:c:d", "", "\ta.b:c",
    ])
  func keys(text: String) {
    do {
      _ = try AblyKey(text)
      Issue.record("must be refused")
    } catch {
      #expect(error.code == 40005 && error.status == 400)
    }
  }

  @Test("a key shows its name and never its secret, however it is printed")
  func secret() throws {
    let key = Fixture.key
    #expect(key.name == "hG7xQ2.Kd93Lw" && key.secret == "Test0nly-S3cret_Value-0123456789abcdEFGH")
    for settings in [AblyCredential.key(key), .token(AblyToken(text: key.secret)), .renewable(key, TokenRequest())] {
      var dumped = ""
      dump(settings, to: &dumped)
      #expect(!"\(settings)".contains("S3cret") && !String(reflecting: settings).contains("S3cret"))
      #expect(!dumped.contains("S3cret"))
    }
  }

  @Test("case 16: a client id that is empty or a star is refused", arguments: ["*", ""])
  func clientIDs(id: String) {
    do {
      _ = try Fixture.settings(clientID: id)
      Issue.record("must be refused")
    } catch {
      #expect(error.code == 40012 && error.status == 400)
    }
  }

  @Test("case 17: a request id is the same on the fallback, another on the next call, and told with the outcome")
  func requestIDs() throws {
    var talk = try Conversation()
    let first = talk.call(.create(.newest), .refusedConnection, .error(400, 40000))
    let queries = talk.requests.map { $0.target.split(separator: "?")[1] }
    #expect(queries.count == 2 && queries[0] == queries[1] && queries[0] == "request_id=\(first.requestID)")
    #expect(first.requestID.utf8.count >= 12)
    #expect(first.requestID.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
    let second = talk.call(.create(.newest), .error(400, 40000))
    #expect(second.requestID != first.requestID)
  }

  @Test("case 18: the time is asked for without body and without credentials")
  func time() throws {
    let sent = try request(.time)
    #expect(sent.method == "GET" && sent.target == "/time?request_id=AAAAAAAAAAAAAAAA" && sent.body.isEmpty)
    #expect(
      sent.headers == [
        HTTPHeader("Accept", "application/json"), HTTPHeader("X-Ably-Version", "6"),
        HTTPHeader("Ably-Agent", "score-bridge/0.4.0"),
      ])
  }

  @Test("a server that declares itself does so with every request")
  func declared() throws {
    var settings = try Fixture.settings()
    settings.declaresServer = true
    for call in Fixture.calls {
      #expect(try request(call, settings: settings).target.hasSuffix("&clientType=server"), "\(call.name)")
    }
  }

  @Test("no request carries a header of Apple's, an Expect or a key in its address")
  func never() throws {
    for call in Fixture.calls {
      let sent = try request(call)
      #expect(!sent.headers.contains { $0.name.lowercased().hasPrefix("apns") || $0.name == "Expect" }, "\(call.name)")
      #expect(!sent.target.contains("Kd93Lw"), "\(call.name)")
    }
  }

  // MARK: Live Activities

  @Test("case 20: a create names the policy and nothing else")
  func create() throws {
    let sent = try request(.create(.newest))
    #expect(sent.method == "POST" && sent.target.hasPrefix("/push/apnsBroadcastChannels?"))
    #expect(sent.body == Array(#"{"messageStoragePolicy":1}"#.utf8))
    #expect(try request(.create(.nothing)).body == Array(#"{"messageStoragePolicy":0}"#.utf8))
  }

  @Test("cases 22 and 23: a start names its channels or its device, and the other key is absent")
  func start() throws {
    let channels = AblyCall.start(Fixture.broadcast, audience: .channels(["fixtures:77"]), Fixture.start())
    #expect(try path(channels) == "/push/apnsBroadcastChannels/b-9/start")
    #expect(try body(channels).keys == ["apns", "channels", "headers"])
    #expect(try body(channels)["channels"]?.meaning == #"["fixtures:77"]"#)
    let device = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start(headers: nil))
    #expect(try body(device).keys == ["apns", "deviceId"])
    #expect(try body(device)["deviceId"]?.text == "D1")
  }

  @Test("case 24: a start to nobody is refused here; one to both cannot be written down")
  func audience() {
    for audience in [AblyCall.Audience.channels([]), .device("")] {
      let refused = refusal(.start(Fixture.broadcast, audience: audience, Fixture.start()))
      #expect(refused?.code == 40000 && refused?.status == 400)
    }
    let many = AblyCall.Audience.channels((0...100).map { "c\($0)" })
    #expect(refusal(.start(Fixture.broadcast, audience: many, Fixture.start()))?.code == 40000)
  }

  @Test("a start joins its own broadcast's channel, or is refused")
  func inputPushChannel() {
    for channel in ["other", ""] {
      let call = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start(channel: channel))
      #expect(refusal(call)?.code == 40000)
    }
  }

  @Test("cases 25 and 26: an update goes to /broadcast; its headers are texts in the body, or absent")
  func update() throws {
    let update = AblyCall.update(Fixture.broadcast, Fixture.update())
    #expect(try path(update) == "/push/apnsBroadcastChannels/b-9/broadcast")
    #expect(try body(update).keys == ["apns", "headers"])
    #expect(try body(update)["headers"]?.meaning == #"{"apns-expiration":"1767229200","apns-priority":"10"}"#)
    #expect(try body(.update(Fixture.broadcast, Fixture.update(headers: nil))).keys == ["apns"])
  }

  @Test("case 27: an end says so in path and event, and its dismissal is a number")
  func end() throws {
    let end = AblyCall.end(Fixture.broadcast, Fixture.end())
    #expect(try path(end).hasSuffix("/b-9/end"))
    let aps = try #require(body(end)["apns"]?["aps"])
    #expect(aps["event"]?.text == "end" && aps["dismissal-date"]?.meaning == "1767227402")
  }

  @Test("case 28: an id is one path segment whatever it holds")
  func encodedID() throws {
    let broadcast = Broadcast(id: "b 1/x", apnsChannelID: "YWJj", policy: .newest)
    let call = AblyCall.start(broadcast, audience: .device("D1"), Fixture.start())
    #expect(try path(call) == "/push/apnsBroadcastChannels/b%201%2Fx/start")
    #expect(percentEncoded("a:b/c d%[é]~-._!*'()") == "a%3Ab%2Fc%20d%25%5B%C3%A9%5D~-._%21%2A%27%28%29")
    let nameless = Broadcast(id: "", apnsChannelID: "YWJj", policy: .newest)
    #expect(refusal(.end(nameless, Fixture.end()))?.code == 40000)
  }

  @Test("case 30: a payload of the limit's size passes, one byte more is refused")
  func sizes() throws {
    func start(_ extra: Int) -> LiveActivityPayload {
      let alert = Alert(title: "t", body: String(repeating: "b", count: extra))
      return Fixture.start(state: Fixture.state(lastPlay: ""), alert: alert)
    }
    func update(_ extra: Int) -> LiveActivityPayload {
      let alert = Alert(title: "t", body: String(repeating: "b", count: extra))
      return Fixture.update(state: Fixture.state(lastPlay: ""), alert: alert)
    }
    for (limit, make, call) in [
      (4096, start, { AblyCall.start(Fixture.broadcast, audience: .device("D1"), $0) }),
      (5120, update, { AblyCall.update(Fixture.broadcast, $0) }),
    ] as [(Int, (Int) -> LiveActivityPayload, (LiveActivityPayload) -> AblyCall)] {
      let room = limit - make(0).apnsJSON().count
      #expect(make(room).apnsJSON().count == limit)
      #expect(refusal(call(make(room))) == nil)
      #expect(refusal(call(make(room + 1)))?.code == 40009)
      #expect(refusal(call(make(room + 1)))?.status == 400)
    }
  }

  @Test("what the tile shows has its own limit, which binds before the payload's")
  func shown() throws {
    let room = 4096 - Fixture.state(lastPlay: "").json().count
    for (extra, fits) in [(0, true), (1, false)] {
      let state = Fixture.state(lastPlay: String(repeating: "x", count: room + extra))
      let call = AblyCall.update(Fixture.broadcast, Fixture.update(state: state))
      #expect((refusal(call) == nil) == fits)
    }
  }

  @Test("case 32: an event that does not belong on its path is refused")
  func events() {
    #expect(refusal(.update(Fixture.broadcast, Fixture.end()))?.code == 40000)
    #expect(refusal(.update(Fixture.broadcast, Fixture.start()))?.code == 40000)
    #expect(refusal(.end(Fixture.broadcast, Fixture.update()))?.code == 40000)
    #expect(refusal(.start(Fixture.broadcast, audience: .device("D1"), Fixture.update()))?.code == 40000)
  }

  @Test("traps 6 and 8: the expiration must fit the policy that the broadcast was made with")
  func expiration() {
    for policy in StoragePolicy.allCases {
      let broadcast = Broadcast(id: "b", apnsChannelID: "YWJj", policy: policy)
      for seconds: Int64 in [0, 1_767_229_200] {
        let headers = LiveActivityPayload.Headers(priority: .now, expirationSeconds: seconds)
        let fits = (policy == .nothing) == (seconds == 0)
        #expect((refusal(.update(broadcast, Fixture.update(headers: headers))) == nil) == fits)
        #expect((refusal(.end(broadcast, Fixture.end(headers: headers))) == nil) == fits)
        let start = AblyCall.start(broadcast, audience: .device("D1"), Fixture.start(headers: headers))
        #expect(refusal(start) == nil, "a start is a device push, the policy does not apply")
      }
    }
  }

  // MARK: Android

  @Test("case 33: a game's message on its channel is data only, urgent, and has its own id")
  func publish() throws {
    let call = AblyCall.publish(channel: "games:lal-bos", [Fixture.android().message])
    #expect(try path(call) == "/channels/games%3Alal-bos/messages")
    let messages = try #require(body(call).elements)
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
    let sent = try body(call(data)).elements?[0]["extras"]?["push"]?["data"]
    #expect(sent?.meaning == #"{"live":"true","name":"A","rate":"0.5","score":"102"}"#)
    for datum in [
      PushDatum("x", .unrepresentable), PushDatum("x", .number(.infinity)), PushDatum("x", .number(.nan)),
      PushDatum("from", .text("a")), PushDatum("message_type", .text("a")), PushDatum("google.x", .text("a")),
      PushDatum("gcm_x", .text("a")), PushDatum("collapse_key", .text("a")),
    ] {
      #expect(refusal(call(data + [datum]))?.code == 40013, "\(datum)")
      #expect(refusal(call(data + [datum]))?.status == 400)
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
      #expect(try self.path(call) == path)
    } else {
      #expect(refusal(call)?.code == 40010)
    }
  }

  @Test("case 37: a message of the largest size is sent, one byte more is refused")
  func messageSize() throws {
    func call(_ bytes: Int) -> AblyCall {
      .publish(channel: "c", [AblyMessage(name: "n", body: .text(String(repeating: "x", count: bytes - 1)))])
    }
    #expect(refusal(call(65_536)) == nil)
    #expect(refusal(call(65_537))?.code == 40009)
    var small = try Fixture.settings()
    small.maxMessageSize = 100
    #expect(refusal(call(101), settings: small)?.code == 40009)
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
      try body(call).meaning
        == #"[{"data":"{"a":1}","encoding":"json","id":"BBBBBBBBBBBBBBBB:0","name":"activity"}]"#)
  }

  @Test("cases 38 and 39: a push to one device has its members beside the recipient, and needs one")
  func device() throws {
    let call = AblyCall.publishToDevice(id: "D1", Fixture.android())
    #expect(try path(call) == "/push/publish")
    #expect(try body(call).keys == ["data", "fcm", "recipient"])
    #expect(try body(call)["recipient"]?.meaning == #"{"deviceId":"D1"}"#)
    #expect(refusal(.publishToDevice(id: "", Fixture.android()))?.code == 40000)
    #expect(refusal(.publish(channel: "c", []))?.code == 40000)
  }

  @Test("case 40: a batch reaches ten thousand devices at most, and is never larger than the service takes")
  func batch() throws {
    #expect(refusal(.publishToDevices(ids: (0...10_000).map { "D\($0)" }, Fixture.android()))?.code == 40000)
    #expect(refusal(.publishToDevices(ids: [], Fixture.android()))?.code == 40000)
    let call = AblyCall.publishToDevices(ids: ["D1", "D2"], Fixture.android())
    #expect(try path(call) == "/push/batch/publish")
    let items = try #require(body(call).elements)
    #expect(items.count == 2 && items[1].keys == ["payload", "recipient"])
    #expect(items[1]["recipient"]?["deviceId"]?.text == "D2" && items[1]["payload"]?.keys == ["data", "fcm"])
    #expect(refusal(.publishToDevices(ids: (1...10_000).map { "D\($0)" }, Fixture.android()))?.code == 40009)
  }

  @Test("the push data of a device has FCM's limit")
  func fcmLimit() {
    let room = 4000 - Fixture.android(state: Fixture.state(period: "")).push.dataBytes
    for (extra, fits) in [(0, true), (1, false)] {
      let push = Fixture.android(state: Fixture.state(period: String(repeating: "x", count: room + extra))).push
      let message = AblyMessage(name: "n", push: push)
      #expect((refusal(.publish(channel: "c", [message])) == nil) == fits)
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

  @Test("B119: a game's message is urgent, lives shortly, and has no collapse key")
  func doze() throws {
    for kind in [UpdateKind.basket, .goal, .correction, .periodStarted, .final] {
      let rule = EventRules()[kind]
      var payload = Fixture.android()
      payload.fcm = rule.fcm
      let text = String(decoding: try request(.publishToDevice(id: "D1", payload)).body, as: UTF8.self)
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
      try (body(.publish(channel: "c", messages)).elements ?? []).map { $0["id"]?.text }
    }
    let message = AblyMessage(name: "n")
    #expect(try ids([message, message, message]) == (0..<3).map { "BBBBBBBBBBBBBBBB:\($0)" })
    #expect(try ids([message, AblyMessage(id: "own:1", name: "n")]) == [nil, "own:1"])
  }

  @Test("case 43 and B117: a message keeps the id it came with, and two games never share one")
  func ownIDs() throws {
    let call = AblyCall.publish(channel: "c", [AblyMessage(id: "m-77:0", name: "n")])
    #expect(try body(call).elements?[0]["id"]?.text == "m-77:0")
    let ids = ["hk-1", "hk-2"].flatMap { game in
      LiveUpdatePayload.Event.allCases.map { Fixture.android(event: $0, gameID: game).messageID }
    }
    #expect(Set(ids).count == 6 && ids[0] == "hk-1-412-start:0")
  }

  @Test("the push log is read where it is")
  func pushLog() throws {
    let sent = try request(.pushLog(limit: 100))
    #expect(sent.method == "GET" && sent.body.isEmpty)
    #expect(sent.target.hasPrefix("/channels/%5Bmeta%5Dlog%3Apush/messages?limit=100&request_id="))
  }
}
