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
}
