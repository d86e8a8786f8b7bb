extension Reduction {
  var isPlaying: Bool {
    if case .live = state.phase { return true }
    return false
  }

  /// A first score, foul or clock begins the game: nothing that was pressed is lost because nobody pressed start.
  mutating func beginIfNeeded() -> Ignored? {
    switch state.phase {
    case .scheduled, .delayed(.beforeStart): begin(startsClock: false)
    case .live, .intermission, .halftime, .review, .delayed(.play), .delayed(.rest), .finished, .cancelled: nil
    }
  }

  mutating func begin(startsClock: Bool) -> Ignored? {
    startPeriod(rules.firstPeriod, startsClock: startsClock)
    return nil
  }

  /// The period is on, with its clock at the beginning, and what is counted for each part of the game is counted anew.
  mutating func startPeriod(_ period: Period, startsClock: Bool) {
    let isFirst = !hasBegun
    // A reading that was set before the first period is what the period begins with.
    if !isFirst || period != rules.firstPeriod || state.clock == nil {
      state.clock = rules.openingClock(of: period)
    }
    state.phase = .live(period)
    state.expiry = nil
    state.timeout = nil
    state.shotClock = rules.shotClock.first.map { GameClock(.down, showing: $0) }
    resetCounts(for: period, isFirst: isFirst)
    if !isFirst { preparePlay(for: period) }
    state.beganAt = now
    state.lastPlay = .periodStarted(period)
    facts.append(isFirst ? .playStarted : .periodStarted(period))
    if startsClock, period != .shootout {
      state.clock?.start(at: now)
      startFollowers()
      facts.append(.clockStarted)
    }
  }

  private var hasBegun: Bool {
    switch state.life {
    case .announced, .open: false
    case .playing, .settling, .ended: true
    }
  }

  /// Team fouls and time-outs begin again where the rules say so.
  private mutating func resetCounts(for period: Period, isFirst: Bool) {
    for side in Side.allCases {
      state.teams[side].reportedBonus = nil
      if isFirst || rules.fouls.isReset(at: period, in: rules.periods) { state.teams[side].fouls = 0 }
      if let allowance = rules.timeouts.allowance(at: period, in: rules.periods) {
        state.teams[side].timeoutsLeft = allowance
      }
    }
  }

  private mutating func preparePlay(for period: Period) {
    switch state.play {
    case .sets(var sets):
      sets.points = Pair(home: 0, away: 0)
      state.play = .sets(sets)
    case .tennis, .plain, .derby, .shown: break
    case .diamond:
      state.play = .diamond(Diamond())
      state.possession = rules.battingSide(in: period)
    case .gridiron: state.play = .gridiron(Downs())
    }
  }

  /// The period is over; what follows it is another press, never an automatism.
  mutating func endPeriod(_ period: Period) {
    haltClock()
    state.expiry = nil
    state.timeout = nil
    let isHalftime = rules.isHalftime(after: period)
    let length = isHalftime ? rules.periods.halftimeLength : rules.periods.breakLength
    let isLast = rules.period(after: period, isTied: state.isLevel) == nil
    let clock = isLast ? nil : length.map { GameClock(.down, showing: $0, motion: .running(since: now)) }
    let rest = Rest(after: period, since: now, clock: clock)
    state.phase = isHalftime ? .halftime(rest) : .intermission(rest)
    state.lastPlay = .periodEnded(period)
    facts.append(.periodEnded(period))
  }

  mutating func advancePeriod() -> Ignored? {
    switch state.phase {
    case .scheduled, .delayed(.beforeStart): return begin(startsClock: rules.clock?.startsWithPeriod == true)
    case .live(let period):
      if case .sets = state.play { return Ignored("a set ends with its last point") }
      if case .tennis = state.play { return Ignored("a set ends with its last point") }
      endPeriod(period)
      return nil
    case .intermission(let rest), .halftime(let rest):
      // A press that meant to end the period must not start the next one, as the clock was faster.
      guard now - rest.since >= rules.table.endGuard else {
        return Ignored("\(rules.name(of: rest.after)) has just ended; press again to start what follows")
      }
      return startPeriod(after: rest.after)
    case .review: return Ignored("a review is on; end it first")
    case .delayed: return Ignored("the game is delayed; resume it first")
    case .finished, .cancelled: return Ignored("the game is final")
    }
  }

  mutating func startPeriod(after period: Period) -> Ignored? {
    if isDecidedMatch { return Ignored("the match is decided; declare its final") }
    guard let next = rules.period(after: period, isTied: state.isLevel) else {
      return Ignored("nothing follows \(rules.name(of: period)) as the score stands; declare the final")
    }
    startPeriod(next, startsClock: rules.clock?.startsWithPeriod == true)
    return nil
  }

  mutating func setPeriod(_ period: Period) -> Ignored? {
    guard rules.exists(period) else { return Ignored("\(rules.sport.rawValue) has no such period") }
    if state.phase == .live(period) { return Ignored("\(rules.name(of: period)) is on already") }
    haltClock()
    startPeriod(period, startsClock: false)
    return nil
  }

  /// The grace has passed without anything that keeps the period open.
  mutating func closePeriod() -> Ignored? {
    guard case .live(let period) = state.phase, case .grace(let until) = state.expiry else {
      return Ignored("no period is waiting for its end")
    }
    guard now >= until else { return Ignored("the grace has not passed") }
    endPeriod(period)
    return nil
  }

  mutating func callTimeout(_ side: Side?) -> Ignored? {
    guard isPlaying else { return Ignored("a time-out needs a period that is on") }
    guard state.timeout == nil else { return Ignored("a time-out is running already") }
    haltClock()
    if case .derby(var jam) = state.play, jam.clock != nil {
      jam.clock = nil
      state.play = .derby(jam)
    }
    if case .grace = state.expiry { state.expiry = .keptOpen }
    let clock = rules.timeouts.length.map { GameClock(.down, showing: $0, motion: .running(since: now)) }
    state.timeout = Timeout(side: side, clock: clock)
    if let side {
      state.teams[side].timeoutsTaken += 1
      if let left = state.teams[side].timeoutsLeft { state.teams[side].timeoutsLeft = max(left - 1, 0) }
    }
    state.lastPlay = .timeout(side)
    facts.append(.timeoutCalled(side))
    return nil
  }

  mutating func endTimeout() -> Ignored? {
    guard state.timeout != nil else { return Ignored("no time-out is running") }
    forgetTimeout()
    return nil
  }

  /// Nobody is to read of a time-out that is over.
  mutating func forgetTimeout() {
    state.timeout = nil
    if case .timeout = state.lastPlay { state.lastPlay = .none }
    facts.append(.timeoutOver)
  }

  mutating func startReview() -> Ignored? {
    guard case .live(let period) = state.phase else { return Ignored("a review needs a period that is on") }
    haltClock()
    state.phase = .review(period)
    state.lastPlay = .review
    facts.append(.reviewStarted)
    return nil
  }

  mutating func endReview() -> Ignored? {
    guard case .review(let period) = state.phase else { return Ignored("no review is on") }
    state.phase = .live(period)
    if state.lastPlay == .review { state.lastPlay = .none }
    facts.append(.reviewOver)
    return nil
  }

  mutating func delay() -> Ignored? {
    switch state.phase {
    case .scheduled(let opening): state.phase = .delayed(.beforeStart(opening))
    case .live(let period), .review(let period):
      haltClock()
      state.phase = .delayed(.play(period))
    case .intermission(let rest): state.phase = .delayed(.rest(rest, halftime: false))
    case .halftime(let rest): state.phase = .delayed(.rest(rest, halftime: true))
    case .delayed: return Ignored("the game is delayed already")
    case .finished, .cancelled: return Ignored("the game is final")
    }
    state.lastPlay = .delayed
    facts.append(.delayed)
    return nil
  }

  mutating func resume() -> Ignored? {
    guard case .delayed(let suspended) = state.phase else { return Ignored("the game is not delayed") }
    switch suspended {
    case .beforeStart(let opening): state.phase = .scheduled(opening)
    case .play(let period): state.phase = .live(period)
    case .rest(let rest, let halftime): state.phase = halftime ? .halftime(rest) : .intermission(rest)
    }
    state.lastPlay = .resumed
    facts.append(.resumed)
    return nil
  }

  mutating func setPossession(_ side: Side?) -> Ignored? {
    guard rules.possession != .none else { return Ignored("\(rules.sport.rawValue) shows no possession") }
    guard state.possession != side else { return Ignored("it is so already") }
    state.possession = side
    facts.append(.detailChanged)
    return nil
  }

  mutating func setDowns(_ downs: Downs) -> Ignored? {
    guard case .gridiron = state.play else { return Ignored("\(rules.sport.rawValue) has no downs") }
    guard (1...4).contains(downs.down ?? 1), (0...99).contains(downs.distance ?? 0),
      (0...50).contains(downs.ballOn ?? 0)
    else { return Ignored("downs are 1 to 4, the distance is up to 99, the ball is on 0 to 50") }
    state.play = .gridiron(downs)
    facts.append(.detailChanged)
    return nil
  }

  mutating func startJam() -> Ignored? {
    guard case .derby(var jam) = state.play else { return Ignored("\(rules.sport.rawValue) has no jams") }
    guard jam.clock == nil else { return Ignored("a jam is on already") }
    if let ignored = beginIfNeeded() { return ignored }
    guard isPlaying else { return Ignored("a jam needs a period that is on") }
    jam.number += 1
    jam.clock = GameClock(.down, showing: .seconds(120), motion: .running(since: now))
    state.play = .derby(jam)
    if state.timeout != nil { forgetTimeout() }
    if var clock = state.clock, !clock.isRunning, clock.reading(at: now) > .zero {
      clock.start(at: now)
      state.clock = clock
      state.beganAt = now
      facts.append(.clockStarted)
    } else {
      facts.append(.detailChanged)
    }
    return nil
  }

  /// The period's clock may have run out during the jam: then its end ends the period.
  mutating func endJam() -> Ignored? {
    guard case .derby(var jam) = state.play, jam.clock != nil else { return Ignored("no jam is on") }
    jam.clock = nil
    state.play = .derby(jam)
    facts.append(.detailChanged)
    if state.expiry == .keptOpen { state.expiry = .grace(until: now + rules.table.grace) }
    return nil
  }
}

extension FoulRules {
  /// Whether team fouls begin again with that period.
  package func isReset(at period: Period, in periods: Periods) -> Bool {
    switch period {
    case .regular(let number):
      switch reset {
      case .period: return true
      case .half: return periods.halftimeAfter.map { number == $0 + 1 } ?? false
      case .never: return false
      }
    case .overtime: return !overtimeContinues
    case .shootout: return false
    }
  }
}

extension TimeoutRules {
  /// The time-outs a team has from that period on; nil when it keeps what it has.
  package func allowance(at period: Period, in periods: Periods) -> Int? {
    guard let allowance, let first = allowance.first, let last = allowance.last else { return nil }
    switch period {
    case .regular(1): return first
    case .regular(let number):
      switch reset {
      case .period: return number <= allowance.count ? allowance[number - 1] : last
      case .half: return number - 1 == periods.halftimeAfter ? last : nil
      case .never: return nil
      }
    case .overtime: return inOvertime
    case .shootout: return nil
    }
  }
}
