import Document
import GameCore
import Input
import Platform
import Testing

@testable import Bridge

@Suite struct ArbiterTests {
  private let console = Arbiter.Speaker(.console, "console")
  private let board = Arbiter.Speaker(.mqtt, "hall")

  private func at(_ second: Int64) -> Instant { Instant(nanoseconds: second * 1_000_000_000) }

  @Test("the first feed to speak owns a field; another takes over after the owner's silence, and keeps it")
  func firstOwns() {
    var arbiter = Arbiter()
    #expect(arbiter.reported(.score, value: "1–0", by: console, at: at(0)) == true)
    #expect(arbiter.reported(.score, value: "1–0", by: board, at: at(1)) == false)
    // Fields are owned one by one.
    #expect(arbiter.reported(.period, value: "1", by: board, at: at(1)) == true)
    #expect(arbiter.reported(.score, value: "2–0", by: board, at: at(19)) == false)
    #expect(arbiter.reported(.score, value: "2–0", by: board, at: at(20)) == true)
    // The old owner is back, and does not take it away again.
    #expect(arbiter.reported(.score, value: "1–0", by: console, at: at(21)) == false)
    #expect(arbiter.owner(of: .score) == board)
  }

  @Test("a feed that is alive but says nothing new keeps its field")
  func alive() {
    var arbiter = Arbiter()
    #expect(arbiter.reported(.score, value: "1–0", by: console, at: at(0)) == true)
    for second in 1...60 { arbiter.heard(console, at: at(Int64(second))) }
    #expect(arbiter.reported(.score, value: "2–0", by: board, at: at(61)) == false)
  }

  @Test("the config's choice gets its field back once it has spoken long enough, and not at its first word")
  func choice() {
    var settings = Arbiter.Settings()
    settings.score = .console
    var arbiter = Arbiter(settings)
    #expect(arbiter.reported(.score, value: "1–0", by: board, at: at(0)) == false)
    #expect(arbiter.reported(.score, value: "1–0", by: board, at: at(10)) == false)
    #expect(arbiter.reported(.score, value: "1–0", by: board, at: at(20)) == true)
    #expect(arbiter.reported(.score, value: "2–0", by: console, at: at(25)) == false)
    #expect(arbiter.reported(.score, value: "2–0", by: board, at: at(30)) == true)
    #expect(arbiter.reported(.score, value: "2–0", by: console, at: at(40)) == false)
    #expect(arbiter.reported(.score, value: "3–0", by: console, at: at(45)) == true)
    #expect(arbiter.reported(.score, value: "2–0", by: board, at: at(46)) == false)
  }

  @Test("two boards that contradict each other for an hour change the owner never")
  func noFlapping() {
    var arbiter = Arbiter()
    var owners: [Arbiter.Speaker?] = []
    for second in 0..<3600 {
      _ = arbiter.reported(.score, value: "1–0", by: second % 2 == 0 ? console : board, at: at(Int64(second)))
      if owners.last != arbiter.owner(of: .score) { owners.append(arbiter.owner(of: .score)) }
    }
    #expect(owners == [console])
  }

  @Test("a contradiction is named while both speak, and forgotten when they agree or one falls silent")
  func conflicts() {
    var arbiter = Arbiter()
    _ = arbiter.reported(.score, value: "1–0", by: console, at: at(0))
    _ = arbiter.reported(.score, value: "1–1", by: board, at: at(1))
    #expect(arbiter.conflicts(at: at(2)).map(\.said) == ["1–1"])
    _ = arbiter.reported(.score, value: "1–0", by: board, at: at(3))
    #expect(arbiter.conflicts(at: at(3)).isEmpty)
    _ = arbiter.reported(.score, value: "1–2", by: board, at: at(4))
    arbiter.heard(console, at: at(25))
    #expect(arbiter.conflicts(at: at(25)).isEmpty)
  }

  static let people: [(Arbiter.Choice, Arbiter.Sort, Bool, Bool)] = [
    // choice, who, may while the feeds speak, may while they are silent
    (.anyone, .buttons, true, true), (.anyone, .mqtt, true, true), (.buttons, .buttons, true, true),
    (.buttons, .mqtt, false, false), (.console, .buttons, false, true), (.console, .mqtt, false, true),
    (.mqtt, .mqtt, true, true), (.mqtt, .buttons, false, true),
  ]

  @Test("people count always, unless the config gives the field away and its owner is alive", arguments: people)
  func person(_ choice: Arbiter.Choice, _ sort: Arbiter.Sort, _ whileSpeaking: Bool, _ whileSilent: Bool) {
    var settings = Arbiter.Settings()
    settings.clock = choice
    var arbiter = Arbiter(settings)
    #expect((arbiter.refusal(of: .clock, by: sort, at: at(0)) == nil) == whileSilent)
    arbiter.heard(console, at: at(0))
    arbiter.heard(board, at: at(0))
    #expect((arbiter.refusal(of: .clock, by: sort, at: at(1)) == nil) == whileSpeaking)
    #expect((arbiter.refusal(of: .clock, by: sort, at: at(20)) == nil) == whileSilent)
  }

  @Test("buttons that own a field are never overruled by a feed")
  func buttonsOwn() {
    var settings = Arbiter.Settings()
    settings.score = .buttons
    var arbiter = Arbiter(settings)
    for second in Int64(0)..<100 {
      #expect(arbiter.reported(.score, value: "9–9", by: console, at: at(second)) == false)
    }
  }

  private static let two = """
    mqtt_scoreboards:
      - {name: hall, fields: {home_score: {topic: a, path: h}, away_score: {topic: a, path: g}}}
      - {name: wall, fields: {home_score: {topic: b, path: h}, away_score: {topic: b, path: g}}}
    """

  @Test("I-14: of two boards on one court the first is followed, the contradiction is in the status")
  func twoBoards() throws {
    var venue = try Venue(court: Self.two)
    venue.say("a", #"{"h":1,"g":0}"#)
    for _ in 0..<10 {
      venue.say("b", #"{"h":0,"g":3}"#)
      venue.say("a", #"{"h":1,"g":0}"#)
      venue.pass(.seconds(1))
      #expect(venue.score == [1, 0])
    }
    #expect(venue.reasons == ["sources-disagree"])
    let owners = venue.status?["courts"]?.elements?.first?["owners"]
    #expect(owners?["score"]?.text == "hall")
  }

  @Test("a field that the config gives to the console is refused to others, with the reason")
  func refusal() throws {
    var venue = try Venue(court: Self.two + "\nsources: {score: mqtt, clock: buttons}")
    #expect(venue.command("score", "home").result == "done")
    #expect(venue.command("clock", "start").reason == "the clock on this court belongs to the buttons")
  }
}
