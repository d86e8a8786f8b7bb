extension Reduction {
  /// A point at tennis or padel, and the game, the set and the match that it may end.
  mutating func winPoint(_ side: Side, _ tennis: TennisPlay) -> Ignored? {
    guard case .tennis(let tennisRules) = rules.scoring else { return Ignored("no games are played here") }
    if isDecidedMatch { return Ignored("the match is decided; undo the last point or declare the final") }
    guard case .live(let period) = state.phase else { return Ignored("play is interrupted; resume it first") }
    var tennis = tennis
    tennis.points[side] += 1
    facts.append(.pointWon(side))
    state.lastPlay = .scored(side, points: 1, player: nil, play: nil)
    passServeInTiebreak(tennis)
    guard tennisRules.isGameWon(by: side, tennis) else {
      state.play = .tennis(tennis)
      return nil
    }
    winGame(side, &tennis, tennisRules, in: period)
    return nil
  }

  /// After the first point of a tie-break, and after every second one from there, the other side serves.
  private mutating func passServeInTiebreak(_ tennis: TennisPlay) {
    let played = tennis.points.home + tennis.points.away
    if tennis.isTiebreak, played % 2 == 1 { state.possession = state.possession?.other }
  }

  private mutating func winGame(
    _ side: Side, _ tennis: inout TennisPlay, _ tennisRules: TennisRules, in period: Period
  ) {
    let wasTiebreak = tennis.isTiebreak
    let points = tennis.points
    tennis.games[side] += 1
    tennis.points = Pair(home: 0, away: 0)
    tennis.isTiebreak = false
    facts.append(.gameWon(side))
    state.lastPlay = .gameWon(side)
    if wasTiebreak {
      state.possession = tennis.tiebreakServer?.other
    } else {
      state.possession = state.possession?.other
    }
    let isMatchTiebreak = wasTiebreak && rules.isLastRegular(period) && tennisRules.lastSetTiebreakTo != nil
    if isMatchTiebreak { tennis.games = points }
    guard wasTiebreak || tennisRules.isSetWon(by: side, games: tennis.games) else {
      tennis.isTiebreak = tennis.games.isTied && tennis.games.home == tennisRules.gamesToWin
      tennis.tiebreakServer = tennis.isTiebreak ? state.possession : nil
      state.play = .tennis(tennis)
      return
    }
    tennis.finished.append(tennis.games)
    tennis.games = Pair(home: 0, away: 0)
    state.teams[side].score += 1
    facts.append(.setWon(side))
    state.lastPlay = .setWon(side)
    startNextSet(after: period, &tennis, tennisRules)
  }

  private mutating func startNextSet(after period: Period, _ tennis: inout TennisPlay, _ tennisRules: TennisRules) {
    tennis.tiebreakServer = nil
    let lastPlay = state.lastPlay
    if isDecidedMatch {
      state.play = .tennis(tennis)
      endPeriod(period)
    } else if let next = rules.period(after: period, isTied: false) {
      tennis.isTiebreak = rules.isLastRegular(next) && tennisRules.lastSetTiebreakTo != nil
      tennis.tiebreakServer = tennis.isTiebreak ? state.possession : nil
      state.play = .tennis(tennis)
      facts.append(.periodEnded(period))
      startPeriod(next, startsClock: false)
    }
    state.lastPlay = lastPlay
  }

  mutating func takeBackPoint(_ side: Side, _ tennis: TennisPlay, by points: Int) -> Ignored? {
    guard isPlaying else { return Ignored("no set is on; undo the last point instead") }
    guard tennis.points[side] >= points else { return Ignored("the score cannot go below zero; undo instead") }
    var tennis = tennis
    tennis.points[side] -= points
    state.play = .tennis(tennis)
    facts.append(.pointWon(side))
    state.lastPlay = .corrected
    return nil
  }
}

extension TennisRules {
  /// Whether the point just counted has won the game.
  package func isGameWon(by side: Side, _ tennis: TennisPlay) -> Bool {
    let own = tennis.points[side]
    let lead = own - tennis.points[side.other]
    if tennis.isTiebreak {
      let target = lastSetTiebreakTo.map { $0 > tiebreakTo && tennis.isMatchTiebreak ? $0 : tiebreakTo } ?? tiebreakTo
      return own >= target && lead >= 2
    }
    return decidingPoint ? own >= 4 && lead >= 1 : own >= 4 && lead >= 2
  }

  package func isSetWon(by side: Side, games: Pair<Int>) -> Bool {
    let own = games[side]
    return own >= gamesToWin && own - games[side.other] >= 2
  }
}

extension TennisPlay {
  /// The tie-break is the whole set.
  package var isMatchTiebreak: Bool { isTiebreak && games == Pair(home: 0, away: 0) }

  /// `15`, `A`, `7`: as it is spoken and shown.
  package func spoken(_ side: Side) -> String {
    let own = points[side]
    let other = points[side.other]
    if isTiebreak { return String(own) }
    if own >= 3, other >= 3 { return own > other ? "A" : "40" }
    switch own {
    case 0: return "0"
    case 1: return "15"
    case 2: return "30"
    default: return "40"
    }
  }
}
