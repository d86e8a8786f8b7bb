/// How a line's bounce is told from its changes.
package enum DebounceSettings: Hashable, Sendable {
  /// A change that is taken back before `glitch` has passed is noise; for `lockout` from its first edge, a change that
  /// counted is followed by bounce.
  case lockout(glitch: Duration, lockout: Duration)
  /// For noisy cables: a change counts once its level has stood for so long.
  case settle(Duration)

  package static let usual = DebounceSettings.lockout(glitch: .milliseconds(1), lockout: .milliseconds(25))

  /// How long a change must stand before it counts.
  var stand: Duration {
    switch self {
    case .lockout(let glitch, _): glitch
    case .settle(let stand): stand
    }
  }

  /// For how long after its first edge a change that counted is followed by bounce.
  var bounce: Duration {
    switch self {
    case .lockout(_, let lockout): lockout
    case .settle: .zero
    }
  }
}
