import GameCore
import LiveContract
import Outbox

// What leaves next: create before start before updates before end, one at a time.
extension ActivityLane {
  mutating func advance(at moment: Moment) {
    store.retry(at: moment.instant)
    judgeTime(at: moment)
    renewFloors(at: moment)
    drop(alerts.expire(at: moment.instant))
    guard !lifecycle.isOver, !endWithoutCalls() else { return }
    if let intent, perform(intent, at: moment) == .underWay { return }
    guard let opens = outbox.opens(at: moment.instant), opens <= moment.instant else { return }
    if lifecycle.endIntent != nil {
      repeatEnd(at: moment)
    } else if finish == nil, opening != nil, lifecycle.mayCreate {
      if !store.isFailing { intendCreate() }
    } else if wantsEnd(at: moment) {
      intendEnd(at: moment)
    } else if !store.isFailing, wantsStart(at: moment) {
      intendStart(at: moment)
    } else {
      update(at: moment)
    }
  }

  // MARK: Intents

  /// What became of an intent.
  enum Progress { case underWay, withdrawn }

  mutating func intendCreate() {
    intent = .create
    lifecycle.createIntended()
    store.intentNoted()
  }

  mutating func intendStart(at moment: Moment) {
    intent = .start
    lifecycle.startIntended(at: moment.instant)
    store.intentNoted()
  }

  /// The figures of the end belong to its intent.
  mutating func intendEnd(at moment: Moment) {
    guard noteEnd(at: moment) else { return }
    intent = .end
    store.intentNoted()
  }

  /// Sends what was intended once the intent is on the disk, if it is still wanted by then.
  mutating func perform(_ intent: Intent, at moment: Moment) -> Progress {
    guard store.isIntentDurable else { return .underWay }
    switch intent {
    case .create:
      guard finish == nil else { return withdrawIntent() }
      send(.create(settings.storagePolicy), .create, state: told(at: moment), at: moment)
    case .start:
      guard finish == nil, startDecision(at: moment) == .go else { return withdrawIntent() }
      sendStart(at: moment)
    case .end:
      if let call = endCall(), let state = endState { send(call, .end, state: state, at: moment) }
    }
    return .underWay
  }

  /// The disk took no intent: as if it had never been meant, until the disk is well.
  @discardableResult
  mutating func withdrawIntent() -> Progress {
    switch intent {
    case .create: lifecycle.createFailed()
    case .start: lifecycle.startNotSent()
    case .end, nil: return .underWay
    }
    intent = nil
    store.recordChanged()
    return .withdrawn
  }

  mutating func send(_ call: AblyCall, _ kind: InFlight.Kind, state: GameAttributes.ContentState, at moment: Moment) {
    intent = nil
    let token = outbox.sent()
    if kind != .create { lastPush = moment.instant }
    inFlight = InFlight(kind: kind, call: call, state: state, builtAt: moment.instant, token: token)
    calls.append(.send(call, token))
  }

  func publish(
    _ event: LiveUpdatePayload.Event, _ state: GameAttributes.ContentState, stamp: Int64, stale: WallTime?,
    alert: Alert?, fcm: FCMOptions
  ) -> AblyCall {
    let payload = LiveUpdatePayload(
      event: event, gameID: game, attributes: attributes, state: state, stampMilliseconds: stamp,
      staleAtMilliseconds: stale?.milliseconds, alert: alert, fcm: fcm)
    return .publish(channel: "live-android:\(game)", [payload.message])
  }
}
