import GameCore
import Outbox
import Publishing
import Testing

@testable import Bridge

@Suite("Games of the past") struct HistoryTests {
  private func finish(_ talk: inout EngineTalk) {
    talk.press("h")
    talk.pass(.seconds(10))
    talk.input(.finalDeclared(armed: true))
    talk.pass(.seconds(700))
    talk.input(.nextGameOpened)
    talk.pass(.seconds(10))
  }

  @Test("no game of a day gets the id of an earlier one, not after restarts either: its events would not be kept")
  func identity() throws {
    var talk = try EngineTalk(game: "{}")
    var ids: [String] = []
    for round in 1...5 {
      ids.append(talk.engine.game(onCourt: 0).id)
      finish(&talk)
      if round % 2 == 0 { talk.restart() }
    }
    #expect(Set(ids).count == 5)
    let kept = talk.disk.contents.events
    for id in ids { #expect(kept.contains { $0.game == id && $0.sequence == 1 }, "\(id)") }
    talk.press("h")
    talk.restart()
    #expect(talk.engine.game(onCourt: 0).state.score.home == 2)
  }

  @Test("a restart before the first press of the next game does not go back to the game that the config names")
  func configuredGame() throws {
    var talk = try EngineTalk()
    let first = talk.engine.game(onCourt: 0).id
    finish(&talk)
    let second = talk.engine.game(onCourt: 0).id
    talk.restart()
    #expect(talk.engine.game(onCourt: 0).id == second && second != first)
  }

  @Test("games are forgotten with lanes, records and floors after thirty days, and never while the clock is doubted")
  func forgetting() throws {
    var talk = try EngineTalk(game: "{}")
    let first = talk.engine.game(onCourt: 0).id
    finish(&talk)
    func isKept(_ talk: EngineTalk) -> Bool {
      let contents = talk.disk.contents
      return contents.events.contains { $0.game == first }
        || contents.entries.contains { $0.lane.hasPrefix(first + "/") }
        || contents.marks.keys.contains { $0.contains("/\(first)/") }
    }
    let isKeptAtFirst = isKept(talk)
    #expect(isKeptAtFirst)
    talk.restart(after: .seconds(29 * 86_400))
    let isKeptForAMonth = isKept(talk)
    #expect(isKeptForAMonth)
    talk.fault = TransportFault(.notConnected, detail: "no network")
    talk.restart(after: .seconds(2 * 86_400), clockIsInStep: false)
    let isKeptInDoubt = isKept(talk)
    #expect(isKeptInDoubt)
    talk.check(clockIsInStep: true)
    let isKeptInTheEnd = isKept(talk)
    #expect(!isKeptInTheEnd)
    #expect(talk.disk.contents.marks["floor/ably-android/stamp"] != nil)
  }

  @Test("two courts of one hall never play under one id: each keeps its events, and each has a tile of its own")
  func twoCourts() throws {
    var talk = try EngineTalk(game: "{}", courts: ["Main court", "Side court"])
    func ids(_ talk: EngineTalk) -> [String] { (0...1).map { talk.engine.game(onCourt: $0).id } }
    for court in 0...1 { talk.input(.nextGameOpened, court: court) }
    let following = ids(talk)
    #expect(Set(following).count == 2, "\(following)")
    talk.input(.scored(.home, points: 2, player: nil, play: nil), court: 0)
    talk.input(.scored(.home, points: 3, player: nil, play: nil), court: 1)
    talk.pass(.seconds(30))
    let starts = talk.sent.filter { EngineTalk.kind($0) == "start" }.map { String(decoding: $0.body, as: UTF8.self) }
    for id in following { #expect(starts.filter { $0.contains("live-ios:\(id)\"") }.count == 1) }
    talk.restart()
    let scores = (0...1).map { talk.engine.game(onCourt: $0).state.score.home }
    #expect(ids(talk) == following && scores == [2, 3])
  }

  @Test("two courts whose games nobody has named have two ids from the first moment")
  func twoFirstGames() throws {
    var talk = try EngineTalk(game: "{}", courts: ["Main court", "Side court"])
    for court in 0...1 { talk.input(.scored(.home, points: 2 + court, player: nil, play: nil), court: court) }
    talk.restart()
    let scores = (0...1).map { talk.engine.game(onCourt: $0).state.score.home }
    #expect(scores == [2, 3])
    #expect(Set((0...1).map { talk.engine.game(onCourt: $0).id }).count == 2)
  }

  @Test("the note of which game a court plays is lost: the game goes on by its events, and new ones are kept")
  func courtNoteLost() throws {
    var talk = try EngineTalk()
    for _ in 1...3 { talk.press("h") }
    talk.restart { $0.marks = $0.marks.filter { !$0.key.hasPrefix("court/") } }
    #expect(talk.engine.game(onCourt: 0).state.score.home == 6)
    talk.press("h")
    talk.restart()
    #expect(talk.engine.game(onCourt: 0).state.score.home == 8)
  }

  @Test("an event of the game was damaged on the disk: those after it keep their numbers, and new presses are kept")
  func eventLost() throws {
    var talk = try EngineTalk()
    for _ in 1...4 { talk.press("h") }
    talk.restart { contents in contents.events.removeAll { $0.sequence == 2 } }
    let rest = talk.engine.game(onCourt: 0).state.score.home
    talk.press("h")
    talk.restart { contents in contents.events.removeAll { $0.sequence == 2 } }
    #expect(talk.engine.game(onCourt: 0).state.score.home == rest + 2)
  }

  @Test("of a game that was lost with its file only floors tell: no other gets its id, as its tile may be on phones")
  func onlyFloors() throws {
    var talk = try EngineTalk(game: "{}")
    finish(&talk)
    let lost = talk.engine.game(onCourt: 0).id
    talk.press("h")
    talk.pass(.seconds(30))
    talk.restart { contents in
      contents.events = []
      contents.entries = []
      contents.marks = contents.marks.filter { $0.key.hasPrefix("floor/") }
      contents.setAside = ["the store's file is gone: only its floors are left"]
    }
    finish(&talk)
    #expect(talk.engine.game(onCourt: 0).id != lost)
  }
}
