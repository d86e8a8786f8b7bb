import Document
import GameCore
import Publishing
import Testing

@testable import Bridge

@Suite("The engine and the service, beside the lanes") struct EngineTalkTests {
  private func log(_ entries: [(id: String, code: Int)], at now: Moment) -> HTTPResponse {
    let items = entries.map {
      #"{"id":"\#($0.id)","timestamp":\#(now.wall.milliseconds),"data":{"error":{"code":\#($0.code),"message":"Unregistered"}}}"#
    }
    return HTTPResponse(
      status: 200, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array("[\(items.joined(separator: ","))]".utf8))
  }

  private func playing() throws -> EngineTalk {
    var talk = try EngineTalk()
    talk.press("h")
    talk.pass(.seconds(10))
    return talk
  }

  @Test("B120: what Apple and Google refuse later is counted by reason in status, said once, and sends nothing again")
  func rejections() throws {
    var talk = try playing()
    talk.pushLog = log([("c", 41001), ("b", 40000), ("a", 41001)], at: talk.now)
    let before = talk.sent.count
    talk.pass(.seconds(125))
    let failures = try #require(talk.status?["pushLog"]?["failures"]?.elements)
    #expect(failures.map { $0["code"]?.integer } == [41001, 40000])
    #expect(failures.map { $0["count"]?.integer } == [2, 1])
    #expect(talk.status?["pushLog"]?["state"]?.text == "reading")
    #expect(talk.log.count { $0.event == "an accepted push failed later" } == 2)
    let asked = talk.sent[before...].map(EngineTalk.kind)
    #expect(asked.count { $0 == "push-log" } == 2)
    #expect(!asked.contains("start") && !asked.contains("create"))
    #expect(
      talk.log.filter { $0.event == "an accepted push failed later" }
        .allSatisfy { line in line.fields.contains { $0.key == "request" && !$0.value.isEmpty } })
  }

  @Test("a press gives what leaves for phones at once; the turn's end writes first, then tells")
  func atOnce() throws {
    var talk = try playing()
    talk.pass(.seconds(60))
    var engine = talk.engine
    let atOnce = engine.handle(.key("h"), at: talk.now)
    #expect(!atOnce.isEmpty && atOnce.allSatisfy { if case .send = $0 { true } else { false } })
    let atTheEnd = engine.endTurn(at: talk.now)
    let writing = atTheEnd.firstIndex { if case .persist = $0 { true } else { false } }
    #expect(writing == 0)
  }

  @Test("the start says how far the game is when it leaves, not when it was announced", arguments: [180, 7])
  func startAlert(ahead minutes: Int64) throws {
    var talk = try EngineTalk()
    let start = (talk.now.wall + .seconds(minutes * 60)).iso8601
    talk.command(
      "game",
      #"{"action":"new","home":{"name":"Lakeside","code":"lak"},"start":"\#(start)"}"#)
    talk.pass(.seconds(minutes * 60))
    let body = try #require(talk.sent.last { EngineTalk.kind($0) == "start" }?.body)
    #expect(String(decoding: body, as: UTF8.self).contains("Tip-off in \(min(minutes, 10)) minutes"))
  }

  @Test("a lost scoreboard is told in the court's language, and so is the word to follow in the app")
  func languageOfTheEngine() throws {
    var talk = try EngineTalk(
      more: ", language: de, mqtt_scoreboards: [{name: b, lost_after: 20s, fields: {home_score: {topic: hall/home}}}]")
    talk.hear("hall/home", "0")
    talk.press("h")
    talk.pass(.seconds(60))
    let bodies = talk.sent.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(bodies.contains { $0.contains("Kein Signal der Anzeigetafel") })
    let court = talk.engine.courts[0]
    #expect(talk.engine.laneSettings(of: court, .ablyIOS).followInApp == "Weiter geht es in der App")
  }

  @Test("sent is told once the service took what the press did, not when it took what left before the press")
  func sentLamp() throws {
    var talk = try EngineTalk(
      phones: "{ios: {enabled: false}, android: {spacing: 0s}}",
      more: ", lamps: [{name: sent, line: GPIO27, shows: [sent]}]")
    talk.press("h")
    talk.pass(.seconds(10))
    var (engine, now) = (talk.engine, talk.now)
    var calls: [UInt64] = []
    func wasLit(_ stimulus: Stimulus) -> Bool {
      var wasLit = false
      var stimuli = [stimulus]
      while !stimuli.isEmpty {
        for action in engine.handle(stimuli.removeFirst(), at: now) + engine.endTurn(at: now) {
          switch action {
          case .send(let attempt): if EngineTalk.kind(attempt.request) == "android" { calls.append(attempt.call) }
          case .persist(let batch): stimuli.append(.stored(.persisted(through: batch.number)))
          case .light(_, let isLit): wasLit = wasLit || isLit
          case .log, .publish, .show, .readLine, .stop: break
          }
        }
      }
      return wasLit
    }
    func passed(_ milliseconds: Int64) {
      now = Moment(instant: now.instant + .milliseconds(milliseconds), wall: now.wall + .milliseconds(milliseconds))
    }
    #expect(!wasLit(.key("h")))
    passed(100)
    #expect(!wasLit(.key("h")))
    try #require(calls.count == 1)
    passed(100)
    #expect(!wasLit(.answered(call: calls[0], .answered(HTTPResponse(status: 201)))))
    try #require(calls.count == 2)
    passed(100)
    #expect(wasLit(.answered(call: calls[1], .answered(HTTPResponse(status: 201)))))
  }

  @Test("a key without history on the push log: said once, in status, and nothing more is asked")
  func noHistory() throws {
    var talk = try playing()
    talk.pushLog = HTTPResponse(
      status: 401, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(#"{"error":{"code":40160,"statusCode":401,"message":"not permitted"}}"#.utf8))
    talk.pass(.seconds(600))
    #expect(talk.sent.count { EngineTalk.kind($0) == "push-log" } == 1)
    #expect(talk.log.count { $0.event.hasPrefix("the push log may not be read") } == 1)
    #expect(talk.status?["pushLog"]?["state"]?.text == "not-permitted")
    // The lanes do not mind.
    let before = talk.sent.count
    talk.press("h")
    talk.pass(.seconds(2))
    #expect(talk.sent[before...].contains { EngineTalk.kind($0) == "broadcast" })
  }

  @Test("after a reload the push log is asked for again, as the key may read it now; if not, that is said once more")
  func reloadAsksAgain() throws {
    var talk = try playing()
    let forbidden = HTTPResponse(
      status: 401, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(#"{"error":{"code":40160,"statusCode":401,"message":"not permitted"}}"#.utf8))
    let permitted = talk.pushLog
    func asked(_ talk: EngineTalk) -> Int { talk.sent.count { EngineTalk.kind($0) == "push-log" } }
    talk.pushLog = forbidden
    talk.pass(.seconds(600))
    #expect(asked(talk) == 1 && talk.status?["pushLog"]?["state"]?.text == "not-permitted")
    talk.reload()
    talk.pass(.seconds(600))
    #expect(asked(talk) == 2 && talk.status?["pushLog"]?["state"]?.text == "not-permitted")
    #expect(talk.log.count { $0.event.hasPrefix("the push log may not be read") } == 2)
    talk.pushLog = permitted
    talk.reload()
    talk.pass(.seconds(605))
    #expect(talk.log.count { $0.event == "reloaded" } == 2)
    #expect(asked(talk) >= 11 && talk.status?["pushLog"]?["state"]?.text == "reading")
  }

  @Test("three refusals of updates are a complaint in the status with what to do, and a line in the log")
  func broadcastStopped() throws {
    var talk = try playing()
    talk.answers["broadcast"] = Self.refusal(42_200, "rejected")
    for _ in 1...3 {
      talk.press("h")
      talk.pass(.seconds(10))
    }
    let reason = talk.status?["reasons"]?.elements?.first { $0["code"]?.text == "outbox" }?["text"]?.text ?? ""
    #expect(reason.contains("broadcast stopped") && reason.contains("open a new game"), "\(reason)")
    #expect(talk.log.count { $0.event == "broadcast stopped" && $0.level == .error } == 1)
    #expect(talk.sent.count { EngineTalk.kind($0) == "create" } == 1)
    talk.answers = [:]
    talk.press("h")
    talk.pass(.seconds(320))
    #expect(talk.status?["health"]?.text == "ok")
  }

  @Test(
    "a create that a second host took after a first one left it open is one channel that may have leaked, in status")
  func leakedChannel() throws {
    var talk = try EngineTalk()
    talk.failingCreates = 1
    talk.press("h")
    talk.pass(.seconds(10))
    #expect(talk.sent.filter { EngineTalk.kind($0) == "create" }.map(\.host) == ["localhost", "127.0.0.1"])
    let lane = talk.status?["courts"]?.elements?.first?["outbox"]?.elements?.first
    #expect(lane?["sink"]?.text == "ably-ios" && lane?["leakedChannels"]?.integer == 1)
    #expect(talk.log.contains { $0.event == "a broadcast channel may have leaked" })
  }

  private static func refusal(_ code: Int, _ message: String) -> HTTPResponse {
    HTTPResponse(
      status: 400, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(#"{"error":{"code":\#(code),"statusCode":400,"message":"\#(message)"}}"#.utf8))
  }

  @Test(
    "traps 30 and 31: an account that is not set up is named in status with the place to mend it, and Android goes on",
    arguments: [
      ("create", 40000, "FeatureNotEnabled", "developer portal"),
      ("start", 40182, "push-to-start is not possible", ".p8"),
      ("broadcast", 40000, "ChannelNotRegistered", "sandbox and production"),
    ])
  func account(kind: String, code: Int, message: String, words: String) throws {
    var talk = try EngineTalk()
    talk.answers[kind] = Self.refusal(code, message)
    for _ in 1...2 {
      talk.press("h")
      talk.pass(.seconds(10))
    }
    let lanes = try #require(talk.status?["courts"]?.elements?.first?["outbox"]?.elements)
    let reason = lanes.first { $0["sink"]?.text == "ably-ios" }?["reason"]?.text ?? ""
    #expect(reason.contains(message) && reason.contains(words), "\(reason)")
    #expect(lanes.first { $0["sink"]?.text == "ably-android" }?["reason"]?.text == nil)
    #expect(talk.sent.count { EngineTalk.kind($0) == kind } == 1)
    #expect(talk.sent.contains { EngineTalk.kind($0) == "android" })
    let warned = talk.log.filter { [.error, .warning].contains($0.level) }.flatMap { $0.fields.map(\.value) }
    #expect(warned.contains { $0.contains(words) }, "\(warned)")
  }

  @Test("trap 24: what was accepted is never called delivered, and what failed later takes nothing from the counts")
  func accepted() throws {
    var talk = try playing()
    talk.press("h")
    talk.pushLog = log([("a", 103_004)], at: talk.now)
    talk.pass(.seconds(65))
    let status = try #require(talk.status)
    let lanes = try #require(status["courts"]?.elements?.first?["outbox"]?.elements)
    #expect(lanes.allSatisfy { ($0["accepted"]?.integer ?? 0) >= 2 })
    #expect(status["pushLog"]?["failures"]?.elements?.first?["remedy"]?.text?.contains("refused the payload") == true)
    let said =
      [String(decoding: talk.engine.statusJSON(at: talk.now), as: UTF8.self)]
      + talk.log.flatMap { [$0.event] + $0.fields.map(\.value) }
    for word in ["deliver", "displayed", "on the screen", "received by"] {
      #expect(!said.contains { $0.lowercased().contains(word) }, "\(word)")
    }
  }

  @Test("nothing is asked of the push log before a game is on phones")
  func idle() throws {
    var talk = try EngineTalk()
    talk.pass(.seconds(300))
    #expect(!talk.sent.contains { EngineTalk.kind($0) == "push-log" })
    #expect(talk.status?["pushLog"]?["state"]?.text == "idle")
  }

  @Test("what apps find on the court's channel stands behind the lanes' calls of a turn, and no value comes twice")
  func order() throws {
    var talk = try playing()
    talk.press("h")
    talk.pass(.seconds(10))
    #expect(talk.sent.contains { EngineTalk.kind($0) == "court" })
    for turn in talk.turns {
      guard let court = turn.firstIndex(of: "court") else { continue }
      #expect(turn[..<court].count == turn.count { $0 != "court" && $0 != "push-log" }, "\(turn)")
    }
    let values = talk.sent.filter { EngineTalk.kind($0) == "court" }.map { String(decoding: $0.body, as: UTF8.self) }
    #expect(Set(values).count == values.count)
    #expect(values.last?.contains(#"\"status\":\"updating\""#) == true && values.last?.contains("YWJj1") == true)
  }
}
