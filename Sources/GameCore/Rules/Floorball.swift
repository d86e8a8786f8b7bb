extension Rules {
  /// Three periods of twenty minutes; which way the clock counts is the league's.
  package static let floorball: Rules = {
    var periods = Periods(.thirds, count: 3, length: .seconds(1200))
    periods.overtime = Periods.Overtime(most: 1, length: .seconds(600))
    periods.shootout = Periods.Shootout(name: "PS", winnerGetsGoal: true)
    var rules = Rules(
      sport: .floorball, code: "fl", scoring: .points(steps: [1]), periods: periods, clock: ClockRules(.down))
    rules.timeouts.allowance = [1]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(30)
    rules.penalties = [.seconds(120), .seconds(300)]
    rules.alertsOnScore = true
    return rules
  }()

  static let floorballSettings: [RuleSetting] = [
    .clockDirection("down"), .periodCount("3", 2...3), .periodLength("20m"), .overtimeLength("10m"), .overtimes("1"),
    .shootout("true"), .penaltyLength("2m"), .timeouts("1"), .timeoutLength("30s"), .breakLength,
  ]
}
