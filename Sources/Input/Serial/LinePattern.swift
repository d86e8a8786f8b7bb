/// A compiled pattern for lines of text, as the generic line protocol needs it. `Platform` fills it with PCRE2;
/// a test fills it with a closure.
package struct LinePattern {
  /// The pattern's named groups, in the order in which `match` reports them.
  package let groups: [String]
  /// Tries one line, without its line end. Costs no more than a bound, whatever the line holds.
  package let match: (ArraySlice<UInt8>) -> LineMatch

  package init(groups: [String], match: @escaping (ArraySlice<UInt8>) -> LineMatch) {
    self.groups = groups
    self.match = match
  }
}

package enum LineMatch: Hashable, Sendable {
  /// One entry per group, in the order of `groups`: where in the line (its own indices) the group matched;
  /// nil for a group that took no part.
  case matched([Range<Int>?])
  case noMatch
  /// The bound on work was reached; the line counts as unmatched and the pattern deserves a look.
  case tooCostly
}

/// Why a pattern cannot be used.
package struct LinePatternFault: Error, Hashable, Sendable {
  /// Where in the pattern, in bytes from its start.
  package var offset: Int
  package var message: String

  package init(offset: Int, message: String) {
    self.offset = offset
    self.message = message
  }
}

/// Makes patterns from text: the port behind which the pattern library stays.
package typealias LinePatternCompiler = (String) -> Result<LinePattern, LinePatternFault>
