package import GameCore

/// The loop's alarms. There are a few dozen at most, so they are looked through instead of kept in order.
package struct TimerQueue {
  private struct Entry {
    var id: Int
    var deadline: Instant?
    var handler: () -> Void
  }

  /// In the order of their making, which also decides between equal deadlines.
  private var entries: [Entry] = []
  private var nextID = 0

  package init() {}

  package mutating func add(_ handler: @escaping () -> Void) -> Int {
    defer { nextID += 1 }
    entries.append(Entry(id: nextID, handler: handler))
    return nextID
  }

  package mutating func remove(_ id: Int) { entries.removeAll { $0.id == id } }

  /// A removed timer stays removed.
  package mutating func set(_ id: Int, to deadline: Instant?) {
    guard let index = entries.firstIndex(where: { $0.id == id }) else { return }
    entries[index].deadline = deadline
  }

  package func deadline(of id: Int) -> Instant? { entries.first { $0.id == id }?.deadline }

  /// The earliest deadline of all.
  package var next: Instant? { entries.lazy.compactMap(\.deadline).min() }

  /// Who is due, the earliest first.
  package func due(at now: Instant) -> [Int] {
    entries.filter { entry in entry.deadline.map { $0 <= now } ?? false }
      .sorted { ($0.deadline!, $0.id) < ($1.deadline!, $1.id) }
      .map(\.id)
  }

  /// Unsets a timer that is still due and hands out its handler; nil when another handler has removed or moved it.
  package mutating func take(_ id: Int, dueAt now: Instant) -> (() -> Void)? {
    guard let index = entries.firstIndex(where: { $0.id == id }),
      let deadline = entries[index].deadline, deadline <= now
    else { return nil }
    entries[index].deadline = nil
    return entries[index].handler
  }
}
