extension Rules {
  /// Four quarters of fifteen minutes. The play clock is another clock.
  package static let americanFootball: Rules = {
    var periods = Periods(.quarters, count: 4, length: .seconds(900), halftimeAfter: 2)
    periods.overtime = Periods.Overtime(length: .seconds(600))
    var rules = Rules(
      sport: .americanFootball, code: "af", scoring: .points(steps: [1, 2, 3, 6]), periods: periods,
      clock: ClockRules(.down))
    rules.timeouts.allowance = [3]
    rules.timeouts.reset = .half
    rules.timeouts.inOvertime = 2
    rules.shotClock = [.seconds(40), .seconds(25)]
    rules.possession = .possession
    rules.alertsOnScore = true
    return rules
  }()

  static let americanFootballSettings: [RuleSetting] = [
    .periodLength("15m"), .overtimeLength("10m"), .overtimes("off"), .shotClock("40s"), .shotClockShort("25s"),
    .timeouts("3"), .halftimeLength, .breakLength,
  ]
}
