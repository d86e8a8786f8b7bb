package import Document

/// What config asks of rooms that it does not know: the game's rules and words, the patterns' library. Each answers nil
/// or nothing when all is well, else a sentence that says what is possible.
package struct ConfigChecks {
  /// The settings of a sport: every fault of these members, with the place and path relative to the map.
  package var faultsOfRules: (SportName, [Node.Member], inout Decoding) -> Void
  /// What a button does: why the sport has no such action.
  package var faultOfAction: (SportName, String) -> String?
  /// Whether an action scores, so that a delayed press gets its warning.
  package var isScoring: (SportName, String) -> Bool
  /// Why a pattern of the generic line cannot be used.
  package var faultOfPattern: (String) -> String?

  package init(
    faultsOfRules: @escaping (SportName, [Node.Member], inout Decoding) -> Void = { _, _, _ in },
    faultOfAction: @escaping (SportName, String) -> String? = { _, _ in nil },
    isScoring: @escaping (SportName, String) -> Bool = { _, action in
      action.hasPrefix("home ") || action.hasPrefix("away ")
    },
    faultOfPattern: @escaping (String) -> String? = { _ in nil }
  ) {
    self.faultsOfRules = faultsOfRules
    self.faultOfAction = faultOfAction
    self.isScoring = isScoring
    self.faultOfPattern = faultOfPattern
  }
}
