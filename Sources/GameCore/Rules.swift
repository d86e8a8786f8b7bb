/// The sports with a rule file, by the names used in the config.
package enum Sport: String, Hashable, Sendable, CaseIterable {
  case basketball
  case basketball3x3 = "basketball-3x3"
  case iceHockey = "ice-hockey"
  case soccer, futsal, handball, floorball
  case waterPolo = "water-polo"
  case volleyball, tennis, baseball
  case americanFootball = "american-football"
  case rugbyUnion = "rugby-union"
  case rollerDerby = "roller-derby"
  case console
}

/// The rules of one game: data, made by a sport's file and changed by the settings of the league.
package struct Rules: Hashable, Sendable {
  package var sport: Sport
  /// Two letters for the game's id.
  package var code: String
  package var scoring: Scoring
  package var periods: Periods
  package var clock: ClockRules?
  package var fouls = FoulRules()
  package var timeouts = TimeoutRules()
  /// The values of the shot clock, the usual one first; empty where there is none.
  package var shotClock: [Duration] = []
  /// The lengths of penalties, the usual one first; empty where there are none.
  package var penalties: [Duration] = []
  package var possession = PossessionRules.none
  /// Scores are rare enough that each is worth a sound on the phone.
  package var alertsOnScore = false
  package var table = TableRules()

  package init(sport: Sport, code: String, scoring: Scoring, periods: Periods, clock: ClockRules?) {
    self.sport = sport
    self.code = code
    self.scoring = scoring
    self.periods = periods
    self.clock = clock
  }
}

/// How scores come about.
package enum Scoring: Hashable, Sendable {
  /// Points of these sizes.
  case points(steps: [Int])
  case sets(SetRules)
  case tennis(TennisRules)
  /// Runs: up to four in one play, one side bats at a time.
  case innings(InningRules)
  /// Reports only, any number.
  case reports
}

package struct SetRules: Hashable, Sendable {
  package var setsToWin = 3
  package var pointsToWin = 25
  package var pointsToWinLast = 15
  package var winBy = 2

  package init() {}
}

package struct TennisRules: Hashable, Sendable {
  package var setsToWin = 2
  package var gamesToWin = 6
  /// At 40-40 the next point decides, instead of advantage.
  package var decidingPoint = false
  package var tiebreakTo = 7
  /// The last set is one long tie-break to that many points; nil for an ordinary set.
  package var lastSetTiebreakTo: Int?

  package init() {}
}

package struct InningRules: Hashable, Sendable {
  package var outs = 3
  package var balls = 4
  package var strikes = 3

  package init() {}
}

/// The periods of a sport: how many, how long, what they and their breaks are called.
package struct Periods: Hashable, Sendable {
  package enum Naming: String, Hashable, Sendable {
    /// `Q1`, `End Q1`.
    case quarters
    /// `1H`.
    case halves
    /// `1st`, `1st INT`.
    case intermissions
    /// `1st`, `End 1st`.
    case thirds
    /// `P1`, `End P1`.
    case numbered
    /// `Reg`.
    case single
    case sets
    /// Two to an inning: `Top 3`, `Mid 3`, `Bot 3`, `End 3`.
    case innings
    case asShown
  }

  /// What comes after regular play when the score is level.
  package struct Overtime: Hashable, Sendable {
    package enum Naming: String, Hashable, Sendable {
      /// `OT`, `2OT`, `Final/2OT`.
      case overtime
      /// `ET1`, `ET2`, `Final/ET`.
      case extraTime
    }

    package var naming = Naming.overtime
    /// Nil is without end.
    package var most: Int?
    /// So many are always played together, level or not.
    package var block = 1
    package var length: Duration?

    package init(naming: Naming = .overtime, most: Int? = nil, block: Int = 1, length: Duration? = nil) {
      self.naming = naming
      self.most = most
      self.block = block
      self.length = length
    }
  }

  package struct Shootout: Hashable, Sendable {
    /// `SO`, `Pens`, `7m`, `PS`.
    package var name: String
    /// The winner's score gets one goal.
    package var winnerGetsGoal: Bool

    package init(name: String, winnerGetsGoal: Bool) {
      self.name = name
      self.winnerGetsGoal = winnerGetsGoal
    }
  }

  package var naming: Naming
  package var count: Int
  /// Nil where no clock says it.
  package var length: Duration?
  package var halftimeAfter: Int?
  package var breakLength: Duration?
  package var halftimeLength: Duration?
  package var overtime: Overtime?
  package var shootout: Shootout?

  package init(_ naming: Naming, count: Int, length: Duration? = nil, halftimeAfter: Int? = nil) {
    self.naming = naming
    self.count = count
    self.length = length
    self.halftimeAfter = halftimeAfter
  }
}

package struct ClockRules: Hashable, Sendable {
  package var direction: GameClock.Direction
  /// A clock that counts up stops and sounds at the end of the period; soccer's and rugby's run on.
  package var expires = true
  /// Counts on from one period to the next: the second half of soccer starts at 45:00.
  package var isCumulative = false
  package var startsWithPeriod = false
  /// `45+2` past the end of the period.
  package var showsAddedTime = false
  /// Below this a countdown shows tenths on the hall's own displays; zero is never.
  package var tenthsBelow = Duration.zero

  package init(_ direction: GameClock.Direction) { self.direction = direction }
}

package struct FoulRules: Hashable, Sendable {
  package enum Reset: String, Hashable, Sendable, CaseIterable {
    case period, half, never
  }

  /// False where nobody counts team fouls.
  package var areCounted = false
  package var reset = Reset.period
  /// Overtime goes on with the fouls of the period before it.
  package var overtimeContinues = true
  /// So many fouls of the other side put a team in the bonus.
  package var bonusAt: Int?

  package init() {}
}

package struct TimeoutRules: Hashable, Sendable {
  package enum Reset: String, Hashable, Sendable, CaseIterable {
    case period, half, never
  }

  /// For each part of the game between resets; nil where nobody counts what is left.
  package var allowance: [Int]?
  package var reset = Reset.half
  package var inOvertime: Int?
  package var length: Duration?

  package init() {}
}

package enum PossessionRules: String, Hashable, Sendable {
  case none, possession, serve
}

/// What the table and the house want: the same settings in every sport.
package struct TableRules: Hashable, Sendable {
  /// Presses this long after the clock's expiry belong to the period that has ended.
  package var grace = Duration.seconds(3)
  /// A report that is not plausible must stand unchanged for so long.
  package var reportHold = Duration.seconds(5)
  /// End and reset are refused for so long after a start.
  package var endGuard = Duration.seconds(2)
  /// A decided game in which nothing has happened for so long is final; nil: only a person, or the console, says so.
  package var quietFinal: Duration?
  /// Corrections after the final.
  package var settle = Duration.seconds(120)
  package var settleAtMost = Duration.seconds(600)
  package var windowBefore = Duration.seconds(600)
  package var windowAfter = Duration.seconds(600)

  package init() {}
}
