/// What an event did to the game, in the order in which it happened.
package struct GameChange: Hashable, Sendable {
  package var facts: [Fact]

  package init(_ facts: [Fact]) { self.facts = facts }

  /// One thing that is different now. Publishing decides what a phone is told of it.
  package enum Fact: Hashable, Sendable {
    /// A score by one of the sport's steps, with the new total: worth an alert where the sport has one.
    case scored(Side, points: Int, total: Int, player: String?, play: String?)
    /// Any other change of a score: undo, correction, a console that jumped. Never an alert.
    case scoreCorrected(Side, from: Int, to: Int)
    /// A rally or a point inside a set.
    case pointWon(Side)
    case gameWon(Side)
    case setWon(Side)
    /// Fouls, shots, possession, time-outs left, counts: rides along.
    case detailChanged
    case penaltyChanged(Side)
    case clockStarted
    case clockStopped
    case clockSet
    case clockExpired
    case shotClockChanged
    case breakClockChanged
    case timeoutCalled(Side?)
    case timeoutOver
    case playStarted
    case periodStarted(Period)
    case periodEnded(Period)
    case shootoutAttempted(Side, scored: Bool)
    case reviewStarted
    case reviewOver
    case delayed
    case resumed
    case lastPlayChanged
    case opened
    case named
    case namesFrozen
    case final
    case finalCorrected
    case calledOff(Cancellation)
    case wasReset
    /// Nothing more will come of this game.
    case ended
    /// The court is to open its next game now.
    case nextGameWanted
    /// Undo or a correction moved the period or the phase.
    case phaseCorrected
    case rebased
  }
}

extension GameChange {
  /// What is different between two states, told as a correction: no score in it is news.
  init(from before: GameState, to after: GameState, isFinal: Bool) {
    facts = []
    for side in Side.allCases where before.teams[side].score != after.teams[side].score {
      facts.append(.scoreCorrected(side, from: before.teams[side].score, to: after.teams[side].score))
    }
    if isFinal, changesScore { facts.append(.finalCorrected) }
    if before.play != after.play || before.teams != after.teams || before.possession != after.possession {
      facts.append(.detailChanged)
    }
    if before.clock != after.clock {
      switch (before.clock?.isRunning ?? false, after.clock?.isRunning ?? false) {
      case (false, true): facts.append(.clockStarted)
      case (true, false): facts.append(.clockStopped)
      case (true, true), (false, false): facts.append(.clockSet)
      }
    }
    if before.phase != after.phase { facts.append(.phaseCorrected) }
  }

  var changesScore: Bool {
    facts.contains { fact in
      if case .scoreCorrected = fact { return true }
      return false
    }
  }
}

/// Why an event changed nothing, in words an operator understands.
package struct Ignored: Hashable, Sendable {
  package var reason: String

  package init(_ reason: String) { self.reason = reason }
}

/// The reducer's answer.
package enum Outcome: Hashable, Sendable {
  case changed(GameChange)
  case ignored(Ignored)
}
