package import GameCore

/// What a line says, after active-low: a pressed button's line is active.
package enum LineLevel: String, Hashable, Sendable, CaseIterable {
  case active, inactive

  package var other: LineLevel {
    switch self {
    case .active: .inactive
    case .inactive: .active
    }
  }
}

/// One event of a line, as the kernel stamped it (`CLOCK_MONOTONIC`). It names the level when the kernel looked, which
/// is not always a record of what happened: edges that come too fast merge into one.
package struct LineEdge: Hashable, Sendable {
  /// The level that the event leads to.
  package var level: LineLevel
  package var at: Instant
  /// The kernel's count of this line's events, from 1; 0 where the library does not tell.
  package var sequence: UInt32

  package init(_ level: LineLevel, at: Instant, sequence: UInt32 = 0) {
    self.level = level
    self.at = at
    self.sequence = sequence
  }
}
