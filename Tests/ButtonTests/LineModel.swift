import GameCore
import Input

/// A line and the loop that serves it: edges as they happen, a kernel queue that holds what the kernel told, and a shell
/// that drains and reads when the machine asks.
struct LineModel {
  /// What the line really does.
  var truth: [LineEdge]
  /// What the kernel tells of it; the same, unless edges were lost or doubled.
  var told: [LineEdge]
  var start: LineLevel = .inactive
  var settings = DebounceSettings.usual
  /// The loop does not run in these times.
  var stalls: [ClosedRange<Int64>] = []
  /// Without a reading at the very end, a line whose last edge was lost stays where it was.
  var end: Int64

  init(_ edges: [LineEdge], told: [LineEdge]? = nil, end: Int64? = nil) {
    truth = edges
    self.told = told ?? edges
    self.end = end ?? (edges.last?.at.nanoseconds ?? 0) + 10_000_000_000
  }

  struct Outcome: Equatable {
    var changes: [Change] = []
    var level = LineLevel.inactive
    var suspicions: [Debouncer.Suspicion] = []
    var counts = Debouncer.Counts()

    var presses: [Int64] { changes.filter { $0.level == .active }.map(\.at) }
  }

  struct Change: Equatable {
    var level: LineLevel
    var at: Int64
  }

  func run() -> Outcome {
    var machine = Debouncer(settings, level: start, at: Instant(nanoseconds: 0))
    var outcome = Outcome()
    var queue = told[...]
    var now: Int64 = 0
    var wantsReading = false
    func take(_ actions: [Debouncer.Action]) {
      for action in actions {
        switch action {
        case .changed(let level, let at): outcome.changes.append(Change(level: level, at: at.nanoseconds))
        case .readLine: wantsReading = true
        case .mayHaveMissed(let suspicion): outcome.suspicions.append(suspicion)
        }
      }
    }
    func drain() {
      while let edge = queue.first, edge.at.nanoseconds <= now {
        queue.removeFirst()
        take(machine.edge(edge))
      }
    }
    // The level only ever moves forward through the edges, as time does.
    var happened = 0
    var level = start
    func look() {
      wantsReading = false
      while happened < truth.count, truth[happened].at.nanoseconds <= now {
        level = truth[happened].level
        happened += 1
      }
      take(machine.read(level, at: Instant(nanoseconds: now)))
    }
    // A machine that asks for the same instant again and again would never end.
    for _ in 0..<(2000 + 100 * told.count) where now < end {
      let next = [queue.first?.at.nanoseconds, machine.nextDeadline?.nanoseconds].compactMap { $0 }.min() ?? end
      now = max(now, min(awake(next), end))
      drain()
      take(machine.deadlineReached(at: Instant(nanoseconds: now)))
      for _ in 0..<8 where wantsReading {
        drain()
        look()
      }
    }
    outcome.level = machine.level
    outcome.counts = machine.counts
    return outcome
  }

  /// When the loop gets to what is due.
  private func awake(_ instant: Int64) -> Int64 {
    stalls.first { $0.contains(instant) }?.upperBound ?? instant
  }
}

/// Edges in the notation of the bug log: levels alternate from the first, which is a press.
func edges(_ milliseconds: Double..., from first: LineLevel = .active) -> [LineEdge] {
  var level = first.other
  return milliseconds.map { time in
    level = level.other
    return LineEdge(level, at: .at(time))
  }
}

extension Instant {
  static func at(_ milliseconds: Double) -> Instant { Instant(nanoseconds: Int64(milliseconds * 1_000_000)) }
}

extension Array where Element == LineEdge {
  /// With the kernel's numbers, from 1.
  var numbered: [LineEdge] {
    enumerated().map { LineEdge($1.level, at: $1.at, sequence: UInt32($0 + 1)) }
  }
}
