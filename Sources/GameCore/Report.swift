/// What a console says. Each field is nil when it was not seen: unknown is not zero, and nothing is invented.
package struct Report: Hashable, Sendable {
  /// One team's fields.
  package struct Side: Hashable, Sendable {
    package var score: Int?
    package var fouls: Int?
    package var timeoutsLeft: Int?
    package var timeoutsTaken: Int?
    package var shots: Int?
    package var sets: Int?
    package var games: Int?
    /// The points of the set or game in play: a number, or `15`, `30`, `40`, `A` in tennis.
    package var points: TennisPoint?
    /// By slot; an empty list says that nobody is serving one.
    package var penalties: [ReportedPenalty]?
    package var bonus: Bool?
    package var shootoutGoals: Int?

    package init() {}
  }

  package struct ReportedPenalty: Hashable, Sendable {
    package var player: String?
    package var remaining: Duration

    package init(player: String? = nil, remaining: Duration) {
      self.player = player
      self.remaining = remaining
    }
  }

  package struct Clock: Hashable, Sendable {
    package var reading: Duration
    /// Nil when the console does not say.
    package var running: Bool?

    package init(reading: Duration, running: Bool? = nil) {
      self.reading = reading
      self.running = running
    }
  }

  package var home = Side()
  package var away = Side()
  package var clock: Clock?
  package var shotClock: Clock?
  /// A clock of a break or a time-out. Never shown as the game clock.
  package var restClock: Clock?
  /// The console says that a break is on, or is not.
  package var isRest: Bool?
  package var periodNumber: Int?
  /// As the board shows it (`OT`, `Q3`, `Final`).
  package var periodText: String?
  /// As the board shows it, where it is not a time (boards under the `console` sport).
  package var clockText: String?
  /// `none` says: nobody.
  package var possession: Possession?
  package var isTimeout: Bool?
  package var balls: Int?
  package var strikes: Int?
  package var outs: Int?
  package var bases: Bases?
  package var inning: Int?
  package var isTopOfInning: Bool?
  package var down: Int?
  package var distance: Int?
  package var ballOn: Int?

  package enum Possession: String, Hashable, Sendable {
    case home, away, none
  }

  package init() {}

  package subscript(_ side: GameCore.Side) -> Side {
    get { side == .home ? home : away }
    set {
      switch side {
      case .home: home = newValue
      case .away: away = newValue
      }
    }
  }
}
