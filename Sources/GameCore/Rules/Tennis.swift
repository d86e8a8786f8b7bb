extension Rules {
  /// Best of three sets to six games with a tie-break. Padel is the same game, often with a deciding point.
  package static let tennis: Rules = {
    var rules = Rules(
      sport: .tennis, code: "tn", scoring: .tennis(TennisRules()), periods: Periods(.sets, count: 3), clock: nil)
    rules.possession = .serve
    return rules
  }()

  static let tennisSettings: [RuleSetting] = [
    RuleSetting("variant", .choice(["tennis", "padel"]), "tennis", "Padel plays a deciding point at 40-40") {
      if case .word("padel") = $1 { $0.changeTennis { $0.decidingPoint = true } }
    },
    RuleSetting("best_of", .count(1...5), "3", "Best of how many sets: 1, 3 or 5") {
      guard case .count(let sets) = $1 else { return }
      let odd = sets | 1
      $0.changeTennis { $0.setsToWin = odd / 2 + 1 }
      $0.periods.count = odd
    },
    RuleSetting("set_games", .count(2...9), "6", "Games that win a set") {
      if case .count(let games) = $1 { $0.changeTennis { $0.gamesToWin = games } }
    },
    RuleSetting("deciding_point", .truth, "false", "At 40-40 the next point decides") {
      if case .truth(let decides) = $1 { $0.changeTennis { $0.decidingPoint = decides } }
    },
    RuleSetting("tiebreak_points", .count(5...15), "7", "Points that win a tie-break") {
      if case .count(let points) = $1 { $0.changeTennis { $0.tiebreakTo = points } }
    },
    RuleSetting(
      "match_tiebreak", .count(5...15), "off", "The last set is one tie-break to so many points", mayBeOff: true
    ) {
      if case .count(let points) = $1 { $0.changeTennis { $0.lastSetTiebreakTo = points } }
    },
  ]

  private mutating func changeTennis(_ change: (inout TennisRules) -> Void) {
    guard case .tennis(var tennis) = scoring else { return }
    change(&tennis)
    scoring = .tennis(tennis)
  }
}
