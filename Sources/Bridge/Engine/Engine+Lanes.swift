internal import GameCore
internal import LiveContract
internal import Outbox
internal import Publishing

// Lanes ask, the provider answers; both are machines, and here is where they meet.
extension Engine {
  /// Tells a lane what happened and does what it wants.
  mutating func tell(_ id: LaneID, _ event: LaneEvent, at now: Moment) {
    guard lanes[id] != nil else { return }
    if lanes[id]!.lane.awaitsStart, let place = lanes[id]!.court, courts[place].lanes.contains(id) {
      lanes[id]!.lane.startWillSay(startAlert(of: place, at: now))
    }
    let actions = lanes[id]!.lane.handle(event, at: now, androidStamps: &androidStamps, random: random.next())
    for action in actions {
      switch action {
      case .persist(let operations, let token):
        store.write(operations)
        store.expect(.lane(id, token))
      case .send(let call, let token):
        turn.calls[id, default: []].append(call.name)
        perform(provider.ask(call, from: id, token: token, at: now, random: &random), at: now)
      case .tell(.successorWanted): renew(id, at: now)
      case .tell(let notice): note(notice, of: id)
      }
    }
    retirePredecessor(of: id, at: now)
    if lanes[id]?.lane.isOver == true, isRetired(id) {
      lanes[id] = nil
      provider.forget(id)
    }
  }

  mutating func tellLanes(_ event: LaneEvent, at now: Moment) {
    for id in lanes.keys.sorted(by: { $0.number < $1.number }) { tell(id, event, at: now) }
  }

  mutating func perform(_ actions: [Provider.Action], at now: Moment) {
    for action in actions {
      switch action {
      case .attempt(let attempt): turn.wire.append(.send(attempt))
      case .answered(let id, let token, let call, let outcome):
        logAnswer(call, outcome, of: id)
        if case .accepted = outcome.verdict { tellSent(call, of: id, at: now) }
        tell(id, .answered(token, outcome.verdict, unsureAttempts: outcome.unsureAttempts), at: now)
      case .reachable:
        tellLanes(.providerReachable, at: now)
        for place in courts.indices { courts[place].notice.providerReachable() }
      case .clockRead(let time, let roundTrip):
        noteTrust(timeTrust.serverSaid(time, roundTrip: roundTrip, at: now), at: now)
      case .rehearsed(let id, let push): show(push, of: id)
      case .courtAnswered(let place, let outcome): courtAnswered(place, outcome, at: now)
      case .pushLogAnswered(let outcome): pushLogAnswered(outcome, at: now)
      case .probeFailed(let outcome):
        log(.debug, "probe failed", ["request": outcome.requestID, "reason": outcome.verdict.summary])
      }
    }
  }

  /// A call that left before the press, or carries no state, says nothing of the press.
  private mutating func tellSent(_ call: AblyCall, of id: LaneID, at now: Moment) {
    if case .create = call { return }
    guard let slot = lanes[id], let place = slot.court, courts[place].lanes.contains(id), !slot.lane.owesState else {
      return
    }
    courts[place].lamps.sent(at: now.instant)
  }

  mutating func answered(_ call: UInt64, _ result: TransportResult, at now: Moment) {
    let slot = provider.lane(ofCall: call).flatMap { lanes[$0] }
    let newerWaits = slot.map { $0.lane.hasNews } ?? false
    let actions = provider.attemptEnded(
      call: call, named(result, at: now), newerWaits: newerWaits, at: now, random: &random)
    perform(actions, at: now)
  }

  /// A certificate that seems to be of another time says more about our clock than about itself.
  private func named(_ result: TransportResult, at now: Moment) -> TransportResult {
    guard case .notSent(var fault) = result, fault.reason == .certificateRefused else { return result }
    fault.detail = "\(timeTrust.reasonForRefusedCertificate(at: now)): \(fault.detail)"
    return .notSent(fault)
  }

  /// A lane is kept for the game that is on; an earlier game's goes when it is over.
  private func isRetired(_ id: LaneID) -> Bool {
    guard let place = lanes[id]?.court else { return true }
    return !courts[place].lanes.contains(id)
  }

  mutating func addLane(_ lane: ActivityLane, court: Int?) -> LaneID {
    lastLane += 1
    let id = LaneID(number: lastLane)
    lanes[id] = LaneSlot(lane: lane, court: court)
    return id
  }

  // MARK: - Words

  private mutating func note(_ notice: LaneNotice, of id: LaneID) {
    guard let slot = lanes[id] else { return }
    let game = slot.lane.game
    let sink = slot.lane.sink.rawValue
    let level: LogLine.Level = notice.isAlarm ? .warning : .info
    switch notice {
    case .moved(let from, let to): log(.info, "activity moved", ["game": game, "sink": sink, "from": from, "to": to])
    case .successorWanted: break
    case .startSkipped(let reason): log(level, "start skipped", ["game": game, "sink": sink, "reason": reason])
    case .alertSent(let alert): log(.debug, "alert sent", ["game": game, "sink": sink, "event": alert])
    case .alertDropped(let alert, let reason):
      log(level, "alert dropped", ["game": game, "sink": sink, "event": alert, "reason": reason])
    case .parked(let entry, let reason):
      log(level, "push parked", ["game": game, "sink": sink, "entry": "\(entry)", "reason": reason])
    case .died(let reason, let detail):
      log(.error, "activity given up", ["game": game, "sink": sink, "reason": reason.rawValue, "detail": detail])
    case .broadcastStopped(let reason):
      log(.error, "broadcast stopped", ["game": game, "sink": sink, "reason": reason])
    case .channelMayHaveLeaked(let total):
      log(level, "a broadcast channel may have leaked", ["game": game, "sink": sink, "total": "\(total)"])
    case .clockBehindStamps(let gap):
      log(
        level, "clock is behind the last stamp", ["game": game, "sink": sink, "seconds": "\(gap.components.seconds)"])
    case .stampsOutOfReach(let gap):
      log(
        .error, "stamps out of reach: the activity is ended",
        ["game": game, "sink": sink, "seconds": "\(gap.components.seconds)"])
    case .ignored(let reason): log(.debug, "not told", ["game": game, "sink": sink, "reason": reason])
    case .storeFailing: log(level, "the disk takes nothing: create, start and end wait", ["game": game, "sink": sink])
    case .storeRecovered: log(.notice, "the disk takes records again", ["game": game, "sink": sink])
    }
  }

  private mutating func logAnswer(_ call: AblyCall, _ outcome: CallOutcome, of id: LaneID) {
    guard let lane = lanes[id]?.lane else { return }
    let level: LogLine.Level
    switch outcome.verdict {
    case .accepted: level = .debug
    case .notSent, .refused, .ambiguous: level = .warning
    }
    log(
      level, "push \(call.name)",
      [
        "sink": lane.sink.rawValue, "game": lane.game, "request": outcome.requestID, "attempts": "\(outcome.attempts)",
        "answer": outcome.verdict.summary,
      ])
  }

  /// A push that a rehearsal does not send, for whoever watches.
  private mutating func show(_ push: RehearsedPush, of id: LaneID) {
    guard let lane = lanes[id]?.lane else { return }
    turn.said.append(.show(TerminalLine("    → \(lane.sink.people) \(push.call.shown)")))
    if let seen = push.seen { turn.said.append(.show(TerminalLine("      fan sees: \(seen)"))) }
  }
}

extension Sink {
  /// As people call the phones.
  var people: String {
    switch self {
    case .ablyIOS: "iPhones"
    case .ablyAndroid: "Android"
    }
  }
}

extension AblyCall {
  /// What a fan would get of it, in one line.
  var shown: String {
    switch self {
    case .create(let policy): "create broadcast channel, storage policy \(policy.rawValue)"
    case .start(_, _, let payload), .update(_, let payload), .end(_, let payload):
      "\(name) \(payload.state.shown) · priority \(payload.headers?.priority.rawValue ?? "10")"
        + (payload.alert.map { " · alert “\($0.title)”" } ?? "")
    case .publish(_, let messages): messages.compactMap { $0.push?.shown }.joined(separator: "; ")
    case .publishToDevice(_, let payload), .publishToDevices(_, let payload): payload.push.shown
    case .time, .pushLog, .requestToken: name
    }
  }
}

extension GameAttributes.ContentState {
  fileprivate var shown: String {
    "\(homeScore)–\(awayScore) \(gameStatus.rawValue) \(period)" + (clock.isEmpty ? "" : " \(clock)")
      + (lastPlay.isEmpty ? "" : " · \(lastPlay)")
  }
}

extension PushObject {
  fileprivate var shown: String {
    func value(_ key: String) -> String { data.first { $0.key == key }?.value.text ?? "" }
    let clock = value("clock").isEmpty ? "" : " \(value("clock"))"
    let alert = value("alertTitle").isEmpty ? "" : " · alert “\(value("alertTitle"))”"
    return
      "\(value("event")) \(value("homeScore"))–\(value("awayScore")) \(value("gameStatus")) \(value("period"))\(clock)"
      + (fcm.map { " · \($0.priority.rawValue)" } ?? "") + alert
  }
}
