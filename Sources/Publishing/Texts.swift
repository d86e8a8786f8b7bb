package import GameCore

/// The words that phones show: one template per key, in one language, changed by the config.
package struct Texts: Hashable, Sendable {
  package var templates: [String: String]
  /// Names of players, not only jersey numbers, may appear on locked screens.
  package var allowsPlayerNames: Bool

  package init(language: String = "en", allowsPlayerNames: Bool = false) {
    templates = [:]
    self.allowsPlayerNames = allowsPlayerNames
  }

  package func lastPlay(of state: GameState, rules: Rules, names: Pair<Team>) -> String {
    ""
  }
}
