package import GameCore

// For install day: what a line does, raw, and which g and L would fit what was seen. Edges less than a quiet time apart
// belong to one change of the contact.

/// What one line was seen to do.
package struct LineWatch: Hashable, Sendable {
  /// Edges without a long pause between them.
  package struct Burst: Hashable, Sendable {
    package var start: Instant
    package var end: Instant
    package var edges: Int
    /// The level before it and after it.
    package var from: LineLevel
    package var to: LineLevel
    /// The longest time for which it stood before it went on, and at the level that it began from.
    package var longestPulse = Duration.zero

    /// It ended where it began: noise of the cable.
    package var isNoise: Bool { from == to }
    package var length: Duration { end - start }
  }

  package private(set) var bursts = 0
  package private(set) var noiseBursts = 0
  package private(set) var edges = 0
  package private(set) var longestBounce = Duration.zero
  package private(set) var longestNoisePulse = Duration.zero
  package private(set) var shortestWidth: Duration?
  private var current: Burst?
  private var level: LineLevel
  private var changedAt: Instant?

  /// No contact bounces with pauses as long as this.
  package static let quiet = Duration.milliseconds(20)

  package init(level: LineLevel) { self.level = level }

  /// Takes an edge; the burst that it shows to be over, if any.
  package mutating func edge(_ edge: LineEdge) -> Burst? {
    let finished = timePassed(to: edge.at)
    edges += 1
    if var burst = current {
      burst.longestPulse = max(burst.longestPulse, edge.at - burst.end)
      burst.end = edge.at
      burst.edges += 1
      burst.to = edge.level
      current = burst
    } else {
      current = Burst(start: edge.at, end: edge.at, edges: 1, from: level, to: edge.level)
    }
    return finished
  }

  package var nextDeadline: Instant? { current.map { $0.end + Self.quiet } }

  /// The burst that has been quiet for long enough by `now`.
  package mutating func timePassed(to now: Instant) -> Burst? {
    guard let burst = current, burst.end + Self.quiet <= now else { return nil }
    current = nil
    bursts += 1
    if burst.isNoise {
      noiseBursts += 1
      longestNoisePulse = max(longestNoisePulse, burst.longestPulse)
    } else {
      longestBounce = max(longestBounce, burst.length)
      if let changedAt { shortestWidth = min(shortestWidth ?? (burst.start - changedAt), burst.start - changedAt) }
      changedAt = burst.start
    }
    level = burst.to
    return burst
  }

  /// The g and L that would have fitted, in whole milliseconds; nil before the first change of level.
  package var suggestion: (glitch: Duration, lockout: Duration)? {
    guard bursts > noiseBursts else { return nil }
    // Twice what was seen, and never less than what fits most switches.
    let glitch = max(1, roundedUp(longestNoisePulse * 2))
    let lockout = max(25, roundedUp(longestBounce * 2))
    return (.milliseconds(min(glitch, 50)), .milliseconds(min(lockout, 500)))
  }

  private func roundedUp(_ duration: Duration) -> Int64 { (duration.nanoseconds + 999_999) / 1_000_000 }
}
