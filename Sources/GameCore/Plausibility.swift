/// Holds back what a console probably did not mean: a sudden 0-0, a jump up, an illegal step. What it holds passes when
/// it has stood unchanged for a while or a person confirms it; repetition counts for nothing, as consoles repeat for ever.
/// Everything else in the same report passes at once.
package struct Plausibility: Sendable {
  private enum State: Hashable, Sendable {
    /// Not both scores have been seen yet: unknown is not zero, so none is passed on.
    case waiting
    /// Scores pass as they come.
    case open
    /// The board shows scores that are not plausible, unchanged since then.
    case holding(since: Instant, why: String)
    /// A person has thrown away what the board shows; it counts again once it changes.
    case rejected
  }

  /// What is held, for the status and the table's display.
  package struct Held: Hashable, Sendable {
    package var home: Int
    package var away: Int
    package var since: Instant
    package var why: String
  }

  private var state = State.waiting
  /// The scores as the board shows them, over all its reports.
  private var board = Pair(home: Report.Side(), away: Report.Side())
  private let hold: Duration

  package init(rules: Rules) { hold = rules.table.reportHold }

  package var isWaitingForScores: Bool { state == .waiting }

  package var held: Held? {
    guard case .holding(let since, let why) = state else { return nil }
    return Held(home: board.home.headline ?? 0, away: board.away.headline ?? 0, since: since, why: why)
  }

  package var nextDeadline: Instant? {
    guard case .holding(let since, _) = state else { return nil }
    return since + hold
  }

  /// What of a report passes now: all but scores that are held, or the scores of the whole board when they pass.
  package mutating func reported(_ report: Report, in game: GameState, rules: Rules, at now: Instant) -> Report {
    let shown = board
    for side in Side.allCases { board[side].takeNumbers(of: report[side]) }
    guard board.home.isSeen, board.away.isSeen else { return report.withoutNumbers }
    if let why = game.implausibility(of: board, rules: rules) {
      keepHolding(why, hasChanged: shown != board, at: now)
      return report.withoutNumbers
    }
    state = .open
    return report.with(numbers: board)
  }

  private mutating func keepHolding(_ why: String, hasChanged: Bool, at now: Instant) {
    switch state {
    case .holding, .rejected: if !hasChanged { return }
    case .waiting, .open: break
    }
    state = .holding(since: now, why: why)
  }

  /// A person says that the board is right: what was held, or nil when nothing was.
  package mutating func confirmed() -> Report? { release() }

  /// A person says that the board is wrong. False when nothing was held.
  package mutating func rejected() -> Bool {
    guard case .holding = state else { return false }
    state = .rejected
    return true
  }

  /// What was held passes once it has stood for long enough.
  package mutating func timePassed(at now: Instant) -> Report? {
    guard let deadline = nextDeadline, now >= deadline else { return nil }
    return release()
  }

  private mutating func release() -> Report? {
    guard case .holding = state else { return nil }
    state = .open
    return Report().with(numbers: board)
  }
}

extension Report.Side {
  /// The number of the headline: sets where they are reported, else the score.
  var headline: Int? { sets ?? score }

  /// Something of this side's score is known; boards of set sports may show points alone.
  var isSeen: Bool { headline != nil || points != nil }

  mutating func takeNumbers(of other: Report.Side) {
    score = other.score ?? score
    sets = other.sets ?? sets
    games = other.games ?? games
    points = other.points ?? points
  }
}

extension Report {
  var withoutNumbers: Report { with(numbers: Pair(home: Side(), away: Side())) }

  func with(numbers: Pair<Side>) -> Report {
    var report = self
    for side in GameCore.Side.allCases {
      report[side].score = numbers[side].score
      report[side].sets = numbers[side].sets
      report[side].games = numbers[side].games
      report[side].points = numbers[side].points
    }
    return report
  }
}

extension GameState {
  /// Why these scores are not to be believed at once; nil when they are.
  func implausibility(of board: Pair<Report.Side>, rules: Rules) -> String? {
    switch life {
    case .announced, .open: return nil
    case .ended: return "the game has ended"
    case .playing, .settling: break
    }
    let new = Pair(home: board.home.headline ?? score.home, away: board.away.headline ?? score.away)
    if new == Pair(home: 0, away: 0), score != new { return "the board shows 0-0" }
    if case .reports = rules.scoring { return nil }
    if let why = implausibleSet(board, new) { return why }
    guard rules.setsToWin == nil else { return nil }
    for side in Side.allCases {
      let step = new[side] - score[side]
      guard step != 0, !rules.isLegalStep(step), !rules.isLegalStep(-step) else { continue }
      return "the board jumped from \(score[side]) to \(new[side]) for \(side.rawValue)"
    }
    return nil
  }

  /// Sets, games and points move one at a time, and begin again where a set or a game has been won.
  private func implausibleSet(_ board: Pair<Report.Side>, _ sets: Pair<Int>) -> String? {
    let moved = abs(sets.home - score.home) + abs(sets.away - score.away)
    switch play {
    case .sets(let old):
      if moved > 1 { return "the board jumped by \(moved) sets" }
      for side in Side.allCases {
        guard case .number(let points)? = board[side].points else { continue }
        let isReset = points == 0 && (moved == 1 || isRest)
        if abs(points - old.points[side]) > 1, !isReset {
          return "the board jumped from \(old.points[side]) to \(points) points for \(side.rawValue)"
        }
      }
      return nil
    case .tennis(let old):
      if moved > 1 { return "the board jumped by \(moved) sets" }
      for side in Side.allCases {
        guard let games = board[side].games else { continue }
        if abs(games - old.games[side]) > 1, !(games == 0 && moved == 1) {
          return "the board jumped from \(old.games[side]) to \(games) games for \(side.rawValue)"
        }
      }
      return nil
    case .plain, .diamond, .gridiron, .derby, .shown: return nil
    }
  }

  private var isRest: Bool {
    switch phase {
    case .intermission, .halftime: true
    case .scheduled, .live, .review, .delayed, .finished, .cancelled: false
    }
  }
}
