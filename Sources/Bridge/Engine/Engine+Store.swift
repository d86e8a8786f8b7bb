internal import GameCore
internal import LiveContract
internal import Outbox
internal import Publishing

// What the store gives back at start, and what it says of each batch.
extension Engine {
  /// Reads the games and lanes of the run before; from now on presses count.
  mutating func started(_ contents: StoreContents, at now: Moment) {
    guard phase == .starting else { return }
    for record in contents.setAside { log(.error, "a record could not be read and was set aside", ["record": record]) }
    status.recordsSetAside = contents.setAside.count
    // Who cannot tell one boot from another must not believe the instants of the run before.
    let isSameBoot = !identity.boot.isEmpty && contents.marks[Self.bootKey] == Array(identity.boot.utf8)
    earlierCommands = Self.commands(in: contents, parse: ports.json)
    knowGames(of: contents, at: now)
    let records = courts.map { court in
      contents.marks[GameRecord.key(of: court.config.slug)].flatMap { ports.json($0) }.flatMap(GameRecord.init(_:))
    }
    for place in courts.indices {
      giveOwnGame(to: place, records, at: now)
      restoreGame(of: place, records[place], from: contents, isSameBoot: isSameBoot, at: now)
    }
    restoreLanes(from: contents, at: now)
    // Only now may lanes be opened: a game that goes on has its own, and a second one would be a second tile.
    phase = .ready
    forgetOldGames(at: now)
    store.write([.mark(key: Self.bootKey, value: Array(identity.boot.utf8))])
    for place in courts.indices {
      openLanesIfDue(of: place, at: now)
      courts[place].owesState = true
    }
    announce()
    log(.notice, "ready", ["courts": "\(courts.count)", "rehearsal": provider.isRehearsal ? "yes" : "no"])
  }

  private static var bootKey: String { "boot" }

  /// The newest commands that had an id, whatever game they were for.
  private static func commands(in contents: StoreContents, parse: JSONParse) -> Set<String> {
    let events = contents.events.compactMap { parse($0.body).flatMap(GameEvent.init(json:)) }
      .filter { $0.source.sort == .mqtt && $0.id.hasPrefix("mqtt-") }
    let newest = events.sorted { $0.moment.wall > $1.moment.wall }.prefix(4096)
    return Set(newest.map(\.id))
  }

  /// The game that the config gives to a court may be on at another one since the run before.
  private mutating func giveOwnGame(to place: Int, _ records: [GameRecord?], at now: Moment) {
    let court = courts[place]
    let others = records.enumerated().compactMap { $0.offset == place ? nil : $0.element?.id }
    guard others.contains(court.record.id) else { return }
    let taken = knownGames.union(others).union(courts.map(\.record.id))
    courts[place].record = Self.record(
      home: court.record.home, away: court.record.away, scheduled: court.record.scheduled, isOpen: false,
      rules: court.rules, taken: taken, ports: ports, now: now)
    courts[place].game = Self.game(courts[place].record, rules: court.rules)
  }

  private mutating func restoreGame(
    of place: Int, _ stored: GameRecord?, from contents: StoreContents, isSameBoot: Bool, at now: Moment
  ) {
    let slug = courts[place].config.slug
    // Without a record the events still tell; beside them a fresh game's would have no place in the store.
    let record = stored ?? courts[place].record
    if stored == nil { writeRecord(of: place) }
    let known = contents.events.filter { $0.game == record.id }
    var events: [GameEvent] = []
    for stored in known {
      if let event = ports.json(stored.body).flatMap(GameEvent.init(json:)) {
        events.append(event)
      } else {
        log(.error, "an event could not be read", ["game": record.id, "sequence": "\(stored.sequence)"])
      }
    }
    if stored == nil, known.isEmpty { return }
    // Nothing was played, and the config names another game now: that one it is.
    if events.isEmpty, !record.isAsked, courts[place].config.game != GameConfig(),
      !knownGames.contains(courts[place].record.id)
    {
      writeRecord(of: place)
      return
    }
    courts[place].record = record
    courts[place].game = Self.game(
      record, rules: courts[place].rules, restoring: events, upTo: known.last?.sequence ?? 0)
    log(.notice, "game restored", ["court": slug, "game": record.id, "events": "\(events.count)"])
    guard !isSameBoot, let last = events.map(\.moment.instant).max() else { return }
    let away = timeTrust.trust != .untrusted ? events.last.map { now.wall - $0.moment.wall } : nil
    let event = newEvent(.rebooted(last: last, away: away), from: Source(.engine, "reboot"), of: place, at: now)
    apply(event, word: "reboot", to: place, at: now)
  }

  private mutating func restoreLanes(from contents: StoreContents, at now: Moment) {
    let courts = courts
    let restored = RestoredLanes(
      contents, at: now,
      settings: { game, sink in
        let court = courts.first { $0.game.id == game } ?? courts[0]
        return self.laneSettings(of: court, sink)
      }, parse: { self.ports.json($0) })
    androidStamps = restored.androidStamps
    noteTrust(timeTrust.stampGiven(androidStamps.floorTime(at: WallTime(milliseconds: 0)), at: now), at: now)
    for key in restored.unreadable { log(.error, "an activity's record could not be read", ["record": key]) }
    for var lane in restored.lanes {
      lane.hasSuccessor = restored.lanes.contains {
        $0.game == lane.game && $0.sink == lane.sink && $0.round > lane.round
      }
      let place = courts.firstIndex { $0.game.id == lane.game }
      // What is over and belongs to the game that is on is kept: a lane made in its place would be a second tile.
      if lane.isOver, place == nil || lane.hasSuccessor { continue }
      let id = addLane(lane, court: place)
      tell(id, .trustChanged(timeTrust.trust), at: now)
      tell(id, .restored, at: now)
      if let place {
        self.courts[place].lanes.append(id)
        self.courts[place].isToldToPhones = true
        resume(id, on: place, at: now)
      } else {
        tell(id, .gameEnded, at: now)
      }
    }
  }

  /// A lane that came back learns schedule, names and feed anew; a rig without a console has its full picture at once.
  private mutating func resume(_ id: LaneID, on place: Int, at now: Moment) {
    let court = courts[place]
    // A tile that follows another one was scheduled for the moment it was made.
    let isFirst = lanes[id]?.lane.round == 1
    tell(
      id,
      .opened(
        GameOpening(
          attributes: GameAttributes(court.names), isNamed: court.isNamed,
          scheduled: isFirst ? court.record.scheduled : nil,
          startAlert: startAlert(of: place, at: now), hasFeed: court.hasFeed,
          state: contentState(of: place, at: now))), at: now)
    guard !court.hasFeed else { return }
    tell(id, .changed(LaneChange(state: contentState(of: place, at: now), kind: .detail)), at: now)
  }

  mutating func stored(_ outcome: StoreOutcome, at now: Moment) {
    let wasInTrouble = store.trouble != nil
    for release in store.settled(outcome, at: now.instant, isOwed: \.outlivesRefusal) {
      switch release {
      case .persisted(.lane(let id, let token)): tell(id, .persisted(token), at: now)
      case .persisted(.press(let press)): counted(press, at: now)
      case .persisted(.reply(let ticket)): confirm(ticket)
      case .persisted(.farewell): break
      case .delayed(.lane(let id, let token), _): tell(id, .persistFailed(token), at: now)
      case .delayed(.press(let press), let reason):
        courts[press.court].lamps.refused(press.event)
        turn.said.append(
          .show(TerminalLine("\(press.word): in memory only, the disk refuses (\(reason))", since: press.since)))
      case .delayed(.reply, _), .delayed(.farewell, _): break
      }
    }
    if let trouble = store.trouble, !wasInTrouble {
      log(.error, "the disk takes nothing; the game goes on in memory", ["reason": trouble])
    } else if wasInTrouble, store.trouble == nil {
      log(.notice, "the disk takes everything again")
    }
    // A disk that refuses must not keep a daemon that was asked to end.
    if phase == .draining, store.trouble != nil { phase = .stopped }
    if phase == .stopped { turn.stops = true }
  }

  /// Asked to end: first phones, which would count a clock on that nobody reads any more.
  mutating func terminate(at now: Moment) {
    guard phase == .ready else {
      phase = .stopped
      turn.stops = true
      return
    }
    log(.notice, "stopping")
    for place in courts.indices { tellFeed(.shutdown, of: place, at: now) }
    phase = .leaving(until: now.instant + Self.leavingTime)
  }

  /// Then lanes write exactly how far they are, the broker is told, and the last commit is waited for.
  mutating func farewell(at now: Moment) {
    tellLanes(.stopping, at: now)
    retainAvailability(.offline)
    store.expect(.farewell)
    phase = .draining
  }

  private static let leavingTime: Duration = .seconds(2)

  // MARK: - Settings of lanes

  func laneSettings(of court: Court, _ sink: Sink) -> LaneSettings {
    let phones = court.config.phones
    var settings = LaneSettings.standard(sink)
    settings.followInApp = court.texts.followInApp(court.rules)
    settings.attributesType = config.contract.attributesType
    for change in phones.events { change.change(&settings.rules) }
    switch sink {
    case .ablyIOS:
      settings.storagePolicy = phones.ios.storagePolicy
      settings.spacing = phones.ios.spacing
      settings.renews = phones.ios.isRenewed
    case .ablyAndroid: settings.spacing = phones.android.spacing
    }
    return settings
  }
}
