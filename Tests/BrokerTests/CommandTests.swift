import GameCore
import Input
import Platform
import Testing

@Suite struct CommandTests {
  static let good: [(MQTTCommand.Verb, String, GameEvent.Kind)] = [
    (.score, "home", .scored(.home, points: 1, player: nil, play: nil)),
    (.score, " AWAY +3\n", .scored(.away, points: 3, player: nil, play: nil)),
    (.score, "away -1", .scored(.away, points: -1, player: nil, play: nil)),
    (
      .score, #"{"team":"home","points":2,"player":"7","kind":"dunk"}"#,
      .scored(.home, points: 2, player: "7", play: "dunk")
    ),
    (.set, #"{"what":"score","team":"away","value":12}"#, .totalSet(.score, .away, 12)),
    (.set, #"{"what":"timeoutsLeft","team":"home","value":0}"#, .totalSet(.timeoutsLeft, .home, 0)),
    (.clock, "start", .clockStarted), (.clock, "STOP", .clockStopped), (.clock, "toggle", .clockToggled),
    (.clock, "5:00", .clockSet(.seconds(300))), (.clock, "59.4", .clockSet(.milliseconds(59_400))),
    (.clock, #"{"set":":07"}"#, .clockSet(.seconds(7))),
    (.clock, #"{"adjust":"-0:10"}"#, .clockAdjusted(.seconds(-10))),
    (.clock, #"{"action":"reset-shot"}"#, .shotClockReset(nil)),
    (.period, "next", .periodAdvanced), (.period, "3", .periodSet(.regular(3))),
    (.period, #"{"overtime":1}"#, .periodSet(.overtime(1))), (.period, "shoot-out", .periodSet(.shootout)),
    (.undo, "", .undone), (.undo, "{}", .undone), (.redo, "  ", .redone),
    (
      .correct, #"{"event":"e-4","points":3,"team":"home"}"#,
      .corrected(id: "e-4", to: .scored(.home, points: 3, player: nil, play: nil))
    ),
    (.correct, #"{"event":"e-4","remove":true}"#, .corrected(id: "e-4", to: nil)),
    (.timeout, "home", .timeoutCalled(.home)), (.timeout, "official", .timeoutCalled(nil)),
    (.timeout, #"{"team":"over"}"#, .timeoutOver),
    (.foul, "away", .fouled(.away, by: 1, player: nil)),
    (.foul, #"{"team":"home","by":-1,"player":"11"}"#, .fouled(.home, by: -1, player: "11")),
    (.possession, "none", .possessionSet(nil)), (.possession, "switch", .possessionSwitched),
    (.game, "start", .playStarted), (.game, "final", .finalDeclared(armed: true)),
    (.game, "end", .gameEnded(armed: true)), (.game, "abandon", .calledOff(.abandoned, armed: true)),
    (
      .game, #"{"action":"teams","home":{"name":"Riverton","code":"riv"}}"#,
      .teamsNamed(home: Team(name: "Riverton", code: "riv"), away: nil)
    ),
    (.lastplay, "Number 7 from the corner", .lastPlaySet("Number 7 from the corner")),
    (.lastplay, #"{"text":"Größe"}"#, .lastPlaySet("Größe")),
  ]

  @Test("every verb takes what it says it takes, as an object or a bare word", arguments: good)
  func accepted(_ verb: MQTTCommand.Verb, _ payload: String, _ kind: GameEvent.Kind) {
    #expect(parse(verb, payload) == .success(MQTTCommand(id: nil, time: nil, request: .event(kind))))
  }

  @Test("what is no event of the game is a request of its own")
  func requests() {
    #expect(request(.practice, "on") == .practice(true))
    #expect(request(.activity, "start") == .startActivity)
    #expect(request(.activity, #"{"action":"end"}"#) == .endActivity)
    #expect(
      request(.activity, #"{"action":"adopt","broadcast":"b","apnsChannelId":"c","storagePolicy":1}"#)
        == .adoptActivity(broadcast: "b", apnsChannel: "c", storesNewest: true))
    #expect(request(.game, "new") == .newGame(home: nil, away: nil, start: nil))
    #expect(
      request(.game, #"{"action":"new","start":"2026-12-05T19:00:00Z"}"#)
        == .newGame(home: nil, away: nil, start: WallTime(iso8601: "2026-12-05T19:00:00Z")))
  }

  static let bad: [(MQTTCommand.Verb, String, String)] = [
    (.score, "", "home"), (.score, "guest", "home"), (.score, "home +100", "away"), (.score, "home +2 +3", "home +2"),
    (.score, #"{"team":"home","points":0}"#, "0"), (.score, #"{"team":"home","points":1.5}"#, "-99 to 99"),
    (.score, #"{"team":"home","points":"#, "JSON"), (.score, #"["home"]"#, "JSON"), (.score, "\"home\"", "JSON"),
    (.score, #"{"team":"home","team":"away"}"#, "JSON"), (.score, #"{"team":["home"]}"#, "text"),
    (
      .score, #"{"team":"home","points":1,"point":2}"#,
      #"unknown member "point"; score takes: id, kind, player, points"#
    ),
    (.set, "12", "score"), (.set, #"{"what":"score","team":"home"}"#, "value"),
    (.set, #"{"what":"score","team":"home","value":10000}"#, "0 to 9999"),
    (.set, #"{"what":"wins","team":"home","value":1}"#, "score"),
    (.clock, "-1:00", "start"), (.clock, "5:60", "toggle"), (.clock, #"{"set":"-0:01"}"#, "negative"),
    (.clock, #"{"set":"5 minutes"}"#, "5:00"), (.period, "0", "next"), (.period, "last", "next"),
    (.undo, "home", "nothing at all"), (.undo, #"{"count":2}"#, "takes: id, time"),
    (.correct, #"{"points":2}"#, "event"), (.correct, #"{"event":"e"}"#, "remove"),
    (.correct, #"{"event":"e","remove":false}"#, "must be true"), (.timeout, "both", "official"),
    (.foul, #"{"team":"home","by":10}"#, "-9 to 9"), (.possession, "left", "switch"),
    (.game, "restart", "abandon"), (.game, #"{"action":"teams"}"#, "name a team"),
    (.game, #"{"action":"teams","home":{"name":"A","code":"a-b"}}"#, "letters or digits"),
    (.game, #"{"action":"new","start":"tomorrow"}"#, "UTC"), (.practice, "maybe", "off"), (.activity, "stop", "adopt"),
    (.activity, #"{"action":"adopt","broadcast":"b","apnsChannelId":"c"}"#, "storagePolicy"),
    (.lastplay, "", "240"), (.lastplay, String(repeating: "x", count: 241), "240"),
    (.lastplay, "{\"text\":\"a\\u0007b\"}", "control"), (.lastplay, "a\u{7}b", "240"),
    (.score, "{\"id\":\"a\\u0000b\",\"team\":\"home\"}", ""),
    (.score, "{\"id\":\"a\\nb\",\"team\":\"home\"}", "control"),
    (.score, #"{"id":"","team":"home"}"#, "128"), (.score, #"{"id":7,"time":"noon","team":"home"}"#, "UTC"),
    (.score, "home" + String(repeating: " ", count: 4093), "4097 bytes; a command has at most 4096"),
  ]

  @Test("anything else is refused with what would be right", arguments: bad)
  func refused(_ verb: MQTTCommand.Verb, _ payload: String, _ hint: String) {
    guard case .failure(let refusal) = parse(verb, payload) else {
      Issue.record("\(verb) took \(payload)")
      return
    }
    #expect(refusal.reason.contains(hint) || hint.isEmpty, "\(refusal.reason)")
  }

  @Test("4096 bytes are read, and a refusal carries the id where one could be read")
  func bounds() {
    #expect(parse(.score, "home" + String(repeating: " ", count: 4092)).id == nil)
    #expect(request(.score, "home" + String(repeating: " ", count: 4092)) != nil)
    #expect(parse(.score, #"{"id":"x1","team":"nobody"}"#).id == "x1")
  }

  @Test("each verb's bare words, as documented, are understood")
  func bareWords() {
    for verb in MQTTCommand.Verb.allCases {
      let words = verb.bareWords.split(separator: ",").map { String($0).trimmingCharacters }
      guard verb.bareWords.allSatisfy({ $0.isLowercase || " ,+-".contains($0) || $0.isNumber }),
        ![.undo, .redo, .lastplay, .period].contains(verb)
      else { continue }
      for word in words { #expect(parse(verb, word).isGood, "\(verb) \(word)") }
    }
  }

  private func parse(_ verb: MQTTCommand.Verb, _ payload: String) -> Result<MQTTCommand, CommandRefusal> {
    MQTTCommand.parse(verb: verb, payload: Array(payload.utf8)) { try? JSONDocument.parse($0) }
  }

  private func request(_ verb: MQTTCommand.Verb, _ payload: String) -> MQTTCommand.Request? {
    try? parse(verb, payload).get().request
  }
}

extension Result {
  fileprivate var isGood: Bool { if case .success = self { true } else { false } }
}

extension String {
  fileprivate var trimmingCharacters: String { String(drop { $0 == " " }) }
}
