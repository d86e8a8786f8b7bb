/// A clock as an equation: a reading at an instant, and which way it moves from there. Nothing ticks.
/// Game clock, shot clock, break, jam and penalty clocks are all alike.
package struct GameClock: Hashable, Sendable {
  package enum Direction: String, Hashable, Sendable {
    case down, up
  }

  package enum Motion: Hashable, Sendable {
    case stopped
    /// Has been running since that instant, when it showed `shown`.
    case running(since: Instant)
  }

  package private(set) var direction: Direction
  /// The reading when it last started, stopped or was set: what remains, or what has passed.
  package private(set) var shown: Duration
  package private(set) var motion: Motion

  package init(_ direction: Direction, showing shown: Duration, motion: Motion = .stopped) {
    self.direction = direction
    self.shown = max(shown, .zero)
    self.motion = motion
  }

  package var isRunning: Bool { motion != .stopped }

  /// What it shows at that instant. A countdown stays at zero.
  package func reading(at now: Instant) -> Duration {
    switch motion {
    case .stopped: return shown
    case .running(let since):
      let passed = max(now - since, .zero)
      switch direction {
      case .down: return max(shown - passed, .zero)
      case .up: return shown + passed
      }
    }
  }

  /// The instant at which a running clock shows that reading; nil when it never will.
  package func instant(showing reading: Duration) -> Instant? {
    guard case .running(let since) = motion else { return nil }
    let ahead = direction == .down ? shown - reading : reading - shown
    return ahead < .zero ? nil : since + ahead
  }

  package mutating func start(at now: Instant) {
    if !isRunning { motion = .running(since: now) }
  }

  package mutating func stop(at now: Instant) {
    shown = reading(at: now)
    motion = .stopped
  }

  /// Shows another reading from now on, running or stopped as before.
  package mutating func set(_ reading: Duration, at now: Instant) {
    shown = max(reading, .zero)
    if isRunning { motion = .running(since: now) }
  }

  /// The same clock told in another boot's instants.
  package mutating func rebase(from old: Instant, to new: Instant, keepsRunning: Bool) {
    guard case .running = motion else { return }
    shown = reading(at: old)
    motion = keepsRunning ? .running(since: new) : .stopped
  }
}
