import GameCore
import Testing

/// A game as a table: what happens, and after the arrow what phones show then.
struct ScriptedGame: Sendable, CustomTestStringConvertible {
  let sport: String
  let settings: [(key: String, text: String)]
  let script: [(step: String, shows: String)]

  init(_ sport: String, settings: [(String, String)] = [], _ text: String) {
    self.sport = sport
    self.settings = settings.map { (key: $0.0, text: $0.1) }
    script = text.split(separator: "\n").map { line in
      let parts = line.split(separator: "=>", maxSplits: 1)
      return (String(parts[0]), Self.trimmed(parts[1]))
    }
  }

  private static func trimmed(_ text: Substring) -> String {
    var text = text
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }

  var testDescription: String { ([sport] + settings.map { "\($0.key)=\($0.text)" }).joined(separator: " ") }

  static var all: [ScriptedGame] {
    [
      basketball, basketball3x3, iceHockey, soccer, futsal, handball, floorball, waterPolo, volleyball, tennis,
      baseball,
      americanFootball, rugbyUnion, rollerDerby, console,
    ].flatMap { $0 }
  }
}

@Suite("Scripted games") struct ScriptedGames {
  @Test("a scripted game shows what it should after every step", arguments: ScriptedGame.all)
  func game(_ game: ScriptedGame) {
    var table = ScorersTable(game.sport, game.settings)
    #expect(table.play(game.script) == [])
  }

  @Test("every sport has a scripted game, and each of them begins, breaks and ends by itself in one of them")
  func coverage() {
    let sports = Set(ScriptedGame.all.map(\.sport))
    #expect(sports == Set(Sport.allCases.map(\.rawValue)))
    for sport in Sport.allCases {
      let lines = ScriptedGame.all.filter { $0.sport == sport.rawValue }.flatMap(\.script).map(\.shows)
      for word in [" scheduled ", " live ", " finished Final", " finished ABD"] {
        #expect(lines.contains { $0.contains(word) }, "\(sport) \(word)")
      }
    }
  }

  @Test("a reset gives a fresh game back, whatever was pressed before", arguments: Sport.allCases)
  func reset(_ sport: Sport) {
    var table = ScorersTable(sport.rawValue)
    let fresh = table.game.state
    table.step(sport == .console ? "1 report home=1 away=0" : "1 home +\(table.rules.scoreSteps[0])")
    table.step("1 hold game reset")
    #expect(table.refusal == "refused just after a start; hold again")
    table.step("2 game reset")
    #expect(table.refusal == "this needs a hold, so that a mere press cannot do it")
    table.step("1 hold game reset")
    #expect(table.game.state == fresh)
    table.step("1 undo")
    #expect(table.content.homeScore + table.content.awayScore > 0 || table.rules.setsToWin != nil)
  }
}
