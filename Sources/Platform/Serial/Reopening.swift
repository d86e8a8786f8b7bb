package import GameCore

/// When to try again, and whether a failure is news. One that follows another is not; a stream that breaks as soon as it
/// opens waits longer and longer, all the same.
package struct Reopening {
  private enum State {
    /// Nothing has been tried or reported yet.
    case untried
    /// Open since then.
    case open(since: Instant)
    /// Closed, and reported as such.
    case down
  }

  package struct Failure: Hashable, Sendable {
    package var isNews: Bool
    package var retryAt: Instant
  }

  private var state = State.untried
  private var failures = 0

  package static let firstDelay = Duration.milliseconds(100)
  /// A replugged adaptor is back within this time.
  package static let longestDelay = Duration.seconds(2)
  /// Open for so long, it counts as healthy, and the next break is tried again at once.
  package static let healthyAfter = Duration.seconds(5)

  package init() {}

  package mutating func opened(at now: Instant) { state = .open(since: now) }

  package mutating func failed(at now: Instant) -> Failure {
    let isNews: Bool
    switch state {
    case .untried: isNews = true
    case .open(let since):
      isNews = true
      if now - since >= Self.healthyAfter { failures = 0 }
    case .down: isNews = false
    }
    state = .down
    let delay = min(Self.firstDelay * (1 << min(failures, 8)), Self.longestDelay)
    failures += 1
    return Failure(isNews: isNews, retryAt: now + delay)
  }
}
