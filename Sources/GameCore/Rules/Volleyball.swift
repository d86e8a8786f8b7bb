extension Rules {
  /// Best of five sets to 25, the last to 15, by two points. Beach volleyball is the same game with other numbers.
  package static let volleyball: Rules = {
    var rules = Rules(
      sport: .volleyball, code: "vb", scoring: .sets(SetRules()), periods: Periods(.sets, count: 5), clock: nil)
    rules.timeouts.allowance = [2]
    rules.timeouts.reset = .period
    rules.timeouts.length = .seconds(30)
    rules.possession = .serve
    return rules
  }()

  static let volleyballSettings: [RuleSetting] = [
    RuleSetting(
      "variant", .choice(["indoor", "beach"]), "indoor",
      "Best of five to 25; or beach: best of three to 21, the last to 15"
    ) {
      guard case .word("beach") = $1 else { return }
      $0.changeSets { $0.pointsToWin = 21 }
      $0.playBest(of: 3)
      $0.timeouts.allowance = [1]
    },
    RuleSetting("best_of", .count(1...5), "5", "Best of how many sets: 1, 3 or 5") {
      if case .count(let sets) = $1 { $0.playBest(of: sets) }
    },
    RuleSetting("set_points", .count(5...50), "25", "Points that win a set") {
      if case .count(let points) = $1 { $0.changeSets { $0.pointsToWin = points } }
    },
    RuleSetting("last_set_points", .count(5...50), "15", "Points that win the last possible set") {
      if case .count(let points) = $1 { $0.changeSets { $0.pointsToWinLast = points } }
    },
    RuleSetting("win_by", .count(1...2), "2", "By how many points a set is won") {
      if case .count(let lead) = $1 { $0.changeSets { $0.winBy = lead } }
    },
    .timeouts("2"), .timeoutLength("30s"),
  ]

  private mutating func changeSets(_ change: (inout SetRules) -> Void) {
    guard case .sets(var sets) = scoring else { return }
    change(&sets)
    scoring = .sets(sets)
  }

  private mutating func playBest(of sets: Int) {
    let odd = sets | 1
    changeSets { $0.setsToWin = odd / 2 + 1 }
    periods.count = odd
  }
}
