extension Reduction {
  /// The sets that decide the match have been won.
  var isDecidedMatch: Bool {
    guard let setsToWin = rules.setsToWin else { return false }
    return state.teams.home.score >= setsToWin || state.teams.away.score >= setsToWin
  }

  /// A rally at volleyball. The set ends with the point that ends it.
  mutating func winRally(_ side: Side, _ sets: SetPlay) -> Ignored? {
    guard case .sets(let setRules) = rules.scoring else { return Ignored("no sets are played here") }
    if let ignored = enterSet() { return ignored }
    guard case .live(let period) = state.phase, case .sets(var sets) = state.play else {
      return Ignored("no set is on")
    }
    sets.points[side] += 1
    state.possession = side
    facts.append(.pointWon(side))
    state.lastPlay = .scored(side, points: 1, player: nil, play: nil)
    let isOver = setRules.isWon(by: side, points: sets.points, isLast: rules.isLastRegular(period))
    if isOver { sets.finished.append(sets.points) }
    state.play = .sets(sets)
    if isOver {
      state.teams[side].score += 1
      facts.append(.setWon(side))
      endPeriod(period)
      state.lastPlay = .setWon(side)
    }
    return nil
  }

  /// A point in the break begins the next set, except in the grace after the last one: that press came late.
  private mutating func enterSet() -> Ignored? {
    switch state.phase {
    case .live: return nil
    case .intermission(let rest), .halftime(let rest):
      if isDecidedMatch { return Ignored("the match is decided; undo the last point or declare the final") }
      if now - rest.since < rules.table.grace {
        return Ignored("\(rules.name(of: rest.after)) has just ended; undo its last point if that was wrong")
      }
      return startPeriod(after: rest.after)
    case .review: return Ignored("a review is on; end it first")
    case .delayed: return Ignored("the game is delayed; resume it first")
    case .scheduled, .finished, .cancelled: return Ignored("no set is on")
    }
  }

  mutating func takeBackRally(_ side: Side, _ sets: SetPlay, by points: Int) -> Ignored? {
    guard isPlaying else { return Ignored("no set is on; undo the last point instead") }
    guard sets.points[side] >= points else { return Ignored("the score cannot go below zero") }
    var sets = sets
    sets.points[side] -= points
    state.play = .sets(sets)
    facts.append(.pointWon(side))
    state.lastPlay = .corrected
    return nil
  }
}

extension SetRules {
  /// Whether that side has won the set with these points.
  package func isWon(by side: Side, points: Pair<Int>, isLast: Bool) -> Bool {
    let target = isLast ? pointsToWinLast : pointsToWin
    return points[side] >= target && points[side] - points[side.other] >= winBy
  }
}

extension Rules {
  package var setsToWin: Int? {
    switch scoring {
    case .sets(let sets): sets.setsToWin
    case .tennis(let tennis): tennis.setsToWin
    case .points, .innings, .reports: nil
    }
  }
}
