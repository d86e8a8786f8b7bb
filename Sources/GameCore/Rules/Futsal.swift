extension Rules {
  /// Two halves of twenty minutes of playing time; fouls add up in each half.
  package static let futsal: Rules = {
    var periods = Periods(.halves, count: 2, length: .seconds(1200), halftimeAfter: 1)
    periods.overtime = Periods.Overtime(naming: .extraTime, most: 2, block: 2, length: .seconds(300))
    periods.shootout = Periods.Shootout(name: "Pens", winnerGetsGoal: false)
    var rules = Rules(
      sport: .futsal, code: "fs", scoring: .points(steps: [1]), periods: periods, clock: ClockRules(.down))
    rules.fouls.areCounted = true
    rules.fouls.bonusAt = 6
    rules.timeouts.allowance = [1]
    rules.timeouts.reset = .half
    rules.timeouts.inOvertime = 0
    rules.timeouts.length = .seconds(60)
    rules.alertsOnScore = true
    return rules
  }()

  static let futsalSettings: [RuleSetting] = [
    .periodLength("20m"), .extraTime("true"), .overtimeLength("5m"), .shootout("true"), .bonusAt("6"), .timeouts("1"),
    .timeoutLength("60s"), .halftimeLength,
  ]
}
