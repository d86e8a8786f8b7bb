/// The model of the durable store: the same answers as the one on disk, in memory. Simulations use it as their disk.
package struct MemoryStore: Hashable, Sendable {
  private var events: [String: [Int64: [UInt8]]] = [:]
  private var entries: [String: [Int64: [UInt8]]] = [:]
  private var marks: [String: [UInt8]] = [:]

  package init() {}

  /// All of it, or, where the caller simulates a power cut, not called at all.
  package mutating func commit(_ operations: [StoreOperation]) {
    for operation in operations { apply(operation) }
  }

  package var contents: StoreContents {
    var contents = StoreContents()
    for (game, log) in events.sorted(by: { $0.key < $1.key }) {
      contents.events += log.sorted { $0.key < $1.key }.map { .init(game: game, sequence: $0.key, body: $0.value) }
    }
    for (lane, queue) in entries.sorted(by: { $0.key < $1.key }) {
      contents.entries += queue.sorted { $0.key < $1.key }.map { .init(lane: lane, sequence: $0.key, body: $0.value) }
    }
    contents.marks = marks
    return contents
  }

  private mutating func apply(_ operation: StoreOperation) {
    switch operation {
    case .event(let game, let sequence, let body):
      if events[game]?[sequence] == nil { events[game, default: [:]][sequence] = body }
    case .entry(let lane, let sequence, let body):
      entries[lane, default: [:]][sequence] = body
    case .mark(let key, let value):
      marks[key] = value
    case .forgetGame(let game):
      events[game] = nil
      entries = entries.filter { !$0.key.utf8.starts(with: "\(game)/".utf8) }
      for prefix in StoreOperation.markPrefixes(ofGame: game) {
        marks = marks.filter { !$0.key.utf8.starts(with: prefix.utf8) }
      }
    case .forgetEntries(let lane, let below):
      entries[lane] = entries[lane]?.filter { $0.key >= below }
    }
  }
}
