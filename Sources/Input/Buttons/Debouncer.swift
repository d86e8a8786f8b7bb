package import GameCore

// Time here is what the kernel stamped on the edges. The machine never believes that nothing happened only because
// nothing was told: before it lets time pass, it has the shell drain the kernel's queue and read the line, so that a
// loop that was stalled for seconds decides exactly as one that was not.

/// One line's edges become changes of its level. A press is a change to active.
package struct Debouncer: Hashable, Sendable {
  private enum State: Hashable {
    /// The line stands at the accepted level.
    case idle
    /// The line left the accepted level at that instant, and has not stood long enough to be believed.
    case candidate(since: Instant)
    /// A change was accepted, and what follows is bounce until `end`; `last` is the newest event since the acceptance.
    case lockout(end: Instant, last: LineEdge?)
  }

  package enum Action: Hashable, Sendable {
    /// The level that counts has changed; stamped with the edge that began it.
    case changed(LineLevel, at: Instant)
    /// Drain the kernel's queue of this line's events into `edge`, read its level, and answer with `read`.
    case readLine
    /// Edges are missing; the level will be right, but a press may have gone unseen.
    case mayHaveMissed(Suspicion)
  }

  /// How it shows that edges are missing.
  package enum Suspicion: String, Hashable, Sendable {
    case sequenceGap = "sequence gap"
    case fullQueue = "the kernel's queue was full"
    case repeatedDirection = "two events of one direction"
    case levelWithoutEdge = "the level changed without an event"
  }

  /// What was seen of the line, for status and for the install day.
  package struct Counts: Hashable, Sendable {
    package var edges = 0
    package var presses = 0
    /// Events that led to no change: glitches and bounce.
    package var noise = 0
    package var glitches = 0
    package var suspicions = 0

    package init() {}
  }

  package let settings: DebounceSettings
  /// The level that counts.
  package private(set) var level: LineLevel
  package private(set) var counts: Counts
  private var state = State.idle
  /// The level after the newest event or reading, and whether a reading told it.
  private var seen: LineLevel
  private var seenByReading = true
  private var newest: Instant
  private var sequence: UInt32
  /// A reading was asked for and has not come back.
  private var isReading = false
  /// When an idle line is looked at once more, because noise or a held button leaves a doubt.
  private var lookAgainAt: Instant?
  private var doubt: Doubt?

  /// `level` is what a reading said after the request: a baseline, never an event. The counts of an earlier request go on.
  package init(
    _ settings: DebounceSettings = .usual, level: LineLevel, at now: Instant, counts: Counts = Counts()
  ) {
    self.settings = settings
    self.counts = counts
    self.level = level
    seen = level
    newest = now
    sequence = 0
    rest(at: now)
  }

  /// Nothing is under way: the line stands at the level that counts.
  package var isSettled: Bool { state == .idle && !isReading }

  /// When the line must be read if nothing comes before.
  package var nextDeadline: Instant? {
    guard !isReading else { return nil }
    switch state {
    case .idle: return lookAgainAt
    case .candidate(let since): return since + settings.stand
    case .lockout(let end, _): return end
    }
  }

  /// No change that is still to come will be stamped at or before this instant, given a reading at `now`.
  package func certain(at now: Instant) -> Instant {
    switch state {
    case .idle: now
    case .candidate(let since): since - .nanoseconds(1)
    case .lockout(let end, let last): last.map { $0.at - .nanoseconds(1) } ?? min(end, now)
    }
  }

  // MARK: - What happened

  /// The kernel's next event of this line. Events come in the order of the queue.
  package mutating func edge(_ edge: LineEdge) -> [Action] {
    var edge = edge
    // Stamps of one line never fall; should they, the event still comes after those before it.
    edge.at = max(edge.at, newest)
    newest = edge.at
    counts.edges += 1
    var actions = settle(before: edge.at, reading: nil)
    if edge.sequence != 0 {
      if edge.sequence != sequence &+ 1 { suspect(.sequenceGap, &actions) }
      sequence = edge.sequence
    }
    if edge.level == seen, !seenByReading { suspect(.repeatedDirection, &actions) }
    seen = edge.level
    seenByReading = false
    take(edge, &actions)
    return actions
  }

  /// The kernel's queue may have run over (a full read, where the library numbers no events).
  package mutating func queueWasFull() -> [Action] {
    var actions: [Action] = []
    suspect(.fullQueue, &actions)
    return actions
  }

  /// `nextDeadline` has passed.
  package mutating func deadlineReached(at now: Instant) -> [Action] {
    guard let due = nextDeadline, due <= now else { return [] }
    isReading = true
    return [.readLine]
  }

  /// What the line says at `now`, every event up to then having been told.
  package mutating func read(_ level: LineLevel, at now: Instant) -> [Action] {
    let now = max(now, newest)
    newest = now
    isReading = false
    var actions = settle(before: now, reading: level)
    if level != seen {
      seen = level
      seenByReading = true
      note(.levelWithoutEdge, &actions)
      if state != .idle || level != self.level { take(LineEdge(level, at: now), &actions) }
    }
    if state == .idle { rest(at: now) }
    return actions
  }

  // MARK: - The definition

  /// Everything that is decided by the passing of time before an event at `now`, or by a reading at `now`.
  private mutating func settle(before now: Instant, reading: LineLevel?) -> [Action] {
    var actions: [Action] = []
    // Each turn accepts a change or comes to rest; a lockout without events is the only one that can follow another.
    while true {
      switch state {
      case .idle: return actions
      case .candidate(let since):
        guard since + settings.stand <= now else { return actions }
        accept(level.other, at: since, &actions)
      case .lockout(let end, let last):
        // Up to its end included, events are bounce; the level is known from the first event after it, or from a reading.
        guard reading == nil ? end < now : end <= now else { return actions }
        let settled = reading ?? last?.level ?? level
        if settled == level {
          state = .idle
          rest(at: end)
        } else {
          accept(settled, at: last?.at ?? end, &actions)
        }
      }
    }
  }

  private mutating func take(_ edge: LineEdge, _ actions: inout [Action]) {
    switch state {
    case .idle:
      if edge.level == level {
        counts.noise += 1
        lookAgainSoon(after: edge.at)
      } else if settings.stand == .zero {
        accept(edge.level, at: edge.at, &actions)
      } else {
        state = .candidate(since: edge.at)
      }
    case .candidate:
      counts.noise += 1
      guard edge.level == level else { return }
      // Both edges of a glitch are noise.
      counts.noise += 1
      counts.glitches += 1
      state = .idle
      lookAgainSoon(after: edge.at)
    case .lockout(let end, _):
      counts.noise += 1
      state = .lockout(end: end, last: edge)
    }
  }

  private mutating func accept(_ level: LineLevel, at stamp: Instant, _ actions: inout [Action]) {
    self.level = level
    if level == .active { counts.presses += 1 }
    actions.append(.changed(level, at: stamp))
    state = .lockout(end: stamp + settings.bounce, last: nil)
    // The end of a lockout takes the level, which leaves no doubt.
    doubt = nil
  }

  private mutating func note(_ suspicion: Suspicion, _ actions: inout [Action]) {
    counts.suspicions += 1
    actions.append(.mayHaveMissed(suspicion))
  }

  private mutating func suspect(_ suspicion: Suspicion, _ actions: inout [Action]) {
    note(suspicion, &actions)
    guard !isReading else { return }
    isReading = true
    actions.append(.readLine)
  }

  // MARK: - Doubt

  /// A lost last edge of a bounce leaves the line elsewhere than its events say: it is looked at again and again, each
  /// time after twice as long, until the bounce must be over.
  private struct Doubt: Hashable {
    var from: Instant
    var look: Duration
  }

  private mutating func lookAgainSoon(after instant: Instant) {
    doubt = Doubt(from: instant, look: max(settings.stand, Self.shortestLook))
    lookAgainAt = instant + max(settings.stand, Self.shortestLook)
  }

  /// A held button is looked at now and then, so that a release whose edge was lost does not become a hold.
  private mutating func rest(at now: Instant) {
    if var doubt, doubt.look < settings.bounce {
      doubt.look = min(doubt.look * 2, settings.bounce)
      self.doubt = doubt
      lookAgainAt = max(doubt.from + doubt.look, now)
    } else {
      doubt = nil
      lookAgainAt = level == .active ? now + Self.heldLook : nil
    }
  }

  private static let shortestLook = Duration.milliseconds(1)
  private static let heldLook = Duration.milliseconds(500)
}
