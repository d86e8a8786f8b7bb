extension Reduction {
  /// What a console shows. Only what differs is taken over; a repetition changes nothing.
  mutating func take(_ reported: Report) -> Ignored? {
    let before = state
    let report = reported.bounded
    let isFirst = hasBegunBy(report)
    if isFirst, let ignored = beginIfNeeded() { return ignored }
    if case .shown(let shown) = state.play {
      takeTexts(report, shown)
    } else if state.life == .playing {
      takePeriod(report)
    }
    takeScores(report, isFirst: isFirst)
    if state.life != .settling {
      takeClocks(report)
      takeDetails(report)
    }
    return state == before ? Ignored("nothing new") : nil
  }

  /// A board that shows a score, a running clock or a later period shows a game that is being played.
  private func hasBegunBy(_ report: Report) -> Bool {
    guard state.life == .announced || state.life == .open else { return false }
    if report.clock?.running == true { return true }
    if let number = report.periodNumber, number > 1 { return true }
    return Side.allCases.contains { side in
      let team = report[side]
      return (team.score ?? 0) > 0 || (team.sets ?? 0) > 0 || (team.games ?? 0) > 0
        || (team.points ?? .number(0)) != .number(0)
    }
  }

  private mutating func takePeriod(_ report: Report) {
    guard !isSetSport else { return }
    let named = report.periodText.flatMap { rules.period(named: $0) }
    let numbered = report.periodNumber.flatMap { rules.period(numbered: $0) }
    let inning = report.inning.flatMap { rules.period(numbered: $0) }.map { top -> Period in
      report.isTopOfInning == false ? rules.bottom(of: top) : top
    }
    if let period = named ?? inning ?? numbered, period != state.lastPeriod {
      haltClock()
      startPeriod(period, startsClock: false)
    }
    switch (report.isRest, state.phase) {
    case (true, .live(let period)): endPeriod(period)
    case (false, .intermission(let rest)), (false, .halftime(let rest)):
      // The console's clock runs again and no other period is shown: play in that one goes on.
      if report.clock?.running == true {
        state.phase = .live(rest.after)
        facts.append(.phaseCorrected)
      }
    default: break
    }
  }

  private mutating func takeTexts(_ report: Report, _ old: Shown) {
    var shown = old
    let text = report.periodText ?? report.periodNumber.map { String($0) }
    if let text { shown.period = text }
    if let text = report.clockText { shown.clock = text }
    if shown != old {
      state.play = .shown(shown)
      facts.append(.detailChanged)
    }
  }

  private var isSetSport: Bool { rules.setsToWin != nil }

  private mutating func takeScores(_ report: Report, isFirst: Bool) {
    if isSetSport {
      takeSets(report)
    } else {
      for side in Side.allCases {
        if let score = report[side].score { take(score, side, isFirst: isFirst) }
      }
    }
    for side in Side.allCases {
      if let goals = report[side].shootoutGoals, goals != state.teams[side].shootoutGoals {
        state.teams[side].shootoutGoals = goals
        facts.append(.detailChanged)
      }
    }
  }

  /// A legal step up is a score; everything else is a correction, and no phone rings for it. Nor for the first picture
  /// of a game that was on before the console was heard.
  private mutating func take(_ score: Int, _ side: Side, isFirst: Bool) {
    let before = state.teams[side].score
    guard score >= 0, score != before else { return }
    state.teams[side].score = score
    if state.life == .settling { return noteFinalCorrection(side, from: before) }
    let step = score - before
    if isFirst {
      facts.append(.scoreCorrected(side, from: before, to: score))
      state.lastPlay = .none
    } else if rules.isLegalStep(step) {
      facts.append(.scored(side, points: step, total: score, player: nil, play: nil))
      state.lastPlay = .scored(side, points: step, player: nil, play: nil)
    } else {
      facts.append(.scoreCorrected(side, from: before, to: score))
      state.lastPlay = .corrected
    }
  }

  private mutating func takeSets(_ report: Report) {
    let before = state
    let won = Side.allCases.first { side in
      (report[side].sets ?? report[side].score).map { $0 > before.teams[side].score } ?? false
    }
    for side in Side.allCases {
      let sets = report[side].sets ?? report[side].score
      if let sets, sets >= 0 { state.teams[side].score = sets }
      takePoints(report[side], side)
    }
    guard state.play != before.play || state.score != before.score else { return }
    if let won {
      finishReportedSet(before)
      facts.append(.setWon(won))
      state.lastPlay = .setWon(won)
    } else if state.score != before.score {
      for side in Side.allCases where state.teams[side].score != before.teams[side].score {
        facts.append(.scoreCorrected(side, from: before.teams[side].score, to: state.teams[side].score))
      }
      state.lastPlay = .corrected
    } else {
      tellReportedPoint(before.tally, state.tally)
    }
    moveToReportedSet()
  }

  private mutating func tellReportedPoint(_ old: GameState.Tally, _ new: GameState.Tally) {
    if let side = Side.allCases.first(where: { new.games[$0] > old.games[$0] }) {
      facts.append(.gameWon(side))
      state.lastPlay = .gameWon(side)
    } else if let side = Side.allCases.first(where: { new.points[$0] > old.points[$0] }) {
      facts.append(.pointWon(side))
      state.lastPlay = .scored(side, points: 1, player: nil, play: nil)
    } else {
      facts.append(.detailChanged)
    }
  }

  /// The points or games shown before the set was counted are its result.
  private mutating func finishReportedSet(_ before: GameState) {
    switch (state.play, before.play) {
    case (.sets(var sets), .sets(let old)):
      if old.finished.count < state.score.home + state.score.away { sets.finished.append(old.points) }
      state.play = .sets(sets)
    case (.tennis(var tennis), .tennis(let old)):
      if old.finished.count < state.score.home + state.score.away { tennis.finished.append(old.games) }
      state.play = .tennis(tennis)
    default: break
    }
  }

  /// The set in play is the one after those won.
  private mutating func moveToReportedSet() {
    guard state.life == .playing, !isDecidedMatch else { return }
    let period = Period.regular(min(state.score.home + state.score.away + 1, rules.periods.count))
    if state.phase != .live(period), state.lastPeriod != period {
      state.phase = .live(period)
      facts.append(.periodStarted(period))
    }
  }

  private mutating func takePoints(_ team: Report.Side, _ side: Side) {
    switch state.play {
    case .sets(var sets):
      if case .number(let points) = team.points, points >= 0 { sets.points[side] = points }
      state.play = .sets(sets)
    case .tennis(var tennis):
      if let games = team.games, games >= 0 { tennis.games[side] = games }
      if let points = team.points { tennis.take(points, side) }
      state.play = .tennis(tennis)
    case .plain, .diamond, .gridiron, .derby, .shown: break
    }
  }

  private mutating func takeClocks(_ report: Report) {
    if let reported = report.clock { takeClock(reported) }
    if let reported = report.shotClock, !rules.shotClock.isEmpty {
      let runs = reported.running ?? (state.clock?.isRunning == true)
      let clock = GameClock(.down, showing: reported.reading, motion: runs ? .running(since: now) : .stopped)
      if !clock.isOnCourse(with: state.shotClock, at: now) {
        state.shotClock = clock
        facts.append(.shotClockChanged)
      }
    }
    if let reported = report.restClock { takeRestClock(reported) }
  }

  private mutating func takeClock(_ reported: Report.Clock) {
    guard let direction = rules.clock?.direction, reported.reading >= .zero else { return }
    let runs = reported.running ?? (state.clock?.isRunning == true)
    let motion: GameClock.Motion = runs && reported.reading > .zero ? .running(since: now) : .stopped
    let clock = GameClock(direction, showing: reported.reading, motion: motion)
    guard !clock.isOnCourse(with: state.clock, at: now) else { return }
    let wasRunning = state.clock?.isRunning ?? false
    state.clock = clock
    if clock.isRunning != wasRunning {
      facts.append(clock.isRunning ? .clockStarted : .clockStopped)
      if clock.isRunning { startFollowers() } else { stopFollowers() }
    } else {
      facts.append(.clockSet)
    }
    if clock.isRunning { state.expiry = nil }
  }

  private mutating func takeRestClock(_ reported: Report.Clock) {
    let runs = reported.running ?? true
    let clock = GameClock(.down, showing: reported.reading, motion: runs ? .running(since: now) : .stopped)
    if let timeout = state.timeout {
      guard !clock.isOnCourse(with: timeout.clock, at: now) else { return }
      state.timeout = Timeout(side: timeout.side, clock: clock)
    } else if case .intermission(let rest) = state.phase {
      guard !clock.isOnCourse(with: rest.clock, at: now) else { return }
      state.phase = .intermission(Rest(after: rest.after, since: rest.since, clock: clock))
    } else if case .halftime(let rest) = state.phase {
      guard !clock.isOnCourse(with: rest.clock, at: now) else { return }
      state.phase = .halftime(Rest(after: rest.after, since: rest.since, clock: clock))
    } else {
      return
    }
    facts.append(.breakClockChanged)
  }

  private mutating func takeDetails(_ report: Report) {
    let before = state
    takeTimeout(report)
    switch report.possession {
    case nil: break
    case .home: if rules.possession != .none { state.possession = .home }
    case .away: if rules.possession != .none { state.possession = .away }
    case .some(.none): if rules.possession != .none { state.possession = nil }
    }
    for side in Side.allCases {
      let team = report[side]
      if let fouls = team.fouls { state.teams[side].fouls = max(fouls, 0) }
      if let left = team.timeoutsLeft { state.teams[side].timeoutsLeft = max(left, 0) }
      if let taken = team.timeoutsTaken { state.teams[side].timeoutsTaken = max(taken, 0) }
      if let shots = team.shots { state.teams[side].shots = max(shots, 0) }
      if let bonus = team.bonus { state.teams[side].reportedBonus = bonus }
      if let penalties = team.penalties { take(penalties, side) }
    }
    takeCount(report)
    if state.teams != before.teams || state.play != before.play || state.possession != before.possession {
      facts.append(.detailChanged)
    }
  }

  private mutating func takeTimeout(_ report: Report) {
    switch (report.isTimeout, state.timeout) {
    case (true, nil):
      guard isPlaying else { return }
      state.timeout = Timeout(side: nil, clock: nil)
      if case .grace = state.expiry { state.expiry = .keptOpen }
      state.lastPlay = .timeout(nil)
      facts.append(.timeoutCalled(nil))
    case (false, .some): forgetTimeout()
    default: break
    }
  }

  private mutating func takeCount(_ report: Report) {
    if case .diamond(var diamond) = state.play {
      if let balls = report.balls { diamond.balls = max(balls, 0) }
      if let strikes = report.strikes { diamond.strikes = max(strikes, 0) }
      if let outs = report.outs { diamond.outs = max(outs, 0) }
      if let bases = report.bases { diamond.bases = bases }
      state.play = .diamond(diamond)
    }
    if case .gridiron(var downs) = state.play {
      if let down = report.down { downs.down = down }
      if let distance = report.distance { downs.distance = distance }
      if let ballOn = report.ballOn { downs.ballOn = ballOn }
      state.play = .gridiron(downs)
    }
  }

  /// Penalties as a list of what is left of each; a list that is on course changes nothing.
  private mutating func take(_ penalties: [Report.ReportedPenalty], _ side: Side) {
    let old = state.teams[side].penalties
    let runs = state.clock?.isRunning == true
    let new = penalties.prefix(8).enumerated().map { slot, reported -> Penalty in
      let clock = GameClock(.down, showing: reported.remaining, motion: runs ? .running(since: now) : .stopped)
      let isSame = old.indices.contains(slot) && clock.isOnCourse(with: old[slot].clock, at: now)
      return Penalty(player: reported.player, clock: isSame ? old[slot].clock : clock)
    }
    guard new != old else { return }
    state.teams[side].penalties = new
    if new.count != old.count { facts.append(.penaltyChanged(side)) }
  }
}

extension GameClock {
  /// Both would show nearly the same from here on: consoles count whole seconds, so within one second nothing is new.
  func isOnCourse(with other: GameClock?, at now: Instant) -> Bool {
    guard let other, direction == other.direction, isRunning == other.isRunning else { return false }
    let apart = reading(at: now) - other.reading(at: now)
    return isRunning ? apart < .seconds(1) && apart > .seconds(-1) : apart == .zero
  }
}

extension TennisPlay {
  /// A spoken point. Advantage is one more than the other side's forty.
  mutating func take(_ spoken: TennisPoint, _ side: Side) {
    switch spoken {
    case .advantage:
      points[side.other] = max(points[side.other], 3)
      points[side] = points[side.other] + 1
    case .number(let number):
      if isTiebreak {
        points[side] = max(number, 0)
        return
      }
      switch number {
      case 0: points[side] = 0
      case 15: points[side] = 1
      case 30: points[side] = 2
      case 40: points[side] = 3
      default:
        isTiebreak = true
        points[side] = max(number, 0)
      }
    }
  }
}

extension Rules {
  package func isLegalStep(_ step: Int) -> Bool {
    if case .reports = scoring { return step > 0 }
    return scoreSteps.contains(step)
  }

  func bottom(of top: Period) -> Period {
    switch top {
    case .regular(let number): .regular(number + 1)
    case .overtime(let number): .overtime(number + 1)
    case .shootout: .shootout
    }
  }
}
