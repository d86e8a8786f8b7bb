package import GameCore

/// How many urgent pushes a phone is asked to show at once: a bucket that refills, so that the last minutes still find
/// something in it. An empty bucket makes a push less urgent; it never holds one back.
package struct Budget: Hashable, Sendable {
  private let capacity: Int
  private let refill: Duration
  /// What lies in the bucket, as the time it took to flow in.
  private var level: Duration
  private var countedAt: Instant

  /// After a restart the bucket is empty: nobody knows what was taken a moment before.
  package init(capacity: Int, refill: Duration, isFull: Bool, at now: Instant) {
    self.capacity = capacity
    self.refill = refill
    level = isFull ? refill * capacity : .zero
    countedAt = now
  }

  /// How many lie in it.
  package func left(at now: Instant) -> Int {
    guard refill > .zero else { return capacity }
    let filled = min(refill * capacity, level + max(now - countedAt, .zero))
    return Int(filled / refill)
  }

  /// Takes one out if there is one.
  package mutating func take(at now: Instant) -> Bool {
    if now > countedAt {
      level = min(refill * capacity, level + (now - countedAt))
      countedAt = now
    }
    guard level >= refill else { return false }
    level -= refill
    return true
  }
}
