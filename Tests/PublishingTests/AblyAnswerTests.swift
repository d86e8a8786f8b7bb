import GameCore
import Testing

@testable import Publishing

@Suite("Ably answers") struct AblyAnswerTests {
  private let publish = AblyCall.publish(channel: "c", [AblyMessage(name: "n")])
  private let now = WallTime(milliseconds: 1_767_225_600_000)

  private func verdict(_ response: HTTPResponse, to call: AblyCall? = nil) -> Verdict {
    AblyAnswer.verdict(response, to: call ?? publish, json: { JSONText.parse($0) }, now: now)
  }

  @Test("case 18: the time is the one number of the answer")
  func time() {
    #expect(
      verdict(.json(200, "[1767225600123]"), to: .time)
        == .accepted(.time(WallTime(milliseconds: 1_767_225_600_123))))
  }

  @Test(
    "case 19: any other shape of the time is an error of ours, not a crash",
    arguments: [
      "[]", "{}", #"["x"]"#, "[1,2]", #"["5"]"#, "[null]", "[1.5]", "5", "",
    ])
  func odd(body: String) {
    let refusal = verdict(.json(200, body), to: .time).refusal
    #expect(refusal?.code == 50000 && refusal?.status == 500)
  }

  @Test("case 20: a create brings both names, with the policy that was asked for")
  func created() {
    #expect(
      verdict(.json(201, #"{"id":"b-9","apnsChannelId":"YWJj","more":1}"#), to: .create(.nothing))
        == .accepted(.created(Broadcast(id: "b-9", apnsChannelID: "YWJj", policy: .nothing))))
  }

  @Test(
    "case 21: a create that brings less is not usable, and may have left a channel behind",
    arguments: [
      #"{"id":"b-9"}"#, #"{"apnsChannelId":"YWJj"}"#, #"{"id":"","apnsChannelId":"YWJj"}"#,
      #"{"id":9,"apnsChannelId":"YWJj"}"#, #"{"id":null,"apnsChannelId":"YWJj"}"#, "[]", "",
    ])
  func halfCreated(body: String) {
    #expect(verdict(.json(201, body), to: .create(.newest)).isAmbiguous)
  }

  @Test("case 29: a start's refusal is told as it came")
  func refused() {
    let start = AblyCall.start(Fixture.broadcast, audience: .device("D1"), Fixture.start())
    let body = #"{"error":{"code":40000,"statusCode":400,"message":"m","cause":"text","detail":{"a":"b"}}}"#
    #expect(
      verdict(.json(400, body), to: start)
        == .refused(Refusal(code: 40000, status: 400, message: "m", action: .bug)))
    let nested = #"{"error":{"code":40000,"message":"m","cause":{"code":1,"message":"x"}}}"#
    #expect(verdict(.json(400, nested), to: start).refusal?.status == 400)
  }

  @Test("cases 36 and 38: a publish brings its serials, and any 2xx will do, with or without a body")
  func accepted() {
    #expect(
      verdict(.json(201, #"{"channel":"c","messageId":"AbC","serials":["s1"],"new":1}"#))
        == .accepted(.published(messageID: "AbC", serials: ["s1"])))
    #expect(
      verdict(.json(200, #"{"serials":["s1",null]}"#)) == .accepted(.published(messageID: nil, serials: ["s1", nil])))
    for call in Fixture.calls {
      switch call {
      case .create, .time, .pushLog: continue
      default: #expect(verdict(HTTPResponse(status: 204), to: call).isAccepted, "\(call.name)")
      }
    }
  }

  @Test("a batch tells which devices were refused")
  func batch() {
    let call = AblyCall.publishToDevices(ids: ["D1", "D2", "D3"], Fixture.android())
    let body = #"[{"statusCode":200},{"error":{"code":41001,"message":"gone"}},{"statusCode":404}]"#
    guard case .accepted(.devices(let refused)) = verdict(.json(200, body), to: call) else {
      Issue.record("accepted expected")
      return
    }
    #expect(refused.keys.sorted() == ["D2", "D3"] && refused["D2"]?.code == 41001 && refused["D2"]?.action == .drop)
    #expect(verdict(HTTPResponse(status: 204), to: call) == .accepted(.devices(refused: [:])))
  }

  @Test("case 49: the edge's flood protection speaks in headers alone, and no next try before five seconds")
  func flood() throws {
    var talk = try Conversation()
    let outcome = talk.call(
      publish,
      .answered(
        HTTPResponse(
          status: 429,
          headers: [HTTPHeader("x-ably-errorcode", "42922"), HTTPHeader("X-Ably-Errormessage", "slow down")])))
    #expect(talk.requests.count == 1)
    #expect(outcome.verdict.refusal?.code == 42922 && outcome.verdict.refusal?.message == "slow down")
    #expect(outcome.verdict.refusal?.leastWait == .seconds(5) && outcome.verdict.refusal?.retryAfter == nil)
  }

  @Test("case 50: a foreign error page has no code, and its beginning is told in base64")
  func foreignError() throws {
    var talk = try Conversation()
    let page = HTTPResponse(
      status: 500, headers: [HTTPHeader("Content-Type", "text/HTML; charset=utf-8")],
      body: Array("<html>".utf8) + [UInt8](repeating: 0x78, count: 5000))
    let outcome = talk.call(publish, .answered(page))
    let refusal = try #require(outcome.verdict.refusal)
    #expect(talk.requests.count == 4 && refusal.status == 500 && refusal.code == nil)
    #expect(refusal.message.contains("text/html") && refusal.message.contains("PGh0bWw+"))
    #expect(refusal.message.utf8.count <= 1000)
  }

  @Test("case 51 and B100: a success in HTML is none, and the portal is named")
  func portal() {
    for call in Fixture.calls {
      let answer = verdict(
        HTTPResponse(status: 200, headers: [HTTPHeader("Content-Type", "text/html")], body: Array("<html>".utf8)),
        to: call)
      #expect(answer.refusal?.code == 40013 && answer.refusal?.status == 400, "\(call.name)")
      #expect(answer.refusal?.message.contains("captive portal?") == true)
      #expect(answer.refusal?.message.contains("200") == true && answer.refusal?.action == .retry)
    }
    #expect(verdict(.json(200, "<html>")).refusal?.code == 40013)
  }

  @Test("case 52: switched-off pushes end all pushes after one request, in spite of their 500")
  func pushesOff() throws {
    var talk = try Conversation()
    let outcome = talk.call(.update(Fixture.broadcast, Fixture.update()), .error(500, 103009))
    #expect(talk.requests.count == 1 && outcome.unsureAttempts == 0)
    guard case .refused(let refusal) = outcome.verdict else {
      Issue.record("a refusal expected")
      return
    }
    #expect(refusal.action == .stopPush)
  }

  @Test("case 53: a redirection is an error, and nobody follows it", arguments: [301, 302, 307, 308, 100, 304])
  func redirected(status: Int) throws {
    var talk = try Conversation()
    let outcome = talk.call(
      publish, .answered(HTTPResponse(status: status, headers: [HTTPHeader("Location", "https://evil.example/")])))
    #expect(talk.requests.count == 1 && outcome.verdict.refusal?.action == .bug)
  }

  @Test("a stop midway is unclear in spite of its 400, and no other host is asked")
  func midway() throws {
    var talk = try Conversation()
    let outcome = talk.call(publish, .error(400, 40033))
    #expect(talk.requests.count == 1 && outcome.verdict.isAmbiguous)
    #expect(outcome.verdict.refusal?.action == .retry)
  }

  @Test("the body counts before the headers, and the headers before the bare status")
  func order() {
    let headers = [HTTPHeader("X-Ably-Errorcode", "40300"), HTTPHeader("X-Ably-Errormessage", "h")]
    #expect(verdict(.error(403, code: 40160, "b", headers)).refusal?.code == 40160)
    #expect(verdict(.json(403, #"{"error":{"message":"no code"}}"#, headers)).refusal?.code == 40300)
    #expect(verdict(.json(403, "{}", headers)).refusal?.message == "h")
    let bare = verdict(HTTPResponse(status: 403)).refusal
    #expect(bare?.code == nil && bare?.status == 403 && bare?.action == .stopAll)
  }

  @Test(
    "an answer is JSON whatever stands behind its media type, and however that is spelled",
    arguments: ["application/json; charset=utf-8", "Application/JSON", "application/json ;charset=utf-8"])
  func mediaTypes(type: String) {
    func answer(_ status: Int, _ body: String) -> HTTPResponse {
      HTTPResponse(status: status, headers: [HTTPHeader("content-type", type)], body: Array(body.utf8))
    }
    #expect(verdict(answer(403, #"{"error":{"code":40160,"message":"m"}}"#)).refusal?.code == 40160)
    #expect(verdict(answer(201, "{}")).isAccepted)
  }

  @Test("a channel that is not push-enabled is known by its text alone", arguments: [400, 401, 403, 404, 422])
  func notEnabled(status: Int) {
    let answer = verdict(.error(status, code: 40000, "Publish to a Not Push-Enabled Channel"))
    #expect(answer.refusal?.action == .stopChannel)
  }

  @Test(
    "every number of the error table has its action",
    arguments: [
      (40000, 400, AblyAction.bug), (40001, 400, .bug), (40002, 400, .bug), (40003, 400, .bug), (40004, 400, .bug),
      (40005, 400, .stopAll), (40008, 400, .bug), (40009, 413, .drop), (40010, 400, .stopChannel), (40011, 400, .retry),
      (40012, 400, .stopAll), (40013, 400, .bug), (40014, 400, .retry), (40015, 400, .drop), (40017, 400, .stopAll),
      (40020, 400, .drop), (40021, 400, .stopAll), (40023, 400, .stopAll), (40025, 400, .stopAll), (40030, 400, .bug),
      (40031, 400, .bug), (40032, 400, .bug), (40033, 400, .retry), (40034, 400, .bug), (40099, 400, .drop),
      (40100, 401, .stopChannel), (40101, 401, .stopAll), (40102, 401, .stopAll), (40103, 401, .bug),
      (40104, 401, .stopAll), (40105, 401, .stopAll), (40106, 401, .stopAll), (40110, 401, .stopAll),
      (40111, 403, .stopAll), (40112, 401, .stopAll), (40113, 401, .stopAll), (40114, 403, .retry),
      (40115, 403, .stopAll), (40120, 401, .stopAll), (40130, 401, .stopAll), (40131, 401, .stopAll),
      (40132, 401, .stopAll), (40140, 401, .reauthenticate), (40141, 401, .reauthenticate),
      (40142, 401, .reauthenticate), (40143, 401, .reauthenticate), (40144, 401, .reauthenticate),
      (40145, 401, .reauthenticate), (40149, 401, .reauthenticate), (40160, 401, .stopChannel),
      (40161, 401, .stopChannel), (40162, 401, .bug), (40165, 401, .bug), (40166, 401, .bug), (40167, 401, .stopAll),
      (40168, 400, .stopAll), (40170, 401, .retry), (40171, 403, .stopAll), (40172, 401, .bug), (40180, 400, .bug),
      (40181, 400, .bug), (40182, 400, .stopStarts), (40183, 400, .bug), (40300, 403, .stopAll), (40310, 403, .stopAll),
      (40311, 403, .stopAll), (40320, 401, .bug), (40330, 403, .stopAll), (40331, 403, .stopAll),
      (40332, 403, .stopAll),
      (40400, 404, .stopChannel), (40500, 405, .bug), (40900, 409, .drop), (41001, 400, .drop), (42200, 422, .drop),
      (42213, 422, .drop), (42910, 429, .retry), (42911, 429, .retry), (42912, 429, .retry), (42913, 429, .retry),
      (42914, 429, .retry), (42915, 429, .retry), (42916, 429, .retry), (42917, 429, .retry), (42918, 429, .retry),
      (42920, 429, .retry), (42921, 429, .retry), (42922, 429, .retry), (42923, 429, .retry), (42924, 429, .retry),
      (42925, 429, .retry), (42926, 429, .retry), (50000, 500, .fallback), (50001, 500, .fallback),
      (50002, 500, .fallback), (50003, 503, .fallback), (50003, 500, .fallback), (50004, 503, .fallback),
      (50004, 400, .retry), (50005, 503, .fallback), (50005, 423, .retry), (50010, 503, .fallback),
      (50205, 502, .fallback), (50210, 502, .fallback), (50305, 503, .fallback), (50306, 503, .fallback),
      (50310, 503, .fallback), (50320, 503, .fallback), (50330, 503, .fallback), (50405, 504, .fallback),
      (50410, 504, .fallback), (61002, 400, .drop), (80003, 503, .fallback), (80021, 429, .retry),
      (90001, 404, .stopChannel),
      (90010, 400, .bug), (90021, 429, .retry), (103000, 500, .drop), (103001, 500, .drop), (103002, 400, .bug),
      (103003, 400, .bug), (103004, 400, .bug), (103005, 400, .drop), (103006, 400, .stopPush), (103007, 500, .drop),
      (103008, 400, .stopPush), (103009, 500, .stopPush), (103011, 429, .retry),
    ])
  func table(code: Int, status: Int, action: AblyAction) {
    #expect(AblyErrors.rule(code: code, status: status).action == action)
    #expect(!AblyErrors.rule(code: code, status: status).meaning.isEmpty)
  }

  @Test(
    "a number nobody knows, or none, is judged by the status",
    arguments: [
      (401, AblyAction.stopAll), (403, .stopAll), (404, .stopChannel), (408, .retry), (413, .drop), (429, .retry),
      (418, .drop), (500, .fallback), (504, .fallback), (505, .retry), (599, .retry), (301, .bug), (101, .bug),
    ])
  func byStatus(status: Int, action: AblyAction) {
    #expect(AblyErrors.rule(code: nil, status: status).action == action)
    #expect(AblyErrors.rule(code: 49_999, status: status).action == action)
  }

  @Test("no two rows of the error table claim one number")
  func unique() {
    for (index, row) in AblyErrors.table.enumerated() {
      #expect(!AblyErrors.table[..<index].contains { $0.codes.overlaps(row.codes) }, "\(row.codes)")
    }
  }

  @Test(
    "traps 30 and 31: what is wrong in the account is said in words, with the place to mend it",
    arguments: [
      (400, 40000, "Error from APNs: FeatureNotEnabled", "developer portal"),
      (400, 40000, "ChannelNotRegistered", "sandbox and production"),
      (404, 40400, "channel not registered", "sandbox and production"),
      (400, 103005, "BadDeviceToken", "sandbox and production"),
      (403, 103008, "BadEnvironmentKeyInToken", "environment"),
      (400, 103004, "DeviceTokenNotForTopic", "bundle id"), (400, 40000, "CannotCreateChannelConfig", "10,000"),
      (400, 40000, "Unable to publish push to not push-enabled channel", "push enabled"),
      (400, 40182, "m", ".p8"), (401, 40101, "m", "ably.key"), (401, 40160, "m", "capability"),
      (429, 42926, "m", "dropped"), (403, nil, "m", "check the key"),
    ] as [(Int, Int?, String, String)])
  func advice(status: Int, code: Int?, message: String, words: String) {
    let refusal = Refusal(code: code, status: status, message: message, action: .drop)
    #expect(refusal.text.contains(message) && refusal.text.contains(words), "\(refusal.text)")
  }

  @Test("what the service says in full gets no second sentence", arguments: [(400, 40000), (413, 40009), (500, 50000)])
  func noAdvice(status: Int, code: Int) {
    #expect(AblyErrors.advice(code: code, status: status, message: "Invalid timestamp") == nil)
  }

  @Test("where the call matters, the action follows it")
  func byCall() {
    for call in Fixture.calls {
      let action = AblyErrors.action(code: 40160, status: 401, message: "", call: call)
      switch call {
      case .publish, .time, .pushLog, .requestToken: #expect(action == .stopChannel, "\(call.name)")
      default: #expect(action == .stopPush, "\(call.name)")
      }
    }
    let token = AblyCall.requestToken(TokenRequest())
    #expect(AblyErrors.action(code: 40400, status: 404, message: "", call: token) == .stopAll)
    let update = AblyCall.update(Fixture.broadcast, Fixture.update())
    #expect(AblyErrors.action(code: nil, status: 410, message: "", call: update) == .stopChannel)
  }

  // MARK: Waiting

  @Test(
    "B98 and B100: Retry-After is read in both forms and kept between a second and five minutes",
    arguments: [
      ("7", 7), ("0", 1), ("300", 300), ("301", 300), ("99999999999999999999", 300), ("-5", nil), ("soon", nil),
      ("", nil), ("1.5", nil), ("Thu, 01 Jan 2026 00:00:30 GMT", 30), ("Wed, 31 Dec 2025 23:59:00 GMT", 1),
      ("Fri, 02 Jan 2026 00:00:00 GMT", 300), ("Thursday, 01-Jan-26 00:00:09 GMT", 9), ("Thu Jan  1 00:00:09 2026", 9),
    ] as [(String, Int?)])
  func retryAfter(text: String, seconds: Int?) {
    let answer = verdict(.error(429, code: 42910, "m", [HTTPHeader("retry-after", text)]))
    #expect(answer.refusal?.retryAfter == seconds.map { .seconds($0) })
  }

  @Test("a Retry-After date is measured against the answer's own clock, so ours may be wrong")
  func retryAfterDate() {
    let headers = [
      HTTPHeader("Date", "Sun, 06 Nov 1994 08:49:37 GMT"), HTTPHeader("Retry-After", "Sun, 06 Nov 1994 08:50:00 GMT"),
    ]
    #expect(verdict(HTTPResponse(status: 503, headers: headers)).refusal?.retryAfter == .seconds(23))
    #expect(verdict(HTTPResponse(status: 429, headers: headers)).refusal?.leastWait == .seconds(23))
  }

  @Test(
    "dates of HTTP are read in their three forms, and nothing else is one",
    arguments: [
      ("Sun, 06 Nov 1994 08:49:37 GMT", 784_111_777), ("Sunday, 06-Nov-94 08:49:37 GMT", 784_111_777),
      ("Sun Nov  6 08:49:37 1994", 784_111_777), ("Thu, 29 Feb 2024 12:00:00 GMT", 1_709_208_000),
      ("Thu, 01 Jan 1970 00:00:00 GMT", 0), ("Sun, 06 Nov 1994 08:49:37 PST", nil),
      ("Sun, 06 Nov 1994 24:00:00 GMT", nil),
      ("Sun, 06 Foo 1994 08:49:37 GMT", nil), ("Sun, 06 Nov 1994 08:49 GMT", nil),
      ("Sun, 32 Nov 1994 08:49:37 GMT", nil),
      ("", nil), ("GMT", nil), ("a b c d e", nil), ("Sun, 06 Nov 1994 08:xx:37 GMT", nil),
    ] as [(String, Int64?)])
  func dates(text: String, seconds: Int64?) {
    #expect(HTTPDate.parse(text)?.seconds == seconds)
  }

  @Test("B120: the push log tells who refused what, by number")
  func pushLog() throws {
    let body = #"""
      [{"id":"a:0","timestamp":1767225600000,"name":"push.error","encoding":"json",
        "data":"{\"error\":{\"code\":103005,\"statusCode\":400,\"message\":\"token invalid\"}}"},
       {"id":"b:0","data":{"error":{"code":42926,"message":"rate"}}}, {"data":"plain text"}, {"name":"odd"}, {}]
      """#
    guard case .accepted(.pushLog(let entries)) = verdict(.json(200, body), to: .pushLog(limit: 100)) else {
      Issue.record("entries expected")
      return
    }
    #expect(
      entries == [
        PushLogEntry(id: "a:0", timestampMilliseconds: 1_767_225_600_000, code: 103005, message: "token invalid"),
        PushLogEntry(id: "b:0", timestampMilliseconds: nil, code: 42926, message: "rate"),
        PushLogEntry(id: nil, timestampMilliseconds: nil, code: nil, message: "plain text"),
        PushLogEntry(id: nil, timestampMilliseconds: nil, code: nil, message: "odd"),
        PushLogEntry(id: nil, timestampMilliseconds: nil, code: nil, message: "no message"),
      ])
    #expect(!verdict(.json(200, "{}"), to: .pushLog(limit: 1)).isAccepted)
  }

  @Test("no answer traps, whatever a foreign server writes")
  func anyAnswer() {
    let bodies = ["", "[]", "{}", "null", "5", "\"x\"", "[[]]", #"{"error":5}"#, #"{"error":{"code":"x"}}"#, "{", "\0"]
    for status in [100, 200, 204, 299, 301, 400, 404, 500, 599, 999] {
      for body in bodies {
        for call in Fixture.calls { _ = verdict(.json(status, body), to: call) }
        for call in Fixture.calls { _ = verdict(HTTPResponse(status: status, body: Array(body.utf8)), to: call) }
      }
    }
  }
}
