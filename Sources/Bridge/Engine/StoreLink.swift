package import GameCore
package import Outbox

// The durability rule lives here and in the lanes: an update leaves in the turn in which its commit is handed over; a
// receipt, and every create, start and end, waits until the commit has come back.

/// The engine's side of the store: what must be written is gathered over one turn, handed over as one batch, and
/// remembered until it is on the disk. When the disk refuses, the game goes on in memory and nothing is forgotten.
package struct StoreLink<Receipt: Hashable & Sendable>: Sendable {
  package enum Release: Hashable, Sendable {
    /// What this receipt stood for is on the disk.
    case persisted(Receipt)
    /// It is not, for now; it will be tried again, and `persisted` may still come.
    case delayed(Receipt, reason: String)
  }

  private struct Waiting: Sendable {
    var number: UInt64
    var operations: [StoreOperation]
    var receipts: [Receipt]
  }

  private var operations: [StoreOperation] = []
  private var receipts: [Receipt] = []
  private var waiting: [Waiting] = []
  private var nextNumber: UInt64 = 1
  private var retryAt: Instant?
  /// What the disk said last; nil while it takes everything.
  package private(set) var trouble: String?

  package init() {}

  package mutating func write(_ more: [StoreOperation]) { operations += more }

  /// To be released when everything written so far in this turn, and before, is on the disk.
  package mutating func expect(_ receipt: Receipt) { receipts.append(receipt) }

  /// Everything that was handed over is on the disk.
  package var isIdle: Bool { waiting.isEmpty && operations.isEmpty && receipts.isEmpty }

  package var nextDeadline: Instant? { retryAt }

  /// The batch of this turn; nil when there is nothing to write. A receipt with nothing to write goes with an empty batch,
  /// so that it still comes after all that went before.
  package mutating func flush() -> StoreBatch? {
    guard !operations.isEmpty || !receipts.isEmpty, retryAt == nil else { return nil }
    let batch = StoreBatch(number: nextNumber, operations: operations)
    waiting.append(Waiting(number: nextNumber, operations: operations, receipts: receipts))
    nextNumber += 1
    operations = []
    receipts = []
    return batch
  }

  /// After a refusal a receipt is released once more, when its commit succeeds, unless `isOwed` says that whoever waited
  /// for it asks anew.
  package mutating func settled(
    _ outcome: StoreOutcome, at now: Instant, isOwed: (Receipt) -> Bool
  ) -> [Release] {
    switch outcome {
    case .persisted(let number):
      trouble = nil
      let done = waiting.prefix { $0.number <= number }
      waiting.removeFirst(done.count)
      return done.flatMap { $0.receipts.map(Release.persisted) }
    case .failed(_, let last, let reason):
      trouble = reason
      // All that is still under way goes behind what failed, and both in front of what this turn has gathered: it may
      // succeed, and an older value must not come to lie over a newer one. What becomes of it there is of no interest.
      guard let first = waiting.first, first.number <= last else { return [] }
      let lost = waiting.flatMap(\.receipts)
      operations = Self.merged(waiting.flatMap(\.operations) + operations)
      receipts = lost.filter(isOwed) + receipts
      waiting = []
      retryAt = retryAt ?? now + Self.retryInterval
      return lost.map { .delayed($0, reason: reason) }
    }
  }

  /// The time to try the disk again has come when this has passed `nextDeadline`.
  package mutating func deadlineReached(at now: Instant) {
    if let retryAt, retryAt <= now { self.retryAt = nil }
  }

  private static var retryInterval: Duration { .seconds(1) }

  /// More of the past than this would be pruned from a disk that works.
  private static var mostEntries: Int { 1024 }

  /// Only the newest value of a mark or an entry matters, and only the newest entries, so that a long trouble does not
  /// grow the memory. Events are kept, every one.
  private static func merged(_ operations: [StoreOperation]) -> [StoreOperation] {
    var seen = Set<String>()
    var kept: [StoreOperation] = []
    var entries = 0
    for operation in operations.reversed() {
      switch operation {
      case .mark(let key, _):
        if seen.insert("m" + key).inserted { kept.append(operation) }
      case .entry(let lane, let sequence, _):
        guard entries < mostEntries, seen.insert("e\(lane)#\(sequence)").inserted else { continue }
        entries += 1
        kept.append(operation)
      case .event, .forgetGame, .forgetEntries: kept.append(operation)
      }
    }
    return kept.reversed()
  }
}
