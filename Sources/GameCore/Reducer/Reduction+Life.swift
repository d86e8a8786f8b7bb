extension Reduction {
  mutating func open() -> Ignored? {
    switch state.phase {
    case .scheduled(.announced): state.phase = .scheduled(.open)
    case .delayed(.beforeStart(.announced)): state.phase = .delayed(.beforeStart(.open))
    case .scheduled, .live, .intermission, .halftime, .review, .delayed, .finished, .cancelled:
      return Ignored("the game is open already")
    }
    facts.append(.opened)
    return nil
  }

  mutating func name(home: Team?, away: Team?) -> Ignored? {
    guard !state.namesAreFrozen else {
      return Ignored("the activity has started; its names cannot change any more")
    }
    let names = Pair(home: home ?? state.names.home, away: away ?? state.names.away)
    guard names != state.names else { return Ignored("they are named so already") }
    for team in [home, away] {
      guard let team else { continue }
      guard !team.name.isEmpty, team.name.utf8.count <= 200, team.code.utf8.count <= 32 else {
        return Ignored("a team needs a name of up to 200 bytes and a code of up to 32")
      }
    }
    state.names = names
    facts.append(.named)
    return nil
  }

  mutating func freezeNames() -> Ignored? {
    guard !state.namesAreFrozen else { return Ignored("they are frozen already") }
    state.namesAreFrozen = true
    facts.append(.namesFrozen)
    return nil
  }

  mutating func declareFinal(by decision: Decision) -> Ignored? {
    let last = state.lastPeriod
    haltEverything()
    state.phase = .finished(settling(last: last), by: decision)
    state.lastPlay = .final
    facts.append(.final)
    return nil
  }

  /// The first end is the final; the second one ends the corrections.
  mutating func end() -> Ignored? {
    state.life == .settling ? close() : declareFinal(by: .score)
  }

  mutating func close() -> Ignored? {
    switch state.phase {
    case .finished(let closing, let decision): state.phase = .finished(.ended(last: closing.last), by: decision)
    case .cancelled(let cancellation, let closing): state.phase = .cancelled(cancellation, .ended(last: closing.last))
    case .scheduled, .live, .intermission, .halftime, .review, .delayed: return Ignored("the game is not final")
    }
    facts.append(.ended)
    return nil
  }

  mutating func callOff(_ cancellation: Cancellation) -> Ignored? {
    let hasBegun = state.life == .playing
    guard hasBegun == (cancellation == .abandoned) else {
      return Ignored(hasBegun ? "the game has begun; it can be abandoned" : "the game has not begun; cancel it")
    }
    let last = state.lastPeriod
    haltEverything()
    state.phase = .cancelled(cancellation, settling(last: last))
    state.lastPlay = .calledOff(cancellation)
    facts.append(.calledOff(cancellation))
    return nil
  }

  /// A full fresh state; only the names stay.
  mutating func reset() -> Ignored? {
    let opening: Opening = state.life == .announced ? .announced : .open
    var fresh = GameState(rules: rules, names: state.names, opening: opening)
    fresh.namesAreFrozen = state.namesAreFrozen
    state = fresh
    facts.append(.wasReset)
    return nil
  }

  mutating func openNext() -> Ignored? {
    switch state.life {
    case .announced: return open()
    case .settling:
      if let ignored = close() { return ignored }
    case .ended: break
    case .open, .playing: return Ignored("the game is not final")
    }
    facts.append(.nextGameWanted)
    return nil
  }

  private func settling(last: Period?) -> Closing {
    let latest = now + rules.table.settleAtMost
    return .settling(last: last, until: min(now + rules.table.settle, latest), latest: latest)
  }

  private mutating func haltEverything() {
    state.clock?.stop(at: now)
    stopFollowers()
    state.expiry = nil
    state.timeout = nil
    if case .derby(var jam) = state.play {
      jam.clock = nil
      state.play = .derby(jam)
    }
  }
}

extension GameState {
  /// The period that is on, or after which play rests or has stopped.
  package var lastPeriod: Period? {
    switch phase {
    case .scheduled, .delayed(.beforeStart): nil
    case .live(let period), .review(let period), .delayed(.play(let period)): period
    case .intermission(let rest), .halftime(let rest), .delayed(.rest(let rest, _)): rest.after
    case .finished(let closing, _), .cancelled(_, let closing): closing.last
    }
  }

  /// Level as the rules of overtime see it.
  package var isLevel: Bool {
    teams.home.score == teams.away.score && teams.home.shootoutGoals == teams.away.shootoutGoals
  }

  /// The score of the headline: a shoot-out adds one goal to its winner where the rules say so, once it is final.
  package func headline(_ rules: Rules) -> Pair<Int> {
    var headline = score
    guard case .finished(let closing, _) = phase, closing.last == .shootout,
      rules.periods.shootout?.winnerGetsGoal == true, headline.isTied
    else { return headline }
    if let winner = shootoutTally.leader { headline[winner] += 1 }
    return headline
  }

  /// Every number that fans would call the score.
  struct Tally: Equatable {
    var score: Pair<Int>
    var shootout: Pair<Int>
    var points = Pair(home: 0, away: 0)
    var games = Pair(home: 0, away: 0)
  }

  var tally: Tally {
    var tally = Tally(score: score, shootout: shootoutTally)
    switch play {
    case .sets(let sets): tally.points = sets.points
    case .tennis(let tennis):
      tally.points = tennis.points
      tally.games = tennis.games
    case .plain, .diamond, .gridiron, .derby, .shown: break
    }
    return tally
  }

  /// Whether the other side's fouls, or the console, put that side in the bonus.
  package func isInBonus(_ side: Side, _ rules: Rules) -> Bool {
    if let reported = teams[side].reportedBonus { return reported }
    return rules.fouls.bonusAt.map { teams[side.other].fouls >= $0 } ?? false
  }

  package var shootoutTally: Pair<Int> { Pair(home: teams.home.shootoutGoals, away: teams.away.shootoutGoals) }

  /// Who has won as things stand; nil while it is level. Never stored: a correction may turn it.
  package func winner(_ rules: Rules) -> Side? {
    if case .finished(_, .retirement(let side)) = phase { return side.other }
    return headline(rules).leader ?? shootoutTally.leader
  }
}
