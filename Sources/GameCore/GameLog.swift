/// The accepted events of one game, in order, and the state that is their fold. Undo is the same fold without one of
/// them, so it gives back every field there is. Checkpoints keep a press and an undo cheap however long the game.
package struct GameLog: Sendable {
  package let rules: Rules
  /// In the order of acceptance; the place, from 1, is the event's sequence where none was lost.
  package private(set) var events: [GameEvent] = []
  package private(set) var state: GameState
  /// The newest thing that happened is an undo or a correction of the score: the headline says so.
  package private(set) var isMarkedCorrected = false
  /// When the log last took back or corrected something; corrections after the final prolong the settling.
  package private(set) var correctedAt: Instant?

  private let opening: GameState
  /// Events of the run before that the store could not give back: their numbers are not given again.
  private var lost: Int64 = 0
  private var effects: [Effect] = []
  private var placeOf: [String: Int] = [:]
  private var checkpoints: [GameState] = []
  private var done: [Step] = []
  private var undone: [Step] = []
  private var undoneExpiries: Set<Instant> = []

  private static let spacing = 64

  /// What stands of the event at a place. There is one for each event, so the rare case lies elsewhere.
  private enum Effect: Hashable, Sendable {
    case asWritten
    case removed
    indirect case replaced(GameEvent.Kind)
  }

  /// One thing that undo takes back.
  private enum Step: Hashable, Sendable {
    case event(Int)
    /// A correction of an event, with what stood there before and what it put there.
    indirect case correction(Int, before: Effect, after: Effect)
  }

  package init(rules: Rules, names: Pair<Team?> = Pair(home: nil, away: nil), opening: Opening = .announced) {
    self.rules = rules
    self.opening = GameState(rules: rules, names: names, opening: opening)
    state = self.opening
  }

  /// The log as the store gives it back, with the highest number that it holds.
  package init(
    rules: Rules, names: Pair<Team?> = Pair(home: nil, away: nil), opening: Opening = .announced,
    restoring events: [GameEvent], upTo lastSequence: Int64 = 0
  ) {
    self.init(rules: rules, names: names, opening: opening)
    for event in events { restore(event) }
    lost = max(0, lastSequence - Int64(self.events.count))
  }

  /// The number of the newest event; 0 when there is none.
  package var sequence: Int64 { Int64(events.count) + lost }

  /// The state with a headline that names a correction as one.
  package var published: GameState {
    guard isMarkedCorrected, state.life == .playing else { return state }
    var marked = state
    marked.lastPlay = .corrected
    return marked
  }

  package func contains(_ id: String) -> Bool { placeOf[id] != nil }

  /// Takes an event; the log grows by it exactly when the answer is `changed`.
  package mutating func append(_ event: GameEvent) -> Outcome {
    guard placeOf[event.id] == nil else { return .ignored(Ignored("this event has been counted already")) }
    if let amended = amend(by: event) { return amended }
    let lastPlay = state.lastPlay
    let outcome = state.apply(event, rules: rules)
    guard case .changed = outcome else { return outcome }
    if state.lastPlay != lastPlay || event.kind.isUndoable { isMarkedCorrected = false }
    if event.kind.isUndoable {
      done.append(.event(events.count))
      undone.removeAll(keepingCapacity: true)
    }
    record(event)
    return outcome
  }

  /// Whether undo has taken back the expiry of a clock that was due at this instant: it does not run out twice.
  package func hasUndoneExpiry(due: Instant) -> Bool { undoneExpiries.contains(due) }

  /// What the store holds was accepted once: it keeps its place even if newer rules make nothing of it.
  private mutating func restore(_ event: GameEvent) {
    if case .ignored = append(event), placeOf[event.id] == nil { record(event) }
  }

  private mutating func record(_ event: GameEvent) {
    placeOf[event.id] = events.count
    events.append(event)
    effects.append(.asWritten)
    if events.count % Self.spacing == 0 { checkpoints.append(state) }
  }
}

extension GameLog {
  /// Answers undo, redo and corrections; nil for every other event.
  private mutating func amend(by event: GameEvent) -> Outcome? {
    guard event.kind.isAmendment else { return nil }
    if case .refused(let reason) = state.life.answer(to: .correct) { return .ignored(Ignored(reason)) }
    if case .corrected(let id, let kind) = event.kind { return correct(id, to: kind, by: event) }
    if event.kind == .undone {
      guard let step = done.popLast() else { return .ignored(Ignored("nothing is left to undo")) }
      undone.append(step)
      return put(step, forward: false, by: event)
    }
    guard let step = undone.popLast() else { return .ignored(Ignored("nothing was undone")) }
    done.append(step)
    return put(step, forward: true, by: event)
  }

  private mutating func correct(_ id: String, to kind: GameEvent.Kind?, by event: GameEvent) -> Outcome {
    guard let place = placeOf[id] else { return .ignored(Ignored("no event has the id '\(id)'")) }
    guard events[place].kind.isUndoable, kind?.isUndoable ?? true else {
      return .ignored(Ignored("an event of that kind cannot be corrected"))
    }
    let after = kind.map { Effect.replaced($0) } ?? .removed
    guard effects[place] != after else { return .ignored(Ignored("it is corrected so already")) }
    let step = Step.correction(place, before: effects[place], after: after)
    done.append(step)
    undone.removeAll(keepingCapacity: true)
    return put(step, forward: true, by: event)
  }

  private mutating func put(_ step: Step, forward: Bool, by event: GameEvent) -> Outcome {
    let before = state
    switch step {
    case .event(let place): setEffect(forward ? .asWritten : .removed, at: place)
    case .correction(let place, let earlier, let later): setEffect(forward ? later : earlier, at: place)
    }
    let wasSettling = before.life == .settling
    record(event)
    let change = GameChange(from: before, to: state, isFinal: wasSettling && state.life == .settling)
    isMarkedCorrected = before.tally != state.tally
    correctedAt = event.moment.instant
    return .changed(change)
  }

  private mutating func setEffect(_ effect: Effect, at place: Int) {
    if events[place].kind == .clockExpired {
      let due = events[place].moment.instant
      if effect == .removed { undoneExpiries.insert(due) } else { undoneExpiries.remove(due) }
    }
    effects[place] = effect
    refold(from: place)
  }

  /// Folds anew from the last checkpoint that the change leaves standing.
  private mutating func refold(from place: Int) {
    let kept = min(place / Self.spacing, checkpoints.count)
    checkpoints.removeSubrange(kept...)
    state = checkpoints.last ?? opening
    for index in (kept * Self.spacing)..<events.count {
      Self.apply(events[index], effects[index], to: &state, rules: rules)
      if (index + 1) % Self.spacing == 0 { checkpoints.append(state) }
    }
  }

  private static func apply(_ event: GameEvent, _ effect: Effect, to state: inout GameState, rules: Rules) {
    guard !event.kind.isAmendment else { return }
    switch effect {
    case .asWritten: _ = state.apply(event, rules: rules)
    case .removed: break
    case .replaced(let kind):
      let other = GameEvent(id: event.id, source: event.source, moment: event.moment, kind: kind)
      _ = state.apply(other, rules: rules)
    }
  }

  /// The whole fold, from nothing: what `state` must equal at every moment.
  package func folded() -> GameState {
    var folded = opening
    for (event, effect) in zip(events, effects) { Self.apply(event, effect, to: &folded, rules: rules) }
    return folded
  }
}

extension GameEvent.Kind {
  var isAmendment: Bool {
    if case .corrected = self { return true }
    return self == .undone || self == .redone
  }

  /// Whether the undo button takes it back: what a person pressed, and the expiry of the clock. Reports are not, as
  /// the console would say them again; names, texts and what the daemon does by itself are not presses.
  var isUndoable: Bool {
    switch self {
    case .scored, .fouled, .shotTaken, .penaltyGiven, .penaltyOver, .shootoutAttempted, .pitched, .jamStarted,
      .jamEnded,
      .clockStarted, .clockStopped, .clockToggled, .clockSet, .clockAdjusted, .clockExpired, .shotClockReset,
      .shotClockStopped, .periodAdvanced, .periodSet, .timeoutCalled, .timeoutOver, .possessionSet, .possessionSwitched,
      .basesSet, .downSet, .reviewStarted, .reviewOver, .delayed, .resumed, .totalSet, .playStarted, .finalDeclared,
      .retired, .gameEnded, .gameReset, .calledOff:
      true
    case .shotClockExpired, .periodClosed, .hornSounded, .lastPlaySet, .opened, .teamsNamed, .namesFrozen,
      .nextGameOpened, .settled, .undone, .redone, .corrected, .heldConfirmed, .heldRejected, .rebooted, .reported:
      false
    }
  }
}
