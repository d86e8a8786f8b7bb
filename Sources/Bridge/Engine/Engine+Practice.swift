internal import GameCore
internal import Input

// A live rig that does not reach phones: the buttons play a game of their own, which nobody writes down, while the real
// one waits untouched.
extension Engine {
  /// Switches practice on or off; why not, when it cannot be.
  mutating func setPractice(_ wanted: Bool, of place: Int, at now: Moment) -> String? {
    let court = courts[place]
    guard wanted != (court.realGame != nil) else {
      return wanted ? "practice mode is on already" : "practice mode is off already"
    }
    if let real = court.realGame {
      courts[place].game = real
      courts[place].realGame = nil
    } else {
      guard court.game.state.life != .playing else { return "a game is live; practise before or after it" }
      courts[place].realGame = court.game
      courts[place].game = practiceGame(on: place)
    }
    log(.notice, wanted ? "practice on" : "practice off", ["court": court.config.slug])
    let name = courts.count > 1 ? "\(court.config.name): " : ""
    let words = wanted ? "practice: nothing reaches phones" : "practice is over; the real game is back"
    turn.said.append(.show(TerminalLine(name + words)))
    courts[place].owesState = true
    return nil
  }

  private func practiceGame(on place: Int) -> Game {
    var record = courts[place].record
    record.id = "practice"
    record.scheduled = nil
    record.isOpen = true
    return Self.game(record, rules: courts[place].rules)
  }

  /// What a practice game took: shown and told to the arena, marked as practice; neither written nor sent to phones.
  mutating func takePractice(_ accepted: [Game.Accepted], of place: Int, at now: Moment) {
    for entry in accepted {
      sayEvent(entry, of: place)
      if entry.change.facts.contains(.nextGameWanted) {
        courts[place].game = practiceGame(on: place)
        courts[place].nextGame = nil
      }
      noteChange(entry.change, of: place)
    }
  }
}
