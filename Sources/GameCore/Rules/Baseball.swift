extension Rules {
  /// Nine innings of two halves each; softball plays seven. Extra innings come in pairs of halves, without end.
  package static let baseball: Rules = {
    var periods = Periods(.innings, count: 18)
    periods.overtime = Periods.Overtime(block: 2)
    var rules = Rules(sport: .baseball, code: "ba", scoring: .innings(InningRules()), periods: periods, clock: nil)
    rules.alertsOnScore = true
    return rules
  }()

  static let baseballSettings: [RuleSetting] = [
    RuleSetting("variant", .choice(["baseball", "softball"]), "baseball", "Softball plays seven innings") {
      if case .word("softball") = $1 { $0.periods.count = 14 }
    },
    RuleSetting("innings", .count(3...9), "9", "How many regular innings") {
      if case .count(let innings) = $1 { $0.periods.count = 2 * innings }
    },
  ]
}
