/// One thing that happened, as the court's log keeps it: an id that makes a repeat harmless, where it came from, and when.
package struct GameEvent: Hashable, Sendable {
  package var id: String
  package var source: Source
  package var moment: Moment
  package var kind: Kind

  package init(id: String, source: Source, moment: Moment, kind: Kind) {
    self.id = id
    self.source = source
    self.moment = moment
    self.kind = kind
  }
}

/// Where an event came from: the sort of input, and its name in the config.
package struct Source: Hashable, Sendable {
  package enum Sort: String, Hashable, Sendable, CaseIterable {
    /// GPIO lines and keys.
    case button
    case console
    case mqtt
    case dashboard
    /// The daemon itself: expiries, settled holds, windows.
    case engine
  }

  package var sort: Sort
  package var name: String

  package init(_ sort: Sort, _ name: String = "") {
    self.sort = sort
    self.name = name
  }
}

extension GameEvent {
  /// All that can happen. Deltas are counted exactly once each; a report says what a console shows and may repeat for ever.
  package enum Kind: Hashable, Sendable {
    // Deltas.

    /// Points for a side by one of the sport's steps; below zero they take points back and are a correction.
    case scored(Side, points: Int, player: String?, play: String?)
    case fouled(Side, by: Int, player: String?)
    case shotTaken(Side, by: Int)
    case penaltyGiven(Side, length: Duration, player: String?)
    /// Counted from 1, as the board shows them.
    case penaltyOver(Side, slot: Int)
    case shootoutAttempted(Side, scored: Bool)
    case pitched(Pitch)
    case jamStarted
    case jamEnded

    // The clocks.

    case clockStarted
    case clockStopped
    /// One button for both: starts a stopped clock, stops a running one.
    case clockToggled
    case clockSet(Duration)
    case clockAdjusted(Duration)
    /// Injected at the deadline of a running clock, stamped with the instant it was due.
    case clockExpired
    /// Back to one of the sport's values; the first when nil.
    case shotClockReset(Duration?)
    case shotClockStopped
    case shotClockExpired

    // Periods and interruptions.

    /// Ends the period that is on, or starts the one that follows the break.
    case periodAdvanced
    /// Goes to that period whatever the rules would do next: a person knows better.
    case periodSet(Period)
    /// Injected when the grace after the clock's expiry has passed.
    case periodClosed
    /// Nil for a time-out of the officials or the television.
    case timeoutCalled(Side?)
    case timeoutOver
    case possessionSet(Side?)
    case possessionSwitched
    case basesSet(Bases)
    case downSet(Downs)
    case reviewStarted
    case reviewOver
    case delayed
    case resumed
    case hornSounded

    // A person says what a number is.

    case totalSet(Total, Side, Int)
    case lastPlaySet(String)

    // The game's life (game-life.md).

    case opened
    /// A nil team keeps what is known.
    case teamsNamed(home: Team?, away: Team?)
    /// The activity has started: its attributes cannot change any more.
    case namesFrozen
    case playStarted
    /// `armed`: a hold, a chord or a confirmed command, not a mere press.
    case finalDeclared(armed: Bool)
    /// That side gives up; the other wins.
    case retired(Side, armed: Bool)
    case gameEnded(armed: Bool)
    case gameReset(armed: Bool)
    case calledOff(Cancellation, armed: Bool)
    case nextGameOpened
    /// Injected when the time for corrections has passed.
    case settled

    // The log.

    case undone
    case redone
    /// The event with that id should have been this; nil when it should not have been at all.
    indirect case corrected(id: String, to: Kind?)
    /// A person confirms, or throws away, what plausibility holds.
    case heldConfirmed
    case heldRejected
    /// The daemon runs on another boot's clock: the newest instant of the old one, and how long it was away where
    /// wall time can tell. When it cannot, running clocks stop at what they showed.
    case rebooted(last: Instant, away: Duration?)

    // Reports.

    case reported(Report)
  }

  /// The numbers a person may set.
  package enum Total: String, Hashable, Sendable, CaseIterable {
    case score, fouls, timeoutsLeft, shots, points, games, sets, shootoutGoals
  }
}

/// What a pitch or a play adds to the count.
package enum Pitch: String, Hashable, Sendable, CaseIterable {
  case ball, strike, foulBall, out
  /// The batter reached base or was put out: a new count.
  case newBatter
}

extension GameEvent.Kind {
  /// The same, armed or not where that matters.
  package func armed(_ armed: Bool) -> GameEvent.Kind {
    if case .finalDeclared = self { return .finalDeclared(armed: armed) }
    if case .retired(let side, _) = self { return .retired(side, armed: armed) }
    if case .gameEnded = self { return .gameEnded(armed: armed) }
    if case .gameReset = self { return .gameReset(armed: armed) }
    if case .calledOff(let cancellation, _) = self { return .calledOff(cancellation, armed: armed) }
    return self
  }
}
