package import GameCore

/// How far the service's clock is ahead of ours, from answers of `GET /time`.
package struct ClockOffset: Hashable, Sendable {
  /// Nil until a good sample came.
  package private(set) var aheadOfUs: Duration?

  package init() {}

  /// A sample counts when its round trip was short enough for the midpoint to mean something.
  package mutating func sampled(server: WallTime, sent: Moment, received: Moment) {
    let roundTrip = received.instant - sent.instant
    guard roundTrip <= .seconds(2) else { return }
    aheadOfUs = server - (sent.wall + .milliseconds(roundTrip.milliseconds / 2))
  }

  /// The service's time now, as well as we know it.
  package func serverTime(at now: WallTime) -> WallTime { now + (aheadOfUs ?? .zero) }
}
