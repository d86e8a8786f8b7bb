extension RuleSetting {
  static func periodLength(_ usual: String) -> RuleSetting {
    RuleSetting("period_length", .duration(60...7200), usual, "How long a regular period is") {
      if case .duration(let length) = $1 { $0.periods.length = length }
    }
  }

  static func overtimeLength(_ usual: String) -> RuleSetting {
    RuleSetting("overtime_length", .duration(60...3600), usual, "How long an overtime is") {
      if case .duration(let length) = $1 { $0.periods.overtime?.length = length }
    }
  }

  static func overtimes(_ usual: String, upTo most: Int = 12) -> RuleSetting {
    RuleSetting(
      "overtimes", .count(0...most), usual, "How many overtimes at most, 0 for none; off: no limit", mayBeOff: true
    ) {
      switch $1 {
      case .count(let count): $0.periods.overtime?.most = count
      case .off: $0.periods.overtime?.most = nil
      case .duration, .word, .truth, .counts: break
      }
    }
  }

  static func extraTime(_ usual: String) -> RuleSetting {
    RuleSetting("extra_time", .truth, usual, "Whether a level game goes to extra time") {
      if case .truth(false) = $1 { $0.periods.overtime = nil }
    }
  }

  static func periodCount(_ usual: String, _ range: ClosedRange<Int>) -> RuleSetting {
    RuleSetting("periods", .count(range), usual, "How many regular periods") {
      if case .count(let count) = $1 { $0.periods.count = count }
    }
  }

  static func shootout(_ usual: String) -> RuleSetting {
    RuleSetting("shootout", .truth, usual, "Whether a level game goes to a shoot-out") {
      if case .truth(false) = $1 { $0.periods.shootout = nil }
    }
  }

  static func bonusAt(_ usual: String) -> RuleSetting {
    RuleSetting("bonus_at", .count(1...20), usual, "Team fouls that put the other side in the bonus", mayBeOff: true) {
      switch $1 {
      case .count(let count): $0.fouls.bonusAt = count
      case .off: $0.fouls.bonusAt = nil
      case .duration, .word, .truth, .counts: break
      }
    }
  }

  static func timeouts(_ usual: String) -> RuleSetting {
    RuleSetting(
      "timeouts", .counts(0...20, most: 4), usual,
      "Time-outs of a team for each part of the game in which they are counted", mayBeOff: true
    ) {
      switch $1 {
      case .counts(let counts): $0.timeouts.allowance = counts
      case .off: $0.timeouts.allowance = nil
      case .duration, .word, .truth, .count: break
      }
    }
  }

  static func timeoutLength(_ usual: String) -> RuleSetting {
    RuleSetting("timeout_length", .duration(10...600), usual, "How long a time-out is") {
      if case .duration(let length) = $1 { $0.timeouts.length = length }
    }
  }

  static func shotClock(_ usual: String) -> RuleSetting {
    RuleSetting("shot_clock", .duration(5...120), usual, "The shot clock; off: none", mayBeOff: true) {
      switch $1 {
      case .duration(let length):
        if $0.shotClock.isEmpty { $0.shotClock = [length] } else { $0.shotClock[0] = length }
      case .off: $0.shotClock = []
      case .count, .word, .truth, .counts: break
      }
    }
  }

  static func shotClockShort(_ usual: String) -> RuleSetting {
    RuleSetting("shot_clock_short", .duration(5...120), usual, "The second value to which the shot clock is reset") {
      guard case .duration(let length) = $1, let full = $0.shotClock.first else { return }
      $0.shotClock = [full, length]
    }
  }

  static func tenthsBelow(_ usual: String) -> RuleSetting {
    RuleSetting("tenths_below", .duration(0...300), usual, "Below this the hall's displays show tenths; 0s: never") {
      if case .duration(let length) = $1 { $0.clock?.tenthsBelow = length }
    }
  }

  static func penaltyLength(_ usual: String) -> RuleSetting {
    RuleSetting("penalty_length", .duration(10...1200), usual, "The usual length of a penalty") {
      guard case .duration(let length) = $1 else { return }
      $0.penalties = [length] + $0.penalties.dropFirst()
    }
  }

  static func clockDirection(_ usual: String) -> RuleSetting {
    RuleSetting("clock", .choice(["down", "up"]), usual, "Which way the game clock counts") {
      switch $1 {
      case .word("up"): $0.clock?.direction = .up
      case .word: $0.clock?.direction = .down
      case .duration, .count, .truth, .counts, .off: break
      }
    }
  }

  static let halftimeLength = RuleSetting(
    "halftime_length", .duration(30...3600), "off", "The clock of the long break; off: none is shown", mayBeOff: true
  ) {
    if case .duration(let length) = $1 { $0.periods.halftimeLength = length }
  }

  static let breakLength = RuleSetting(
    "break_length", .duration(10...3600), "off", "The clock of the other breaks; off: none is shown", mayBeOff: true
  ) {
    if case .duration(let length) = $1 { $0.periods.breakLength = length }
  }

  /// What every sport accepts.
  static let table: [RuleSetting] = [
    RuleSetting("grace", .duration(0...30), "3s", "Presses this long after the clock's end belong to the period") {
      if case .duration(let length) = $1 { $0.table.grace = length }
    },
    RuleSetting("report_hold", .duration(0...60), "5s", "How long an implausible report must stand unchanged") {
      if case .duration(let length) = $1 { $0.table.reportHold = length }
    },
    RuleSetting("end_guard", .duration(0...10), "2s", "End and reset are refused for so long after a start") {
      if case .duration(let length) = $1 { $0.table.endGuard = length }
    },
    RuleSetting(
      "quiet_final", .duration(60...3600), "off", "A decided game in which nothing happens for so long is final",
      mayBeOff: true
    ) {
      if case .duration(let length) = $1 { $0.table.quietFinal = length }
    },
    RuleSetting("settle", .duration(0...600), "2m", "Corrections after the final; each one begins it anew") {
      if case .duration(let length) = $1 { $0.table.settle = length }
    },
    RuleSetting("settle_at_most", .duration(0...3600), "10m", "The end of all corrections after the final") {
      if case .duration(let length) = $1 { $0.table.settleAtMost = length }
    },
    RuleSetting("window_before", .duration(0...7200), "10m", "Phones may be started so long before the start") {
      if case .duration(let length) = $1 { $0.table.windowBefore = length }
    },
    RuleSetting("window_after", .duration(0...7200), "10m", "Phones may be started so long after the start") {
      if case .duration(let length) = $1 { $0.table.windowAfter = length }
    },
  ]
}
