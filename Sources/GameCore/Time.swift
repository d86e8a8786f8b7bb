/// A point on the monotonic clock (`CLOCK_MONOTONIC`), in nanoseconds since an arbitrary origin.
/// Never jumps; the only clock that debounce, waiting and the game clock may use.
package struct Instant: Comparable, Hashable, Sendable {
  package var nanoseconds: Int64

  package init(nanoseconds: Int64) { self.nanoseconds = nanoseconds }

  package static func < (left: Instant, right: Instant) -> Bool { left.nanoseconds < right.nanoseconds }

  package static func + (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds + duration.nanoseconds)
  }

  package static func - (instant: Instant, duration: Duration) -> Instant {
    Instant(nanoseconds: instant.nanoseconds - duration.nanoseconds)
  }

  package static func - (left: Instant, right: Instant) -> Duration {
    .nanoseconds(left.nanoseconds - right.nanoseconds)
  }
}

/// UTC, in milliseconds since 1970. Told to phones and people, never waited for: it may be wrong and may jump.
package struct WallTime: Comparable, Hashable, Sendable {
  package var milliseconds: Int64

  package init(milliseconds: Int64) { self.milliseconds = milliseconds }

  /// Whole seconds, rounded down, as Apple's `timestamp` wants them.
  package var seconds: Int64 { milliseconds.quotientRoundedDown(by: 1000) }

  package static func < (left: WallTime, right: WallTime) -> Bool { left.milliseconds < right.milliseconds }

  package static func + (time: WallTime, duration: Duration) -> WallTime {
    WallTime(milliseconds: time.milliseconds + duration.milliseconds)
  }

  package static func - (left: WallTime, right: WallTime) -> Duration {
    .milliseconds(left.milliseconds - right.milliseconds)
  }
}

/// Both clocks read together: what the shell hands to every machine with each stimulus.
package struct Moment: Hashable, Sendable {
  package var instant: Instant
  package var wall: WallTime

  package init(instant: Instant, wall: WallTime) {
    self.instant = instant
    self.wall = wall
  }
}

extension Duration {
  /// Whole nanoseconds, rounded toward zero. Right for spans up to 292 years.
  package var nanoseconds: Int64 {
    components.seconds * 1_000_000_000 + components.attoseconds / 1_000_000_000
  }

  /// Whole milliseconds, rounded toward zero.
  package var milliseconds: Int64 {
    components.seconds * 1000 + components.attoseconds / 1_000_000_000_000_000
  }
}

extension Int64 {
  /// The quotient rounded toward minus infinity, so that time before 1970 rounds the same way as time after it.
  package func quotientRoundedDown(by divisor: Int64) -> Int64 {
    let (quotient, remainder) = quotientAndRemainder(dividingBy: divisor)
    return remainder != 0 && (remainder < 0) != (divisor < 0) ? quotient - 1 : quotient
  }
}
