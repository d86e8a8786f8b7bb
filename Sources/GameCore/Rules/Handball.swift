extension Rules {
  /// Two halves of thirty minutes counted up, twice two halves of extra time, then throws from seven metres.
  package static let handball: Rules = {
    var periods = Periods(.halves, count: 2, length: .seconds(1800), halftimeAfter: 1)
    periods.overtime = Periods.Overtime(naming: .extraTime, most: 4, block: 2, length: .seconds(300))
    periods.shootout = Periods.Shootout(name: "7m", winnerGetsGoal: false)
    var clock = ClockRules(.up)
    clock.isCumulative = true
    var rules = Rules(sport: .handball, code: "hb", scoring: .points(steps: [1]), periods: periods, clock: clock)
    rules.timeouts.allowance = [3]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(60)
    rules.penalties = [.seconds(120)]
    return rules
  }()

  static let handballSettings: [RuleSetting] = [
    .periodLength("30m"), .extraTime("true"), .overtimeLength("5m"), .overtimes("4"), .shootout("true"),
    .penaltyLength("2m"), .timeouts("3"), .timeoutLength("60s"), .halftimeLength,
  ]
}
