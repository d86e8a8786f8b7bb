import Document
package import GameCore
import LiveContract
import Outbox

/// One game at one sink: when anything is sent, what replaces what, and what survives a power cut.
///
/// **The durability rule.** An *update* leaves in the same turn in which its entry is handed to the store, and its commit
/// runs beside it: the newest state may be repeated harmlessly, and the floors under its stamp and number are on the disk
/// long before. A *create*, *start* or *end* must not be repeated blindly, so its intent is on the disk before the
/// request leaves (`persisted` has come back), and its outcome is written after the answer. An intent that is found
/// without an outcome after a restart is a call whose fate nobody knows. What a created channel is called must be on the
/// disk before anything is sent to it.
///
/// The lane decides nothing alone: the lifecycle knows what exists, the outbox whether anything may leave, the waiting
/// state and the alert queue what there is to tell, the floors under which numbers. This type puts them in order: create
/// before start before updates before end.
package struct ActivityLane: Sendable {
  package let game: String
  package let sink: Sink
  /// 1 for the game's first activity at this sink; one that takes the place of a tile near its limit has the next.
  package let round: Int
  var settings: LaneSettings

  var lifecycle: ActivityLifecycle
  var outbox = OutboxState()
  var budget: Budget
  /// The lane's own on iOS; on Android the app's, lent for the time of each call.
  var stamps: StampFloor
  var sequence: SequenceFloor
  var trust = ClockTrust.untrusted

  var attributes: GameAttributes
  var opening: Opening?
  var feed = Feed.none
  /// The newest state of the game, with no number of its own.
  var newest: GameAttributes.ContentState?
  /// What the provider took last, as it was sent; nil while nobody knows what phones show.
  var accepted: GameAttributes.ContentState?
  /// What the provider will never take.
  var refused: GameAttributes.ContentState?
  var waiting: WaitingState<GameAttributes.ContentState, UpdateKind>?
  var alerts = AlertQueue()
  var inFlight: InFlight?
  /// An Android message whose fate is open: the same bytes under the same id may be sent again for a while.
  var repeatable: InFlight?
  var finish: LaneFinish?
  /// The state the end carries; set with the intent.
  var endState: GameAttributes.ContentState?
  /// A create, start or end whose intent is on its way to the disk.
  var intent: Intent?
  var lastMinutes = false
  var isDelayed = false
  var breakUntil: Instant?
  var lastUrgent: Instant?
  /// The last request that carried a state to phones, whatever became of it: spacing counts from here.
  var lastPush: Instant?
  var lastChange: Instant?
  /// When the oldest change happened that phones may not have.
  var oldestUntold: Instant?
  var updatesFrom: Instant?
  var stampsFrom: Instant?
  /// An attempt failed since the last success: what follows is a catch-up and never rings.
  var isCatchingUp = false
  /// Back from the store: whatever the game says next is told, once.
  var awaitsPicture = false
  var isStopping = false
  var holdReason: String?
  var refusals = RefusalRun()
  var toldGap = false
  /// Another lane was made, or will be, that takes this one's place.
  package var hasSuccessor = false

  var store = StoreSide()
  var notices: [LaneNotice] = []
  var calls: [LaneAction] = []
  /// When the lane wants to be told that time has passed.
  package private(set) var nextDeadline: Instant?

  /// Schedule and names of the game.
  struct Opening: Hashable, Sendable {
    var isNamed: Bool
    var startAlert: Alert
    /// The scheduled start in wall time; what it was taken from when there was no schedule is `openedAt`. Nil until a
    /// clock that is believed has told it.
    var scheduled: WallTime?
    var openedAt: Instant?
  }

  /// Whether a scoreboard vouches for what is shown.
  enum Feed: Hashable, Sendable {
    /// Only presses: they are true until the next.
    case none
    case alive(lastFrame: Instant)
    case lost(lastFrame: Instant)
  }

  /// What is asked and not answered.
  struct InFlight: Hashable, Sendable {
    enum Kind: Hashable, Sendable {
      case create, start, end
      case update(entry: Int64?, reasons: [UpdateKind], alert: String?)
    }

    var kind: Kind
    var call: AblyCall
    var state: GameAttributes.ContentState
    var builtAt: Instant
    var token: AttemptToken
  }

  enum Intent: Hashable, Sendable {
    case create, start, end
  }

  /// A lane for a game that was never told to this sink.
  package init(game: String, sink: Sink, round: Int = 1, settings: LaneSettings, at moment: Moment) {
    self.game = game
    self.sink = sink
    self.round = round
    self.settings = settings
    lifecycle = ActivityLifecycle(needsBroadcast: sink == .ablyIOS)
    budget = Budget(capacity: settings.budgetCapacity, refill: settings.budgetRefill, isFull: true, at: moment.instant)
    stamps = StampFloor(unit: sink == .ablyIOS ? .seconds : .milliseconds)
    sequence = SequenceFloor()
    attributes = GameAttributes(homeTeam: "", awayTeam: "")
  }

  /// A lane as the store kept it. `nextEntry` is above every entry of its history. Tell it `restored` before anything
  /// else.
  package init(
    restoring record: LaneRecord, floors: LaneFloors, nextEntry: Int64, settings: LaneSettings, at moment: Moment
  ) {
    self.init(game: record.game, sink: record.sink, round: record.round, settings: settings, at: moment)
    lifecycle = ActivityLifecycle(from: record, at: moment)
    budget = Budget(capacity: settings.budgetCapacity, refill: settings.budgetRefill, isFull: false, at: moment.instant)
    lastUrgent = moment.instant
    lastChange = moment.instant
    stamps = StampFloor(unit: stamps.unit, floor: floors.stamp)
    sequence = SequenceFloor(floor: floors.sequence ?? 0)
    attributes = record.attributes
    newest = record.newest ?? record.accepted
    finish = record.finish
    endState = lifecycle.endIntent == nil ? nil : newest
    store.scheduled = record.scheduled
    store.nextEntry = nextEntry
    store.isKnown = true
  }

  /// The one way in: what happened, and what is to be done about it. `androidStamps` is the counter of everything sent
  /// to the Android app, owned by the engine; a lane for iOS leaves it alone. `random` moves waits a little.
  package mutating func handle(
    _ event: LaneEvent, at moment: Moment, androidStamps: inout StampFloor, random: UInt64
  ) -> [LaneAction] {
    if case .frameArrived = event, case .alive = feed {
      feed = .alive(lastFrame: moment.instant)
      return []
    }
    if sink == .ablyAndroid { stamps = androidStamps }
    let before = lifecycle.word
    take(event, at: moment, random: random)
    if !isStopping { advance(at: moment) }
    if trust != .untrusted { lifecycle.clockTrusted(at: moment) }
    if lifecycle.word != before { notices.append(.moved(from: before, to: lifecycle.word)) }
    let actions = flush(at: moment)
    nextDeadline = isStopping ? nil : deadline(at: moment)
    if sink == .ablyAndroid { androidStamps = stamps }
    return actions
  }

  private mutating func take(_ event: LaneEvent, at moment: Moment, random: UInt64) {
    switch event {
    case .opened(let opening): opened(opening, at: moment)
    case .named(let attributes, let alert): named(attributes, startAlert: alert)
    case .adopted(let broadcast, let startedAt): adopted(broadcast, startedAt: startedAt, at: moment)
    case .changed(let change): changed(change, at: moment)
    case .frameArrived: break
    case .feedChanged(let hasFeed): feed = hasFeed ? .alive(lastFrame: moment.instant) : .none
    case .gameEnded: gameEnded()
    case .persisted(let token): persisted(token, at: moment)
    case .persistFailed(let token): persistFailed(token, at: moment)
    case .answered(let token, let verdict, let unsure):
      answered(token, verdict, unsureAttempts: unsure, at: moment, random: random)
    case .linkCameUp, .providerReachable: outbox.providerReachable()
    case .trustChanged(let trust): trustChanged(to: trust, at: moment)
    case .settingsChanged(let settings):
      self.settings = settings
      outbox.keyMayHaveChanged()
    case .succeeded: if lifecycle.mayUpdate { forget() }
    case .restored: restored(at: moment)
    case .deadlineReached: break
    case .stopping: stopped()
    }
  }

  /// Whether a `GET /time` a second would tell this lane that it may go on.
  package var waitsForProbe: Bool { outbox.isUnreachable && !lifecycle.isOver && !isStopping }

  package var isOver: Bool { lifecycle.isOver }

  /// Why a broadcast that was made elsewhere cannot be this game's; nil when it can.
  package func obstacle(toAdopting broadcast: Broadcast) -> String? {
    guard sink == .ablyIOS else { return "only iPhones have broadcasts" }
    if broadcast.id == lifecycle.broadcast?.id { return nil }
    if inFlight != nil || intent == .start || intent == .end {
      return "a request for this game is on its way; ask again in a moment"
    }
    guard lifecycle.isReplaceable else {
      return "phones know this game by a broadcast of its own; "
        + "announce one with a later start (game new), and adopt before that"
    }
    return nil
  }

  /// The service took its start: phones have its tile.
  package var isStarted: Bool { lifecycle.start == .accepted }

  /// Phones were told something, and will be told more.
  package var isOnPhones: Bool { lifecycle.hasBeenToldOrStarted && !lifecycle.isOver }
}

// MARK: What happened

extension ActivityLane {
  private mutating func opened(_ opening: GameOpening, at moment: Moment) {
    guard !lifecycle.isOver else { return ignore("the activity is over") }
    attributes = opening.attributes
    let scheduled = opening.scheduled ?? store.scheduled
    self.opening = Opening(
      isNamed: opening.isNamed, startAlert: opening.startAlert,
      scheduled: scheduled ?? (trust == .untrusted ? nil : moment.wall),
      openedAt: scheduled == nil ? moment.instant : nil)
    feed = opening.hasFeed ? .alive(lastFrame: moment.instant) : .none
    if newest == nil || finish == nil { newest = bounded(opening.state) }
    store.recordChanged()
  }

  private mutating func named(_ attributes: GameAttributes, startAlert: Alert) {
    guard opening != nil else { return ignore("no game is open") }
    self.attributes = attributes
    opening?.isNamed = true
    opening?.startAlert = startAlert
    store.recordChanged()
  }

  private mutating func adopted(_ broadcast: Broadcast, startedAt: WallTime?, at moment: Moment) {
    if let obstacle = obstacle(toAdopting: broadcast) { return ignore(obstacle) }
    guard broadcast.id != lifecycle.broadcast?.id else { return }
    intent = nil
    // A channel of its own, of which no phone knows, stays behind.
    let leaked = lifecycle.leakedChannels + (lifecycle.broadcast == nil ? 0 : 1)
    lifecycle = ActivityLifecycle(adopting: broadcast, startedAt: startedAt, at: moment)
    lifecycle.channelsMayHaveLeaked(leaked)
    refusals = RefusalRun()
    if trust != .untrusted { lifecycle.clockTrusted(at: moment) }
    store.recordChanged()
    store.holdUpdatesUntilDurable()
    tellAgain(at: moment)
  }

  private mutating func changed(_ change: LaneChange, at moment: Moment) {
    let now = moment.instant
    guard !lifecycle.isOver, lifecycle.endIntent == nil, intent != .end else {
      return ignore("the activity has ended: \(change.kind.rawValue)")
    }
    var state = bounded(change.state)
    if finish == .beforeTheSystem { state.lastPlay = settings.followInApp }
    newest = state
    lastChange = now
    lastMinutes = change.lastMinutes
    noteSituation(change, at: now)
    drop(alerts.judge(by: state))
    if let alert = change.alert {
      drop(alerts.ask(alert, kind: change.kind, rule: settings.rules[change.kind].alert, at: now))
      // What is not true of its own state is not true at all.
      drop(alerts.judge(by: state))
    }
    if settings.rules[change.kind].wait == .ridesAlong && !awaitsPicture {
      waiting?.refresh(state)
      return
    }
    put(state, kind: awaitsPicture && change.kind == .detail ? .feedRestored : change.kind, at: moment)
    awaitsPicture = false
  }

  private mutating func noteSituation(_ change: LaneChange, at now: Instant) {
    switch change.kind {
    case .feedLost: if case .alive(let frame) = feed { feed = .lost(lastFrame: frame) }
    case .feedRestored: if case .lost = feed { feed = .alive(lastFrame: now) }
    case .delayed: isDelayed = true
    case .resumed, .playStarted, .periodStarted, .clockStarted: isDelayed = false
    case .final: if finish == nil { finish = .afterSettling }
    case .calledOff: if finish == nil || finish == .afterSettling { finish = .atOnce }
    case .basket, .goal, .correction, .clockStopped, .clockSet, .penalty, .detail, .timeoutCalled, .periodEnded,
      .breakClock, .overtimeStarted, .shootoutAttempt, .heartbeat, .finalCorrection, .shutdown:
      break
    }
    if let left = change.breakLeft { breakUntil = now + left }
    if finish == .afterSettling {
      if change.state.gameStatus == .finished {
        lifecycle.corrected(at: now)
      } else {
        // The final was taken back.
        finish = nil
        lifecycle.finalWithdrawn()
        store.recordChanged()
      }
    }
    if change.kind.isLast { store.recordChanged() }
  }

  private mutating func gameEnded() {
    guard !lifecycle.isOver, lifecycle.endIntent == nil else { return ignore("the activity has ended") }
    if finish != .forgotten, finish != .outOfReach { finish = .atOnce }
    store.recordChanged()
  }

  private mutating func trustChanged(to trust: ClockTrust, at moment: Moment) {
    let wasTrusted = self.trust != .untrusted
    self.trust = trust
    guard trust != .untrusted else { return }
    lifecycle.clockTrusted(at: moment)
    if !wasTrusted {
      if let openedAt = opening?.openedAt { opening?.scheduled = moment.wall + (openedAt - moment.instant) }
      // Certificates that seemed to start in the future are good now.
      outbox.providerReachable()
      store.recordChanged()
    }
  }

  private mutating func restored(at moment: Moment) {
    awaitsPicture = !lifecycle.isOver && finish == nil
    isCatchingUp = true
    if trust != .untrusted { lifecycle.clockTrusted(at: moment) }
    store.recordChanged()
  }

  /// Notes exactly how far the counters are; nothing more is given out.
  private mutating func stopped() {
    isStopping = true
    store.writeExactFloors(stamps: stamps, sequence: sequence, keys: floorKeys)
  }

  func bounded(_ state: GameAttributes.ContentState) -> GameAttributes.ContentState {
    guard state.lastPlay.utf8.count > Self.longestText else { return state }
    var shorter = state
    var room = Self.longestText
    shorter.lastPlay = String(
      state.lastPlay.prefix { character in
        room -= character.utf8.count
        return room >= 0
      })
    return shorter
  }

  mutating func ignore(_ reason: String) { notices.append(.ignored(reason: reason)) }

  mutating func drop(_ dropped: [AlertQueue.Dropped]) {
    for alert in dropped { notices.append(.alertDropped(id: alert.id, reason: alert.reason)) }
  }

  private static let longestText = 1024
}
