/// Why a push is due: the rows of the event rules (facts/live-activities 11). The rules for each are data beside it.
package enum UpdateKind: String, Hashable, Sendable, CaseIterable {
  case playStarted, basket, goal, correction, clockStarted, clockStopped, clockSet, penalty
  /// Fouls, shots, possession, time-outs left: never sent alone, ride along with the next push.
  case detail
  case timeoutCalled, periodEnded, breakClock, periodStarted, overtimeStarted, shootoutAttempt
  case delayed, resumed, heartbeat, feedLost, feedRestored, final, finalCorrection, calledOff, shutdown

  /// Nothing of the game follows it.
  package var isLast: Bool { self == .final || self == .finalCorrection || self == .calledOff }

  /// Whether there are words for an alert; whether it rings is the rule's business.
  package var mayRing: Bool {
    switch self {
    case .goal, .periodEnded, .overtimeStarted, .delayed, .resumed, .final, .calledOff: true
    case .playStarted, .basket, .correction, .clockStarted, .clockStopped, .clockSet, .penalty, .detail, .timeoutCalled,
      .breakClock, .periodStarted, .shootoutAttempt, .heartbeat, .feedLost, .feedRestored, .finalCorrection, .shutdown:
      false
    }
  }
}
