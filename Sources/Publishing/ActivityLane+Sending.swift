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
      intendStart()
    } else {
      update(at: moment)
    }
  }

  // MARK: Intents

  /// What became of an intent.
  enum Progress { case underWay, withdrawn }

  private mutating func intendCreate() {
    intent = .create
    lifecycle.createIntended()
    store.intentNoted()
  }

  private mutating func intendStart() {
    intent = .start
    lifecycle.startIntended()
    store.intentNoted()
  }

  /// The figures of the end belong to its intent.
  private mutating func intendEnd(at moment: Moment) {
    guard noteEnd(at: moment) else { return }
    intent = .end
    store.intentNoted()
  }

  /// Sends what was intended once the intent is on the disk, if it is still wanted by then.
  private mutating func perform(_ intent: Intent, at moment: Moment) -> Progress {
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

  private mutating func sendStart(at moment: Moment) {
    guard let opening else { return }
    guard let numbers = takeNumbers(at: moment) else { return }
    let rule = settings.rules.start
    var state = told(at: moment)
    state.seq = Int(numbers.sequence)
    let stale = rule.staleAt(
      now: wall(at: moment), lastFrame: wall(at: moment), breakLeft: .zero, scheduledStart: opening.scheduled)
    lastUrgent = moment.instant
    send(
      call(for: lifecycle.broadcast, state, stamp: numbers.stamp, stale: stale, alert: opening.startAlert, at: moment),
      .start, state: state, at: moment)
  }

  private func call(
    for broadcast: Broadcast?, _ state: GameAttributes.ContentState, stamp: Int64, stale: WallTime?, alert: Alert,
    at moment: Moment
  ) -> AblyCall {
    let rule = settings.rules.start
    guard let broadcast else {
      return publish(.start, state, stamp: stamp, stale: stale, alert: alert, fcm: rule.fcm)
    }
    let payload = LiveActivityPayload(
      stampSeconds: stamp,
      event: .start(
        attributesType: settings.attributesType, attributes: attributes, inputPushChannel: broadcast.apnsChannelID,
        staleSeconds: (stale ?? wall(at: moment) + .seconds(60)).seconds, alert: alert),
      // A start is a push to devices, so the channel's storage policy does not apply to it.
      state: state,
      headers: .init(priority: .now, expirationSeconds: (wall(at: moment) + rule.expiration).seconds))
    return .start(broadcast, audience: .channels(["live-ios:\(game)"]), payload)
  }

  private func publish(
    _ event: LiveUpdatePayload.Event, _ state: GameAttributes.ContentState, stamp: Int64, stale: WallTime?,
    alert: Alert?, fcm: FCMOptions
  ) -> AblyCall {
    let payload = LiveUpdatePayload(
      event: event, gameID: game, attributes: attributes, state: state, stampMilliseconds: stamp,
      staleAtMilliseconds: stale?.milliseconds, alert: alert, fcm: fcm)
    return .publish(channel: "live-android:\(game)", [payload.message])
  }

  // MARK: Start

  enum StartDecision: Hashable, Sendable {
    case go
    /// Not yet; nil when only news can tell.
    case wait(until: Instant?)
    case skip(reason: String)
  }

  func startDecision(at moment: Moment) -> StartDecision {
    guard let opening else { return .wait(until: nil) }
    guard finish == nil else { return .skip(reason: "the game was over before the start") }
    // A start with a wrong stamp or stale date is accepted and never shown, and there is no second one.
    guard trust != .untrusted else { return .wait(until: nil) }
    let sinceStart = opening.openedAt.map { moment.instant - $0 } ?? (moment.wall - opening.scheduled)
    if sinceStart > settings.startGrace { return .skip(reason: "start window missed") }
    if hasPlayBegun { return .go }
    if sinceStart < .zero - settings.startLead {
      return .wait(until: moment.instant + (.zero - settings.startLead - sinceStart))
    }
    if opening.isNamed { return .go }
    // The teams' names may still come; shortly before the window closes the configured ones must do.
    let lastCall = settings.startGrace - Self.lastCall
    return sinceStart >= lastCall ? .go : .wait(until: moment.instant + (lastCall - sinceStart))
  }

  private var hasPlayBegun: Bool {
    switch newest?.gameStatus {
    case .live, .halftime: true
    case .scheduled, .finished, nil: false
    }
  }

  private mutating func wantsStart(at moment: Moment) -> Bool {
    guard lifecycle.mayStart, store.updatesAllowed, hardLimitPassed(at: moment.instant) else { return false }
    switch startDecision(at: moment) {
    case .go: return true
    case .wait: return false
    case .skip(let reason):
      skipStart(reason)
      return false
    }
  }

  mutating func skipStart(_ reason: String) {
    lifecycle.startSkipped(reason: reason)
    notices.append(.startSkipped(reason: reason))
    store.recordChanged()
    // Whoever started the tile in the app is told what there is, on Android everybody.
    if newest?.gameStatus != .scheduled, waiting == nil, !isSame(newest, accepted) { putAgain(.feedRestored) }
  }

  // MARK: Updates

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

  private mutating func putAgain(_ kind: UpdateKind) {
    guard let newest else { return }
    waiting = WaitingState(again: newest, entry: 0, reasons: [kind], wait: wait(for: kind))
  }

  private func wait(for kind: UpdateKind) -> Duration {
    switch settings.rules[kind].wait {
    case .atMost(let own): min(own, settings.spacing)
    case .spacing, .ridesAlong: settings.spacing
    }
  }

  private mutating func update(at moment: Moment) {
    let now = moment.instant
    guard lifecycle.mayUpdate, store.updatesAllowed, updatesFrom.map({ $0 <= now }) ?? true,
      stampsFrom.map({ $0 <= now }) ?? true, finish != .forgotten, finish != .outOfReach, newest != nil
    else { return }
    forgetNothingNew(at: moment)
    let isDue = waiting.map { self.isDue($0, at: now) } ?? false
    let rings = alertDue(at: now) && hardLimitPassed(at: now)
    guard isDue || rings || heartbeatDue().map({ $0 <= now }) ?? false else { return }
    if isDue, let again = repeatable, now - again.builtAt < Self.repeatWindow {
      repeatMessage(again, at: now)
      return
    }
    sendUpdate(reasons: waiting?.reasons ?? [], entry: waiting?.entry, at: moment)
  }

  private func isDue(_ waiting: WaitingState<GameAttributes.ContentState, UpdateKind>, at now: Instant) -> Bool {
    waiting.due(afterSendAt: outbox.lastSend, atLeast: hardLimit).map { $0 <= now } ?? true
  }

  /// A state that phones have already, or that the provider will never take, is not told.
  private mutating func forgetNothingNew(at moment: Moment) {
    guard let waiting else { return }
    let state = told(at: moment)
    if isSame(state, accepted) || isOnCourse(state, waiting.reasons) {
      store.set(waiting.entry, .dropped(reason: "phones have it"))
    } else if isSame(newest, refused) {
      store.set(waiting.entry, .dropped(reason: "refused before"))
    } else {
      return
    }
    self.waiting = nil
    repeatable = nil
  }

  private mutating func sendUpdate(reasons: [UpdateKind], entry: Int64?, at moment: Moment) {
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
    send(
      call, .update(entry: entry, reasons: reasons, alert: alert?.candidate.id), state: state, at: moment)
  }

  private mutating func call(
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
  private mutating func priority(_ reasons: [UpdateKind], at now: Instant) -> PushPriority {
    let isUrgent = reasons.contains {
      settings.rules[$0].priority(sinceLastNow: lastUrgent.map { now - $0 }, lastMinutes: lastMinutes) == .now
    }
    guard isUrgent else { return .convenient }
    let isFinal = reasons.contains { $0 == .final || $0 == .finalCorrection || $0 == .calledOff }
    guard isFinal || budget.take(at: now) else { return .convenient }
    lastUrgent = now
    return .now
  }

  private mutating func repeatMessage(_ message: InFlight, at now: Instant) {
    waiting = nil
    repeatable = nil
    var again = message
    again.token = outbox.sent(at: now)
    inFlight = again
    if case .update(let entry?, _, _) = message.kind { store.set(entry, .sent) }
    calls.append(.send(again.call, again.token))
  }

  mutating func send(_ call: AblyCall, _ kind: InFlight.Kind, state: GameAttributes.ContentState, at moment: Moment) {
    intent = nil
    let token = outbox.sent(at: moment.instant)
    inFlight = InFlight(kind: kind, call: call, state: state, builtAt: moment.instant, token: token)
    calls.append(.send(call, token))
  }

  // MARK: End

  /// Where nothing was ever made there is nothing to end.
  private mutating func endWithoutCalls() -> Bool {
    guard finish != nil, intent == nil, inFlight == nil, lifecycle.hasNothingToEnd else { return false }
    lifecycle.ended()
    store.recordChanged()
    clearForEnd(reason: "nothing was started")
    return true
  }

  private func wantsEnd(at moment: Moment) -> Bool {
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
  private func isRehearsed(at moment: Moment) -> Bool {
    waiting.map { isSame($0.state, accepted) } ?? true
      && (isSame(told(at: moment), accepted) || isSame(newest, refused))
  }

  /// Draws the figures of the end and notes them; false while no stamp can be given.
  private mutating func noteEnd(at moment: Moment) -> Bool {
    guard hardLimitPassed(at: moment.instant), sequence.hasNext || store.isBroken(at: moment.instant) else { return false }
    let rehearsed = finish == .forgotten || finish == .outOfReach ? nil : accepted
    // An Android end shares the number of its rehearsal, because its event keeps the ids apart; built anew, it needs one.
    let keepsNumber = rehearsed != nil && endState == nil
    guard let stamp = takeStamp(at: moment) else { return false }
    var state = rehearsed ?? endState ?? told(at: moment)
    if !keepsNumber, sink == .ablyAndroid || rehearsed == nil {
      guard let number = sequence.next(mayExceedFloor: store.isBroken(at: moment.instant)) else { return false }
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
  private mutating func repeatEnd(at moment: Moment) {
    guard let end = lifecycle.endIntent else { return }
    let age = moment.wall - end.builtAt
    if age < .zero || age >= Self.repeatWindow {
      guard noteEnd(at: moment) else { return }
      store.intentNoted()
    }
    intent = .end
    _ = perform(.end, at: moment)
  }

  private func endCall() -> AblyCall? {
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
        headers: .init(priority: .now, expirationSeconds: expiration)))
  }

  /// Nothing after the end: what waits is history.
  mutating func clearForEnd(reason: String) {
    if let waiting { store.set(waiting.entry, .dropped(reason: reason)) }
    waiting = nil
    repeatable = nil
    drop(alerts.dropAll(reason: reason))
  }

  static let lastCall: Duration = .seconds(1)
  static let repeatWindow: Duration = .seconds(110)
}
