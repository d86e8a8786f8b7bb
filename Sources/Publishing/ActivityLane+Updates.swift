import GameCore
import LiveContract
import Outbox

// Full states, newest first: what is due, with which priority, and what need not be told.
extension ActivityLane {
  /// A change waits to be told; what waited before becomes history.
  mutating func put(_ state: GameAttributes.ContentState, kind: UpdateKind, at moment: Moment) {
    let entry = store.nextEntry
    store.open(
      OutboxEntry(lane: laneName, sequence: entry, key: kind.rawValue, wantedAt: moment.wall, body: state.json()))
    repeatable = nil
    if oldestUntold == nil { oldestUntold = moment.instant }
    let wait = wait(for: kind)
    if let superseded = waiting?.replace(with: state, entry: entry, reason: kind, wait: wait) {
      store.set(superseded, .superseded(by: entry))
      outbox.superseded()
    } else {
      waiting = WaitingState(state, entry: entry, reason: kind, wait: wait)
    }
  }

  /// The newest state is due once more, as nobody knows whether phones have it.
  mutating func tellAgain(at moment: Moment) {
    accepted = nil
    guard let newest, waiting == nil else { return }
    put(newest, kind: finish == nil ? .feedRestored : .finalCorrection, at: moment)
  }

  mutating func putAgain(_ kind: UpdateKind) {
    guard let newest else { return }
    waiting = WaitingState(again: newest, entry: 0, reasons: [kind], wait: wait(for: kind))
  }

  func wait(for kind: UpdateKind) -> Duration {
    switch settings.rules[kind].wait {
    case .atMost(let own): min(own, settings.spacing)
    case .spacing, .ridesAlong: settings.spacing
    }
  }

  mutating func update(at moment: Moment) {
    let now = moment.instant
    guard lifecycle.mayUpdate, store.updatesAllowed, updatesFrom.map({ $0 <= now }) ?? true,
      stampsFrom.map({ $0 <= now }) ?? true, finish != .forgotten, finish != .outOfReach, newest != nil,
      !makesCardTooEarly
    else { return }
    forgetNothingNew(at: moment)
    // Without this an end would wait for news that does not come any more.
    if finish != nil, waiting == nil, !isRehearsed(at: moment) { tellAgain(at: moment) }
    let isDue = waiting.map { self.isDue($0, at: now) } ?? false
    let rings = alertDue(at: now) && hardLimitPassed(at: now)
    guard isDue || rings || heartbeatDue().map({ $0 <= now }) ?? false else { return }
    if isDue, let again = repeatable, now - again.builtAt < Self.repeatWindow {
      repeatMessage(again, at: now)
      return
    }
    sendUpdate(reasons: waiting?.reasons ?? [], entry: waiting?.entry, at: moment)
  }

  func isDue(_ waiting: WaitingState<GameAttributes.ContentState, UpdateKind>, at now: Instant) -> Bool {
    waiting.due(afterSendAt: lastPush, atLeast: hardLimit).map { $0 <= now } ?? true
  }

  /// A state that phones have already, or that the provider will never take, is not told.
  mutating func forgetNothingNew(at moment: Moment) {
    guard let waiting else { return }
    let state = told(at: moment)
    if isSame(state, accepted) || isOnCourse(state, waiting.reasons) {
      store.set(waiting.entry, .dropped(reason: "phones have it"))
      if finish == .afterSettling, isSame(newest, accepted) { lifecycle.finalAccepted(at: moment.instant) }
    } else if isSame(newest, refused) {
      store.set(waiting.entry, .dropped(reason: "refused before"))
    } else {
      return
    }
    self.waiting = nil
    repeatable = nil
  }

  mutating func sendUpdate(reasons: [UpdateKind], entry: Int64?, at moment: Moment) {
    let now = moment.instant
    guard let numbers = takeNumbers(at: moment) else { return }
    if isCatchingUp { drop(alerts.dropAll(reason: "catch-up after an outage")) }
    let alert = reasons.contains(.correction) || reasons.contains(.finalCorrection) ? nil : alerts.takeReady(at: now)
    var reasons = reasons
    if let kind = alert?.kind, !reasons.contains(kind) { reasons.insert(kind, at: 0) }
    if reasons.isEmpty { reasons = [.heartbeat] }
    var state = told(at: moment)
    state.seq = Int(numbers.sequence)
    let call = call(update: state, reasons: reasons, stamp: numbers.stamp, alert: alert?.candidate.alert, at: moment)
    if let entry { store.set(entry, .sent) }
    if let alert { notices.append(.alertSent(id: alert.candidate.id)) }
    waiting = nil
    if !lifecycle.hasBeenTold {
      lifecycle.updateSent()
      store.recordChanged()
    }
    send(
      call, .update(entry: entry, reasons: reasons, alert: alert?.candidate.id), state: state, at: moment)
  }

  mutating func call(
    update state: GameAttributes.ContentState, reasons: [UpdateKind], stamp: Int64, alert: Alert?, at moment: Moment
  ) -> AblyCall {
    let rules = reasons.map { settings.rules[$0] }
    let stale = staleAt(reasons: reasons, at: moment)
    guard let broadcast = lifecycle.broadcast else {
      let high = rules.contains { $0.fcmPriority == .high }
      let longest = rules.map(\.timeToLive).max() ?? .zero
      return publish(
        .update, state, stamp: stamp, stale: stale, alert: alert,
        fcm: FCMOptions(priority: high ? .high : .normal, timeToLive: longest))
    }
    let keeping = rules.map(\.expiration).max() ?? .zero
    let headers = LiveActivityPayload.Headers(
      priority: priority(reasons, at: moment.instant),
      expirationSeconds: broadcast.policy.expirationSeconds(keeping: keeping, at: wall(at: moment)))
    return .update(
      broadcast,
      LiveActivityPayload(
        stampSeconds: stamp, event: .update(staleSeconds: stale?.seconds, alert: alert), state: state, headers: headers)
    )
  }

  /// Urgent when any of the reasons is and the bucket has one; the final score does not ask the bucket.
  mutating func priority(_ reasons: [UpdateKind], at now: Instant) -> PushPriority {
    let isUrgent = reasons.contains {
      settings.rules[$0].priority(sinceLastNow: lastUrgent.map { now - $0 }, lastMinutes: lastMinutes) == .now
    }
    guard isUrgent else { return .convenient }
    let isFinal = reasons.contains(where: \.isLast)
    guard isFinal || budget.take(at: now) else { return .convenient }
    lastUrgent = now
    return .now
  }

  mutating func repeatMessage(_ message: InFlight, at now: Instant) {
    waiting = nil
    repeatable = nil
    var again = message
    again.token = outbox.sent()
    lastPush = now
    inFlight = again
    if case .update(let entry?, _, _) = message.kind { store.set(entry, .sent) }
    calls.append(.send(again.call, again.token))
  }

  static let repeatWindow: Duration = .seconds(110)
}
