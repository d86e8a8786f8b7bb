package import GameCore

/// The clocks of a simulated board: true time, which only goes forward; the monotonic clock, which begins anew with
/// every boot; and the wall clock, which may say anything.
package struct VirtualClock: Hashable, Sendable {
  /// True time since the simulation began.
  package private(set) var elapsed: Duration = .zero
  /// How far the board's wall clock is ahead of the true time.
  package var wallError: Duration = .zero
  package private(set) var boots = 0
  private var bootedAt: Duration = .zero

  /// When every simulation begins, in true time.
  private static let epoch = WallTime(milliseconds: 1_796_000_000_000)
  /// A board has been up a little while before its daemon starts.
  private static let upBefore: Duration = .seconds(7)

  package init() {}

  package var trueWall: WallTime { Self.epoch + elapsed }

  /// Both clocks of the board as its daemon reads them.
  package var moment: Moment { Moment(instant: instant(at: elapsed), wall: trueWall + wallError) }

  /// Goes forward, never back.
  package mutating func pass(to time: Duration) { elapsed = max(elapsed, time) }

  /// Another boot: the monotonic clock starts again.
  package mutating func boot() {
    boots += 1
    bootedAt = elapsed
  }

  /// The true time at which the board's monotonic clock shows this.
  package func time(of instant: Instant) -> Duration {
    bootedAt + .nanoseconds(instant.nanoseconds) - Self.upBefore
  }

  private func instant(at time: Duration) -> Instant {
    Instant(nanoseconds: (time - bootedAt + Self.upBefore).nanoseconds)
  }
}
