package import GameCore

/// Names one attempt, so that a late answer is not taken for another's.
package struct AttemptToken: Hashable, Sendable {
  package var number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// Whether a lane may send, and if not, what it waits for. One request is in flight at a time; the rest is patience.
///
/// Two kinds of patience are never mixed up. Who was *refused* waits its time out, whatever happens elsewhere. Who met
/// *silence* (unreachable, 5xx) is released at once by the first sign of life: a probe, the link, another lane's success.
package struct OutboxState: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// Nothing but the spacing holds the next request back.
    case free
    /// A request is out, and everything else waits for its answer.
    case inFlight(AttemptToken)
    /// The service said no or named a time: nothing leaves before it is over.
    case refused(until: Instant)
    /// Nobody answers, or only with 5xx: the first sign of life releases this lane.
    case unreachable
    /// Key or channel are not accepted: one try after a while finds out when somebody has mended it.
    case locked(until: Instant)
  }

  /// What an answer means for the lane, whatever it means for the entry.
  package enum Outcome: Hashable, Sendable {
    case accepted
    /// This one can never succeed, which says nothing about the next.
    case parked
    /// Not now. What `Retry-After` asked for, and the least wait in any case.
    case refused(asked: Duration?, least: Duration?)
    /// Not this channel, until somebody mends it: the next real update finds out.
    case stopped
    case locked
    case unreachable
  }

  /// Why nothing leaves.
  package enum Hold: String, Hashable, Sendable {
    case inFlight, refused, unreachable, locked
  }

  private var state = State.free
  private var backoff = Backoff()
  private var attempts: UInt64 = 0
  package private(set) var counts = OutboxCounts()

  package init() {}

  /// A request leaves.
  package mutating func sent() -> AttemptToken {
    attempts += 1
    let token = AttemptToken(number: attempts)
    state = .inFlight(token)
    counts.sent += 1
    return token
  }

  /// Whether this is the answer the lane waits for. A late or doubled one is nobody's.
  package func awaits(_ token: AttemptToken) -> Bool { state == .inFlight(token) }

  package mutating func answered(_ outcome: Outcome, at now: Instant, random: UInt64) {
    switch outcome {
    case .accepted:
      counts.accepted += 1
      counts.lastAcceptedAt = now
      backoff.succeeded()
      state = .free
    case .parked:
      counts.parked += 1
      state = .free
    case .refused(let asked, let least):
      counts.refused += 1
      state = .refused(until: now + backoff.refused(asked: asked, least: least, random: random))
    case .stopped:
      counts.refused += 1
      state = .locked(until: now + Self.stoppedTime)
    case .locked:
      counts.refused += 1
      state = .locked(until: now + Self.lockedTime)
    case .unreachable:
      counts.unreachable += 1
      state = .unreachable
    }
  }

  /// The fate of the attempt just answered stays open.
  package mutating func becameUnknown() { counts.unknown += 1 }

  /// A state became history before it left.
  package mutating func superseded() { counts.superseded += 1 }

  /// A sign of life: releases only who met silence.
  package mutating func providerReachable() {
    if state == .unreachable { state = .free }
  }

  /// A key that was not accepted may have been replaced, or given a right: worth a try at once.
  package mutating func keyMayHaveChanged() {
    if case .locked = state { state = .free }
  }

  /// When the next request may leave, apart from its spacing; nil while only an answer or a sign of life can tell.
  package func opens(at now: Instant) -> Instant? {
    switch state {
    case .free: now
    case .inFlight, .unreachable: nil
    case .refused(let until), .locked(let until): max(now, until)
    }
  }

  package func hold(at now: Instant) -> Hold? {
    switch state {
    case .free: nil
    case .inFlight: .inFlight
    case .unreachable: .unreachable
    case .refused(let until): until > now ? .refused : nil
    case .locked(let until): until > now ? .locked : nil
    }
  }

  package var isInFlight: Bool {
    if case .inFlight = state { true } else { false }
  }

  /// Nothing but spacing holds the next request back.
  package var isFree: Bool { state == .free }

  package var isUnreachable: Bool { state == .unreachable }

  private static let stoppedTime: Duration = .seconds(300)
  private static let lockedTime: Duration = .seconds(60)
}

/// What a lane has done, for status. Accepted is not delivered.
package struct OutboxCounts: Hashable, Sendable {
  package var sent = 0
  package var accepted = 0
  package var refused = 0
  package var unreachable = 0
  package var parked = 0
  /// Attempts whose fate nobody knows.
  package var unknown = 0
  package var superseded = 0
  package var lastAcceptedAt: Instant?

  package init() {}
}
