import Document
import GameCore
import LiveContract
import Testing

@testable import Publishing

@Suite("Ably requests") struct AblyRequestTests {
  // MARK: Headers and credentials

  @Test("case 12: a publish carries exactly the headers it must")
  func headers() throws {
    let publish = AblyCall.publish(channel: "c", [AblyMessage(id: "m:0", name: "n", body: .text("x"))])
    #expect(
      try Draft.request(publish).headers == [
        HTTPHeader("Accept", "application/json"), HTTPHeader("Content-Type", "application/json"),
        HTTPHeader("X-Ably-Version", "6"), HTTPHeader("Ably-Agent", "score-bridge/0.4.0"),
        HTTPHeader("Authorization", Fixture.basic),
      ])
  }

  @Test("case 13: the key does not travel without TLS, unless a test talks to this very machine")
  func plain() throws {
    let call = AblyCall.create(.newest)
    #expect(
      Draft.refusal(call, settings: try Fixture.settings(endpoint: "ably.example.com", scheme: "http"))?.code == 40103)
    var local = try Fixture.settings(endpoint: "127.0.0.1", scheme: "http")
    #expect(Draft.refusal(call, settings: local)?.code == 40103)
    local.allowsPlainLoopback = true
    #expect(Draft.refusal(call, settings: local) == nil)
    var far = try Fixture.settings(endpoint: "ably.example.com", scheme: "http")
    far.allowsPlainLoopback = true
    #expect(Draft.refusal(call, settings: far)?.status == 401)
  }

  @Test("case 14: a client id goes into its header and into no message")
  func clientID() throws {
    let settings = try Fixture.settings(clientID: "wädi ☃")
    let sent = try Draft.request(.publish(channel: "c", [Fixture.android().message]), settings: settings)
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
    let sent = try Draft.request(.time)
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
      #expect(try Draft.request(call, settings: settings).target.hasSuffix("&clientType=server"), "\(call.name)")
    }
  }

  @Test("no request carries a header of Apple's, an Expect or a key in its address")
  func never() throws {
    for call in Fixture.calls {
      let sent = try Draft.request(call)
      #expect(!sent.headers.contains { $0.name.lowercased().hasPrefix("apns") || $0.name == "Expect" }, "\(call.name)")
      #expect(!sent.target.contains("Kd93Lw"), "\(call.name)")
    }
  }

  // MARK: Live Activities

  @Test("case 20: a create names the policy and nothing else")
  func create() throws {
    let sent = try Draft.request(.create(.newest))
    #expect(sent.method == "POST" && sent.target.hasPrefix("/push/apnsBroadcastChannels?"))
    #expect(sent.body == Array(#"{"messageStoragePolicy":1}"#.utf8))
    #expect(try Draft.request(.create(.nothing)).body == Array(#"{"messageStoragePolicy":0}"#.utf8))
  }

  @Test("cases 22 and 23: a start names its channels or its device, and the other key is absent")
  func start() throws {
    let channels = AblyCall.start(Fixture.broadcast, audience: .channels(["fixtures:77"]), Fixture.start())
    #expect(try Draft.path(channels) == "/push/apnsBroadcastChannels/b-9/start")
    #expect(try Draft.body(channels).keys == ["apns", "channels", "headers"])
    #expect(try Draft.body(channels)["channels"]?.meaning == #"["fixtures:77"]"#)
    let device = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start(headers: nil))
    #expect(try Draft.body(device).keys == ["apns", "deviceId"])
    #expect(try Draft.body(device)["deviceId"]?.text == "D1")
  }

  @Test("case 24: a start to nobody is refused here; one to both cannot be written down")
  func audience() {
    for audience in [AblyCall.Audience.channels([]), .device("")] {
      let refused = Draft.refusal(.start(Fixture.broadcast, audience: audience, Fixture.start()))
      #expect(refused?.code == 40000 && refused?.status == 400)
    }
    let many = AblyCall.Audience.channels((0...100).map { "c\($0)" })
    #expect(Draft.refusal(.start(Fixture.broadcast, audience: many, Fixture.start()))?.code == 40000)
  }

  @Test("a start joins its own broadcast's channel, or is refused")
  func inputPushChannel() {
    for channel in ["other", ""] {
      let call = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start(channel: channel))
      #expect(Draft.refusal(call)?.code == 40000)
    }
  }

  @Test("cases 25 and 26, traps 9 and 10: an update goes to /broadcast; its headers are texts in the body, or absent")
  func update() throws {
    let update = AblyCall.update(Fixture.broadcast, Fixture.update())
    #expect(try Draft.path(update) == "/push/apnsBroadcastChannels/b-9/broadcast")
    #expect(try Draft.body(update).keys == ["apns", "headers"])
    #expect(try Draft.body(update)["headers"]?.meaning == #"{"apns-expiration":"1767229200","apns-priority":"10"}"#)
    #expect(try Draft.body(.update(Fixture.broadcast, Fixture.update(headers: nil))).keys == ["apns"])
  }

  @Test("case 27: an end says so in path and event, and its dismissal is a number")
  func end() throws {
    let end = AblyCall.end(Fixture.broadcast, Fixture.end())
    #expect(try Draft.path(end).hasSuffix("/b-9/end"))
    let aps = try #require(Draft.body(end)["apns"]?["aps"])
    #expect(aps["event"]?.text == "end" && aps["dismissal-date"]?.meaning == "1767227402")
  }

  @Test("case 28: an id is one path segment whatever it holds")
  func encodedID() throws {
    let broadcast = Broadcast(id: "b 1/x", apnsChannelID: "YWJj", policy: .newest)
    let call = AblyCall.start(broadcast, audience: .device("D1"), Fixture.start())
    #expect(try Draft.path(call) == "/push/apnsBroadcastChannels/b%201%2Fx/start")
    #expect(percentEncoded("a:b/c d%[é]~-._!*'()") == "a%3Ab%2Fc%20d%25%5B%C3%A9%5D~-._%21%2A%27%28%29")
    let nameless = Broadcast(id: "", apnsChannelID: "YWJj", policy: .newest)
    #expect(Draft.refusal(.end(nameless, Fixture.end()))?.code == 40000)
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
      #expect(Draft.refusal(call(make(room))) == nil)
      #expect(Draft.refusal(call(make(room + 1)))?.code == 40009)
      #expect(Draft.refusal(call(make(room + 1)))?.status == 400)
    }
  }

  @Test("what the tile shows has its own limit, which binds before the payload's")
  func shown() throws {
    let room = 4096 - Fixture.state(lastPlay: "").json().count
    for (extra, fits) in [(0, true), (1, false)] {
      let state = Fixture.state(lastPlay: String(repeating: "x", count: room + extra))
      let call = AblyCall.update(Fixture.broadcast, Fixture.update(state: state))
      #expect((Draft.refusal(call) == nil) == fits)
    }
  }

  @Test("case 32: an event that does not belong on its path is refused")
  func events() {
    #expect(Draft.refusal(.update(Fixture.broadcast, Fixture.end()))?.code == 40000)
    #expect(Draft.refusal(.update(Fixture.broadcast, Fixture.start()))?.code == 40000)
    #expect(Draft.refusal(.end(Fixture.broadcast, Fixture.update()))?.code == 40000)
    #expect(Draft.refusal(.start(Fixture.broadcast, audience: .device("D1"), Fixture.update()))?.code == 40000)
  }

  @Test("traps 6 and 8: the expiration must fit the policy that the broadcast was made with")
  func expiration() {
    for policy in StoragePolicy.allCases {
      let broadcast = Broadcast(id: "b", apnsChannelID: "YWJj", policy: policy)
      for seconds: Int64 in [0, 1_767_229_200] {
        let headers = LiveActivityPayload.Headers(priority: .now, expirationSeconds: seconds)
        let fits = (policy == .nothing) == (seconds == 0)
        #expect((Draft.refusal(.update(broadcast, Fixture.update(headers: headers))) == nil) == fits)
        #expect((Draft.refusal(.end(broadcast, Fixture.end(headers: headers))) == nil) == fits)
        let start = AblyCall.start(broadcast, audience: .device("D1"), Fixture.start(headers: headers))
        #expect(Draft.refusal(start) == nil, "a start is a device push, the policy does not apply")
      }
    }
  }
}
