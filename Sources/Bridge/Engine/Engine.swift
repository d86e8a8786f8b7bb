internal import Document
package import GameCore
internal import Input
internal import Outbox
package import Publishing

/// What the engine asks of the world outside, as plain functions without effect.
package struct EnginePorts: Sendable {
  package var json: JSONParse
  package var hmac: HMACSHA256
  /// The day at the venue.
  package var localDay: @Sendable (WallTime) -> CalendarDay
  /// The instant at which the venue's wall clock shows this.
  package var wallTime: @Sendable (LocalTime) -> WallTime

  package init(
    json: @escaping JSONParse, hmac: @escaping HMACSHA256, localDay: @escaping @Sendable (WallTime) -> CalendarDay,
    wallTime: @escaping @Sendable (LocalTime) -> WallTime
  ) {
    self.json = json
    self.hmac = hmac
    self.localDay = localDay
    self.wallTime = wallTime
  }
}

/// Who this daemon is, for status, logs and ids.
package struct Identity: Hashable, Sendable {
  package var version: String
  /// The kernel's id of this boot: the monotonic clock runs on through a restart of the daemon, but not of the machine.
  package var boot: String

  package init(version: String, boot: String) {
    self.version = version
    self.boot = boot
  }
}

/// The daemon as one machine: it is told what happened and what time it is, and answers with what to do. Whatever can
/// block, fail or tick lives outside it.
package struct Engine {
  var config: Config
  let ports: EnginePorts
  let identity: Identity
  var courts: [Court]
  var lanes: [LaneID: LaneSlot] = [:]
  var lastLane = 0
  var provider: Provider
  var store = StoreLink<Receipt>()
  var desk = BrokerDesk()
  var rival = Rival()
  /// Commands with ids of games before the one that is on, from the run before: a repeat may come late.
  var earlierCommands: Set<String> = []
  /// Every game of which the store holds anything: no other may have its id.
  var knownGames: Set<String> = []
  /// Those that are over and still kept.
  var pastGames: [HistoryRule.PastGame] = []
  var broker = BrokerState.connecting
  var androidStamps = StampFloor(unit: .milliseconds)
  var random: SeededGenerator
  var timeTrust = TimeTrust()
  var status = StatusDesk()
  var pushLog = PushLogWatch()
  var phase = Phase.starting
  var turn = Turn()
  /// When Home Assistant, which has just started, is told of everything again.
  var discoveryDue: Instant?
  let runID: String

  /// Where the daemon is in its own life.
  enum Phase: Hashable, Sendable {
    /// The store has not been read yet: nothing is counted.
    case starting
    case ready
    /// Asked to end: phones that follow a game hear that nobody watches it any more, and until then at most.
    case leaving(until: Instant)
    /// Phones have heard it: what is durable is waited for, nothing new leaves.
    case draining
    case stopped
  }

  struct LaneSlot {
    @Boxed var lane: ActivityLane
    /// Nil for a lane whose court is not in the config any more: it only ends.
    var court: Int?
  }

  /// What a commit stands for.
  package enum Receipt: Hashable, Sendable {
    case lane(LaneID, WriteToken)
    case press(Press)
    case reply(ReplyTicket)
    /// Everything before the end of the daemon.
    case farewell

    /// A lane that hears of a refusal writes anew, under another token.
    var outlivesRefusal: Bool {
      if case .lane = self { return false }
      return true
    }
  }

  /// A press that was counted, as its receipt tells it.
  package struct Press: Hashable, Sendable {
    var court: Int
    var word: String
    var event: String
    var score: String
    var phones: String
    var since: Instant
  }

  /// Everything that is still to be done of this turn, sorted by what must come first.
  struct Turn {
    var wire: [Action] = []
    /// Lines to be read: last, as the answer to a reading is a stimulus of its own.
    var readings: [Action] = []
    /// Calls that left for this stimulus, for the press's line.
    var calls: [LaneID: [String]] = [:]
    /// What happened in games, for the broker.
    var news: [EventNews] = []
    var lights: [Action] = []
    var said: [Action] = []
    var isOpen = false
    /// The daemon's last turn.
    var stops = false
  }

  package init(
    config: Config, courts settings: [CourtSettings], provider: Provider, ports: EnginePorts, identity: Identity,
    seed: UInt64, at now: Moment
  ) {
    self.config = config
    self.ports = ports
    self.identity = identity
    self.provider = provider
    random = SeededGenerator(seed: seed)
    // With a number of six digits behind it, an event's id still fits into a string without memory of its own.
    runID = String(random.freshIdentifier().prefix(8))
    courts = []
    for (place, settings) in settings.enumerated() {
      let taken = Set(courts.map(\.record.id))
      courts.append(Self.court(settings, at: place, config: config, taken: taken, ports: ports, run: runID, now: now))
    }
  }

  /// The one way in: what leaves for phones at once. The order is a promise: that first, and at the turn's end what is
  /// written and what broker and people are told, so that no press waits while words are made for those.
  package mutating func handle(_ stimulus: Stimulus, at now: Moment) -> [Action] {
    turn.isOpen = true
    turn.calls = [:]
    noteTrust(timeTrust.looked(at: now), at: now)
    take(stimulus, at: now)
    switch phase {
    case .ready: timePassed(at: now)
    case .leaving(let until):
      lanesPassed(at: now)
      store.deadlineReached(at: now.instant)
      if until <= now.instant || !lanes.values.contains(where: { $0.lane.isTelling }) { farewell(at: now) }
    case .draining: store.deadlineReached(at: now.instant)
    case .starting, .stopped: break
    }
    defer {
      turn.wire = []
      turn.readings = []
    }
    return turn.wire + turn.readings
  }

  /// Whether anything was handled since the last turn's end.
  package var isTurnOpen: Bool { turn.isOpen }

  /// After any number of stimuli, and before anybody sleeps: what is written, then what the broker and people are told.
  package mutating func endTurn(at now: Moment) -> [Action] {
    if phase == .ready {
      provider.lanesChanged(
        isNeeded: lanes.values.contains { !$0.lane.isOver }, isSilent: lanes.values.contains { $0.lane.waitsForProbe },
        at: now.instant)
      tellBroker(at: now)
      tellApps(at: now)
      readPushLog(at: now)
      updateLamps(at: now)
    }
    var actions = turn.wire
    if let batch = store.flush() { actions.append(.persist(batch)) }
    actions += desk.drain().map(Action.publish)
    actions += turn.said
    actions += turn.lights
    if phase == .draining, store.isIdle {
      phase = .stopped
      turn.stops = true
    }
    if turn.stops { actions.append(.stop) }
    turn = Turn()
    return actions
  }

  private mutating func take(_ stimulus: Stimulus, at now: Moment) {
    switch stimulus {
    case .started(let contents): started(contents, at: now)
    case .bytes(let bytes, let address): received(bytes, from: address, at: now)
    case .feedOpened(let address): feedOpened(address)
    case .feedClosed(let address, let reason): feedClosed(address, reason: reason)
    case .input(let kind, let word, let source, let court):
      guard phase == .ready else { return }
      apply(newEvent(kind, from: source, of: court, at: now), word: word, to: court, at: now)
    case .key(let key): pressed(key, at: now)
    case .message(let message): received(message, at: now)
    case .broker(let state): brokerMoved(to: state, at: now)
    case .brokerSaid(let news): brokerSaid(news)
    case .stored(let outcome): stored(outcome, at: now)
    case .answered(let call, let result): answered(call, result, at: now)
    case .linkCameUp: tellLanes(.linkCameUp, at: now)
    case .line(let place, let news): lineSaid(news, of: place, at: now)
    case .clockChecked(let isSynchronised): clockChecked(isSynchronised, at: now)
    case .reload(let reload): self.reload(reload, at: now)
    case .deadline: break
    case .terminate: terminate(at: now)
    }
  }

  /// The earliest instant at which something happens by itself.
  package var nextDeadline: Instant? {
    switch phase {
    case .starting, .stopped: return nil
    case .draining: return store.nextDeadline
    case .leaving(let until):
      return (lanes.values.map(\.lane.nextDeadline) + [store.nextDeadline, until]).compactMap { $0 }.min()
    case .ready: break
    }
    var next = [store.nextDeadline, provider.nextDeadline, status.nextDeadline, rival.nextDeadline, discoveryDue]
    // What is not asked while a lane meets silence, or at all, must not wake anybody either.
    let reachesApps = provider.reachesApps
    let tellsApps = reachesApps && !lanes.values.contains { $0.lane.waitsForProbe }
    if reachesApps { next.append(pushLog.nextDeadline) }
    // A court is large: it is looked at where it stands, not copied.
    for place in courts.indices {
      next.append(courts[place].game.nextDeadline)
      next.append(courts[place].readingDue)
      if tellsApps { next.append(courts[place].notice.nextDeadline) }
      next.append(courts[place].buttons.panel.nextDeadline)
      next.append(courts[place].lamps.nextDeadline)
      for console in courts[place].consoles { next.append(console.feed.nextDeadline) }
      for board in courts[place].boards { next.append(board.nextDeadline) }
    }
    for slot in lanes.values { next.append(slot.lane.nextDeadline) }
    return next.compactMap { $0 }.min()
  }

  /// Everything that was due by now: the games' own events first, as lanes tell of them.
  private mutating func timePassed(at now: Moment) {
    for place in courts.indices {
      let accepted = courts[place].game.timePassed(at: now)
      take(accepted, of: place, at: now)
      checkButtons(of: place, at: now)
      checkConsoles(of: place, at: now)
      checkBoards(of: place, at: now)
      openLanesIfDue(of: place, at: now)
    }
    lanesPassed(at: now)
    announceAgainIfDue(at: now)
    perform(provider.deadlineReached(at: now, random: &random), at: now)
    store.deadlineReached(at: now.instant)
  }

  private mutating func lanesPassed(at now: Moment) {
    for id in lanes.keys.sorted(by: { $0.number < $1.number }) {
      guard let due = lanes[id]?.lane.nextDeadline, due <= now.instant else { continue }
      tell(id, .deadlineReached, at: now)
    }
  }

  mutating func log(_ level: LogLine.Level, _ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    turn.said.append(.log(LogLine(level, event, fields)))
  }
}
