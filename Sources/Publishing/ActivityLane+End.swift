import GameCore
import LiveContract
import Outbox

// The end: after its rehearsal, written down before it leaves, repeated until it is done.
extension ActivityLane {
  /// Where nothing was ever made there is nothing to end.
  mutating func endWithoutCalls() -> Bool {
    guard finish != nil, intent == nil, inFlight == nil, lifecycle.hasNothingToEnd else { return false }
    lifecycle.ended()
    store.recordChanged()
    clearForEnd(reason: "nothing was started")
    return true
  }

  func wantsEnd(at moment: Moment) -> Bool {
    guard lifecycle.mayUpdate, store.updatesAllowed else { return false }
    switch finish {
    case nil: return false
    case .forgotten, .outOfReach: return true
    case .atOnce: return lifecycle.isBeforeStart || isRehearsed(at: moment)
    case .beforeTheSystem: return isRehearsed(at: moment)
    case .afterSettling:
      guard let until = lifecycle.settlingUntil else { return refused != nil && isSame(newest, refused) }
      return until <= moment.instant && isRehearsed(at: moment)
    }
  }

  /// Phones have shown the very state that the end will carry, so it decodes there; the end cannot be repaired later.
  func isRehearsed(at moment: Moment) -> Bool {
    let told = told(at: moment)
    return waiting.map { isSame($0.state, accepted) } ?? true
      && (isSame(told, accepted) || isSame(newest, refused) || isSame(told, refused))
  }

  /// Draws the figures of the end and notes them; false while no stamp can be given.
  mutating func noteEnd(at moment: Moment) -> Bool {
    guard hardLimitPassed(at: moment.instant), sequence.hasNext || store.isBroken(at: moment.instant) else {
      return false
    }
    let rehearsed = finish == .forgotten || finish == .outOfReach ? nil : accepted
    // An Android end shares the number of its rehearsal, because its event keeps the ids apart; built anew, it needs one.
    let keepsNumber = rehearsed != nil && endState == nil
    guard let stamp = takeStamp(at: moment) else { return false }
    var state = rehearsed ?? endState ?? told(at: moment)
    if !keepsNumber, sink == .ablyAndroid || rehearsed == nil {
      guard let number = nextNumber(of: stamp, at: moment) else { return false }
      state.seq = Int(number)
    }
    let now = wall(at: moment)
    let dismissal = now + .seconds(finish == .forgotten ? -60 : 1800)
    endState = state
    lifecycle.endIntended(
      EndIntent(stamp: stamp, sequence: Int64(state.seq), builtAt: moment.wall, dismissal: dismissal))
    clearForEnd(reason: "the activity ends")
    return true
  }

  /// The same end again while its bytes are fresh; later one with new figures, written down before it leaves.
  mutating func repeatEnd(at moment: Moment) {
    guard let end = lifecycle.endIntent else { return }
    let age = moment.wall - end.builtAt
    if age < .zero || age >= Self.repeatWindow {
      guard noteEnd(at: moment) else { return }
      store.intentNoted()
    }
    intent = .end
    _ = perform(.end, at: moment)
  }

  func endCall() -> AblyCall? {
    guard let end = lifecycle.endIntent, var state = endState else { return nil }
    state.seq = Int(end.sequence)
    let rule = settings.rules.end
    guard let broadcast = lifecycle.broadcast else {
      return publish(.end, state, stamp: end.stamp, stale: end.dismissal, alert: nil, fcm: rule.fcm)
    }
    let expiration = broadcast.policy.expirationSeconds(keeping: rule.expiration, at: end.builtAt)
    return .end(
      broadcast,
      LiveActivityPayload(
        stampSeconds: end.stamp, event: .end(dismissalSeconds: end.dismissal?.seconds), state: state,
        headers: .init(
          priority: rule.priority(sinceLastNow: nil, lastMinutes: false), expirationSeconds: expiration)))
  }

  /// Nothing after the end: what waits is history.
  mutating func clearForEnd(reason: String) {
    if let waiting { store.set(waiting.entry, .dropped(reason: reason)) }
    waiting = nil
    repeatable = nil
    drop(alerts.dropAll(reason: reason))
  }
}
