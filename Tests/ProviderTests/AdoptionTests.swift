import Document
import Platform
import Testing

/// A board is replaced in the middle of a game: its successor knows nothing, and an operator tells it the ids of the
/// broadcast that phones listen to.
@Suite("A broadcast of a replaced board") struct AdoptionTests {
  private static let command =
    #"{"id":"%","action":"adopt","broadcast":"apb_9","apnsChannelId":"Y2hhbm5lbA==","storagePolicy":1}"#
  private static let adopt = command.replacing("%", with: "1")

  private func verdict(_ talk: EngineTalk) throws -> (result: String?, reason: String?) {
    let answer = try JSONDocument.parse(try #require(talk.replies.last))
    return (answer["result"]?.text, answer["reason"]?.text)
  }

  /// What iPhones were told, and whether all of it went over the adopted broadcast.
  private func calls(_ talk: EngineTalk) -> (kinds: Set<String>, isAllAdopted: Bool) {
    let calls = talk.sent.filter { ["create", "start", "broadcast", "end"].contains(EngineTalk.kind($0)) }
    return (Set(calls.map(EngineTalk.kind)), calls.allSatisfy { $0.target.contains("apb_9") })
  }

  @Test("a fresh board goes on over it: none is made, none is started, and the end goes there too")
  func freshBoard() throws {
    var talk = try EngineTalk()
    talk.command("activity", Self.adopt)
    #expect(try verdict(talk) == ("done", nil))
    talk.press("h")
    talk.pass(.seconds(60))
    talk.restart()
    talk.press("h")
    talk.pass(.seconds(60))
    talk.input(.finalDeclared(armed: true))
    talk.pass(.seconds(1000))
    #expect(calls(talk).kinds == ["broadcast", "end"])
    #expect(calls(talk).isAllAdopted)
  }

  @Test("a scheduled game has made one of its own, of which no phone knows: it is left behind, and said")
  func scheduled() throws {
    var talk = try EngineTalk()
    talk.command("game", #"{"action":"new","start":"2026-12-06T19:00:00Z"}"#)
    talk.pass(.seconds(10))
    #expect(calls(talk).kinds == ["create"])
    let before = talk.sent.count
    talk.command("activity", Self.adopt)
    #expect(try verdict(talk) == ("done", nil))
    talk.press("h")
    talk.pass(.seconds(60))
    let later = talk.sent.dropFirst(before).filter { ["create", "start", "broadcast"].contains(EngineTalk.kind($0)) }
    #expect(!later.isEmpty && later.allSatisfy { $0.target.contains("apb_9") })
    let lane = talk.status?["courts"]?.elements?.first?["outbox"]?.elements?.first
    #expect(lane?["leakedChannels"]?.integer == 1)
  }

  @Test("phones that have this game's own tile keep it: the command is refused and says what to do")
  func tooLate() throws {
    var talk = try EngineTalk()
    talk.press("h")
    talk.pass(.seconds(10))
    talk.command("activity", Self.adopt)
    let (result, reason) = try verdict(talk)
    #expect(result == "refused")
    #expect(reason?.contains("announce one with a later start") == true)
    talk.press("h")
    talk.pass(.seconds(10))
    #expect(!talk.sent.contains { $0.target.contains("apb_9") })
  }

  @Test("asked twice, under another id, it is done twice and changes nothing")
  func twice() throws {
    var talk = try EngineTalk()
    talk.command("activity", Self.adopt)
    talk.press("h")
    talk.pass(.seconds(60))
    let before = talk.sent.count
    talk.command("activity", Self.command.replacing("%", with: "2"))
    #expect(try verdict(talk) == ("done", nil))
    talk.pass(.seconds(20))
    #expect(talk.sent.count == before)
  }

  @Test("a court that tells no iPhones refuses it")
  func noPhones() throws {
    var talk = try EngineTalk(phones: "{ios: {enabled: false}}")
    talk.command("activity", Self.adopt)
    #expect(try verdict(talk).reason?.contains("phones.ios") == true)
  }
}

/// An arena that sends the fixture before the match, to a board on which nobody has opened anything.
@Suite("A game that is announced over MQTT") struct AnnouncedGameTests {
  private static let fixture =
    #"{"id":"f1","action":"new","home":{"name":"Lakeside","code":"lak"},"away":{"name":"Hilltop","code":"hil"},"#
    + #""start":"2026-12-05T02:00:00Z"}"#

  private func game(_ talk: EngineTalk) -> String? { talk.status?["courts"]?.elements?.first?["game"]?.text }

  private func kinds(_ talk: EngineTalk) -> [String] {
    talk.sent.map(EngineTalk.kind).filter { ["create", "start", "android"].contains($0) }
  }

  @Test("it takes the place of the one that nobody opened: its teams, its time, and no tile before that")
  func fixture() throws {
    var talk = try EngineTalk()
    talk.command("game", Self.fixture)
    #expect(try JSONDocument.parse(try #require(talk.replies.last))["result"]?.text == "done")
    #expect(game(talk)?.hasSuffix("lak-hil") == true)
    talk.command("game", #"{"action":"teams","away":{"name":"Hilltop Rovers","code":"hil"}}"#)
    talk.pass(.seconds(1800))
    #expect(kinds(talk) == ["create"])
    talk.pass(.seconds(2400))
    #expect(kinds(talk).contains("start") && kinds(talk).contains("android"))
    #expect(talk.sent.contains { String(decoding: $0.body, as: UTF8.self).contains("Hilltop Rovers") })
  }

  @Test("after a power cut it is still there, and the command repeated makes no second one")
  func powerCut() throws {
    var talk = try EngineTalk()
    talk.command("game", Self.fixture)
    let announced = game(talk)
    talk.restart()
    #expect(game(talk) == announced)
    talk.command("game", Self.fixture)
    #expect(game(talk) == announced)
    talk.pass(.seconds(1800))
    #expect(kinds(talk) == ["create"])
  }

  @Test("without a time it is opened at once, under its teams")
  func now() throws {
    var talk = try EngineTalk()
    talk.command("game", #"{"action":"new","home":{"name":"Lakeside","code":"lak"}}"#)
    talk.pass(.seconds(30))
    #expect(game(talk)?.hasSuffix("lak-har") == true)
    #expect(kinds(talk).contains("start"))
  }

  @Test("a second fixture replaces the first, whose channel is ended")
  func changed() throws {
    var talk = try EngineTalk()
    talk.command("game", Self.fixture)
    talk.pass(.seconds(60))
    talk.command("game", Self.fixture.replacing("f1", with: "f2").replacing("Hilltop", with: "Uptown"))
    talk.pass(.seconds(60))
    #expect(kinds(talk) == ["create", "create"])
    #expect(talk.sent.filter { EngineTalk.kind($0) == "end" }.count == 1)
  }
}
