package import GameCore

/// Why nothing more is sent to a sink for a game. Others go on; it is told once.
package enum DeadReason: String, Hashable, Sendable, CaseIterable {
  /// The provider does not know the broadcast (any more).
  case gone
  /// Two creates were not answered: a third could leave a third channel behind.
  case createUnanswered
  case createRefused
  /// Apple allows 10,000 channels per app, and they are used up.
  case channelLimit
  /// The provider will not take the end, so the tile stays until the system removes it.
  case endRefused
  /// The stored record could not be understood: a person decides, nothing is created in its place.
  case recordUnreadable
}

/// The life of one activity at one sink, from the channel that carries it to its end: what exists at the provider as far
/// as anybody can know. Create, start and end are written down as intended before they leave and as answered after it; an
/// intent without an answer, met after a restart, is a call whose fate nobody knows. A start whose fate is unknown is
/// never repeated: a second start is a second tile on every phone that got the first.
///
/// Android has no channel to create and begins as created.
package struct ActivityLifecycle: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// Nothing exists at the provider.
    case none
    /// A create is intended or under way.
    case creating
    /// A create was not answered; it may have left a channel behind that nobody can name.
    case createUnknown
    /// The channel exists. Updates are allowed: apps may have started a tile themselves.
    case created
    /// A start is intended or under way.
    case starting
    /// The start was accepted, and no update yet.
    case started
    /// The start may have been processed. It goes on as if it had, and is never repeated.
    case startUnknown
    /// Updates arrive.
    case updating
    /// The final state was accepted; corrections are ordinary updates and restart the hold.
    case settling(since: Instant, until: Instant)
    /// The end is intended or under way, with these figures as long as its bytes may be repeated.
    case ending(EndIntent)
    /// Over. Nothing is sent any more.
    case ended
    /// Given up, with the reason.
    case dead(DeadReason)
  }

  /// What became of the start, apart from the state it led to.
  package enum Start: Hashable, Sendable {
    case due
    case accepted
    case unknown
    /// It will not be sent; late viewers start the tile in the app.
    case skipped(reason: String)
  }

  /// When the tile came to be. The instant is what counts; the wall time survives a restart, and is nil until a clock
  /// that is believed has told it.
  package struct StartMark: Hashable, Sendable {
    package var wall: WallTime?
    package var instant: Instant?

    package init(wall: WallTime? = nil, instant: Instant?) {
      self.wall = wall
      self.instant = instant
    }
  }

  private var state: State
  package private(set) var broadcast: Broadcast?
  package private(set) var createdAt: StartMark?
  /// Creates that came to no answer; a third is not tried.
  package private(set) var unansweredCreates = 0
  /// Attempts of creates that may each have left a channel behind, on whatever host.
  package private(set) var leakedChannels = 0
  package private(set) var start = Start.due
  /// Starts that were refused with "later": one more is allowed, not two.
  private var postponedStarts = 0
  package private(set) var startedAt: StartMark?
  /// An update left: on Android any update makes a card, which somebody has to end.
  package private(set) var hasBeenTold = false

  package init(needsBroadcast: Bool) { state = needsBroadcast ? .none : .created }

  // MARK: Create

  package var mayCreate: Bool {
    switch state {
    case .none: true
    case .createUnknown: unansweredCreates < Self.mostCreates
    case .creating, .created, .starting, .started, .startUnknown, .updating, .settling, .ending, .ended, .dead: false
    }
  }

  package mutating func createIntended() { state = .creating }

  package mutating func created(_ broadcast: Broadcast, at moment: Moment) {
    self.broadcast = broadcast
    createdAt = StartMark(instant: moment.instant)
    state = .created
  }

  /// It certainly did not happen: back to where it was.
  package mutating func createFailed() { state = unansweredCreates == 0 ? .none : .createUnknown }

  package mutating func channelsMayHaveLeaked(_ count: Int) { leakedChannels += count }

  package mutating func createUnanswered() {
    unansweredCreates += 1
    state = unansweredCreates < Self.mostCreates ? .createUnknown : .dead(.createUnanswered)
  }

  // MARK: Start

  package var mayStart: Bool { state == .created && start == .due }

  /// From now on there may be a tile.
  package mutating func startIntended(at now: Instant) {
    state = .starting
    startedAt = StartMark(instant: now)
  }

  package mutating func startAccepted(at moment: Moment) {
    start = .accepted
    startedAt = StartMark(instant: moment.instant)
    state = .started
  }

  package mutating func startUnanswered(at moment: Moment) {
    start = .unknown
    startedAt = StartMark(instant: moment.instant)
    state = .startUnknown
  }

  /// Nothing was processed; it may be tried again inside its window.
  package mutating func startNotSent() {
    state = .created
    startedAt = nil
  }

  /// The provider said "later": one more try. A second "later" gives the start up.
  package mutating func startPostponed(reason: String) {
    postponedStarts += 1
    startNotSent()
    if postponedStarts > 1 { start = .skipped(reason: reason) }
  }

  package mutating func startSkipped(reason: String) {
    startNotSent()
    start = .skipped(reason: reason)
  }

  // MARK: Updates

  package var mayUpdate: Bool {
    switch state {
    case .created, .started, .startUnknown, .updating, .settling: true
    case .none, .creating, .createUnknown, .starting, .ending, .ended, .dead: false
    }
  }

  package mutating func updateSent() { hasBeenTold = true }

  package mutating func updateAccepted() {
    switch state {
    case .started, .startUnknown: state = .updating
    // Without a start of ours, apps may still have joined; the start remains possible until its window closes.
    case .created: if start != .due { state = .updating }
    case .none, .creating, .createUnknown, .starting, .updating, .settling, .ending, .ended, .dead: break
    }
  }

  /// The final state arrived: the hold for corrections begins.
  package mutating func finalAccepted(at now: Instant) {
    guard mayUpdate, settlingUntil == nil else { return }
    state = .settling(since: now, until: now + Self.hold)
  }

  package mutating func corrected(at now: Instant) {
    guard case .settling(let since, _) = state else { return }
    state = .settling(since: since, until: min(now + Self.hold, since + Self.longestHold))
  }

  /// The final was taken back: the game is on.
  package mutating func finalWithdrawn() {
    if settlingUntil != nil { state = .updating }
  }

  package var settlingUntil: Instant? {
    if case .settling(_, let until) = state { until } else { nil }
  }

  // MARK: End

  package mutating func endIntended(_ intent: EndIntent) { state = .ending(intent) }
  package mutating func ended() { state = .ended }

  /// The end was refused as it is: once more, and the system decides how long the tile stays.
  package mutating func endsWithoutDismissal() {
    guard case .ending(var intent) = state else { return }
    intent.dismissal = nil
    state = .ending(intent)
  }
  package mutating func died(_ reason: DeadReason) { state = .dead(reason) }

  package var endIntent: EndIntent? {
    if case .ending(let intent) = state { intent } else { nil }
  }

  /// Nothing exists that would have to be ended.
  package var hasNothingToEnd: Bool {
    switch state {
    case .none, .createUnknown: true
    case .created: broadcast == nil && !hasBeenTold
    case .creating, .starting, .started, .startUnknown, .updating, .settling, .ending, .ended, .dead: false
    }
  }

  package var hasBeenToldOrStarted: Bool { startedAt != nil || hasBeenTold }

  /// No phone was told anything yet, and no call is under way that could.
  package var isBeforeStart: Bool { state == .created && startedAt == nil && !hasBeenTold }

  /// Phones know nothing of it, or it was given up: another broadcast may take its place.
  package var isReplaceable: Bool {
    switch state {
    case .none, .creating, .createUnknown, .dead: true
    case .created: startedAt == nil && !hasBeenTold
    case .starting, .started, .startUnknown, .updating, .settling, .ending, .ended: false
    }
  }

  package var isOver: Bool {
    switch state {
    case .ended, .dead: true
    case .none, .creating, .createUnknown, .created, .starting, .started, .startUnknown, .updating, .settling, .ending:
      false
    }
  }

  package var deadReason: DeadReason? {
    if case .dead(let reason) = state { reason } else { nil }
  }

  // MARK: Time

  /// How old the tile is; nil without one, or while no clock can tell.
  package func age(at now: Instant) -> Duration? { startedAt?.instant.map { now - $0 } }

  /// How old the channel is; nil without one, or while no clock can tell.
  package func ageOfChannel(at now: Instant) -> Duration? { createdAt?.instant.map { now - $0 } }

  /// The clock can be believed: wall times from before the restart become instants, and instants have a wall time.
  package mutating func clockTrusted(at moment: Moment) {
    startedAt?.settle(at: moment)
    createdAt?.settle(at: moment)
  }

  // MARK: Record

  /// The state's word, for status and for the record.
  package var word: String {
    switch state {
    case .none: "none"
    case .creating: "creating"
    case .createUnknown: "create-unknown"
    case .created: "created"
    case .starting: "starting"
    case .started: "started"
    case .startUnknown: "start-unknown"
    case .updating: "updating"
    case .settling: "settling"
    case .ending: "ending"
    case .ended: "ended"
    case .dead: "dead"
    }
  }

  /// An activity that another bridge made: its tile may exist, so it is never started again.
  package init(adopting broadcast: Broadcast, startedAt: WallTime?, at moment: Moment) {
    self.broadcast = broadcast
    state = .startUnknown
    start = .unknown
    createdAt = StartMark(instant: moment.instant)
    self.startedAt = StartMark(wall: startedAt, instant: startedAt == nil ? moment.instant : nil)
  }

  /// As the record left it. An intent without an answer is a call whose fate nobody knows.
  package init(from record: LaneRecord, at moment: Moment) {
    broadcast = record.broadcast
    // What no believed clock has timed counts from this restart.
    func mark(_ wall: WallTime?) -> StartMark { StartMark(wall: wall, instant: wall == nil ? moment.instant : nil) }
    createdAt = record.broadcast.map { _ in mark(record.createdAt) }
    if record.startedAt != nil || record.start == .accepted || record.start == .unknown {
      startedAt = mark(record.startedAt)
    }
    unansweredCreates = record.unansweredCreates
    leakedChannels = record.leakedChannels
    postponedStarts = record.postponedStarts
    start = record.start
    hasBeenTold = record.hasBeenTold
    switch record.state {
    case "none": state = .none
    case "creating":
      state = .creating
      leakedChannels += 1
      createUnanswered()
    case "create-unknown": state = .createUnknown
    case "created": state = .created
    case "starting":
      start = .unknown
      startedAt = mark(record.startedAt)
      state = .startUnknown
    case "started": state = .started
    case "start-unknown": state = .startUnknown
    case "updating": state = .updating
    case "settling": state = .settling(since: moment.instant, until: moment.instant + Self.hold)
    case "ending": state = record.end.map { .ending($0) } ?? .dead(.recordUnreadable)
    case "ended": state = .ended
    case "dead": state = .dead(record.dead ?? .recordUnreadable)
    case _: state = .dead(.recordUnreadable)
    }
  }

  package func write(into record: inout LaneRecord) {
    record.state = word
    record.broadcast = broadcast
    record.createdAt = createdAt?.wall
    record.startedAt = startedAt?.wall
    record.unansweredCreates = unansweredCreates
    record.leakedChannels = leakedChannels
    record.postponedStarts = postponedStarts
    record.start = start
    record.hasBeenTold = hasBeenTold
    record.end = endIntent
    record.dead = deadReason
  }

  private static let mostCreates = 2
  private static let hold: Duration = .seconds(120)
  private static let longestHold: Duration = .seconds(600)
}

extension ActivityLifecycle.StartMark {
  fileprivate mutating func settle(at moment: Moment) {
    if let instant {
      wall = wall ?? moment.wall + (instant - moment.instant)
    } else if let wall {
      instant = moment.instant - max(.zero, moment.wall - wall)
    }
  }
}

/// The figures of an end, written down before it leaves so that a repeat is the same end, also after a restart.
package struct EndIntent: Hashable, Sendable {
  /// In the unit of the sink's counter.
  package var stamp: Int64
  package var sequence: Int64
  package var builtAt: WallTime
  /// Nil where the sink has no such thing.
  package var dismissal: WallTime?

  package init(stamp: Int64, sequence: Int64, builtAt: WallTime, dismissal: WallTime?) {
    self.stamp = stamp
    self.sequence = sequence
    self.builtAt = builtAt
    self.dismissal = dismissal
  }
}
