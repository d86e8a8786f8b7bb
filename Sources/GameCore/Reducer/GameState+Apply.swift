extension GameState {
  /// The reducer: the state after an event, or the state as it was and why. Same events, same state.
  package mutating func apply(_ event: GameEvent, rules: Rules) -> Outcome {
    var reduction = Reduction(state: self, rules: rules, now: event.moment.instant, source: event.source.sort)
    if let ignored = reduction.perform(event.kind) { return .ignored(ignored) }
    self = reduction.state
    return .changed(GameChange(reduction.facts))
  }
}

/// One application of one event: works on a copy, so that an event that is refused halfway leaves nothing behind.
struct Reduction {
  var state: GameState
  let rules: Rules
  let now: Instant
  let source: Source.Sort
  var facts: [GameChange.Fact] = []

  init(state: GameState, rules: Rules, now: Instant, source: Source.Sort) {
    self.state = state
    self.rules = rules
    self.now = now
    self.source = source
  }

  mutating func perform(_ kind: GameEvent.Kind) -> Ignored? {
    if let ignored = obeyLife(kind) { return ignored }
    switch kind {
    case .scored(let side, let points, let player, let play):
      return score(side, points: points, player: player, play: play)
    case .fouled(let side, let by, _): return foul(side, by: by)
    case .shotTaken(let side, let by): return shot(side, by: by)
    case .penaltyGiven(let side, let length, let player): return givePenalty(side, length: length, player: player)
    case .penaltyOver(let side, let slot): return endPenalty(side, slot: slot)
    case .shootoutAttempted(let side, let scored): return attemptShootout(side, scored: scored)
    case .pitched(let pitch): return countPitch(pitch)
    case .jamStarted: return startJam()
    case .jamEnded: return endJam()
    case .clockStarted: return startClock()
    case .clockStopped: return stopClock()
    case .clockToggled: return state.clock?.isRunning == true ? stopClock() : startClock()
    case .clockSet(let reading): return setClock(reading)
    case .clockAdjusted(let by): return adjustClock(by)
    case .clockExpired: return expireClock()
    case .shotClockReset(let reading): return resetShotClock(reading)
    case .shotClockStopped: return stopShotClock()
    case .shotClockExpired: return expireShotClock()
    case .periodAdvanced: return advancePeriod()
    case .periodSet(let period): return setPeriod(period)
    case .periodClosed: return closePeriod()
    case .timeoutCalled(let side): return callTimeout(side)
    case .timeoutOver: return endTimeout()
    case .possessionSet(let side): return setPossession(side)
    case .possessionSwitched: return setPossession(state.possession.map(\.other) ?? .home)
    case .basesSet(let bases): return setBases(bases)
    case .downSet(let downs): return setDowns(downs)
    case .reviewStarted: return startReview()
    case .reviewOver: return endReview()
    case .delayed: return delay()
    case .resumed: return resume()
    case .hornSounded: return nil
    case .totalSet(let total, let side, let value): return set(total, side, to: value)
    case .lastPlaySet(let text): return setLastPlay(text)
    case .opened: return open()
    case .teamsNamed(let home, let away): return name(home: home, away: away)
    case .namesFrozen: return freezeNames()
    case .playStarted: return begin(startsClock: rules.clock?.startsWithPeriod == true)
    case .finalDeclared: return declareFinal(by: .score)
    case .retired(let side, _): return declareFinal(by: .retirement(of: side))
    case .gameEnded: return end()
    case .settled: return close()
    case .gameReset: return reset()
    case .calledOff(let cancellation, _): return callOff(cancellation)
    case .nextGameOpened: return openNext()
    case .undone, .redone, .corrected: return Ignored("the log answers this, not the game")
    case .heldConfirmed, .heldRejected: return Ignored("nothing is held")
    case .rebooted(let last, let away): return rebase(last: last, away: away)
    case .reported(let report): return take(report)
    }
  }

  /// The table of the game's life, the armed hold and the guard after a start.
  private func obeyLife(_ kind: GameEvent.Kind) -> Ignored? {
    guard let verb = kind.verb else { return nil }
    switch state.life.answer(to: verb) {
    case .stays, .becomes: return nil
    case .becomesIfArmed:
      guard kind.isArmed else { return Ignored("this needs a hold, so that a mere press cannot do it") }
      if let began = state.beganAt, now - began < rules.table.endGuard {
        return Ignored("refused just after a start; hold again")
      }
      return nil
    case .refused(let reason):
      // A score pressed after the final is a correction of it.
      if state.life == .settling, case .scored = kind { return nil }
      return Ignored(reason)
    }
  }
}
