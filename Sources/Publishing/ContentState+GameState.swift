package import GameCore
package import LiveContract

extension GameAttributes {
  /// What never changes: the names with which the activity starts.
  package init(_ names: Pair<Team>) {
    self.init(homeTeam: names.home.name, awayTeam: names.away.name)
  }
}

/// What the projection needs besides the game: when it is told, and whether the time of day may be told to phones.
package struct ProjectionContext: Hashable, Sendable {
  package var moment: Moment
  /// False while wall time is not synchronised: no anchor is sent then, only the text.
  package var timeIsTrusted: Bool

  package init(moment: Moment, timeIsTrusted: Bool) {
    self.moment = moment
    self.timeIsTrusted = timeIsTrusted
  }
}

extension GameAttributes.ContentState {
  /// The one way from the game to what phones show (facts/live-activities 8 and 11.1). `seq` is the sender's to fill in.
  package init(
    _ state: GameState, rules: Rules, names: Pair<Team>, texts: Texts, in context: ProjectionContext, seq: Int = 0
  ) {
    let headline = state.headline(rules)
    let clock = ProjectedClock(state, rules: rules, in: context)
    self.init(
      homeScore: headline.home, awayScore: headline.away, gameStatus: GameAttributes.GameStatus(state.phase),
      period: state.periodText(rules), clock: clock.text,
      lastPlay: texts.lastPlay(of: state, rules: rules, names: names),
      clockDir: clock.direction, clockAnchorMs: clock.anchor, seq: seq)
  }
}

extension GameAttributes.GameStatus {
  /// The four words that phones know.
  init(_ phase: Phase) {
    switch phase {
    case .scheduled, .delayed(.beforeStart): self = .scheduled
    case .live, .intermission, .review, .delayed(.play), .delayed(.rest): self = .live
    case .halftime: self = .halftime
    case .finished, .cancelled: self = .finished
    }
  }
}

extension GameState {
  /// The text of the `period` key.
  package func periodText(_ rules: Rules) -> String {
    switch phase {
    case .scheduled:
      if case .shown(let shown) = play { return shown.period }
      return rules.name(of: rules.firstPeriod)
    case .live(let period), .review(let period): return text(of: period, rules)
    case .intermission(let rest):
      return isDecided(rules) && rules.setsToWin != nil
        ? text(of: rest.after, rules) : rules.breakName(after: rest.after)
    case .halftime(let rest): return rules.breakName(after: rest.after)
    case .delayed: return "Delay"
    case .finished(let closing, let decision):
      if case .retirement = decision { return "Final/Ret" }
      return rules.finalName(last: closing.last)
    case .cancelled(.postponed, _): return "PPD"
    case .cancelled(.cancelled, _): return "CANC"
    case .cancelled(.abandoned, _): return "ABD"
    }
  }

  /// Set sports tell the points of the set beside its number; boards without rules tell what they show.
  private func text(of period: Period, _ rules: Rules) -> String {
    let name = rules.name(of: period)
    switch play {
    case .sets(let sets): return "\(name) \(sets.points.home)-\(sets.points.away)"
    case .tennis(let tennis):
      if let last = tennis.finished.last, isDecided(rules) { return "\(name) \(last.home)-\(last.away)" }
      let points = "\(tennis.spoken(.home))-\(tennis.spoken(.away))"
      let games = "\(tennis.games.home)-\(tennis.games.away)"
      return tennis.isTiebreak ? "\(name) \(games) TB \(points)" : "\(name) \(games) \(points)"
    case .shown(let shown): return shown.period
    case .plain, .diamond, .gridiron, .derby: return name
    }
  }
}
