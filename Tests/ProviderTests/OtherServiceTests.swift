import Document
import GameCore
import Platform
import Publishing
import Testing

@testable import Bridge

/// Traps 32 to 34 are about the requests and answers of Optimove, for which nothing is made yet: what is made first for
/// it brings the rest of their tests. What they say of names, priorities and conflicts holds for Ably's too.
@Suite("Traps 32 to 34, as far as they reach without Optimove") struct OtherServiceTests {
  @Test("traps 32 to 34: no other service than Ably is told anything")
  func sinks() {
    #expect(Sink.allCases.map(\.rawValue) == ["ably-ios", "ably-android"])
  }

  @Test(
    "trap 32: a game's name is used once: the next game of these teams has another, whatever became of the start",
    arguments: ["answered", "unanswered", "refused"])
  func names(fate: String) throws {
    var talk = try EngineTalk()
    var names: [String] = []
    for _ in 1...3 {
      names.append(talk.engine.courts[0].record.id)
      talk.hangs = fate == "unanswered"
      if fate == "refused" { talk.answers = ["start": Self.answer(400), "android": Self.answer(400)] }
      talk.press("h")
      talk.pass(.seconds(100))
      talk.hangs = false
      talk.restart()
      talk.input(.finalDeclared(armed: true))
      talk.pass(.seconds(1000))
      talk.command("game", Self.sameTeams)
      talk.pass(.seconds(10))
      talk.restart()
    }
    #expect(names == ["bb-20261205-riv-har", "bb-20261205-riv-har-2", "bb-20261205-riv-har-3"])
    let messages = try talk.sent.filter { EngineTalk.kind($0) == "android" }.map {
      try #require(JSONDocument.parse($0.body).elements?.first?["id"]?.text)
    }
    let games = messages.map { $0.split(separator: "-").dropLast(2).joined(separator: "-") }
    #expect(games == games.sorted() && Set(games).isSuperset(of: names), "\(messages)")
  }

  @Test("trap 33: nothing leaves its priority to a default, and the clock's pushes are convenient")
  func priorities() throws {
    var talk = try EngineTalk()
    talk.press("h")
    talk.pass(.seconds(100))
    let opening = talk.sent.count
    for _ in 1...10 {
      talk.input(.clockStarted)
      talk.pass(.seconds(20))
      talk.input(.clockStopped)
      talk.pass(.seconds(150))
    }
    let end = talk.sent.count
    talk.input(.finalDeclared(armed: true))
    talk.pass(.seconds(1000))
    var seen = 0
    for (place, request) in talk.sent.enumerated() {
      let expected = (opening..<end).contains(place) ? ["5", "NORMAL"] : ["5", "10", "NORMAL", "HIGH"]
      let said: String?
      switch EngineTalk.kind(request) {
      case "start": said = try JSONDocument.parse(request.body)["headers"]?["apns-priority"]?.text
      case "broadcast", "end": said = try JSONDocument.parse(request.body)["headers"]?["apns-priority"]?.text
      case "android":
        let push = try JSONDocument.parse(request.body).elements?.first?["extras"]?["push"]
        said = push?["fcm"]?["priority"]?.text
      case _: continue
      }
      seen += 1
      #expect(said.map(expected.contains) == true, "\(request.target) says \(said ?? "nothing")")
    }
    #expect(seen > 40)
  }

  @Test(
    "trap 34: a conflict says neither that it is too early nor that it is too late", arguments: ["broadcast", "end"])
  func conflict(kind: String) throws {
    var talk = try EngineTalk()
    talk.press("h")
    talk.pass(.seconds(100))
    talk.answers = [kind: Self.answer(409)]
    talk.press("h")
    talk.pass(.seconds(100))
    if kind == "end" {
      talk.input(.finalDeclared(armed: true))
      talk.pass(.seconds(1000))
    }
    let before = talk.sent.count
    talk.answers = [:]
    talk.press("h")
    talk.pass(.seconds(100))
    let all = talk.sent.map(EngineTalk.kind)
    #expect(all.filter { $0 == "create" }.count == 1 && all.filter { $0 == "start" }.count == 1, "nothing is made anew")
    // The one goes on with its game. The other is known to have been refused, not thought to have been done.
    let lane = talk.status?["courts"]?.elements?.first?["outbox"]?.elements?.first
    if kind == "broadcast" {
      #expect(all[before...].contains("broadcast"))
      #expect(lane?["state"]?.text == "updating")
    } else {
      #expect(lane?["leakedChannels"]?.integer == 1)
    }
  }

  private static let sameTeams =
    #"{"action":"new","home":{"name":"Riverton","code":"riv"},"away":{"name":"Harbor City","code":"har"}}"#

  private static func answer(_ status: Int) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(#"{"error":{"code":\#(status)00,"statusCode":\#(status),"message":"no"}}"#.utf8))
  }
}
