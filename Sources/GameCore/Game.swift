/// One game of one court: its log, what plausibility holds of a console's reports, and the deadlines at which something
/// happens by itself. Nothing ticks: whoever holds it calls back at `nextDeadline`.
package struct Game: Sendable {
  package let id: String
  package let rules: Rules
  /// As scheduled; nil when the game takes the moment at which it is opened.
  package let scheduledStart: WallTime?
  package private(set) var log: GameLog
  package private(set) var plausibility: Plausibility
  private var clockWatch: ClockWatch
  /// When the start window opened, or play began before it.
  package private(set) var openedAt: Moment?
  private var lastMoment: Moment?

  /// An event that was taken, its place in the log, and what it did.
  package struct Accepted: Hashable, Sendable {
    package var event: GameEvent
    package var sequence: Int64
    package var change: GameChange
  }

  /// What became of an event: what was taken, the daemon's own events that were due before it included.
  package struct Answer: Hashable, Sendable {
    package enum Verdict: Hashable, Sendable {
      case counted
      /// A console's scores wait; the rest of its report may have been counted.
      case held
      case ignored(Ignored)
    }

    package var verdict: Verdict
    /// In the order of the log.
    package var accepted: [Accepted]
  }

  /// `opening` is `.open` for a game without a schedule.
  package init(
    id: String, rules: Rules, names: Pair<Team?> = Pair(home: nil, away: nil), scheduledStart: WallTime? = nil,
    opening: Opening = .announced, restoring events: [GameEvent] = [], upTo lastSequence: Int64 = 0
  ) {
    self.id = id
    self.rules = rules
    self.scheduledStart = scheduledStart
    log = GameLog(rules: rules, names: names, opening: opening, restoring: events, upTo: lastSequence)
    plausibility = Plausibility(rules: rules)
    clockWatch = ClockWatch(rules: rules)
    openedAt = events.first { $0.kind == .opened || $0.kind == .playStarted }?.moment
  }

  package var state: GameState { log.state }
  /// What phones and displays are told: the state, its headline naming a correction as one.
  package var published: GameState { log.published }

  /// Takes an event, after everything of the daemon's own that was due before it.
  package mutating func handle(_ event: GameEvent) -> Answer {
    var accepted = timePassed(at: event.moment)
    let verdict: Answer.Verdict
    switch event.kind {
    case .reported(let report): verdict = take(report, of: event, &accepted)
    case .heldConfirmed:
      verdict =
        plausibility.confirmed().map { append(event, as: .reported($0), &accepted) }
        ?? .ignored(Ignored("nothing is held"))
    case .heldRejected: verdict = plausibility.rejected() ? .counted : .ignored(Ignored("nothing is held"))
    default: verdict = append(event, as: event.kind, &accepted)
    }
    return Answer(verdict: verdict, accepted: accepted)
  }

  private mutating func take(_ report: Report, of event: GameEvent, _ accepted: inout [Accepted]) -> Answer.Verdict {
    if log.contains(event.id) { return .ignored(Ignored("this event has been counted already")) }
    var report = report.bounded
    if let clock = report.clock { report.clock = clockWatch.reported(clock, at: event.moment.instant) }
    let passing = plausibility.reported(report, in: state, rules: rules, at: event.moment.instant)
    let verdict = append(event, as: .reported(passing), &accepted)
    return plausibility.held != nil && passing != report ? .held : verdict
  }

  private mutating func append(
    _ event: GameEvent, as kind: GameEvent.Kind, _ accepted: inout [Accepted]
  ) -> Answer.Verdict {
    let event = GameEvent(id: event.id, source: event.source, moment: event.moment, kind: kind)
    switch log.append(event) {
    case .ignored(let ignored): return .ignored(ignored)
    case .changed(let change):
      if openedAt == nil, state.life != .announced { openedAt = event.moment }
      accepted.append(Accepted(event: event, sequence: log.sequence, change: change))
      return .counted
    }
  }
}

// MARK: Time

extension Game {
  /// The next instant at which something happens by itself.
  package var nextDeadline: Instant? { due?.instant }

  /// Everything that was due by now, each stamped with its own instant.
  package mutating func timePassed(at now: Moment) -> [Accepted] {
    var accepted: [Accepted] = []
    if lastMoment.map({ $0.instant < now.instant }) ?? true { lastMoment = now }
    if openedAt == nil, state.life == .open { openedAt = now }
    // Each event ends its own deadline; the bound is for the day on which one does not.
    for _ in 0..<64 {
      guard let due, due.instant <= now.instant else { break }
      let wall = now.wall + (due.instant - now.instant)
      let moment = Moment(instant: due.instant, wall: wall)
      guard perform(due.what, at: moment, &accepted) else { break }
    }
    return accepted
  }

  private enum Due: Hashable {
    case event(GameEvent.Kind, String)
    case release
    case clockStood
  }

  private var due: (instant: Instant, what: Due)? {
    var next: (instant: Instant, what: Due)?
    func consider(_ instant: Instant?, _ what: Due) {
      guard let instant, next.map({ instant < $0.instant }) ?? true else { return }
      next = (instant, what)
    }
    if let expiry = state.expiryInstant(rules), !log.hasUndoneExpiry(due: expiry) {
      consider(expiry, .event(.clockExpired, "clock-expired"))
    }
    // A review or a delay that comes into the grace ends first.
    if case .live = state.phase, case .grace(let until)? = state.expiry {
      consider(until, .event(.periodClosed, "period-closed"))
    }
    consider(state.shotClock?.instant(showing: .zero), .event(.shotClockExpired, "shot-clock-expired"))
    for side in Side.allCases {
      for (index, penalty) in state.teams[side].penalties.enumerated() {
        consider(
          penalty.clock.instant(showing: .zero), .event(.penaltyOver(side, slot: index + 1), "penalty-over"))
      }
    }
    consider(settlesAt, .event(.settled, "settled"))
    consider(quietAt, .event(.finalDeclared(armed: true), "quiet-final"))
    consider(plausibility.nextDeadline, .release)
    consider(clockWatch.nextDeadline, .clockStood)
    consider(opensAt, .event(.opened, "opened"))
    return next
  }

  private mutating func perform(_ what: Due, at moment: Moment, _ accepted: inout [Accepted]) -> Bool {
    let name: String
    let kind: GameEvent.Kind
    switch what {
    case .event(let due, let word): (kind, name) = (due, word)
    case .release:
      guard let report = plausibility.timePassed(at: moment.instant) else { return false }
      (kind, name) = (.reported(report), "held-released")
    case .clockStood:
      guard let clock = clockWatch.timePassed(at: moment.instant) else { return false }
      var report = Report()
      report.clock = clock
      (kind, name) = (.reported(report), "clock-stood")
    }
    let event = GameEvent(
      id: "\(name)-\(log.sequence + 1)", source: Source(.engine, name), moment: moment, kind: kind)
    let verdict = append(event, as: kind, &accepted)
    switch what {
    case .event: return verdict == .counted
    case .release, .clockStood: return true
    }
  }

  /// Each correction after the final begins the settling anew, never past its bound.
  private var settlesAt: Instant? {
    let closing: Closing
    switch state.phase {
    case .finished(let of, _), .cancelled(_, let of): closing = of
    case .scheduled, .live, .intermission, .halftime, .review, .delayed: return nil
    }
    guard case .settling(_, let until, let latest) = closing else { return nil }
    guard let corrected = log.correctedAt else { return until }
    return max(until, min(corrected + rules.table.settle, latest))
  }

  /// A decided game that has been quiet for the configured time.
  private var quietAt: Instant? {
    guard let quiet = rules.table.quietFinal, let last = log.events.last, state.isDecided(rules) else { return nil }
    return last.moment.instant + quiet
  }

  /// Wall time may be stepped meanwhile, so it is looked at again within a minute; and once at the beginning.
  private var opensAt: Instant? {
    guard state.life == .announced, let scheduledStart else { return nil }
    guard let lastMoment else { return Instant(nanoseconds: 0) }
    let ahead = scheduledStart + (.zero - rules.table.windowBefore) - lastMoment.wall
    return lastMoment.instant + min(max(ahead, .zero), .seconds(60))
  }
}

// MARK: Starting the activity

extension Game {
  package enum Start: Hashable, Sendable {
    case wait(until: Instant?)
    case start(Pair<Team>)
  }

  /// Whether phones may be started: names are waited for until the window closes or play begins, then the defaults serve.
  package func start(defaults: Pair<Team>, at now: Moment) -> Start {
    guard state.life != .announced else { return .wait(until: nextDeadline) }
    let names = Pair(home: state.names.home ?? defaults.home, away: state.names.away ?? defaults.away)
    if state.names.home != nil, state.names.away != nil { return .start(names) }
    guard state.life == .open else { return .start(names) }
    let scheduled = scheduledStart ?? openedAt?.wall ?? now.wall
    let closes = scheduled + rules.table.windowAfter
    return now.wall >= closes ? .start(names) : .wait(until: now.instant + (closes - now.wall))
  }
}

extension GameState {
  /// When the running game clock comes to the end of its period.
  package func expiryInstant(_ rules: Rules) -> Instant? {
    guard case .live(let period) = phase, rules.clock?.expires == true, expiry == nil,
      let closing = rules.closingReading(of: period)
    else { return nil }
    return clock?.instant(showing: closing)
  }

  /// Nothing is left to play as the score stands. Never true while a period is on: regulation alone ends no game.
  package func isDecided(_ rules: Rules) -> Bool {
    switch phase {
    case .intermission(let rest), .halftime(let rest):
      if let setsToWin = rules.setsToWin { return max(score.home, score.away) >= setsToWin }
      return rules.period(after: rest.after, isTied: isLevel) == nil && winner(rules) != nil
    case .live: return rules.scoring == .reports
    case .scheduled, .review, .delayed, .finished, .cancelled: return false
    }
  }
}
