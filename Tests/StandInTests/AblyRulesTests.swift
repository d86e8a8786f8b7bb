import GameCore
import Testing

@testable import StandIn

/// One request that Ably, Apple or FCM would not take, and the code it gets.
struct BadRequest: CustomTestStringConvertible, Sendable {
  var claim: String
  var code: Int
  var target = "/channels/c/messages"
  var method = "POST"
  var body = Bodies.message(id: "g-1:0")
  var headers: [String: String?] = [:]

  init(
    _ claim: String, _ code: Int, target: String = "/channels/c/messages", method: String = "POST",
    body: String = Bodies.message(id: "g-1:0"), headers: [String: String?] = [:]
  ) {
    self.claim = claim
    self.code = code
    self.target = target
    self.method = method
    self.body = body
    self.headers = headers
  }

  var testDescription: String { claim }
}

@Suite("What the stand-in refuses") struct AblyRulesTests {
  static let good: [String: String] = [
    "accept": "application/json", "content-type": "application/json", "x-ably-version": "6",
    "ably-agent": "score-bridge/0.4.0 swift/6.0", "host": "127.0.0.1",
    "authorization": "Basic aEc3eFEyLktkOTNMdzpUZXN0MG5seS1TM2NyZXRfVmFsdWUtMDEyMzQ1Njc4OWFiY2RFRkdI",
  ]

  static func seen(
    _ method: String, _ target: String, _ body: String, headers: [String: String?] = [:], atSecond: Int64 = 0,
    number: Int = 0
  ) -> Seen {
    var all: [String: String] =
      method == "GET" ? good.filter { $0.key != "authorization" && $0.key != "content-type" } : good
    if method == "POST" { all["content-length"] = String(body.utf8.count) }
    for (name, value) in headers { all[name] = value }
    let moment = Moment(
      instant: Instant(nanoseconds: atSecond * 1_000_000_000), wall: WallTime(milliseconds: 1_796_440_000_000))
    let request = Incoming(
      method: method, target: target, headers: all.map { ($0.key, $0.value) }, body: Array(body.utf8))
    return Seen(request, number: number, connection: 0, spoken: "http/1.1", at: moment)
  }

  static func ask(_ service: inout AblyService, _ seen: Seen) -> (answer: Answer, seen: Seen) {
    var seen = seen
    let answer = service.answer(&seen)
    return (answer, seen)
  }

  static let service = AblyService(key: StandIn.Options().key, anyClient: false)
  static let live = "/push/apnsBroadcastChannels"

  static let bad: [BadRequest] = [
    BadRequest("no Accept", 40004, headers: ["accept": nil]),
    BadRequest("Accept of anything", 40004, headers: ["accept": "*/*"]),
    BadRequest("no Content-Type", 40013, headers: ["content-type": nil]),
    BadRequest(
      "a charset behind the Content-Type", 40013, headers: ["content-type": "application/json; charset=utf-8"]),
    BadRequest("no X-Ably-Version", 40017, headers: ["x-ably-version": nil]),
    BadRequest("an older version", 40017, headers: ["x-ably-version": "5"]),
    BadRequest("no Ably-Agent", 40004, headers: ["ably-agent": nil]),
    BadRequest("an agent with a name of Ably's", 40004, headers: ["ably-agent": "ably-swift/1.0.0"]),
    BadRequest("two spaces in the agent", 40004, headers: ["ably-agent": "a/1  b/2"]),
    BadRequest("Expect", 40004, headers: ["expect": "100-continue"]),
    BadRequest("an APNs header as a header", 40004, headers: ["apns-priority": "10"]),
    BadRequest("no credentials", 40101, headers: ["authorization": nil]),
    BadRequest("an unreadable key", 40005, headers: ["authorization": "Basic !!"]),
    BadRequest("an unknown key", 40130, headers: ["authorization": "Basic YS5iOmM="]),
    BadRequest(
      "a wrong secret", 40101, headers: ["authorization": "Basic aEc3eFEyLktkOTNMdzp3cm9uZw=="]),
    BadRequest("a Content-Length that does not fit", 40008, headers: ["content-length": "3"]),
    BadRequest(
      "credentials with the time", 40004, target: "/time", method: "GET", body: "",
      headers: ["authorization": good["authorization"]!]),
    BadRequest("an unknown query parameter", 40002, target: "/channels/c/messages?fullWait=true"),
    BadRequest("a short request id", 40002, target: "/channels/c/messages?request_id=abc"),
    BadRequest("an unknown path", 40400, target: "/channels/c/message"),
    BadRequest("update as a path word", 40400, target: "\(live)/x/update", body: Bodies.update()),
    BadRequest(
      "a GET where a POST belongs", 40400, method: "GET", body: "", headers: ["authorization": good["authorization"]!]),
    BadRequest("a body that is not JSON", 40001, body: "{"),
    BadRequest("a duplicate key", 40001, body: #"[{"id":"a","id":"b"}]"#),
    BadRequest("a message without an array", 40030, body: #"{"id":"a"}"#),
    BadRequest("an empty array", 40030, body: "[]"),
    BadRequest("an unknown message key", 40030, body: #"[{"nome":"a"}]"#),
    BadRequest("null instead of nothing", 40030, body: #"[{"name":null}]"#),
    BadRequest("data that is a number", 40013, body: #"[{"data":7}]"#),
    BadRequest("an unknown key in extras", 40032, body: #"[{"extras":{"pusch":{}}}]"#),
    BadRequest("a notification", 40000, body: #"[{"extras":{"push":{"notification":{"title":"x"}}}}]"#),
    BadRequest("a number for FCM", 40013, body: #"[{"extras":{"push":{"data":{"a":1}}}}]"#),
    BadRequest("a reserved key for FCM", 40013, body: #"[{"extras":{"push":{"data":{"from":"x"}}}}]"#),
    BadRequest("a reserved prefix for FCM", 40013, body: #"[{"extras":{"push":{"data":{"google.x":"x"}}}}]"#),
    BadRequest(
      "FCM data above 4096 bytes", 40009,
      body: #"[{"extras":{"push":{"data":{"a":"\#(String(repeating: "x", count: 4_096))"}}}}]"#),
    BadRequest("a priority in small letters", 40000, body: #"[{"extras":{"push":{"fcm":{"priority":"high"}}}}]"#),
    BadRequest("a time to live as a number", 40000, body: #"[{"extras":{"push":{"fcm":{"ttl":180}}}}]"#),
    BadRequest("ids of two bases", 40031, body: #"[{"id":"a:0"},{"id":"b:1"}]"#),
    BadRequest("ids out of order", 40031, body: #"[{"id":"a:1"},{"id":"a:0"}]"#),
    BadRequest("a channel that begins with a colon", 40010, target: "/channels/%3Ax/messages"),
    BadRequest("a channel without a name", 40010, target: "/channels//messages"),
    BadRequest(
      "a message above 64 KiB", 40009, body: #"[{"data":"\#(String(repeating: "x", count: 65_537))"}]"#),
    BadRequest("an empty recipient", 40000, target: "/push/publish", body: #"{"recipient":{},"data":{"a":"b"}}"#),
    BadRequest(
      "a recipient and nothing else", 40000, target: "/push/publish", body: #"{"recipient":{"deviceId":"d"}}"#),
    BadRequest("a storage policy of 2", 40001, target: live, body: #"{"messageStoragePolicy":2}"#),
    BadRequest("a storage policy as text", 40001, target: live, body: #"{"messageStoragePolicy":"1"}"#),
    BadRequest("create with more than its key", 40001, target: live, body: #"{"messageStoragePolicy":1,"name":"x"}"#),
    BadRequest("an unknown broadcast", 40400, target: "\(live)/nope/broadcast", body: Bodies.update()),
  ]

  @Test("a request that is wrong in one thing gets that thing's code", arguments: bad)
  func refuses(_ bad: BadRequest) {
    var service = AblyRulesTests.service
    let (answer, seen) = AblyRulesTests.ask(
      &service, AblyRulesTests.seen(bad.method, bad.target, bad.body, headers: bad.headers))
    #expect(JSON(answer.body.utf8)?["error"]?["code"]?.integer == Int64(bad.code))
    #expect(answer.headers["x-ably-errorcode"] == String(bad.code))
    #expect(!seen.processed)
  }

  /// What stands after the broadcast's id, the body made from its channel, and whether it is fine under policy 0.
  static let liveRows: [(claim: String, word: String, body: @Sendable (String) -> String, accepted: Bool)] = [
    ("a start", "start", { Bodies.start($0) }, true),
    ("an update", "broadcast", { _ in Bodies.update() }, true),
    ("an end", "end", { _ in Bodies.update("end", extra: #","dismissal-date":1796442840"#) }, true),
    (
      "an update without headers", "broadcast",
      { _ in #"{"apns":{"aps":{"timestamp":1796440548,"event":"update","content-state":{"a":1}}}}"# }, true
    ),
    ("a start for another channel", "start", { _ in Bodies.start("Zm9yZWlnbg==") }, false),
    (
      "a start for both kinds of receiver", "start",
      { Bodies.start($0).replacing(#""channels":"#, with: #""deviceId":"d","channels":"#) }, false
    ),
    ("a start for nobody", "start", { Bodies.start($0).replacing(#""channels":["live-ios:x"],"#, with: "") }, false),
    ("a start with no channels", "start", { Bodies.start($0).replacing(#"["live-ios:x"]"#, with: "[]") }, false),
    (
      "a start without an alert", "start",
      { Bodies.start($0).replacing(#","alert":{"title":"A","body":"B"}"#, with: "") }, false
    ),
    (
      "a start with a recipient", "start",
      { Bodies.start($0).replacing(#""channels""#, with: #""recipient":{},"channels""#) }, false
    ),
    ("a start with a foreign key in aps", "start", { Bodies.start($0, extra: #","badge":1"#) }, false),
    ("an event that is not the path's", "broadcast", { _ in Bodies.update("end") }, false),
    ("a timestamp in milliseconds", "broadcast", { _ in Bodies.update(at: 1_796_440_548_250) }, false),
    (
      "a timestamp as text", "broadcast", { _ in Bodies.update().replacing("1796440548", with: "\"1796440548\"") },
      false
    ),
    ("a priority as a number", "broadcast", { _ in Bodies.update().replacing(#""5""#, with: "5") }, false),
    ("a priority of 1", "broadcast", { _ in Bodies.update().replacing(#""5""#, with: #""1""#) }, false),
    ("an expiration under policy 0", "broadcast", { _ in Bodies.update(expiration: "1796440600") }, false),
    (
      "a selector in an update", "broadcast",
      { _ in Bodies.update().replacing(#"{"apns":"#, with: #"{"channels":["x"],"apns":"#) }, false
    ),
    (
      "a dismissal date in an update", "broadcast", { _ in Bodies.update(extra: #","dismissal-date":1796442840"#) },
      false
    ),
    ("a null", "broadcast", { _ in Bodies.update(extra: #","alert":null"#) }, false),
    ("an empty state", "broadcast", { _ in Bodies.update(state: "{}") }, false),
    (
      "an update of 5,121 bytes and more", "broadcast",
      { _ in Bodies.update(state: #"{"a":"\#(String(repeating: "x", count: 5_200))"}"#) }, false
    ),
    (
      "attributes and state above 4,096 bytes", "broadcast",
      { _ in Bodies.update(state: #"{"a":"\#(String(repeating: "x", count: 4_200))"}"#) }, false
    ),
  ]

  @Test("a Live Activity call is taken when it is right in everything", arguments: liveRows.indices)
  func liveActivity(_ index: Int) throws {
    let row = AblyRulesTests.liveRows[index]
    var service = AblyRulesTests.service
    let created = AblyRulesTests.ask(
      &service, AblyRulesTests.seen("POST", AblyRulesTests.live, #"{"messageStoragePolicy":0}"#)
    ).answer
    let ids = try #require(JSON(created.body.utf8))
    let target = "\(AblyRulesTests.live)/\(ids["id"]?.string ?? "")/\(row.word)"
    let (answer, seen) = AblyRulesTests.ask(
      &service, AblyRulesTests.seen("POST", target, row.body(ids["apnsChannelId"]?.string ?? "")))
    #expect((answer.status == 200) == row.accepted, "\(row.claim): \(answer.body)")
    #expect(seen.processed == row.accepted)
  }

  @Test("the same message id on the same channel counts once in two minutes; later or elsewhere it counts again")
  func idempotency() {
    var service = AblyRulesTests.service
    let rows: [(second: Int64, channel: String, id: String, duplicate: Bool)] = [
      (0, "a", "g-1:0", false), (1, "a", "g-1:0", true), (2, "b", "g-1:0", false), (3, "a", "g-2:0", false),
      (119, "a", "g-1:0", true), (121, "a", "g-1:0", false),
    ]
    for row in rows {
      let seen = AblyRulesTests.seen(
        "POST", "/channels/\(row.channel)/messages", Bodies.message(id: row.id), atSecond: row.second)
      let (answer, after) = AblyRulesTests.ask(&service, seen)
      #expect(answer.status == 201 && after.duplicate == row.duplicate, "second \(row.second)")
    }
  }

  @Test("JSON is strict about numbers, texts, keys and what follows")
  func json() {
    for good in ["[0,-1,1.5e3]", #"{"a":"\u00e9\ud83c\udfd2\n"}"#, " [ ] ", #""é""#] { #expect(JSON(good.utf8) != nil) }
    for bad in ["007", "1.", "+1", "[1,]", "{'a':1}", #"{"a":1}x"#, "\"\u{1}\"", #""\ud83c""#, "nul", "", "[1", "NaN"] {
      #expect(JSON(bad.utf8) == nil, "\(bad)")
    }
    #expect(JSON("[102.0]".utf8)?.text == "[102.0]")
    #expect(JSON(#"{"b":1,"a":[true,null]}"#.utf8)?.sorted.text == #"{"a":[true,null],"b":1}"#)
  }
}
