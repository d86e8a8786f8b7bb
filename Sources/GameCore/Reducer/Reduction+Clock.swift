extension Reduction {
  mutating func startClock() -> Ignored? {
    guard let clock = state.clock else { return Ignored("no game clock runs here") }
    guard !clock.isRunning || !isPlaying else { return Ignored("the clock is running already") }
    if let ignored = enterPlay() { return ignored }
    guard var running = state.clock else { return nil }
    if running.isRunning { return nil }
    if running.direction == .down, running.reading(at: now) == .zero {
      return Ignored("the clock shows 0:00; set it first")
    }
    running.start(at: now)
    state.clock = running
    state.expiry = nil
    if state.timeout != nil { forgetTimeout() }
    state.beganAt = now
    startFollowers()
    facts.append(.clockStarted)
    return nil
  }

  /// Play begins, resumes, or the period after the break starts, since the clock does.
  private mutating func enterPlay() -> Ignored? {
    switch state.phase {
    case .live: return nil
    case .scheduled: return begin(startsClock: false)
    case .intermission, .halftime: return advancePeriod()
    case .review: return endReview()
    case .delayed(.beforeStart): return begin(startsClock: false)
    case .delayed: return resume()
    case .finished, .cancelled: return Ignored("the game is final")
    }
  }

  mutating func stopClock() -> Ignored? {
    guard let clock = state.clock else { return Ignored("no game clock runs here") }
    guard clock.isRunning else { return Ignored("the clock is stopped already") }
    haltClock()
    return nil
  }

  /// Stops the game clock and what runs with it; nothing when it is stopped.
  mutating func haltClock() {
    guard var clock = state.clock, clock.isRunning else { return }
    clock.stop(at: now)
    state.clock = clock
    stopFollowers()
    facts.append(.clockStopped)
  }

  /// Shot clock and penalties run with the game clock.
  mutating func startFollowers() {
    if var shotClock = state.shotClock, shotClock.reading(at: now) > .zero {
      shotClock.start(at: now)
      state.shotClock = shotClock
    }
    for side in Side.allCases {
      for slot in state.teams[side].penalties.indices { state.teams[side].penalties[slot].clock.start(at: now) }
    }
  }

  mutating func stopFollowers() {
    state.shotClock?.stop(at: now)
    for side in Side.allCases {
      for slot in state.teams[side].penalties.indices { state.teams[side].penalties[slot].clock.stop(at: now) }
    }
  }

  mutating func setClock(_ reading: Duration) -> Ignored? {
    guard var clock = state.clock else { return Ignored("no game clock runs here") }
    guard reading >= .zero, reading <= .seconds(36000) else { return Ignored("a clock shows 0:00 to 600:00") }
    clock.set(reading, at: now)
    state.clock = clock
    if reading > .zero { state.expiry = nil }
    facts.append(.clockSet)
    return nil
  }

  mutating func adjustClock(_ by: Duration) -> Ignored? {
    guard let clock = state.clock else { return Ignored("no game clock runs here") }
    guard by >= .seconds(-36_000), by <= .seconds(36_000) else { return Ignored("a clock is adjusted by up to 600:00") }
    return setClock(max(clock.reading(at: now) + by, .zero))
  }

  /// The clock has come to the end of its period. The event is stamped with the instant at which it was due.
  mutating func expireClock() -> Ignored? {
    guard case .live(let period) = state.phase, var clock = state.clock, clock.isRunning,
      let closing = rules.closingReading(of: period), rules.clock?.expires == true
    else { return Ignored("no clock can run out now") }
    let reading = clock.reading(at: now)
    guard clock.direction == .down ? reading <= closing : reading >= closing else {
      return Ignored("the clock has not run out")
    }
    clock.stop(at: now)
    clock.set(closing, at: now)
    state.clock = clock
    stopFollowers()
    if case .derby(let jam) = state.play, jam.clock != nil {
      state.expiry = .keptOpen
    } else {
      state.expiry = .grace(until: now + rules.table.grace)
    }
    facts.append(.clockExpired)
    return nil
  }

  mutating func resetShotClock(_ reading: Duration?) -> Ignored? {
    guard let usual = rules.shotClock.first else { return Ignored("\(rules.sport.rawValue) has no shot clock") }
    let reading = reading ?? usual
    guard reading > .zero, reading <= .seconds(120) else { return Ignored("a shot clock shows up to 120 seconds") }
    let runs = state.clock?.isRunning == true
    state.shotClock = GameClock(.down, showing: reading, motion: runs ? .running(since: now) : .stopped)
    facts.append(.shotClockChanged)
    return nil
  }

  mutating func stopShotClock() -> Ignored? {
    guard var clock = state.shotClock, clock.isRunning else { return Ignored("the shot clock is not running") }
    clock.stop(at: now)
    state.shotClock = clock
    facts.append(.shotClockChanged)
    return nil
  }

  mutating func expireShotClock() -> Ignored? {
    guard var clock = state.shotClock, clock.isRunning, clock.reading(at: now) == .zero else {
      return Ignored("the shot clock has not run out")
    }
    clock.stop(at: now)
    state.shotClock = clock
    facts.append(.shotClockChanged)
    return nil
  }

  /// Another boot's instants: every clock and deadline is told anew.
  mutating func rebase(last: Instant, away: Duration?) -> Ignored? {
    let runs = away != nil
    let origin = now - (away ?? .zero)
    func moved(_ instant: Instant) -> Instant { origin + (instant - last) }
    func moved(_ clock: GameClock?) -> GameClock? {
      var clock = clock
      clock?.rebase(from: last, to: origin, keepsRunning: runs)
      return clock
    }
    func moved(_ rest: Rest) -> Rest { Rest(after: rest.after, since: moved(rest.since), clock: moved(rest.clock)) }
    func moved(_ closing: Closing) -> Closing {
      guard case .settling(let period, let until, let latest) = closing else { return closing }
      return .settling(last: period, until: moved(until), latest: moved(latest))
    }
    state.clock = moved(state.clock)
    state.shotClock = moved(state.shotClock)
    if let timeout = state.timeout { state.timeout = Timeout(side: timeout.side, clock: moved(timeout.clock)) }
    for side in Side.allCases {
      for slot in state.teams[side].penalties.indices {
        state.teams[side].penalties[slot].clock.rebase(from: last, to: origin, keepsRunning: runs)
      }
    }
    if case .derby(var jam) = state.play {
      jam.clock = moved(jam.clock)
      state.play = .derby(jam)
    }
    if case .grace(let until) = state.expiry { state.expiry = .grace(until: moved(until)) }
    state.beganAt = state.beganAt.map { moved($0) }
    switch state.phase {
    case .intermission(let rest): state.phase = .intermission(moved(rest))
    case .halftime(let rest): state.phase = .halftime(moved(rest))
    case .delayed(.rest(let rest, let halftime)): state.phase = .delayed(.rest(moved(rest), halftime: halftime))
    case .finished(let closing, let decision): state.phase = .finished(moved(closing), by: decision)
    case .cancelled(let cancellation, let closing): state.phase = .cancelled(cancellation, moved(closing))
    case .scheduled, .live, .review, .delayed(.beforeStart), .delayed(.play): break
    }
    facts.append(.rebased)
    return nil
  }
}
