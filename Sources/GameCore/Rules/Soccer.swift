extension Rules {
  /// Two halves of 45 minutes whose clock counts up past their end, extra time in two halves, penalties apart.
  package static let soccer: Rules = {
    var periods = Periods(.halves, count: 2, length: .seconds(2700), halftimeAfter: 1)
    periods.overtime = Periods.Overtime(naming: .extraTime, most: 2, block: 2, length: .seconds(900))
    periods.shootout = Periods.Shootout(name: "Pens", winnerGetsGoal: false)
    var clock = ClockRules(.up)
    clock.expires = false
    clock.isCumulative = true
    clock.startsWithPeriod = true
    clock.showsAddedTime = true
    var rules = Rules(sport: .soccer, code: "fb", scoring: .points(steps: [1]), periods: periods, clock: clock)
    rules.alertsOnScore = true
    return rules
  }()

  static let soccerSettings: [RuleSetting] = [
    .periodLength("45m"), .extraTime("true"), .overtimeLength("15m"), .shootout("true"), .halftimeLength,
  ]
}
