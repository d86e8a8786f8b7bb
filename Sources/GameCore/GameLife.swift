/// A game's life in five states, and who may move it: the table of `game-life.md`, which the reducer obeys.
package enum GameLife: String, Hashable, Sendable, CaseIterable {
  /// Known; its start window has not opened.
  case announced
  /// Its start window is open; phones may be started.
  case open
  /// Play has begun and no final has been declared.
  case playing
  /// Final or called off; corrections are possible.
  case settling
  /// Nothing can change any more.
  case ended

  /// What may be asked of a game.
  package enum Verb: String, Hashable, Sendable, CaseIterable {
    /// The start window opens: by schedule, button or command.
    case open
    case name
    case begin
    /// Any score, foul, clock or period: the first one begins the game.
    case play
    /// Undo, redo, a correction, a total that a person sets.
    case correct
    case report
    case final
    case end
    case reset
    case callOff
    case openNext
    /// The daemon's own: the settling time has passed.
    case settle
  }

  package enum Answer: Hashable, Sendable {
    case stays
    case becomes(GameLife)
    /// Only by a hold, a chord or a confirmed command, and not just after a start.
    case becomesIfArmed(GameLife)
    case refused(String)
  }

  package func answer(to verb: Verb) -> Answer {
    switch (self, verb) {
    case (.announced, .open): .becomes(.open)
    case (.announced, .name), (.open, .name), (.playing, .name): .stays
    case (.announced, .begin), (.open, .begin): .becomes(.playing)
    case (.announced, .play), (.open, .play): .becomes(.playing)
    case (.announced, .correct), (.open, .correct), (.playing, .correct), (.settling, .correct): .stays
    case (.announced, .report), (.open, .report), (.playing, .report), (.settling, .report): .stays
    case (.announced, .final), (.open, .final): .refused("the game has not begun")
    case (.announced, .end), (.open, .end): .refused("the game has not begun; call it off instead")
    case (.announced, .reset): .becomesIfArmed(.announced)
    case (.open, .reset), (.playing, .reset): .becomesIfArmed(.open)
    case (.announced, .callOff), (.open, .callOff), (.playing, .callOff): .becomesIfArmed(.settling)
    case (.announced, .openNext): .becomes(.open)
    case (.open, .open), (.open, .openNext): .refused("the game is open already")
    case (.playing, .open): .refused("the game is being played")
    case (.playing, .openNext): .refused("the game is being played; declare its final first")
    case (.playing, .begin): .refused("the game has begun already")
    case (.playing, .play): .stays
    case (.playing, .final), (.playing, .end): .becomesIfArmed(.settling)
    case (.settling, .open), (.settling, .begin): .refused("the game is final; open the next one")
    case (.settling, .name): .refused("the game is final")
    case (.settling, .play): .refused("the game is final; only its score can be corrected")
    case (.settling, .final), (.settling, .callOff): .refused("the game is final already")
    case (.settling, .reset): .refused("the game is final; undo the final or open the next game")
    case (.settling, .end): .becomesIfArmed(.ended)
    case (.settling, .openNext), (.settling, .settle): .becomes(.ended)
    case (.ended, .openNext): .stays
    case (.announced, .settle), (.open, .settle), (.playing, .settle): .refused("the game is not final")
    case (.ended, .open), (.ended, .name), (.ended, .begin), (.ended, .play), (.ended, .correct), (.ended, .report),
      (.ended, .final), (.ended, .end), (.ended, .reset), (.ended, .callOff), (.ended, .settle):
      .refused("the game has ended; open the next one")
    }
  }
}

extension GameState {
  package var life: GameLife {
    switch phase {
    case .scheduled(.announced), .delayed(.beforeStart(.announced)): .announced
    case .scheduled(.open), .delayed(.beforeStart(.open)): .open
    case .live, .intermission, .halftime, .review, .delayed: .playing
    case .finished(.settling, _), .cancelled(_, .settling): .settling
    case .finished(.ended, _), .cancelled(_, .ended): .ended
    }
  }
}

extension GameEvent.Kind {
  /// What the event asks of the game's life; nil when it asks nothing of it.
  package var verb: GameLife.Verb? {
    switch self {
    case .opened: .open
    case .teamsNamed, .namesFrozen: .name
    case .playStarted: .begin
    case .scored, .fouled, .shotTaken, .penaltyGiven, .penaltyOver, .shootoutAttempted, .pitched, .jamStarted,
      .jamEnded,
      .clockStarted, .clockStopped, .clockToggled, .clockSet, .clockAdjusted, .clockExpired, .shotClockReset,
      .shotClockStopped, .shotClockExpired, .periodAdvanced, .periodSet, .periodClosed, .timeoutCalled, .timeoutOver,
      .possessionSet, .possessionSwitched, .basesSet, .downSet, .reviewStarted, .reviewOver, .delayed, .resumed:
      .play
    case .totalSet, .lastPlaySet, .undone, .redone, .corrected: .correct
    case .heldConfirmed, .heldRejected, .reported: .report
    case .finalDeclared, .retired: .final
    case .gameEnded(_): .end
    case .gameReset: .reset
    case .calledOff: .callOff
    case .nextGameOpened: .openNext
    case .settled: .settle
    case .hornSounded, .rebooted: nil
    }
  }

  /// Whether it was asked for by a hold, a chord or a confirmed command.
  var isArmed: Bool {
    if case .finalDeclared(let armed) = self { return armed }
    if case .retired(_, let armed) = self { return armed }
    if case .gameEnded(let armed) = self { return armed }
    if case .gameReset(let armed) = self { return armed }
    if case .calledOff(_, let armed) = self { return armed }
    return false
  }
}
