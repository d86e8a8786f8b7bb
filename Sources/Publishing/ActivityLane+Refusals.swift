import GameCore

// A broadcast that the service refuses again and again may be gone without its saying so. It is then stopped, and only
// the next real change finds out whether it lives. Nothing is created in its place: the tiles that are on phones listen
// to their own channel for good, so a new one would need a second start, which is a second tile. That is for a person.
extension ActivityLane {
  /// Updates that the service refused for reasons of their own, with no success in between.
  struct RefusalRun: Hashable, Sendable {
    var count = 0
    var last = ""
  }

  var isBroadcastStopped: Bool { refusals.count >= Self.mostRefusals && !lifecycle.isOver }

  /// True when this answer stops the broadcast. What has a rule of its own (the key, the rates, silence, our own checks
  /// before sending) says nothing about the broadcast and leaves the count alone.
  mutating func stopsBroadcast(_ verdict: Verdict, of request: InFlight) -> Bool {
    guard sink == .ablyIOS, case .update = request.kind else { return false }
    switch verdict {
    case .accepted: refusals = RefusalRun()
    case .refused(let refusal) where refusal.isOfThisCall:
      refusals.count += 1
      refusals.last = refusal.text
      if refusals.count == Self.mostRefusals, let stopReason { notices.append(.broadcastStopped(reason: stopReason)) }
      return isBroadcastStopped
    case .refused, .notSent, .ambiguous: break
    }
    return false
  }

  /// For status, with what a person can do.
  var stopReason: String? {
    guard isBroadcastStopped else { return nil }
    return """
      broadcast stopped, \(refusals.count) updates running were refused; the next change is tried every 5 minutes. \
      Mend what the answer names; if the broadcast is lost, end the activity and open a new game. No new broadcast is \
      made by itself, as it would put a second tile on phones. The answer: \(refusals.last)
      """
  }

  private static var mostRefusals: Int { 3 }
}

extension Refusal {
  /// The service's no to this call, with no word on the key, the rates, or whether the broadcast exists.
  fileprivate var isOfThisCall: Bool {
    sense == .never && !isLocal && (400...499).contains(status) && ![401, 403, 429].contains(status)
  }
}
