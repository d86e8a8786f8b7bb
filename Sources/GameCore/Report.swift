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

extension Report {
  /// Without what no board can mean: numbers below zero or beyond all measure, clocks of more than ten hours. Whatever
  /// arrives over a wire passes through here, so that the arithmetic behind it needs no care.
  var bounded: Report {
    var report = self
    for side in GameCore.Side.allCases { report[side] = report[side].bounded }
    report.clock = Self.bounded(clock)
    report.shotClock = Self.bounded(shotClock)
    report.restClock = Self.bounded(restClock)
    report.periodNumber = Self.bounded(periodNumber, to: 99)
    report.inning = Self.bounded(inning, to: 99)
    report.balls = Self.bounded(balls, to: 99)
    report.strikes = Self.bounded(strikes, to: 99)
    report.outs = Self.bounded(outs, to: 99)
    report.down = Self.bounded(down, to: 99)
    report.distance = Self.bounded(distance, to: 999)
    report.ballOn = Self.bounded(ballOn, to: 999)
    report.periodText = Self.bounded(periodText)
    report.clockText = Self.bounded(clockText)
    return report
  }

  fileprivate static func bounded(_ number: Int?, to most: Int = 999_999) -> Int? {
    number.flatMap { (0...most).contains($0) ? $0 : nil }
  }

  private static func bounded(_ clock: Clock?) -> Clock? {
    clock.flatMap { $0.reading >= .zero && $0.reading <= .seconds(36_000) ? $0 : nil }
  }

  private static func bounded(_ text: String?) -> String? { text.flatMap { $0.utf8.count <= 100 ? $0 : nil } }
}

extension Report.Side {
  fileprivate var bounded: Report.Side {
    var side = self
    side.score = Report.bounded(score)
    side.fouls = Report.bounded(fouls)
    side.timeoutsLeft = Report.bounded(timeoutsLeft)
    side.timeoutsTaken = Report.bounded(timeoutsTaken)
    side.shots = Report.bounded(shots)
    side.sets = Report.bounded(sets, to: 99)
    side.games = Report.bounded(games, to: 999)
    side.shootoutGoals = Report.bounded(shootoutGoals, to: 999)
    if case .number(let number)? = points, !(0...999).contains(number) { side.points = nil }
    side.penalties = penalties?.filter { $0.remaining >= .zero && $0.remaining <= .seconds(3600) }
    return side
  }
}
