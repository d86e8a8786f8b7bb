/// What a sport keeps besides score and clock. Only the sport's own case exists, so that no hockey game has a count of balls.
package enum Play: Hashable, Sendable {
  /// Score and clock are everything.
  case plain
  case sets(SetPlay)
  case tennis(TennisPlay)
  case diamond(Diamond)
  case gridiron(Downs)
  case derby(Jam)
  /// A board under the `console` sport: texts as shown.
  case shown(Shown)
}

extension Play {
  package init(rules: Rules) {
    switch rules.scoring {
    case .sets: self = .sets(SetPlay())
    case .tennis(let tennis):
      var play = TennisPlay()
      play.isTiebreak = tennis.setsToWin == 1 && tennis.lastSetTiebreakTo != nil
      self = .tennis(play)
    case .innings: self = .diamond(Diamond())
    case .reports: self = .shown(Shown())
    case .points:
      switch rules.sport {
      case .americanFootball: self = .gridiron(Downs())
      case .rollerDerby: self = .derby(Jam())
      case .basketball, .basketball3x3, .iceHockey, .soccer, .futsal, .handball, .floorball, .waterPolo, .volleyball,
        .tennis, .baseball, .rugbyUnion, .console:
        self = .plain
      }
    }
  }
}

/// Sets of rallies: volleyball and its kin.
package struct SetPlay: Hashable, Sendable {
  /// Of the set in play, or of the last one while nobody plays.
  package var points = Pair(home: 0, away: 0)
  package var finished: [Pair<Int>] = []

  package init() {}
}

/// Points, games and sets of tennis and padel.
package struct TennisPlay: Hashable, Sendable {
  /// Counted, not spoken: 0, 1, 2, 3 are 0, 15, 30, 40, and one more than the other from there is advantage.
  package var points = Pair(home: 0, away: 0)
  package var games = Pair(home: 0, away: 0)
  package var finished: [Pair<Int>] = []
  /// The points of this game are those of a tie-break.
  package var isTiebreak = false
  /// Who served the first point of the tie-break: the other serves first in the next set.
  package var tiebreakServer: Side?

  package init() {}
}

/// A point of a game as it is spoken and shown. In a tie-break points are plain numbers.
package enum TennisPoint: Hashable, Sendable {
  case number(Int)
  case advantage
}

/// The count and the bases of baseball and softball.
package struct Diamond: Hashable, Sendable {
  package var balls = 0
  package var strikes = 0
  package var outs = 0
  package var bases = Bases()

  package init() {}
}

/// Which bases are occupied.
package struct Bases: OptionSet, Hashable, Sendable {
  package let rawValue: UInt8

  package init(rawValue: UInt8) { self.rawValue = rawValue & 7 }

  package static let first = Bases(rawValue: 1)
  package static let second = Bases(rawValue: 2)
  package static let third = Bases(rawValue: 4)
}

/// Down, distance and place of American football; nil is not known.
package struct Downs: Hashable, Sendable {
  package var down: Int?
  package var distance: Int?
  package var ballOn: Int?

  package init(down: Int? = nil, distance: Int? = nil, ballOn: Int? = nil) {
    self.down = down
    self.distance = distance
    self.ballOn = ballOn
  }
}

/// The jam of roller derby, with its own clock.
package struct Jam: Hashable, Sendable {
  package var number = 0
  package var clock: GameClock?

  package init() {}
}

/// What a board of the `console` sport shows.
package struct Shown: Hashable, Sendable {
  package var period = ""
  package var clock = ""

  package init() {}
}
