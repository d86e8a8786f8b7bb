package import GameCore

/// What is kept of the past, so that a season fits on the card.
package enum HistoryRule {
  /// Entries kept per lane; older ones are superseded states that nobody will ask for.
  package static let entriesKept: Int64 = 512
  /// Games kept besides those that are still on.
  package static let gamesKept = 50
  /// How long a finished game is kept at least when there is room for it.
  package static let gameKept: Duration = .seconds(30 * 24 * 3600)

  /// A game that is over, as the engine knows it.
  package struct PastGame: Hashable, Sendable {
    package var game: String
    package var endedAt: WallTime

    package init(game: String, endedAt: WallTime) {
      self.game = game
      self.endedAt = endedAt
    }
  }

  /// The games to forget: those past their time, and the oldest beyond the number. A game with a live activity is not
  /// among `past`.
  package static func forgets(_ past: [PastGame], at now: WallTime) -> [PastGame] {
    let newestFirst = past.sorted { $0.endedAt > $1.endedAt }
    return newestFirst.enumerated().filter { index, game in
      index >= gamesKept || now - game.endedAt > gameKept
    }.map(\.element)
  }
}
