extension Rules {
  /// Three periods of twenty minutes, overtime, and a shoot-out that gives its winner one goal.
  package static let iceHockey: Rules = {
    var periods = Periods(.intermissions, count: 3, length: .seconds(1200))
    periods.overtime = Periods.Overtime(most: 1, length: .seconds(300))
    periods.shootout = Periods.Shootout(name: "SO", winnerGetsGoal: true)
    var clock = ClockRules(.down)
    clock.tenthsBelow = .seconds(60)
    var rules = Rules(
      sport: .iceHockey, code: "hk", scoring: .points(steps: [1]), periods: periods, clock: clock)
    rules.timeouts.allowance = [1]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(30)
    rules.penalties = [.seconds(120), .seconds(240), .seconds(300), .seconds(600)]
    rules.alertsOnScore = true
    return rules
  }()

  static let iceHockeySettings: [RuleSetting] = [
    .periodCount("3", 2...3), .periodLength("20m"), .overtimeLength("5m"), .overtimes("1"), .shootout("true"),
    .penaltyLength("2m"), .timeouts("1"), .timeoutLength("30s"), .tenthsBelow("60s"), .breakLength,
  ]
}
