/// Who plays. The code is short and goes into the game's id and into texts (`HAR`).
package struct Team: Hashable, Sendable {
  package var name: String
  package var code: String

  package init(name: String, code: String) {
    self.name = name
    self.code = code
  }
}

/// One team's side of the scoreboard.
package struct TeamState: Hashable, Sendable {
  /// What the headline shows: points, goals, runs, or sets won. Never below zero.
  package var score = 0
  /// Team fouls of the part of the game over which the rules count them.
  package var fouls = 0
  package var timeoutsTaken = 0
  /// Nil where nobody counts them.
  package var timeoutsLeft: Int?
  package var shots = 0
  /// Running penalties by slot, the earliest first.
  package var penalties: [Penalty] = []
  /// As a console reports it; nil when it follows from the fouls.
  package var reportedBonus: Bool?
  /// Goals of the shoot-out, apart from the score.
  package var shootoutGoals = 0
  package var shootoutAttempts = 0

  package init() {}
}

/// One penalty that is being served.
package struct Penalty: Hashable, Sendable {
  package var player: String?
  /// Runs with the game clock.
  package var clock: GameClock

  package init(player: String?, clock: GameClock) {
    self.player = player
    self.clock = clock
  }
}
