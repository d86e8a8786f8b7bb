/// A part of the game that is played on its own: a numbered regular period (each set, each half inning is one),
/// a numbered overtime, or the shoot-out.
package enum Period: Hashable, Sendable {
  case regular(Int)
  case overtime(Int)
  case shootout

  package var isOvertime: Bool {
    switch self {
    case .regular, .shootout: false
    case .overtime: true
    }
  }
}

/// Where a game stands. Each case carries what only it needs, so that a live game has a period, a break knows what
/// it follows, and only a finished game can be settling or ended.
package enum Phase: Hashable, Sendable {
  /// Play has not begun.
  case scheduled(Opening)
  /// A period is on, with the game clock running or not; overtime and shoot-out are periods like the others.
  case live(Period)
  /// A break that is not the long one.
  case intermission(Rest)
  /// The one long break of a sport with two halves or four quarters.
  case halftime(Rest)
  /// Officials look at a play; the period is not over.
  case review(Period)
  /// Play is suspended, or its beginning is put off.
  case delayed(Suspended)
  /// The final score stands and may be corrected until the game has ended.
  case finished(Closing, by: Decision)
  /// Called off: postponed or cancelled before the start, or abandoned after it.
  case cancelled(Cancellation, Closing)
}

/// How far a game is whose play has not begun.
package enum Opening: String, Hashable, Sendable {
  /// Known, and its start window has not opened.
  case announced
  /// The start window is open: phones may be started.
  case open
}

/// A break between two periods.
package struct Rest: Hashable, Sendable {
  package var after: Period
  package var since: Instant
  /// Counts down to the restart, where the rules give the break a length or the console reports one.
  package var clock: GameClock?

  package init(after: Period, since: Instant, clock: GameClock? = nil) {
    self.after = after
    self.since = since
    self.clock = clock
  }
}

/// What a delay has interrupted, and where play resumes.
package enum Suspended: Hashable, Sendable {
  case beforeStart(Opening)
  case play(Period)
  case rest(Rest, halftime: Bool)
}

/// What a game was when it was called off.
package enum Cancellation: String, Hashable, Sendable {
  case postponed, cancelled, abandoned
}

/// What decided a finished game.
package enum Decision: Hashable, Sendable {
  case score
  /// That side gave up: the other one has won, whatever the score.
  case retirement(of: Side)
}

/// What happens after the last play: corrections for a while, then nothing.
package enum Closing: Hashable, Sendable {
  /// Corrections are possible until then; each one extends it, never past `latest`.
  case settling(last: Period?, until: Instant, latest: Instant)
  /// Nothing more can change.
  case ended(last: Period?)

  /// The period in which play stopped; nil when there was none.
  package var last: Period? {
    switch self {
    case .settling(let last, _, _), .ended(let last): last
    }
  }
}
