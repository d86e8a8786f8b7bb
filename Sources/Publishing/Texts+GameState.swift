package import GameCore

extension Texts {
  /// The headline below the score. The winner is found when it is told, never before (a correction may turn it).
  package func lastPlay(of state: GameState, rules: Rules, names: Pair<Team>) -> String {
    var values = self.values(of: state, rules: rules, names: names)
    func about(_ side: Side, _ player: String? = nil) {
      values["name"] = names[side].name
      values["other"] = names[side.other].name
      values["code"] = names[side].short
      values["player"] = player.flatMap { shownPlayer($0) } ?? ""
    }
    switch state.lastPlay {
    case .none: return state.hasBegun ? "" : filled("soon", rules: rules, values)
    case .scored(let side, let points, let player, let play):
      about(side, player)
      values["points"] = String(points)
      values["play"] = play ?? ""
      return filled("score", rules: rules, detail: points, values)
    case .corrected: return filled("corrected", rules: rules, values)
    case .timeout(let side?):
      about(side)
      return filled("timeout", rules: rules, values)
    case .timeout(nil): return filled("officialTimeout", rules: rules, values)
    case .penalty(let side, let player):
      about(side, player)
      return filled("penalty", rules: rules, values)
    case .periodStarted(let period):
      values["period"] = rules.name(of: period)
      return filled("periodStarted", rules: rules, values)
    case .periodEnded(let period):
      values["period"] = rules.name(of: period)
      return filled("periodEnded", rules: rules, values)
    case .setWon(let side):
      about(side)
      return filled("setWon", rules: rules, values)
    case .gameWon(let side):
      about(side)
      return filled("gameWon", rules: rules, values)
    case .count(let diamond):
      values["balls"] = String(diamond.balls)
      values["strikes"] = String(diamond.strikes)
      values["outs"] = String(diamond.outs)
      return filled("count", rules: rules, values)
    case .shootout(let side, let scored):
      about(side)
      return filled(scored ? "shootoutGoal" : "shootoutMiss", rules: rules, values)
    case .review: return filled("review", rules: rules, values)
    case .delayed: return filled("delayed", rules: rules, values)
    case .resumed: return filled("resumed", rules: rules, values)
    case .final:
      guard let winner = state.winner(rules) else { return filled("finalLevel", rules: rules, values) }
      about(winner)
      values["tally"] = "\(state.shootoutTally[winner])-\(state.shootoutTally[winner.other])"
      return filled(finalKey(state, rules), rules: rules, values)
    case .calledOff(let cancellation): return filled(cancellation.rawValue, rules: rules, values)
    case .text(let text): return text
    }
  }

  /// Where the scoreboard has fallen silent.
  package func feedLost(_ rules: Rules) -> String { filled("feedLost", rules: rules, [:]) }
  /// Where the system is about to end the tile.
  package func followInApp(_ rules: Rules) -> String { filled("followInApp", rules: rules, [:]) }

  private func finalKey(_ state: GameState, _ rules: Rules) -> String {
    if case .finished(_, .retirement) = state.phase { return "finalRetired" }
    switch state.lastPeriod {
    case .shootout: return "finalShootout"
    case .overtime:
      if case .innings = rules.periods.naming { return "final" }
      return rules.periods.overtime?.naming == .extraTime ? "finalExtraTime" : "finalOvertime"
    case .regular, nil: return "final"
    }
  }

  /// A jersey number always; a name only where the operator allows it.
  private func shownPlayer(_ player: String) -> String? {
    let isNumber = !player.isEmpty && player.utf8.count <= 3 && player.utf8.allSatisfy { $0 >= 48 && $0 <= 57 }
    if isNumber { return "#" + player }
    return allowsPlayerNames ? player : nil
  }

  /// What every template may use.
  func values(of state: GameState, rules: Rules, names: Pair<Team>) -> [String: String] {
    let headline = state.headline(rules)
    let tally = state.shootoutTally
    return [
      "home": names.home.name, "away": names.away.name,
      "homeScore": String(headline.home), "awayScore": String(headline.away),
      "tally": "\(tally.home)-\(tally.away)", "period": state.periodText(rules),
    ]
  }
}

extension Team {
  /// The code as it is shown, or the name where there is none.
  var short: String { code.isEmpty ? name : code.uppercased() }
}

extension GameState {
  var hasBegun: Bool {
    switch life {
    case .announced, .open: false
    case .playing, .settling, .ended: true
    }
  }
}
