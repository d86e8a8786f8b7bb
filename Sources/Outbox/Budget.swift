package import GameCore

/// How many urgent pushes a phone is asked to show at once: a bucket that refills, so that the last minutes still find
/// something in it. An empty bucket makes a push less urgent; it never holds one back.
package struct Budget: Hashable, Sendable {
  private let capacity: Int64
  private let refill: Duration
  /// What lay in the bucket at `countedAt`, in billionths of one push.
  private var level: Int64
  private var countedAt: Instant

  /// After a restart the bucket is empty: nobody knows what was taken a moment before.
  package init(capacity: Int, refill: Duration, isFull: Bool, at now: Instant) {
    self.capacity = Int64(capacity) * Self.one
    self.refill = refill
    level = isFull ? Int64(capacity) * Self.one : 0
    countedAt = now
  }

  /// Takes one out if there is one.
  package mutating func take(at now: Instant) -> Bool {
    count(at: now)
    guard level >= Self.one else { return false }
    level -= Self.one
    return true
  }

  private mutating func count(at now: Instant) {
    guard now > countedAt else { return }
    let passed = min(now - countedAt, refill * Int(capacity / Self.one))
    let gained = passed.nanoseconds.multipliedFullWidth(by: Self.one)
    level = min(capacity, level + refill.nanoseconds.dividingFullWidth(gained).quotient)
    countedAt = now
  }

  private static let one: Int64 = 1_000_000_000
}
