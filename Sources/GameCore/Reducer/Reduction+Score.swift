extension Reduction {
  /// Points by one of the sport's steps; below zero they are taken back.
  mutating func score(_ side: Side, points: Int, player: String?, play: String?) -> Ignored? {
    let steps = rules.scoreSteps
    guard points != 0, let largest = steps.max() else { return Ignored("this sport is scored by its console only") }
    guard points < 0 ? points >= -largest : steps.contains(points) else {
      let words = steps.map { "+\($0)" }.joined(separator: ", ")
      return Ignored("\(rules.sport.rawValue) has no score of \(points); it has \(words)")
    }
    guard Self.isShort(player), Self.isShort(play) else { return Ignored("player and kind are up to 64 bytes each") }
    if state.life == .settling { return correctFinal(side, by: points) }
    if let ignored = beginIfNeeded() { return ignored }
    if state.phase == .live(.shootout) { return attemptShootout(side, goals: points, player: player) }
    switch state.play {
    case .sets(let sets): return points > 0 ? winRally(side, sets) : takeBackRally(side, sets, by: -points)
    case .tennis(let tennis): return points > 0 ? winPoint(side, tennis) : takeBackPoint(side, tennis, by: -points)
    case .diamond, .plain, .gridiron, .derby, .shown: break
    }
    if case .diamond = state.play, points > 0 { beginHalfInningIfNeeded() }
    let before = state.teams[side].score
    let total = before + points
    guard total >= 0 else { return Ignored("the score cannot go below zero") }
    state.teams[side].score = total
    if points > 0 {
      facts.append(.scored(side, points: points, total: total, player: player, play: play))
      state.lastPlay = .scored(side, points: points, player: player, play: play)
    } else {
      facts.append(.scoreCorrected(side, from: before, to: total))
      state.lastPlay = .corrected
    }
    return nil
  }

  static func isShort(_ text: String?) -> Bool { text.map { $0.utf8.count <= 64 } ?? true }

  private mutating func correctFinal(_ side: Side, by points: Int) -> Ignored? {
    let before = state.teams[side].score
    guard before + points >= 0 else { return Ignored("the score cannot go below zero") }
    state.teams[side].score = before + points
    noteFinalCorrection(side, from: before)
    return nil
  }

  /// A correction of the final begins the settling anew, within its bound.
  mutating func noteFinalCorrection(_ side: Side, from before: Int) {
    facts.append(.scoreCorrected(side, from: before, to: state.teams[side].score))
    facts.append(.finalCorrected)
    state.lastPlay = .final
    extendSettling()
  }

  mutating func extendSettling() {
    func extended(_ closing: Closing) -> Closing {
      guard case .settling(let last, let until, let latest) = closing else { return closing }
      return .settling(last: last, until: max(until, min(now + rules.table.settle, latest)), latest: latest)
    }
    if case .finished(let closing, let decision) = state.phase {
      state.phase = .finished(extended(closing), by: decision)
    }
    if case .cancelled(let cancellation, let closing) = state.phase {
      state.phase = .cancelled(cancellation, extended(closing))
    }
  }

  mutating func attemptShootout(_ side: Side, goals: Int, player: String?) -> Ignored? {
    let team = state.teams[side]
    guard goals == 1 || goals == -1 else { return Ignored("one goal at a time in the shoot-out") }
    guard team.shootoutGoals + goals >= 0 else { return Ignored("the tally cannot go below zero") }
    state.teams[side].shootoutGoals += goals
    state.teams[side].shootoutAttempts = max(team.shootoutAttempts + goals, 0)
    if goals > 0 {
      facts.append(.shootoutAttempted(side, scored: true))
      state.lastPlay = .shootout(side, scored: true)
    } else {
      facts.append(.detailChanged)
      state.lastPlay = .corrected
    }
    return nil
  }

  mutating func attemptShootout(_ side: Side, scored: Bool) -> Ignored? {
    guard state.phase == .live(.shootout) else { return Ignored("no shoot-out is on") }
    if scored { return attemptShootout(side, goals: 1, player: nil) }
    state.teams[side].shootoutAttempts += 1
    facts.append(.shootoutAttempted(side, scored: false))
    state.lastPlay = .shootout(side, scored: false)
    return nil
  }

  mutating func foul(_ side: Side, by: Int) -> Ignored? {
    guard rules.fouls.areCounted else { return Ignored("\(rules.sport.rawValue) counts no team fouls here") }
    guard (-99...99).contains(by) else { return Ignored("up to 99 fouls at a time") }
    guard state.teams[side].fouls + by >= 0 else { return Ignored("fouls cannot go below zero") }
    if let ignored = beginIfNeeded() { return ignored }
    state.teams[side].fouls += by
    facts.append(.detailChanged)
    return nil
  }

  mutating func shot(_ side: Side, by: Int) -> Ignored? {
    guard (-99...99).contains(by) else { return Ignored("up to 99 shots at a time") }
    guard state.teams[side].shots + by >= 0 else { return Ignored("shots cannot go below zero") }
    if let ignored = beginIfNeeded() { return ignored }
    state.teams[side].shots += by
    facts.append(.detailChanged)
    return nil
  }

  mutating func givePenalty(_ side: Side, length: Duration, player: String?) -> Ignored? {
    guard !rules.penalties.isEmpty else { return Ignored("\(rules.sport.rawValue) has no penalties on the clock") }
    guard Self.isShort(player) else { return Ignored("a player is up to 64 bytes") }
    guard length > .zero, length <= .seconds(3600) else { return Ignored("a penalty lasts up to an hour") }
    guard state.teams[side].penalties.count < 8 else { return Ignored("no slot is free for another penalty") }
    if let ignored = beginIfNeeded() { return ignored }
    var clock = GameClock(.down, showing: length)
    if state.clock?.isRunning == true { clock.start(at: now) }
    state.teams[side].penalties.append(Penalty(player: player, clock: clock))
    facts.append(.penaltyChanged(side))
    state.lastPlay = .penalty(side, player: player)
    return nil
  }

  mutating func endPenalty(_ side: Side, slot: Int) -> Ignored? {
    guard slot >= 1, slot <= state.teams[side].penalties.count else {
      return Ignored("no penalty in slot \(slot)")
    }
    state.teams[side].penalties.remove(at: slot - 1)
    facts.append(.penaltyChanged(side))
    return nil
  }

  /// A person says what a number is: a correction, whatever it was before.
  mutating func set(_ total: GameEvent.Total, _ side: Side, to value: Int) -> Ignored? {
    guard value >= 0, value <= 9999 else { return Ignored("a total is a number from 0 to 9999") }
    let before = state.teams[side]
    switch total {
    case .score, .sets:
      guard before.score != value else { return Ignored("it is \(value) already") }
      state.teams[side].score = value
      if state.life == .settling {
        noteFinalCorrection(side, from: before.score)
      } else {
        facts.append(.scoreCorrected(side, from: before.score, to: value))
        state.lastPlay = .corrected
      }
      return nil
    case .points: return setPoints(side, to: value)
    case .games: return setGames(side, to: value)
    case .fouls: state.teams[side].fouls = value
    case .timeoutsLeft: state.teams[side].timeoutsLeft = value
    case .shots: state.teams[side].shots = value
    case .shootoutGoals: state.teams[side].shootoutGoals = value
    }
    guard state.teams[side] != before else { return Ignored("it is \(value) already") }
    facts.append(.detailChanged)
    return nil
  }

  private mutating func setPoints(_ side: Side, to value: Int) -> Ignored? {
    switch state.play {
    case .sets(var sets):
      sets.points[side] = value
      state.play = .sets(sets)
    case .tennis(var tennis):
      tennis.points[side] = value
      state.play = .tennis(tennis)
    case .plain, .diamond, .gridiron, .derby, .shown: return Ignored("\(rules.sport.rawValue) has no points in a set")
    }
    facts.append(.pointWon(side))
    state.lastPlay = .corrected
    return nil
  }

  private mutating func setGames(_ side: Side, to value: Int) -> Ignored? {
    guard case .tennis(var tennis) = state.play else { return Ignored("\(rules.sport.rawValue) has no games in a set") }
    tennis.games[side] = value
    state.play = .tennis(tennis)
    facts.append(.pointWon(side))
    state.lastPlay = .corrected
    return nil
  }

  mutating func setLastPlay(_ text: String) -> Ignored? {
    guard text.utf8.count <= 500 else { return Ignored("the text is longer than 500 bytes") }
    state.lastPlay = text.isEmpty ? .none : .text(text)
    facts.append(.lastPlayChanged)
    return nil
  }
}

extension Rules {
  /// The scores that one press may add; empty where only reports count.
  package var scoreSteps: [Int] {
    switch scoring {
    case .points(let steps): steps
    case .sets, .tennis: [1]
    case .innings: [1, 2, 3, 4]
    case .reports: []
    }
  }
}
