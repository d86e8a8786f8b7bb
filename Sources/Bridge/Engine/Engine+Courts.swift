package import GameCore
package import Input
internal import LiveContract
internal import Outbox
package import Publishing

/// A court of the config with what was made of it: rules, decoders and keys that are known to be right.
package struct CourtSettings {
  package var config: CourtConfig
  package var rules: Rules
  package var texts: Texts
  /// One per console of the config, in its order.
  package var feeds: [ConsoleFeed]
  /// The terminal's keys.
  package var keys: [Character: (word: String, binding: Binding)]
  /// What the buttons on lines do.
  package var buttons = ButtonBindings()
  /// What each MQTT button's words mean, in the order of the config.
  package var mqttActions: [[String: (word: String, binding: Binding)]]

  package init(
    config: CourtConfig, rules: Rules, texts: Texts, feeds: [ConsoleFeed],
    keys: [Character: (word: String, binding: Binding)],
    mqttActions: [[String: (word: String, binding: Binding)]] = []
  ) {
    self.config = config
    self.rules = rules
    self.texts = texts
    self.feeds = feeds
    self.keys = keys
    self.mqttActions = mqttActions
  }
}

// What inputs say becomes an event of a court's game; what the game makes of it becomes news for phones and broker.
extension Engine {
  static func court(
    _ settings: CourtSettings, at place: Int, config: Config, taken: Set<String> = [], ports: EnginePorts, run: String,
    now: Moment
  ) -> Court {
    let consoles = zip(settings.config.consoles, settings.feeds).map { ConsoleSlot(name: $0.name, feed: $1) }
    var keys: [Character: Court.KeyAction] = [:]
    for (key, action) in settings.keys {
      keys[key] = Court.KeyAction(word: action.word, binding: action.binding, isArmed: key.isUppercase)
    }
    let game = settings.config.game
    let record = Self.record(
      home: game.home.map(Team.init), away: game.away.map(Team.init), scheduled: game.start.map(ports.wallTime),
      isOpen: false, rules: settings.rules, taken: taken, ports: ports, now: now)
    return Court(
      place: place, config: settings.config, rules: settings.rules, texts: settings.texts,
      topics: CourtTopics(prefix: config.topicPrefix, slug: settings.config.slug), record: record,
      game: Self.game(record, rules: settings.rules),
      notice: CourtNotice(
        channel: config.courtChannel(of: settings.config), run: "\(run)-\(settings.config.slug)"),
      consoles: consoles, consolesConfig: settings.config.consoles, keys: keys,
      buttons: ButtonBox(settings.config, settings.buttons), lamps: LampBoard(settings.config.lamps.map(\.shows)),
      lampTroubles: settings.config.lamps.map { _ in "not open yet" },
      boards: settings.config.mqttBoards.map { MQTTBoard(name: $0.name, places: $0.places, lostAfter: $0.lostAfter) },
      mqttButtons: mqttButtons(settings), arbiter: Arbiter(settings.config.sources))
  }

  private static func mqttButtons(_ settings: CourtSettings) -> [Court.ButtonSlot] {
    zip(settings.config.mqttButtons, settings.mqttActions).map { config, actions in
      Court.ButtonSlot(
        button: MQTTButton(
          name: config.name, maker: config.maker, topic: config.topic, input: config.input.map(Int.init)),
        actions: actions.mapValues { Court.KeyAction(word: $0.word, binding: $0.binding, isArmed: false) })
    }
  }

  /// `<sport>-<day at the venue>-<home>-<away>`, with a number from the second game of a day.
  static func record(
    home: Team?, away: Team?, scheduled: WallTime?, isOpen: Bool, rules: Rules, taken: Set<String>, ports: EnginePorts,
    now: Moment
  ) -> GameRecord {
    let day = ports.localDay(scheduled ?? now.wall)
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let codes = "\((home ?? Court.defaultHome).code)-\((away ?? Court.defaultAway).code)".lowercased()
    let base = "\(rules.code)-\(day.year)\(two(day.month))\(two(day.day))-\(codes)"
    var id = base
    var number = 2
    while taken.contains(id) {
      id = "\(base)-\(number)"
      number += 1
    }
    return GameRecord(id: id, home: home, away: away, scheduled: scheduled, isOpen: isOpen && scheduled == nil)
  }

  static func game(
    _ record: GameRecord, rules: Rules, restoring events: [GameEvent] = [], upTo lastSequence: Int64 = 0
  ) -> Game {
    Game(
      id: record.id, rules: rules, names: Pair(home: record.home, away: record.away),
      scheduledStart: record.scheduled, opening: record.isOpen ? .open : .announced, restoring: events,
      upTo: lastSequence)
  }

  // MARK: - Inputs

  mutating func pressed(_ key: Character, at now: Moment) {
    guard phase == .ready else { return }
    for place in courts.indices {
      guard let action = courts[place].keys[key] else { continue }
      press(action, from: Source(.button, "key"), on: place, at: now)
    }
  }

  mutating func received(_ bytes: [UInt8], from address: InputAddress, at now: Moment) {
    guard phase == .ready, let name = name(of: address) else { return }
    let actions = courts[address.court].consoles[address.console].feed.received(bytes[...], at: now.instant)
    if courts[address.court].consoles[address.console].feed.isFresh {
      courts[address.court].arbiter.heard(Arbiter.Speaker(.console, name), at: now.instant)
      tellFrame(to: address.court, at: now)
    }
    for action in actions {
      switch action {
      case .health(let change): noteHealth(change, of: address, at: now)
      case .report(let report): reported(report, by: Source(.console, name), to: address.court, at: now)
      }
    }
  }

  func newEvent(_ kind: GameEvent.Kind, from source: Source, of place: Int, at now: Moment) -> GameEvent {
    GameEvent(id: "\(runID)-\(courts[place].events + 1)", source: source, moment: now, kind: kind)
  }

  /// Gives an event to its game and tells everybody what came of it.
  @discardableResult
  mutating func apply(_ event: GameEvent, word: String, to place: Int, at now: Moment) -> Game.Answer.Verdict {
    courts[place].events += 1
    let answer = courts[place].game.handle(event)
    if answer.verdict == .counted, event.source.sort == .button {
      courts[place].lamps.pressed(event.id, reachesPhones: courts[place].realGame == nil, at: now.instant)
    }
    take(answer.accepted, of: place, at: now)
    openLanesIfDue(of: place, at: now)
    switch answer.verdict {
    case .counted:
      if event.source.sort == .button { expectReceipt(event, word: word, of: place, at: now) }
    case .held:
      log(.notice, "held", ["court": courts[place].config.slug, "from": event.source.name])
    case .ignored(let ignored):
      if event.source.sort == .button {
        turn.said.append(.show(TerminalLine("\(word): not counted, \(ignored.reason)", since: event.moment.instant)))
      }
      if event.source.sort != .console {
        log(.info, "ignored", ["court": courts[place].config.slug, "event": word, "reason": ignored.reason])
      }
    }
    return answer.verdict
  }

  // MARK: - What the game made of it

  /// Accepted events in their order: to the log on disk, to phones, to the broker.
  mutating func take(_ accepted: [Game.Accepted], of place: Int, at now: Moment) {
    guard courts[place].realGame == nil else { return takePractice(accepted, of: place, at: now) }
    for entry in accepted {
      store.write([.event(game: courts[place].game.id, sequence: entry.sequence, body: entry.event.json)])
      tellPhones(entry, of: place, at: now)
      sayEvent(entry, of: place)
      for fact in entry.change.facts {
        switch fact {
        case .ended: for id in courts[place].lanes { tell(id, .gameEnded, at: now) }
        case .nextGameWanted: openNextGame(on: place, at: now)
        case .scored, .scoreCorrected, .pointWon, .gameWon, .setWon, .detailChanged, .penaltyChanged, .clockStarted,
          .clockStopped, .clockSet, .clockExpired, .shotClockChanged, .breakClockChanged, .timeoutCalled,
          .timeoutOver, .playStarted, .periodStarted, .periodEnded, .shootoutAttempted, .reviewStarted, .reviewOver,
          .delayed, .resumed, .lastPlayChanged, .opened, .named, .namesFrozen, .final, .finalCorrected, .calledOff,
          .wasReset, .phaseCorrected, .rebased:
          break
        }
      }
      noteChange(entry.change, of: place)
    }
  }

  private mutating func tellPhones(_ entry: Game.Accepted, of place: Int, at now: Moment) {
    let court = courts[place]
    guard court.isToldToPhones else { return }
    if entry.change.facts.contains(.named), court.isNamed {
      let alert = startAlert(of: place, at: now)
      for id in court.lanes { tell(id, .named(GameAttributes(court.names), startAlert: alert), at: now) }
    }
    let plan = PublishPlan(
      entry.change, state: court.game.published, rules: court.rules, names: court.names, texts: court.texts, at: now)
    guard !plan.updates.isEmpty else { return }
    let state = contentState(of: place, at: now)
    for update in plan.updates {
      let alert = update.alert.map { AlertCandidate(id: entry.event.id, alert: $0, claim: update.claim) }
      let change = LaneChange(
        state: state, kind: update.kind, alert: alert,
        lastMinutes: court.game.state.isInLastMinutes(court.rules, at: now.instant),
        breakLeft: court.game.state.breakLeft(at: now.instant))
      for id in court.lanes { tell(id, .changed(change), at: now) }
    }
  }

  func contentState(of place: Int, at now: Moment) -> GameAttributes.ContentState {
    let court = courts[place]
    return GameAttributes.ContentState(
      court.game.published, rules: court.rules, names: court.names, texts: court.texts,
      in: ProjectionContext(moment: now, timeIsTrusted: timeTrust.trust == .trusted))
  }

  func startAlert(of place: Int, at now: Moment) -> Alert {
    let court = courts[place]
    let ahead = court.record.scheduled.map { max($0 - now.wall, .zero) }
    return Alert.start(
      names: court.names, state: (court.realGame ?? court.game).state, rules: court.rules, texts: court.texts,
      in: ahead ?? .zero)
  }

  // MARK: - Games and their lanes

  /// A scheduled game is told to the lanes at once, so that its channel exists hours ahead; one without a schedule when
  /// somebody opens it or play begins, as nobody may be playing at all.
  mutating func openLanesIfDue(of place: Int, at now: Moment) {
    guard phase == .ready, !courts[place].isToldToPhones, courts[place].realGame == nil,
      courts[place].record.scheduled != nil || courts[place].game.state.life != .announced
    else { return }
    courts[place].isToldToPhones = true
    let court = courts[place]
    let opening = GameOpening(
      attributes: GameAttributes(court.names), isNamed: court.isNamed, scheduled: court.record.scheduled,
      startAlert: startAlert(of: place, at: now), hasFeed: court.hasFeed,
      state: contentState(of: place, at: now))
    if court.lanes.isEmpty {
      for sink in sinks(of: court.config) {
        let lane = ActivityLane(
          game: court.game.id, sink: sink, settings: laneSettings(of: court, sink), at: now)
        courts[place].lanes.append(addLane(lane, court: place))
      }
    }
    for id in courts[place].lanes {
      tell(id, .trustChanged(timeTrust.trust), at: now)
      if let adopts = court.adopts, lanes[id]?.lane.sink == .ablyIOS {
        tell(id, .adopted(adopts, startedAt: nil), at: now)
      }
      tell(id, .opened(opening), at: now)
    }
    courts[place].adopts = nil
  }

  func sinks(of court: CourtConfig) -> [Sink] {
    (court.phones.ios.isEnabled ? [.ablyIOS] : []) + (court.phones.android.isEnabled ? [.ablyAndroid] : [])
  }

  /// The game that follows on this court: a fresh full state at once, and the old one's activities end.
  mutating func openNextGame(on place: Int, at now: Moment) {
    let wanted = courts[place].nextGame ?? Court.NextGame()
    courts[place].nextGame = nil
    follow(with: wanted, isOpen: true, on: place, at: now)
  }

  /// Nobody has opened the game that stands there: it makes room for the one that is described. What is left out stays
  /// as it was, except the time.
  mutating func announce(_ wanted: Court.NextGame, on place: Int, at now: Moment) {
    let old = courts[place].record
    let wanted = Court.NextGame(home: wanted.home ?? old.home, away: wanted.away ?? old.away, start: wanted.start)
    guard wanted != Court.NextGame(home: old.home, away: old.away, start: old.scheduled) else { return }
    follow(with: wanted, isOpen: false, on: place, at: now)
  }

  private mutating func follow(with wanted: Court.NextGame, isOpen: Bool, on place: Int, at now: Moment) {
    for id in courts[place].lanes { tell(id, .gameEnded, at: now) }
    // The id of a game of which nothing is known anywhere may serve again.
    let old = courts[place].isToldToPhones || !courts[place].game.log.events.isEmpty ? courts[place].record.id : nil
    var taken = knownGames.union(courts.filter { $0.place != place }.map(\.record.id))
    if let old { taken.insert(old) }
    var record = Self.record(
      home: wanted.home, away: wanted.away, scheduled: wanted.start, isOpen: isOpen, rules: courts[place].rules,
      taken: taken, ports: ports, now: now)
    record.isAsked = true
    courts[place].record = record
    courts[place].game = Self.game(record, rules: courts[place].rules)
    courts[place].lanes = []
    courts[place].isToldToPhones = false
    for id in lanes.keys.filter({ lanes[$0]?.court == place && lanes[$0]?.lane.isOver == true }) {
      lanes[id] = nil
      provider.forget(id)
    }
    knownGames.insert(record.id)
    if let old {
      knownGames.insert(old)
      pastGames.removeAll { $0.game == old }
      pastGames.append(.init(game: old, endedAt: now.wall))
    }
    forgetOldGames(at: now)
    writeRecord(of: place)
    openLanesIfDue(of: place, at: now)
    log(
      .notice, record.isOpen ? "game opened" : "game announced",
      ["court": courts[place].config.slug, "game": record.id])
    courts[place].owesState = true
  }

  mutating func writeRecord(of place: Int) {
    let court = courts[place]
    store.write([.mark(key: GameRecord.key(of: court.config.slug), value: court.record.json())])
  }

  // MARK: - Receipts

  /// Remembers the press until its commit has come back, with what it did in this turn.
  private mutating func expectReceipt(_ event: GameEvent, word: String, of place: Int, at now: Moment) {
    let court = courts[place]
    let state = court.game.published
    let score = state.score
    let phones = court.lanes.compactMap { id -> String? in
      guard let lane = lanes[id]?.lane else { return nil }
      let calls = turn.calls[id] ?? []
      let told = calls.isEmpty ? waitWords(lane, at: event.moment.instant) : calls.joined(separator: ", ")
      return "\(lane.sink.people): \(told)"
    }
    store.expect(
      .press(
        Press(
          court: place, word: word, event: event.id,
          score: "\(court.names.home.name) \(score.home) – \(score.away) \(court.names.away.name), "
            + state.periodText(court.rules),
          phones: court.realGame != nil
            ? "practice" : phones.isEmpty ? "phones: nothing yet" : phones.joined(separator: ", "),
          since: event.moment.instant))
    )
  }

  /// Where a lane is before it tells its first update, in the lifecycle's words.
  private static let beforeUpdates: Set<String> = ["none", "creating", "create-unknown", "created", "starting"]

  private func waitWords(_ lane: ActivityLane, at now: Instant) -> String {
    let report = lane.report(at: now)
    if let due = lane.nextDeadline, report.queued > 0, due > now {
      return "in \((due - now).milliseconds / 100 * 100) ms"
    }
    if report.queued > 0 || report.inFlight != nil { return "\(report.state), waits" }
    return Self.beforeUpdates.contains(report.state) ? report.state : "nothing to tell"
  }

  mutating func counted(_ press: Press, at now: Moment) {
    courts[press.court].lamps.counted(press.event, at: now.instant)
    let several = courts.count > 1 ? "\(courts[press.court].config.name): " : ""
    turn.said.append(
      .show(TerminalLine("\(several)\(press.word) counted · \(press.score) · \(press.phones)", since: press.since)))
    log(.info, "counted", ["court": courts[press.court].config.slug, "event": press.word, "id": press.event])
  }
}

extension Team {
  init(_ team: GameConfig.Team) {
    self.init(name: team.name, code: team.code ?? Team.code(from: team.name))
  }

  /// The first three letters of the name, where no code was given.
  private static func code(from name: String) -> String {
    let slug = Slug(from: name)?.text.split(separator: "-").joined() ?? ""
    return slug.isEmpty ? "team" : String(slug.prefix(3))
  }
}
