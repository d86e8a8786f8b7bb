extension Rules {
  /// Four quarters of ten minutes; league settings make it halves or twelve minutes.
  package static let basketball: Rules = {
    var periods = Periods(.quarters, count: 4, length: .seconds(600), halftimeAfter: 2)
    periods.overtime = Periods.Overtime(length: .seconds(300))
    var clock = ClockRules(.down)
    clock.tenthsBelow = .seconds(60)
    var rules = Rules(
      sport: .basketball, code: "bb", scoring: .points(steps: [1, 2, 3]), periods: periods, clock: clock)
    rules.fouls.areCounted = true
    rules.fouls.bonusAt = 5
    rules.timeouts.allowance = [2, 3]
    rules.timeouts.inOvertime = 1
    rules.timeouts.length = .seconds(60)
    rules.shotClock = [.seconds(24), .seconds(14)]
    rules.possession = .possession
    return rules
  }()

  static let basketballSettings: [RuleSetting] = [
    RuleSetting("format", .choice(["quarters", "halves"]), "quarters", "Four quarters, or two halves of 20 minutes") {
      if case .word("halves") = $1 { $0.playHalves(of: .seconds(1200)) }
    },
    .periodLength("10m"), .overtimeLength("5m"), .bonusAt("5"), .timeouts("2, 3"), .timeoutLength("60s"),
    .shotClock("24s"), .shotClockShort("14s"), .tenthsBelow("60s"), .halftimeLength, .breakLength,
  ]

  private mutating func playHalves(of length: Duration) {
    periods.naming = .halves
    periods.count = 2
    periods.length = length
    periods.halftimeAfter = 1
    fouls.bonusAt = 7
    fouls.reset = .half
    shotClock = [.seconds(30), .seconds(20)]
    timeouts.allowance = [4]
    timeouts.reset = .never
  }
}
