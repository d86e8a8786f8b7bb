import GameCore
import Input
import Publishing
import Testing

@testable import Bridge

@Suite("The engine after a restart, and after a time without a network") struct RestartTests {
  private func kinds(_ talk: EngineTalk, from first: Int) -> [String] {
    talk.sent.dropFirst(first).map(EngineTalk.kind)
  }

  private func playing() throws -> EngineTalk {
    var talk = try EngineTalk()
    talk.press("h")
    talk.pass(.seconds(10))
    return talk
  }

  /// What the phones were told last, since that many requests.
  private func told(_ talk: EngineTalk, from first: Int) -> [String] {
    ["broadcast", "android"].compactMap { kind in
      talk.sent.dropFirst(first).last { EngineTalk.kind($0) == kind }.map { String(decoding: $0.body, as: UTF8.self) }
    }
  }

  @Test("asked to end in a game: phones hear that nobody watches it, newest score first; the next life tells the game")
  func leaving() throws {
    var talk = try playing()
    var before = talk.sent.count
    talk.press("h")
    talk.terminate()
    #expect(!talk.hasStopped, "the press has just been told, and the next push may come a second later")
    talk.pass(.seconds(1))
    #expect(talk.hasStopped)
    var last = told(talk, from: before)
    #expect(last.count == 2)
    for body in last {
      #expect(body.contains("Scoreboard signal lost"))
      #expect(body.contains(#""homeScore":4"#) || body.contains(#""homeScore":"4""#), "\(body)")
    }
    let stale = talk.now.wall.seconds + 60
    #expect(last[0].contains(#""stale-date":\#(stale)"#), "\(last[0])")
    before = talk.sent.count
    talk.restart()
    talk.pass(.seconds(10))
    last = told(talk, from: before)
    #expect(last.count == 2)
    for body in last { #expect(!body.contains("Scoreboard signal lost")) }
  }

  @Test(
    "asked to end while no game is played: phones hear nothing of it, and it ends at once", arguments: [true, false])
  func leavingQuietly(isOver: Bool) throws {
    var talk = try isOver ? playing() : EngineTalk()
    if isOver { talk.input(.finalDeclared(armed: true)) }
    talk.pass(.seconds(10))
    let before = talk.sent.count
    talk.terminate()
    #expect(talk.hasStopped)
    #expect(talk.sent.count == before)
  }

  @Test("asked to end while nobody answers: it ends at once, and two seconds later where a request hangs")
  func leavingWithoutAnswer() throws {
    var talk = try playing()
    talk.fault = TransportFault(.notConnected, detail: "no route")
    talk.press("h")
    talk.pass(.milliseconds(1500))
    talk.terminate()
    #expect(talk.hasStopped)
    talk = try playing()
    talk.hangs = true
    talk.press("h")
    talk.pass(.milliseconds(500))
    talk.terminate()
    talk.pass(.milliseconds(1999))
    #expect(!talk.hasStopped)
    talk.pass(.milliseconds(1))
    #expect(talk.hasStopped)
  }

  @Test("an activity that was ended by a command stays ended after a restart, though the game goes on")
  func ended() throws {
    var talk = try playing()
    talk.command("activity", #"{"id":"1","action":"end"}"#)
    talk.pass(.seconds(10))
    #expect(kinds(talk, from: 0).last { $0 == "end" } != nil)
    let before = talk.sent.count
    talk.restart()
    talk.press("h")
    talk.pass(.seconds(600))
    let after = Set(kinds(talk, from: before))
    #expect(after.isDisjoint(with: ["create", "start", "android", "broadcast"]), "\(after)")
  }

  @Test("an activity that was given up is not made anew by a restart")
  func dead() throws {
    var talk = try playing()
    talk.knowsNothing = true
    talk.press("h")
    talk.pass(.seconds(10))
    talk.knowsNothing = false
    let before = talk.sent.count
    talk.restart()
    talk.press("h")
    talk.pass(.seconds(60))
    #expect(Set(kinds(talk, from: before)).isDisjoint(with: ["create", "start", "broadcast"]))
    #expect(kinds(talk, from: before).allSatisfy { $0 != "create" && $0 != "start" })
  }

  @Test("a game that is over stays over after a restart: nothing is made for it")
  func over() throws {
    var talk = try playing()
    talk.input(.finalDeclared(armed: true))
    talk.pass(.seconds(1000))
    let before = talk.sent.count
    for _ in 1...2 {
      talk.restart()
      talk.pass(.seconds(300))
    }
    #expect(Set(kinds(talk, from: before)).isSubset(of: ["time", "court", "push-log"]))
  }

  @Test(
    "B95, B127: started without a network, which comes after five or ten minutes: counted meanwhile, told at once then",
    arguments: [5, 10])
  func noNetworkAtBoot(minutes: Int64) throws {
    var talk = try playing()
    talk.fault = TransportFault(.notConnected, detail: "no route")
    talk.restart()
    for _ in 1...3 { talk.press("h") }
    talk.pass(.seconds(minutes * 60))
    #expect(talk.engine.game(onCourt: 0).state.score.home == 8)
    talk.fault = nil
    let before = talk.sent.count
    talk.linkCameUp()
    talk.pass(.seconds(2))
    let told = talk.sent.dropFirst(before).filter { ["android", "broadcast"].contains(EngineTalk.kind($0)) }
    #expect(told.count == 2, "one push per lane")
    #expect(told.allSatisfy { String(decoding: $0.body, as: UTF8.self).contains("8") })
  }

  @Test("B100: a portal's page with status 200 accepts nothing, and status calls it a captive portal")
  func captivePortal() throws {
    var talk = try playing()
    talk.page = HTTPResponse(
      status: 200, headers: [HTTPHeader("Content-Type", "text/html")], body: Array("<p>Please log in</p>".utf8))
    talk.press("h")
    talk.pass(.seconds(20))
    let lanes = talk.status?["courts"]?.elements?.first?["outbox"]?.elements ?? []
    #expect(lanes.count == 2)
    #expect(lanes.allSatisfy { $0["reason"]?.text?.contains("captive portal?") == true })
    #expect(
      talk.status?["reasons"]?.elements?.contains { $0["text"]?.text?.contains("captive portal?") == true } == true)
    talk.page = nil
    let before = talk.sent.count
    talk.pass(.seconds(2))
    #expect(kinds(talk, from: before).filter { $0 == "android" || $0 == "broadcast" }.count == 2)
  }

  @Test(
    "B97: down, twenty queued, and up again: told within two seconds, with one question a second meanwhile",
    arguments: [true, false])
  func release(byLink: Bool) throws {
    var talk = try playing()
    talk.fault = TransportFault(.notConnected, detail: "no route")
    for _ in 1...20 {
      talk.press("h")
      talk.pass(.seconds(5))
    }
    let down = talk.sent.count
    talk.pass(.seconds(60))
    // Each question is asked of the first host and of its fallback.
    let asked = talk.sent.dropFirst(down).filter { EngineTalk.kind($0) == "time" && $0.host == "localhost" }
    #expect((58...62).contains(asked.count))
    #expect(Set(kinds(talk, from: down)).isDisjoint(with: ["android", "broadcast", "start", "create", "end"]))
    talk.fault = nil
    let before = talk.sent.count
    if byLink { talk.linkCameUp() }
    talk.pass(.seconds(2))
    let told = kinds(talk, from: before).filter { $0 == "android" || $0 == "broadcast" }
    #expect(told.sorted() == ["android", "broadcast"])
  }

  @Test("a right that the key lacked is tried at once after a reload: an operator does not wait five minutes")
  func rightGranted() throws {
    var talk = try playing()
    let lacking = HTTPResponse(
      status: 401, headers: [HTTPHeader("Content-Type", "application/json")],
      body: Array(#"{"error":{"code":40160,"statusCode":401,"message":"no"}}"#.utf8))
    for kind in ["broadcast", "court"] { talk.answers[kind] = lacking }
    talk.press("h")
    talk.input(.nextGameOpened)
    talk.pass(.seconds(30))
    talk.answers = [:]
    let before = talk.sent.count
    talk.reload()
    talk.pass(.seconds(5))
    #expect(Set(kinds(talk, from: before)).isSuperset(of: ["broadcast", "court"]))
  }

  @Test("another channel for apps is refused by a reload: the daemon would go on speaking on the old one")
  func courtChannel() throws {
    var talk = try playing()
    talk.reload { $0.config.phones.courtChannel = "elsewhere" }
    let refused = talk.log.filter { $0.event.hasPrefix("reload refused") }.flatMap(\.fields).map(\.value)
    #expect(refused.contains { $0.contains("phones.court_channel") })
  }

  @Test("a console added or taken away by a reload: what phones are told grows stale with it, or without it")
  func consoleReloaded() throws {
    var talk = try playing()
    func staleAfter(_ talk: EngineTalk) throws -> Int64 {
      let push = try #require(talk.sent.last { EngineTalk.kind($0) == "android" })
      let body = String(decoding: push.body, as: UTF8.self)
      let digits = try #require(body.split(separator: #""staleAtMs":""#).dropFirst().first?.prefix(13))
      return (try #require(Int64(digits)) - talk.now.wall.milliseconds) / 1000
    }
    let feed = try ConsoleFeed(DecoderSettings(console: .bodetScorepad, sport: .basketball))
    talk.reload { court in
      var console = ConsoleConfig()
      console.name = "table"
      court.config.consoles = [console]
      court.feeds = [feed]
    }
    talk.pass(.seconds(600))
    talk.press("h")
    #expect(try staleAfter(talk) == 60, "nothing was heard of it for ten minutes")
    talk.reload()
    talk.pass(.seconds(600))
    talk.press("h")
    #expect(try staleAfter(talk) == 420)
  }
}
