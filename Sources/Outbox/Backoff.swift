/// How long a lane stays silent after a refusal: 1, 2, 4, 8, 16, 30, 30 … s, each moved by up to a quarter so that
/// lanes refused together do not come back together.
package struct Backoff: Hashable, Sendable {
  private var refusals = 0

  package init() {}

  /// The wait after one more refusal. What the service asked for goes before our own row, and `least` bounds both.
  package mutating func refused(asked: Duration?, least: Duration?, random: UInt64) -> Duration {
    let seconds: Int64 = min(30, 1 << Int64(min(refusals, 5)))
    refusals = min(refusals + 1, 5)
    let own: Duration = .milliseconds(seconds * 10 * Int64(75 + random % 51))
    return max(asked ?? own, least ?? .zero)
  }

  package mutating func succeeded() { refusals = 0 }
}
