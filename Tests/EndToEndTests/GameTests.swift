import Foundation
import LiveContract
import StandIn
import Testing

/// Whole games over MQTT, as a scorer's table sends them, through the built daemon and TLS to the phones.
@Suite("The built daemon, whole games", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct GameTests {
  struct Script: CustomTestStringConvertible, Sendable {
    var sport: String
    /// Verb and payload, in order.
    var commands: [(verb: String, payload: String)]
    var score: [Int]

    var testDescription: String { sport }
  }

  /// Longer than the guard that keeps a late press at the end of a period from starting the next one.
  static let pause = (verb: "", payload: "")

  static let basketball: Script = {
    var commands: [(verb: String, payload: String)] = [("game", "start")]
    var score = [0, 0]
    for period in 1...4 {
      commands.append(("clock", "start"))
      for basket in 0..<12 {
        let side = (basket + period) % 2
        let points = 1 + (basket * period + side) % 3
        score[side] += points
        commands.append(("score", #"{"team":"\#(side == 0 ? "home" : "away")","points":\#(points)}"#))
      }
      commands += [("foul", "home"), ("clock", "stop"), ("clock", "0:00"), pause]
      // The first ends the period, the second begins the next one.
      if period < 4 { commands += [("period", "next"), pause, ("period", "next")] }
    }
    return Script(sport: "basketball", commands: commands + [("game", "final")], score: score)
  }()

  static let hockey: Script = {
    var commands: [(verb: String, payload: String)] = [("game", "start")]
    for period in 1...3 {
      commands += [("clock", "start"), ("score", "home"), ("clock", "stop"), ("clock", "start")]
      // A goal that is taken back, and one that counts.
      commands += [("score", "away"), ("undo", ""), ("clock", "stop")]
      if period == 2 { commands.append(("score", "away")) }
      commands += [("clock", "0:00"), pause]
      if period < 3 { commands += [("period", "next"), pause, ("period", "next")] }
    }
    return Script(sport: "ice-hockey", commands: commands + [("game", "final")], score: [3, 1])
  }()

  @Test("a game ends with the right state on both phones", arguments: [basketball, hockey])
  func game(_ script: Script) throws {
    var options = Rig.Options()
    options.sport = script.sport
    options.pattern = nil
    options.keys = nil
    try withRig(options) { rig throws in
      try rig.start()
      try rig.openGame()
      for (verb, payload) in script.commands {
        if verb.isEmpty { Thread.sleep(forTimeInterval: 2.5) } else { try rig.command(verb, payload) }
      }

      let final = rig.standIn.waitForPhones(within: .seconds(30)) { phones in
        phones[iPhone: "iphone"]?.tiles.last?.state.gameStatus == .finished
          && phones[android: "android"]?.card?.gameStatus == "finished"
      }
      try #require(final, "the final score did not reach both phones")
      try rig.command("game", "end")
      _ = try #require(rig.standIn.wait(1, .end, within: .seconds(20)), "the activity was not ended")
      try #require(rig.standIn.waitForPhones(within: .seconds(10)) { $0[android: "android"]?.card?.isFinal == true })

      try rig.standIn.phones { phones throws in
        let iPhone = try #require(phones[iPhone: "iphone"])
        let android = try #require(phones[android: "android"])
        #expect(iPhone.tiles.map { [$0.state.homeScore, $0.state.awayScore] } == [script.score])
        #expect([android.card?.homeScore, android.card?.awayScore] == script.score.map(Optional.some))
        #expect(iPhone.tiles.first?.attributes.homeTeam == "Riverton")
        #expect(iPhone.tiles.first?.endedAt != nil)
        #expect(iPhone.tiles.first?.state.period.hasPrefix("Final") == true)
        #expect(iPhone.drops == [] && android.drops == [] && android.revivals == 0)
      }
      #expect(rig.standIn.refusals.map { "\($0.target) \($0.ownAnswer?.body ?? "")" } == [])
      // The end repeats the final state to the letter.
      let states = rig.standIn.requests.filter { $0.call == .broadcast || $0.call == .end }
        .compactMap { $0.aps?["content-state"]?.sorted }
      #expect(states.suffix(2).first == states.last)
    }
  }

  @Test("hockey rings once for a goal, and for nothing else between the start and the final")
  func alerts() throws {
    var options = Rig.Options()
    options.sport = "ice-hockey"
    options.pattern = nil
    options.keys = nil
    try withRig(options) { rig throws in
      try rig.start()
      try rig.openGame()
      for (verb, payload) in [("game", "start"), ("clock", "start"), ("score", "home")] {
        try rig.command(verb, payload)
      }
      // A goal rings when it has stood for four seconds.
      try #require(rig.standIn.waitForPhones(within: .seconds(15)) { $0[iPhone: "iphone"]?.alerts.count == 2 })
      // Pressed and taken back before it rang; then the goal that rang is corrected away, and comes back by hand.
      for (verb, payload) in [
        ("score", "away"), ("undo", ""), ("set", #"{"what":"score","team":"home","value":0}"#), ("clock", "stop"),
        ("set", #"{"what":"score","team":"home","value":1}"#), ("clock", "start"),
      ] { try rig.command(verb, payload) }
      Thread.sleep(forTimeInterval: 7)
      rig.standIn.phones { phones in
        #expect(phones[iPhone: "iphone"]?.alerts.count == 2)
        #expect(phones[iPhone: "iphone"]?.tiles.first?.state.homeScore == 1)
        #expect(phones[android: "android"]?.alerts.count == 2)
      }
      try rig.command("score", "away")
      try #require(rig.standIn.waitForPhones(within: .seconds(15)) { $0[iPhone: "iphone"]?.alerts.count == 3 })
      for (verb, payload) in [("clock", "stop"), ("game", "final")] { try rig.command(verb, payload) }
      try #require(rig.standIn.waitForPhones(within: .seconds(15)) { $0[iPhone: "iphone"]?.alerts.count == 4 })
      try #require(rig.standIn.waitForPhones(within: .seconds(15)) { $0[android: "android"]?.alerts.count == 4 })
      rig.standIn.phones { phones in
        let iPhone = phones[iPhone: "iphone"]?.alerts.map(\.title) ?? []
        #expect(iPhone[1].contains("Riverton") && iPhone[2].contains("Harbor City"))
        #expect(phones[android: "android"]?.alerts == iPhone, "both phones ring for the same")
      }
    }
  }

  @Test("trap 37: bridge and console boot in the last quarter, the console with zeros: no phone is told 0–0")
  func zeros() throws {
    var options = Rig.Options()
    options.keys = nil
    try withRig(options) { rig throws in
      try rig.start()
      try rig.openGame()
      for (verb, payload) in [("game", "start"), ("period", "4")] { try rig.command(verb, payload) }
      rig.line(home: 78, away: 75)
      func phonesShow(_ score: [Int]) -> Bool {
        rig.standIn.waitForPhones(within: .seconds(15)) {
          let state = $0[iPhone: "iphone"]?.tiles.last?.state
          let card = $0[android: "android"]?.card
          return [state?.homeScore, state?.awayScore] == score.map(Optional.some)
            && [card?.homeScore, card?.awayScore] == score.map(Optional.some)
        }
      }
      // A first score after nothing may be held for confirmation as well.
      try #require(phonesShow([78, 75]))

      try rig.kill()
      let before = rig.standIn.requests.count
      try rig.start()
      for _ in 1...8 {
        rig.line(home: 0, away: 0)
        Thread.sleep(forTimeInterval: 0.25)
      }
      rig.line(home: 78, away: 75)
      rig.line(home: 80, away: 75)
      try #require(phonesShow([80, 75]))
      let told = rig.standIn.requests.filter { $0.number >= before }.compactMap(\.score)
      #expect(!told.contains([0, 0]), "\(told)")
      #expect(rig.standIn.requests(.create).count == 1 && rig.standIn.requests(.start).count == 1)
    }
  }

  @Test("a late correction reaches the finished tile without a sound; the next game is another activity, one tile each")
  func twoGames() throws {
    var options = Rig.Options()
    options.pattern = nil
    options.keys = nil
    try withRig(options) { rig throws in
      try rig.start()
      try rig.openGame()
      for (verb, payload) in [("game", "start"), ("score", "home +3"), ("score", "away +2")] {
        try rig.command(verb, payload)
      }
      // A final just after a start is taken for a slip.
      Thread.sleep(forTimeInterval: 2.5)
      try rig.command("game", "final")
      try #require(
        rig.standIn.waitForPhones(within: .seconds(20)) {
          $0[iPhone: "iphone"]?.tiles.last?.state.gameStatus == .finished
            && $0[android: "android"]?.card?.gameStatus == "finished"
        })
      let rung = rig.standIn.phones { $0[iPhone: "iphone"]?.alerts.count }
      try rig.command("set", #"{"what":"score","team":"home","value":2}"#)
      try #require(
        rig.standIn.waitForPhones(within: .seconds(10)) {
          $0[iPhone: "iphone"]?.tiles.last?.state.homeScore == 2 && $0[android: "android"]?.card?.homeScore == 2
        }, "the correction did not arrive")
      #expect(rig.standIn.phones { $0[iPhone: "iphone"]?.alerts.count } == rung)
      #expect(rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.last?.state.gameStatus } == .finished)

      let first = try #require(rig.courtValues.last)
      try rig.command(
        "game",
        #"{"id":"next","action":"new","home":{"name":"Northgate","code":"ngw"},"away":{"name":"Lakeside","code":"lak"}}"#
      )
      _ = try #require(rig.standIn.wait(1, .end, within: .seconds(20)), "the old activity was not ended")
      _ = try #require(rig.standIn.wait(2, .create, within: .seconds(20)), "no second channel")
      for (verb, payload) in [("game", "start"), ("score", "away +2")] { try rig.command(verb, payload) }
      try #require(
        rig.standIn.waitForPhones(within: .seconds(20)) {
          $0[iPhone: "iphone"]?.tiles.last?.state.awayScore == 2
            && $0[android: "android"]?.card?.homeTeam == "Northgate"
            && $0[android: "android"]?.card?.awayScore == 2
        }, "the second game did not reach both phones")

      try rig.standIn.phones { phones throws in
        let iPhone = try #require(phones[iPhone: "iphone"])
        try #require(iPhone.tiles.count == 2)
        let isEnded = iPhone.tiles.map { $0.endedAt.map { _ in true } ?? false }
        #expect(isEnded == [true, false])
        #expect(iPhone.tiles[0].state.homeScore == 2 && iPhone.tiles[0].state.awayScore == 2)
        #expect(iPhone.tiles.map(\.attributes.homeTeam) == ["Riverton", "Northgate"])
        #expect(Set(iPhone.tiles.map(\.appleChannel)).count == 2)
        #expect(iPhone.drops.isEmpty)
        #expect(phones[android: "android"]?.drops.isEmpty == true)
      }
      #expect(rig.standIn.requests(.start).count == 2 && rig.standIn.requests(.end).count == 1)
      #expect(rig.standIn.refusals.map { "\($0.target) \($0.ownAnswer?.body ?? "")" } == [])

      // Apps that follow the court find the second game by now.
      let second = rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.last?.appleChannel }
      let isCurrent = rig.standIn.wait(within: .seconds(10)) {
        Rig.courtValues($0).last?["status"]?.string == "updating"
      }
      try #require(isCurrent != nil)
      let value = try #require(rig.courtValues.last)
      #expect(value["gameId"]?.string?.contains("ngw-lak") == true)
      #expect(first["gameId"]?.string != value["gameId"]?.string)
      #expect(value["apnsChannelId"]?.string == second)
      #expect(value["teams"]?["home"]?["name"]?.string == "Northgate")
    }
  }
}
