extension Rules {
  /// One period of ten minutes to 21 points; overtime has no clock and ends with two points.
  package static let basketball3x3: Rules = {
    var periods = Periods(.single, count: 1, length: .seconds(600))
    periods.overtime = Periods.Overtime(most: 1)
    var clock = ClockRules(.down)
    clock.tenthsBelow = .seconds(60)
    var rules = Rules(
      sport: .basketball3x3, code: "b3", scoring: .points(steps: [1, 2]), periods: periods, clock: clock)
    rules.fouls.areCounted = true
    rules.fouls.bonusAt = 7
    rules.timeouts.allowance = [1]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(30)
    rules.shotClock = [.seconds(12)]
    rules.possession = .possession
    return rules
  }()

  static let basketball3x3Settings: [RuleSetting] = [
    .periodLength("10m"), .bonusAt("7"), .timeouts("1"), .timeoutLength("30s"), .shotClock("12s"), .tenthsBelow("60s"),
  ]
}
