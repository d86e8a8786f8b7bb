import GameCore
import LiveContract
import Outbox

// The one call that is unsafe to repeat: when it is due, and what it says.
extension ActivityLane {
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
    let sinceStart =
      opening.openedAt.map { moment.instant - $0 } ?? opening.scheduled.map { moment.wall - $0 } ?? .zero
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

  /// Its alert names minutes, so it is told anew for as long as it has not left.
  package var awaitsStart: Bool { opening != nil && lifecycle.start == .due && !lifecycle.isOver }

  package mutating func startWillSay(_ alert: Alert) { opening?.startAlert = alert }

  /// On Android any update makes a card, and the card's time is the start's.
  var makesCardTooEarly: Bool {
    sink == .ablyAndroid && lifecycle.mayStart && !lifecycle.hasBeenTold && newest?.gameStatus == .scheduled
  }

  var hasPlayBegun: Bool {
    switch newest?.gameStatus {
    case .live, .halftime: true
    case .scheduled, .finished, nil: false
    }
  }

  mutating func wantsStart(at moment: Moment) -> Bool {
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

  mutating func sendStart(at moment: Moment) {
    guard let opening else { return }
    guard let numbers = takeNumbers(at: moment) else { return }
    let rule = settings.rules.start
    var state = told(at: moment)
    state.seq = Int(numbers.sequence)
    let stale = rule.staleAt(
      now: wall(at: moment), lastFrame: wall(at: moment), breakLeft: .zero,
      scheduledStart: opening.scheduled ?? wall(at: moment))
    if rule.priority(sinceLastNow: nil, lastMinutes: false) == .now { lastUrgent = moment.instant }
    send(
      call(for: lifecycle.broadcast, state, stamp: numbers.stamp, stale: stale, alert: opening.startAlert, at: moment),
      .start, state: state, at: moment)
  }

  func call(
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
      headers: .init(
        priority: rule.priority(sinceLastNow: nil, lastMinutes: false),
        expirationSeconds: (wall(at: moment) + rule.expiration).seconds))
    return .start(broadcast, audience: .channels(["live-ios:\(game)"]), payload)
  }

  static let lastCall: Duration = .seconds(1)
}
