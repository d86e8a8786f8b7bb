package import GameCore

/// Which source is believed when two tell the same court the same thing. Feeds (consoles, scoreboards on MQTT) repeat
/// totals: the first to speak of a field owns it, and another takes over only when the owner has been silent for a while,
/// so that phones never flap between two boards. A person's press or command is one act and always counts, unless the
/// config gives the field to somebody else.
package struct Arbiter: Hashable, Sendable {
  /// What is owned together: `score` carries fouls, time-outs and the like, `clock` every clock and penalty.
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case score, clock, period
  }

  package enum Sort: String, CaseIterable, Hashable, Sendable {
    case buttons, console, mqtt
  }

  package struct Speaker: Hashable, Sendable {
    package var sort: Sort
    package var name: String

    package init(_ sort: Sort, _ name: String) {
      self.sort = sort
      self.name = name
    }
  }

  /// Whom the config gives a field to.
  package enum Choice: String, CaseIterable, Hashable, Sendable {
    /// The first feed to speak; people always.
    case anyone
    /// Never taken over: buttons are silent by nature.
    case buttons
    case console
    case mqtt
  }

  package struct Settings: Hashable, Sendable {
    package var score = Choice.anyone
    package var clock = Choice.anyone
    package var period = Choice.anyone
    package var takeOverAfter = Duration.seconds(20)

    package init() {}

    package subscript(_ field: Field) -> Choice {
      switch field {
      case .score: score
      case .clock: clock
      case .period: period
      }
    }
  }

  /// Two feeds that say different things of a field; the owner is followed.
  package struct Conflict: Hashable, Sendable {
    package var field: Field
    package var owner: Speaker
    package var owned: String
    package var other: Speaker
    package var said: String
  }

  private enum State: Hashable, Sendable {
    /// No feed has spoken of it yet.
    case free
    /// This feed is followed, until it has been silent for too long.
    case owned(by: Speaker)
  }

  private struct Heard: Hashable, Sendable {
    /// The start of its present life, without a silence that would cost it the field.
    var since: Instant
    var last: Instant
    var values: [Field: String] = [:]
  }

  private let settings: Settings
  private var states: [Field: State] = [:]
  private var heard: [Speaker: Heard] = [:]

  package init(_ settings: Settings = Settings()) { self.settings = settings }

  /// A feed is alive, whether or not it said anything new.
  package mutating func heard(_ speaker: Speaker, at now: Instant) {
    if let life = heard[speaker], now - life.last < settings.takeOverAfter {
      heard[speaker]?.last = now
    } else {
      heard[speaker] = Heard(since: now, last: now, values: heard[speaker]?.values ?? [:])
    }
  }

  /// Whether a feed's word on a field counts. The value is only compared with what others said.
  package mutating func reported(_ field: Field, value: String?, by speaker: Speaker, at now: Instant) -> Bool {
    heard(speaker, at: now)
    heard[speaker]?.values[field] = value
    let choice = settings[field]
    guard choice != .buttons else { return false }
    switch states[field] ?? .free {
    case .owned(speaker): return true
    case .free:
      guard choice.admits(speaker.sort) || mayStandIn(speaker, for: choice, at: now) else { return false }
    case .owned(let owner):
      let isOwnerSilent = isSilent(owner, at: now)
      let isReturning = choice != .anyone && choice.admits(speaker.sort) && !choice.admits(owner.sort)
      guard
        isReturning && hasSpokenLong(speaker, at: now)
          || isOwnerSilent && (choice.admits(speaker.sort) || mayStandIn(speaker, for: choice, at: now))
      else { return false }
    }
    states[field] = .owned(by: speaker)
    return true
  }

  /// Why a person's press or command on a field does not count; nil when it does.
  package func refusal(of field: Field, by sort: Sort, at now: Instant) -> String? {
    let choice = settings[field]
    guard !choice.admits(sort) else { return nil }
    if choice != .buttons, !isHeard(choice, at: now) { return nil }
    let owner: String
    switch choice {
    case .anyone, .buttons: owner = "the buttons"
    case .console: owner = "the console"
    case .mqtt: owner = "the scoreboard on MQTT"
    }
    return "the \(field.rawValue) on this court belongs to \(owner)"
  }

  package func owner(of field: Field) -> Speaker? {
    guard case .owned(let owner) = states[field] else { return nil }
    return owner
  }

  /// Feeds that are alive and contradict the owner. Clocks are never quite equal, and are not compared.
  package func conflicts(at now: Instant) -> [Conflict] {
    guard heard.count > 1 else { return [] }
    return Field.allCases.flatMap { field -> [Conflict] in
      guard field != .clock, let owner = owner(of: field), !isSilent(owner, at: now),
        let owned = heard[owner]?.values[field]
      else { return [] }
      return heard.compactMap { speaker, life -> Conflict? in
        guard speaker != owner, !isSilent(speaker, at: now), let said = life.values[field], said != owned else {
          return nil
        }
        return Conflict(field: field, owner: owner, owned: owned, other: speaker, said: said)
      }.sorted { $0.other.name < $1.other.name }
    }
  }

  private func isSilent(_ speaker: Speaker, at now: Instant) -> Bool {
    heard[speaker].map { now - $0.last >= settings.takeOverAfter } ?? true
  }

  private func hasSpokenLong(_ speaker: Speaker, at now: Instant) -> Bool {
    heard[speaker].map { now - $0.since >= settings.takeOverAfter } ?? false
  }

  private func isHeard(_ choice: Choice, at now: Instant) -> Bool {
    heard.keys.contains { choice.admits($0.sort) && !isSilent($0, at: now) }
  }

  /// Somebody else than the config's choice may speak once that one has been silent long enough to be missed.
  private func mayStandIn(_ speaker: Speaker, for choice: Choice, at now: Instant) -> Bool {
    !isHeard(choice, at: now) && hasSpokenLong(speaker, at: now)
  }
}

extension Arbiter.Choice {
  fileprivate func admits(_ sort: Arbiter.Sort) -> Bool {
    switch self {
    case .anyone: true
    case .buttons: sort == .buttons
    case .console: sort == .console
    case .mqtt: sort == .mqtt
    }
  }
}

extension GameEvent.Kind {
  /// The field that an act of a person changes; nil for those that nobody owns.
  package var arbitratedField: Arbiter.Field? {
    switch self {
    case .scored, .totalSet, .fouled, .shotTaken, .shootoutAttempted, .pitched: .score
    case .clockStarted, .clockStopped, .clockToggled, .clockSet, .clockAdjusted, .shotClockReset, .shotClockStopped:
      .clock
    case .periodAdvanced, .periodSet: .period
    case .penaltyGiven, .penaltyOver, .jamStarted, .jamEnded, .clockExpired, .shotClockExpired, .periodClosed,
      .timeoutCalled, .timeoutOver, .possessionSet, .possessionSwitched, .basesSet, .downSet, .reviewStarted,
      .reviewOver, .delayed, .resumed, .hornSounded, .lastPlaySet, .opened, .teamsNamed, .namesFrozen, .playStarted,
      .finalDeclared, .retired, .gameEnded, .gameReset, .calledOff, .nextGameOpened, .settled, .undone, .redone,
      .corrected, .heldConfirmed, .heldRejected, .rebooted, .reported:
      nil
    }
  }
}

extension Report {
  /// What it says of a field, as one text to compare; nil when it says nothing of it.
  package func value(of field: Arbiter.Field) -> String? {
    switch field {
    case .score:
      guard let home = home.score, let away = away.score else { return nil }
      return "\(home)–\(away)"
    case .clock: return clock.map { "\($0.reading.components.seconds)" }
    case .period: return periodNumber.map { "\($0)" } ?? periodText
    }
  }

  /// Without what belongs to a field.
  package mutating func drop(_ field: Arbiter.Field) {
    switch field {
    case .score:
      for side in GameCore.Side.allCases {
        let penalties = self[side].penalties
        self[side] = Report.Side()
        self[side].penalties = penalties
      }
      possession = nil
      (balls, strikes, outs, bases) = (nil, nil, nil, nil)
      (down, distance, ballOn) = (nil, nil, nil)
    case .clock:
      (clock, shotClock, restClock, clockText) = (nil, nil, nil, nil)
      (isRest, isTimeout) = (nil, nil)
      home.penalties = nil
      away.penalties = nil
    case .period:
      (periodNumber, periodText, inning, isTopOfInning) = (nil, nil, nil, nil)
    }
  }
}
