package import GameCore

/// The one place in a lane where a state waits to be told. A newer state takes the place of the one that waits, and keeps
/// what was asked for on behalf of both: every reason since the last send, and the shortest wait.
package struct WaitingState<State: Hashable & Sendable, Reason: Hashable & Sendable>: Hashable, Sendable {
  package private(set) var state: State
  /// The history entry that will carry the outcome.
  package private(set) var entry: Int64
  /// Why it is due, each reason once, the newest last.
  package private(set) var reasons: [Reason]
  private var wait: Duration

  package init(_ state: State, entry: Int64, reason: Reason, wait: Duration) {
    self.state = state
    self.entry = entry
    reasons = [reason]
    self.wait = wait
  }

  /// What was tried and did not arrive. `wait` is how long it must stay away from the attempt before.
  package init(again state: State, entry: Int64, reasons: [Reason], wait: Duration) {
    self.state = state
    self.entry = entry
    self.reasons = reasons
    self.wait = wait
  }

  /// Answers the entry that is history now.
  package mutating func replace(with state: State, entry: Int64, reason: Reason, wait: Duration) -> Int64 {
    let superseded = self.entry
    self.state = state
    self.entry = entry
    reasons.removeAll { $0 == reason }
    reasons.append(reason)
    self.wait = min(self.wait, wait)
    return superseded
  }

  /// Something that goes along without being a reason of its own.
  package mutating func refresh(_ state: State) { self.state = state }

  /// When it may leave: at once after a quiet time, else when its shortest wait after the last send is over.
  package func due(afterSendAt lastSend: Instant?, atLeast hardLimit: Duration) -> Instant? {
    lastSend.map { $0 + max(wait, hardLimit) }
  }
}
