/// Everything that is known of a game: the fold of its events. A value; equal events make equal states, byte for byte.
package struct GameState: Hashable, Sendable {
  package var teams: Pair<TeamState>
  /// Nil until somebody named them; the configured defaults stand in when the activity starts.
  package var names: Pair<Team?>
  package var namesAreFrozen = false
  package var phase: Phase
  /// Nil in sports without one.
  package var clock: GameClock?
  /// The second clock of some sports. It never lands in the game clock's field.
  package var shotClock: GameClock?
  /// Possession, or who serves.
  package var possession: Side?
  package var timeout: Timeout?
  package var play: Play
  package var lastPlay: LastPlay
  package var expiry: Expiry?
  /// When play began or was begun again: end and reset are refused for a moment after it.
  package var beganAt: Instant?

  /// A game of which nothing is known but its rules.
  package init(rules: Rules, names: Pair<Team?> = Pair(home: nil, away: nil), opening: Opening = .announced) {
    teams = Pair(home: TeamState(), away: TeamState())
    self.names = names
    phase = .scheduled(opening)
    play = Play(rules: rules)
    lastPlay = .none
    clock = rules.openingClock(of: rules.firstPeriod)
    shotClock = rules.shotClock.first.map { GameClock(.down, showing: $0) }
    for side in Side.allCases { teams[side].timeoutsLeft = rules.timeouts.allowance?.first }
    if case .innings = rules.scoring { possession = .away }
  }

  package var home: TeamState { teams.home }
  package var away: TeamState { teams.away }
  package var score: Pair<Int> { Pair(home: teams.home.score, away: teams.away.score) }
}

/// A time-out that is running.
package struct Timeout: Hashable, Sendable {
  package var side: Side?
  /// Counts down where the rules give a length.
  package var clock: GameClock?

  package init(side: Side?, clock: GameClock?) {
    self.side = side
    self.clock = clock
  }
}

/// The game clock has run out in the period that is on.
package enum Expiry: Hashable, Sendable {
  /// Late presses still belong to the period; it closes at the end of the grace.
  case grace(until: Instant)
  /// A time-out in the grace, or a person, keeps the period open at zero.
  case keptOpen
}

/// What the headline below the score says; the words are Publishing's.
package enum LastPlay: Hashable, Sendable {
  case none
  case scored(Side, points: Int, player: String?, play: String?)
  case corrected
  case timeout(Side?)
  case penalty(Side, player: String?)
  case periodStarted(Period)
  case periodEnded(Period)
  case setWon(Side)
  case gameWon(Side)
  case count(Diamond)
  case shootout(Side, scored: Bool)
  case review
  case delayed
  case resumed
  case final
  case calledOff(Cancellation)
  case text(String)
}
