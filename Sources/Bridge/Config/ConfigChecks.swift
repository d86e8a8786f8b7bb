package import Document
package import Input

/// What config asks of rooms that it does not know: the game's rules and words, the patterns' library. Each answers nil
/// or nothing when all is well, else a sentence that says what is possible.
package struct ConfigChecks {
  /// The settings of a sport: every fault of these members, with the place and path relative to the map.
  package var faultsOfRules: (SportName, [Node.Member], inout Decoding) -> Void
  /// What a button does: why the sport has no such action.
  package var faultOfAction: (SportName, String) -> String?
  /// Whether an action scores, so that a delayed press gets its warning.
  package var isScoring: (SportName, String) -> Bool
  /// Compiles the patterns of the generic line; without it they are not looked at.
  package var compilePattern: LinePatternCompiler?
  /// Why a sentence cannot be used: its language, its key, itself.
  package var faultOfText: (String, String, String) -> String?

  package init(
    faultsOfRules: @escaping (SportName, [Node.Member], inout Decoding) -> Void = { _, _, _ in },
    faultOfAction: @escaping (SportName, String) -> String? = { _, _ in nil },
    isScoring: @escaping (SportName, String) -> Bool = { _, action in
      action.hasPrefix("home ") || action.hasPrefix("away ")
    },
    compilePattern: LinePatternCompiler? = nil,
    faultOfText: @escaping (String, String, String) -> String? = { _, _, _ in nil }
  ) {
    self.faultsOfRules = faultsOfRules
    self.faultOfAction = faultOfAction
    self.isScoring = isScoring
    self.compilePattern = compilePattern
    self.faultOfText = faultOfText
  }
}
