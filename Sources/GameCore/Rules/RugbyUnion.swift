extension Rules {
  /// Two halves of forty minutes counted up; a half ends when the ball is dead, not with the clock.
  package static let rugbyUnion: Rules = {
    var periods = Periods(.halves, count: 2, length: .seconds(2400), halftimeAfter: 1)
    periods.overtime = Periods.Overtime(naming: .extraTime, most: 2, block: 2, length: .seconds(600))
    var clock = ClockRules(.up)
    clock.expires = false
    clock.isCumulative = true
    clock.startsWithPeriod = true
    var rules = Rules(
      sport: .rugbyUnion, code: "ru", scoring: .points(steps: [2, 3, 5]), periods: periods, clock: clock)
    rules.penalties = [.seconds(600)]
    rules.alertsOnScore = true
    return rules
  }()

  static let rugbyUnionSettings: [RuleSetting] = [
    .periodLength("40m"), .extraTime("true"), .overtimeLength("10m"), .penaltyLength("10m"), .halftimeLength,
  ]
}
