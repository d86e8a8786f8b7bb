import GameCore
import Testing

@testable import Publishing

@Suite("Ably authentication") struct AblyAuthTests {
  struct Vector: CustomTestStringConvertible {
    var name: String
    var request: TokenRequest
    var timestamp: Int64
    var nonce: String
    var length: Int
    var digest: String
    var mac: String

    var testDescription: String { name }
  }

  private static let vectors = [
    Vector(
      name: "A",
      request: TokenRequest(
        timeToLive: .seconds(3600),
        capability: Capability(["scores:*": ["push-admin", "publish"], "[meta]log:push": ["subscribe"]]),
        clientID: "bridge-1"),
      timestamp: 1_767_225_600_000, nonce: "0123456789abcdef", length: 131,
      digest: "5e151a8388ea4776baa1353cb563be1aaca94ba83afe11cc14a1acb365fa9182",
      mac: "3g1zwMd7h4V93i4YP5mJuRXlUM63syCO2j85KMC2K68="),
    Vector(
      name: "B", request: TokenRequest(), timestamp: 1_767_225_600_000, nonce: "fedcba9876543210", length: 48,
      digest: "6c7be5bc584964bc975b5b197191858ff001411fbb7d43a8c301b7e5c4fd5466",
      mac: "hGPq/jRuZREsCasQjbIJdnl1SQH5YX7usvh3oyQMZeU="),
    Vector(
      name: "C",
      request: TokenRequest(
        timeToLive: .seconds(60),
        capability: Capability(["zürich/eis:*": ["subscribe", "publish"], "*": ["push-subscribe"]]),
        clientID: "wädi ☃"),
      timestamp: 1_767_225_600_123, nonce: "nonce-nonce-nonce-0001", length: 132,
      digest: "ef0b31913f4aa4031dfbd6b453f509dcd9e9f3600f000f5bbc3b61ae6825477c",
      mac: "zSgzqF4/1gUpdgzJcmZmOJqDN3QJ85u5DmhNtJkK9F0="),
  ]

  @Test("case 44: the signing text and its signature are those of the vectors", arguments: vectors)
  func sign(vector: Vector) throws {
    let text = vector.request.signingText(
      keyName: Fixture.key.name, timestampMilliseconds: vector.timestamp, nonce: vector.nonce)
    #expect(text.utf8.count == vector.length)
    let digest = Digest.sha256(Array(text.utf8)).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    #expect(digest == vector.digest)
    let json = try #require(
      JSONText.parse(
        vector.request.signedJSON(
          key: Fixture.key, timestampMilliseconds: vector.timestamp, nonce: vector.nonce, hmac: Digest.hmac)))
    #expect(json["mac"]?.text == vector.mac)
    #expect(json["capability"]?.text == vector.request.capability?.canonicalJSON)
    if vector.name == "B" { #expect(json.keys == ["keyName", "mac", "nonce", "timestamp"]) }
  }

  @Test("the classic mistakes give the signatures of the diagnosis table, and none of them is ours")
  func diagnosis() {
    func mac(_ text: String, key: String = Fixture.key.secret) -> String {
      Base64.standard.encode(Digest.hmac(Array(key.utf8), Array(text.utf8)))
    }
    func text(_ index: Int) -> String {
      let vector = Self.vectors[index]
      return vector.request.signingText(
        keyName: Fixture.key.name, timestampMilliseconds: vector.timestamp, nonce: vector.nonce)
    }
    func replaced(_ text: String, _ old: String, _ new: String) -> String {
      text.split(separator: old, omittingEmptySubsequences: false).joined(separator: new)
    }
    #expect(mac(String(text(0).dropLast())) == "f8hgHGrkSaLObthhrkoyYf2r7iGaOX9/I5UeBkpT1XY=")
    #expect(mac(text(0), key: Fixture.keyText) == "Kqm+kH80qePNOBfijThRYa5nR5yzLqyUsjyVNpxHFig=")
    #expect(
      mac(
        replaced(
          text(0), #"{"[meta]log:push":["subscribe"],"scores:*":["publish","push-admin"]}"#,
          #"{"scores:*":["push-admin","publish"],"[meta]log:push":["subscribe"]}"#))
        == "lB1hvPpU+1xaw0JrqgQLW0vaohB5WnZAsNNhCs46RQc=")
    #expect(mac(replaced(text(0), "\n3600000\n", "\n3600\n")) == "fvDdezVJS716kpEXQ1yzQtC+jzOEW8ri0xeFPDT+6Do=")
    #expect(mac(replaced(text(2), "zürich/", "zürich\\/")) == "SDMdIDfBddoPYPL0V4IXkjpkdiVkfcF4ymonSRqQw8A=")
    #expect(mac(replaced(text(2), "zürich", "z\\u00fcrich")) == "bjZGolGdqTrpC5fRuSPGv7m9P69zk80wJ8vdCqsVSWg=")
  }

  @Test("base64 in both alphabets, with every remainder")
  func base64() {
    #expect(Base64.standard.encode("bridge-1".utf8) == "YnJpZGdlLTE=")
    #expect(Base64.standard.encode("wädi ☃".utf8) == "d8OkZGkg4piD")
    #expect(Base64.standard.encode([]) == "" && Base64.standard.encode([0]) == "AA==")
    #expect(
      Base64.standard.encode([0xFB, 0xFF, 0xBF]) == "+/+/" && Base64.urlSafe.encode([0xFB, 0xFF, 0xBF]) == "-_-_")
    #expect(Base64.urlSafe.encode([0xFF]) == "_w" && Base64.standard.encode([0xFF]) == "/w==")
  }

  @Test("a token travels in base64, a JWT as it is")
  func bearer() {
    #expect(AblyToken(text: "hG7xQ2.tok_EXAMPLE-1").bearerAuthorization == "Bearer aEc3eFEyLnRva19FWEFNUExFLTE=")
    #expect(AblyToken(text: "eyJ0.eyJp.pQkR").bearerAuthorization == "Bearer eyJ0.eyJp.pQkR")
    #expect(Fixture.key.basicAuthorization == Fixture.basic)
  }

  @Test("case 48: a JWT of our own is the vector's, byte for byte")
  func jwt() {
    let token = JSONWebToken(
      issuedSeconds: 1_767_225_600, expiresSeconds: 1_767_229_200,
      capability: Capability(["*": ["push-admin", "publish"]]), clientID: "bridge-1", declaresServer: true)
    #expect(
      token.signed(key: Fixture.key, hmac: Digest.hmac)
        == "eyJ0eXAiOiJKV1QiLCJhbGciOiJIUzI1NiIsImtpZCI6ImhHN3hRMi5LZDkzTHcifQ."
        + "eyJpYXQiOjE3NjcyMjU2MDAsImV4cCI6MTc2NzIyOTIwMCwieC1hYmx5LWNhcGFiaWxpdHkiOiJ7XCIqXCI6W1wicHVibGlzaFwiLFwi"
        + "cHVzaC1hZG1pblwiXX0iLCJ4LWFibHktY2xpZW50SWQiOiJicmlkZ2UtMSIsIngtYWJseS1jbGllbnRUeXBlIjoic2VydmVyIn0."
        + "pQkR-xoYms5dNYpjaLHMRhz9dluL0XdefnXxYs5698E")
  }

  @Test("D-07: a device's token may subscribe and be pushed to, on its game's channel alone, and not publish")
  func device() {
    #expect(
      Capability.device(channel: "live-ios:bb-20261205-riv-har").canonicalJSON
        == #"{"live-ios:bb-20261205-riv-har":["push-subscribe","subscribe"]}"#)
    let refused = AblyAnswer.verdict(
      .error(401, code: 40160), to: .publish(channel: "live-ios:g", [AblyMessage(name: "n")]),
      json: { JSONText.parse($0) }, now: WallTime(milliseconds: 0))
    #expect(refused.refusal?.action == .stopChannel)
  }

  @Test("case 45: a token request needs no credentials and is signed anew for every attempt")
  func requestToken() throws {
    var talk = try Conversation()
    let wanted = TokenRequest(timeToLive: .seconds(3600), capability: .device(channel: "c"))
    let outcome = talk.call(
      .requestToken(wanted), .timedOut, .answered(.json(201, #"{"token":"tok","expires":1767229200000}"#)))
    #expect(outcome.verdict == .accepted(.token(AblyToken(text: "tok", expiresMilliseconds: 1_767_229_200_000))))
    #expect(talk.requests.count == 2)
    var nonces: Set<String> = []
    for request in talk.requests {
      #expect(request.target.hasPrefix("/keys/hG7xQ2.Kd93Lw/requestToken?request_id="))
      #expect(request.header("Authorization") == nil && request.header("Content-Type") == "application/json")
      let body = try #require(JSONText.parse(request.body))
      let nonce = try #require(body["nonce"]?.text)
      let timestamp = try #require(body["timestamp"]?.integer)
      nonces.insert(nonce)
      let text = wanted.signingText(keyName: Fixture.key.name, timestampMilliseconds: timestamp, nonce: nonce)
      #expect(
        body["mac"]?.text
          == Base64.standard.encode(Digest.hmac(Array(Fixture.key.secret.utf8), Array(text.utf8))))
    }
    #expect(nonces.count == 2)
  }

  private func renewable() throws -> Conversation {
    Conversation(try Fixture.settings(credential: .renewable(Fixture.key, TokenRequest())))
  }

  private let granted = TransportResult.answered(.json(201, #"{"token":"tok-2","expires":1767229200000}"#))
  private let publish = AblyCall.publish(channel: "c", [AblyMessage(name: "n")])

  @Test("case 46: an expired token is renewed once and the call repeated once, with the same message ids")
  func renews() throws {
    var talk = try renewable()
    _ = talk.call(publish, granted, .status(201))
    let outcome = talk.call(publish, .error(401, 40142), granted, .status(201))
    #expect(outcome.verdict.isAccepted)
    #expect(talk.requests.map { $0.target.prefix(9) } == ["/channels", "/keys/hG7", "/channels"])
    #expect(talk.requests[0].body == talk.requests[2].body)
    #expect(talk.requests[2].header("Authorization") == "Bearer dG9rLTI=")
    let start = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start())
    #expect(talk.call(start, .error(401, 40142), granted, .status(201)).verdict.isAccepted, "a 401 was not processed")
  }

  @Test("a second token error, or a renewal that fails, ends the call")
  func renewalFails() throws {
    var talk = try renewable()
    _ = talk.call(publish, granted, .status(201))
    let second = talk.call(publish, .error(401, 40142), granted, .error(401, 40142))
    #expect(talk.requests.count == 3 && second.verdict.refusal?.code == 40142)
    let failed = talk.call(publish, .error(401, 40142), .error(401, 40101))
    #expect(talk.requests.count == 2 && failed.verdict.refusal?.code == 40101)
    #expect(failed.verdict.refusal?.action == .stopAll)
    let silent = talk.call(publish, .error(401, 40142), .timedOut)
    #expect(silent.verdict.refusal?.code == 40170, "the publish was not processed, whatever became of the renewal")
  }

  @Test(
    "only 40140 to 40149 with 401 are token errors",
    arguments: [(401, 40101), (401, 40160), (403, 40142), (401, 40150)])
  func otherErrors(status: Int, code: Int) throws {
    var talk = try renewable()
    _ = talk.call(publish, granted, .status(201))
    #expect(talk.call(publish, .error(status, code)).verdict.refusal?.code == code)
    #expect(talk.requests.count == 1)
  }

  @Test("case 47: a token that nobody can renew is told as dead after one request")
  func fixedToken() throws {
    var talk = Conversation(try Fixture.settings(credential: .token(AblyToken(text: "tok"))))
    let outcome = talk.call(publish, .error(401, 40142))
    #expect(talk.requests.count == 1)
    #expect(outcome.verdict.refusal?.code == 40171 && outcome.verdict.refusal?.status == 403)
  }

  @Test("calls that need a token at the same time share one renewal")
  func shared() throws {
    var talk = try renewable()
    guard case .attempt(let renewal)? = talk.begin(publish).first else {
      Issue.record("a token request expected")
      return
    }
    #expect(talk.begin(.create(.newest)).isEmpty)
    let actions = talk.answer(renewal, granted)
    let targets = actions.map { action -> Substring in
      if case .attempt(let attempt) = action { attempt.request.target.prefix(5) } else { "" }
    }
    #expect(targets == ["/chan", "/push"])
  }

  @Test("a token is renewed ahead of its end only when the service's clock is known")
  func ahead() throws {
    var talk = try renewable()
    let short = TransportResult.answered(.json(201, #"{"token":"tok","expires":1767225660000}"#))
    _ = talk.call(publish, short, .status(201))
    talk.pass(.seconds(45))
    _ = talk.call(publish, .status(201))
    #expect(talk.requests.count == 1)
    _ = talk.call(.time, .answered(.json(200, "[\(talk.now.wall.milliseconds)]")))
    _ = talk.call(publish, granted, .status(201))
    #expect(talk.requests.count == 2)
  }

  @Test("a clock that the service refuses is set by its own, once; a used nonce is replaced, once")
  func clock() throws {
    var talk = try Conversation()
    let outcome = talk.call(
      .requestToken(TokenRequest()), .error(401, 40104), .answered(.json(200, "[1767229200000]")), granted)
    #expect(outcome.verdict.isAccepted && outcome.attempts == 3)
    #expect(JSONText.parse(talk.requests[2].body)?["timestamp"]?.integer == 1_767_229_200_000)
    let twice = talk.call(.requestToken(TokenRequest()), .error(401, 40105))
    #expect(talk.requests.count == 2 && twice.verdict.refusal?.action == .stopAll)
    let still = talk.call(
      .requestToken(TokenRequest()), .error(401, 40104), .answered(.json(200, "[1]")), .error(401, 40104))
    #expect(talk.requests.count == 3 && still.verdict.refusal?.action == .stopAll)
  }

  @Test("the service's clock is taken at the middle of a short round trip")
  func offset() {
    var clock = ClockOffset()
    let sent = Moment(instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 1_000_000))
    func received(_ milliseconds: Int64) -> Moment {
      Moment(instant: sent.instant + .milliseconds(milliseconds), wall: sent.wall + .milliseconds(milliseconds))
    }
    clock.sampled(server: WallTime(milliseconds: 9), sent: sent, received: received(2001))
    #expect(clock.aheadOfUs == nil)
    clock.sampled(server: WallTime(milliseconds: 1_005_200), sent: sent, received: received(400))
    #expect(clock.aheadOfUs == .seconds(5))
    #expect(clock.serverTime(at: WallTime(milliseconds: 2_000_000)).milliseconds == 2_005_000)
  }
}

extension HTTPRequest {
  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}
