package import Document
package import GameCore
package import Input

/// What config asks of rooms that it does not know: the game's rules and words, the patterns' library. Each answers nil
/// or nothing when all is well, else a sentence that says what is possible.
package struct ConfigChecks {
  /// What is wrong, and what would be right.
  package struct Fault {
    package var text: String
    package var remedy: String

    package init(_ text: String, remedy: String) {
      self.text = text
      self.remedy = remedy
    }

    /// A name that is not among those that exist.
    package init(unknown text: String, _ name: String, among known: [String]) {
      let nearest = NearestName.to(name, among: known).map { "Did you mean \($0)? " } ?? ""
      self.init(text, remedy: "\(nearest)Possible are: \(known.joined(separator: ", "))")
    }
  }

  /// The settings of a sport: every fault of these members, with the place and path relative to the map.
  package var faultsOfRules: (Sport, [Node.Member], inout Decoding) -> Void
  /// What a button does: why the sport has no such action.
  package var faultOfAction: (Sport, String) -> Fault?
  /// Whether an action scores, so that a delayed press gets its warning.
  package var isScoring: (Sport, String) -> Bool
  /// Whether an action wants a hold, a chord or a capital key.
  package var needsHold: (Sport, String) -> Bool
  /// Compiles the patterns of the generic line; without it they are not looked at.
  package var compilePattern: LinePatternCompiler?
  /// Why a sentence cannot be used: its language, its key, itself.
  package var faultOfText: (String, String, String) -> Fault?

  package init(
    faultsOfRules: @escaping (Sport, [Node.Member], inout Decoding) -> Void = { _, _, _ in },
    faultOfAction: @escaping (Sport, String) -> Fault? = { _, _ in nil },
    isScoring: @escaping (Sport, String) -> Bool = { _, action in
      action.hasPrefix("home ") || action.hasPrefix("away ")
    },
    needsHold: @escaping (Sport, String) -> Bool = { _, _ in false },
    compilePattern: LinePatternCompiler? = nil,
    faultOfText: @escaping (String, String, String) -> Fault? = { _, _, _ in nil }
  ) {
    self.faultsOfRules = faultsOfRules
    self.faultOfAction = faultOfAction
    self.isScoring = isScoring
    self.needsHold = needsHold
    self.compilePattern = compilePattern
    self.faultOfText = faultOfText
  }
}
