internal import GameCore
package import Outbox

/// A disk between a writer and a power line: a batch is on it when its answer says so; what had not been answered is
/// there or not when the power comes back, all of a batch or nothing of it, and never a later one without the earlier.
package struct FakeDisk: Hashable, Sendable {
  private struct Write: Hashable, Sendable {
    var batch: StoreBatch
    var doneAt: Duration
    var fails: Bool
  }

  private var platter = MemoryStore()
  private var writes: [Write] = []
  /// What failed last: some of it may lie there all the same, until something else is written over it.
  private var doubtful: StoreBatch?
  /// Refused something, and has not taken enough since to hold every floor again.
  private(set) var owesFloors = false
  /// The first commit after a refusal may have been written before the last number was given.
  private var recoveredAt: Duration?

  package init() {}

  package var contents: StoreContents { platter.contents }

  package var nextAnswer: Duration? { writes.first?.doneAt }

  mutating func write(_ batch: StoreBatch, doneAt: Duration, fails: Bool) {
    let after = writes.last?.doneAt ?? .zero
    writes.append(Write(batch: batch, doneAt: max(doneAt, after), fails: fails))
  }

  /// The next answer that is due.
  mutating func answer(by now: Duration) -> StoreOutcome? {
    guard let first = writes.first, first.doneAt <= now else { return nil }
    writes.removeFirst()
    noteFloors(isRefused: first.fails, at: first.doneAt)
    doubtful = first.fails ? first.batch : nil
    guard !first.fails else {
      return .failed(from: first.batch.number, through: first.batch.number, reason: "disk full")
    }
    platter.commit(first.batch.operations)
    return .persisted(through: first.batch.number)
  }

  private mutating func noteFloors(isRefused: Bool, at time: Duration) {
    if isRefused {
      owesFloors = true
      recoveredAt = nil
    } else if let recoveredAt {
      if time > recoveredAt + Self.renewal { owesFloors = false }
    } else {
      recoveredAt = time
    }
  }

  /// Floors are renewed this often, and a slow disk takes its time.
  private static let renewal: Duration = .seconds(10)

  /// The power is gone: so many of the unanswered batches had reached the platter.
  mutating func powerCut(_ random: inout SeededGenerator) {
    if let doubtful, random.happens(percent: 50) { platter.commit(doubtful.operations) }
    doubtful = nil
    let whole = writes.prefix { !$0.fails }
    let kept = whole.isEmpty ? 0 : random.below(whole.count + 1)
    for write in whole.prefix(kept) { platter.commit(write.batch.operations) }
    writes = []
    owesFloors = false
    recoveredAt = nil
  }
}
