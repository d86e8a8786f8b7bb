extension Rules {
  /// Four periods of eight minutes; no overtime, a shoot-out at once. The shot clock is reset to two values.
  package static let waterPolo: Rules = {
    var periods = Periods(.quarters, count: 4, length: .seconds(480), halftimeAfter: 2)
    periods.shootout = Periods.Shootout(name: "SO", winnerGetsGoal: false)
    var clock = ClockRules(.down)
    clock.tenthsBelow = .seconds(60)
    var rules = Rules(sport: .waterPolo, code: "wp", scoring: .points(steps: [1]), periods: periods, clock: clock)
    rules.timeouts.allowance = [2]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(60)
    rules.shotClock = [.seconds(30), .seconds(20)]
    rules.penalties = [.seconds(20)]
    rules.possession = .possession
    return rules
  }()

  static let waterPoloSettings: [RuleSetting] = [
    .periodLength("8m"), .shootout("true"), .shotClock("30s"), .shotClockShort("20s"), .penaltyLength("20s"),
    .timeouts("2"), .timeoutLength("60s"), .tenthsBelow("60s"), .halftimeLength, .breakLength,
  ]
}
