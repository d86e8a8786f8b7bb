extension Rules {
  /// Two periods of thirty minutes made of jams; a jam that is on when the period's clock runs out is played to its end.
  package static let rollerDerby: Rules = {
    var periods = Periods(.numbered, count: 2, length: .seconds(1800), halftimeAfter: 1)
    periods.overtime = Periods.Overtime()
    var rules = Rules(
      sport: .rollerDerby, code: "rd", scoring: .points(steps: [1, 2, 3, 4]), periods: periods, clock: ClockRules(.down)
    )
    rules.timeouts.allowance = [3]
    rules.timeouts.reset = .never
    rules.timeouts.length = .seconds(60)
    rules.penalties = [.seconds(30)]
    return rules
  }()

  static let rollerDerbySettings: [RuleSetting] = [
    .periodLength("30m"), .timeouts("3"), .timeoutLength("60s"), .halftimeLength,
  ]
}
