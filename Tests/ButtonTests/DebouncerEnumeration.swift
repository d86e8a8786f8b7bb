import GameCore
import Input
import Testing

/// One unit of the grid.
private let unit: Int64 = 1_000_000

@Suite struct DebouncerEnumeration {
  struct Grid: Sendable, CustomTestStringConvertible {
    var glitch: Int
    var lockout: Int
    var isSettle = false
    var instants: [Int]

    /// The instants around every sum of g and L at which the definition changes its mind.
    static func around(glitch: Int, lockout: Int, isSettle: Bool = false) -> Grid {
      let sums = [
        0, glitch, lockout, glitch + lockout, 2 * lockout, 2 * lockout + glitch,
      ]
      let instants = Set(sums.flatMap { [$0 - 1, $0, $0 + 1] }.map { $0 + 1 }).sorted()
      return Grid(glitch: glitch, lockout: lockout, isSettle: isSettle, instants: instants.filter { $0 >= 0 })
    }

    var settings: DebounceSettings {
      isSettle
        ? .settle(.nanoseconds(Int64(glitch) * unit))
        : .lockout(glitch: .nanoseconds(Int64(glitch) * unit), lockout: .nanoseconds(Int64(lockout) * unit))
    }

    var testDescription: String { "g \(glitch) L \(lockout)\(isSettle ? " settle" : "")" }
  }

  static let grids: [Grid] = [
    .around(glitch: 3, lockout: 10), .around(glitch: 0, lockout: 5), .around(glitch: 5, lockout: 3),
    .around(glitch: 4, lockout: 0, isSettle: true),
  ]

  /// What differs between the machine and the reference; nil when nothing does.
  static func difference(
    _ events: [DebounceReference.Event], _ grid: Grid, start: LineLevel, isStalled: Bool
  ) -> String? {
    let edges = events.map { LineEdge($0.level, at: Instant(nanoseconds: Int64($0.at) * unit)) }
    var model = LineModel(edges, end: 200 * unit)
    model.settings = grid.settings
    model.start = start
    if isStalled { model.stalls = [0...(100 * unit)] }
    let got = model.run()
    let reference = DebounceReference(glitch: grid.glitch, lockout: grid.lockout, start: start)
    let wanted =
      grid.isSettle ? reference.settledChanges(of: events, stand: grid.glitch) : reference.changes(of: events)
    let changes = wanted.changes.map { LineModel.Change(level: $0.level, at: Int64($0.at) * unit) }
    if got.changes == changes, got.level == wanted.level, wanted.level == (events.last?.level ?? start) { return nil }
    let shown = events.map { "\($0.level == .active ? "v" : "^")\($0.at)" }.joined(separator: " ")
    return "\(shown) from \(start), stalled \(isStalled): got \(got.changes), wanted \(changes)"
  }

  /// Every rising choice of up to `count` places of the grid, the same place twice included when `repeats`.
  static func sequences(_ instants: [Int], upTo count: Int, repeats: Bool, _ visit: ([Int]) -> Void) {
    var chosen: [Int] = []
    func extend(from first: Int) {
      visit(chosen)
      guard chosen.count < count else { return }
      for place in first..<instants.count {
        chosen.append(instants[place])
        extend(from: repeats ? place : place + 1)
        chosen.removeLast()
      }
    }
    extend(from: 0)
  }

  @Test(
    "every sequence of up to six edges around g and L means what the definition says, however late the loop is",
    arguments: grids)
  func allSequences(grid: Grid) {
    var faults: [String] = []
    var count = 0
    for start in LineLevel.allCases {
      Self.sequences(grid.instants, upTo: 6, repeats: false) { times in
        var level = start
        let events = times.map { time in
          level = level.other
          return DebounceReference.Event(at: time, level: level)
        }
        for isStalled in [false, true] {
          count += 1
          if let fault = Self.difference(events, grid, start: start, isStalled: isStalled) { faults.append(fault) }
        }
      }
    }
    #expect(faults.count == 0, "\(faults.prefix(3))")
    #expect(count > 200)
  }

  @Test("the same with edges of either direction, so that one or several were lost between them")
  func allDirections() {
    let grid = Grid(glitch: 2, lockout: 5, instants: [1, 2, 3, 6, 7, 8])
    var faults: [String] = []
    Self.sequences(grid.instants, upTo: 6, repeats: true) { times in
      for directions in 0..<(1 << times.count) {
        let events = times.enumerated().map { place, time in
          DebounceReference.Event(at: time, level: directions >> place & 1 == 1 ? .active : .inactive)
        }
        if let fault = Self.difference(events, grid, start: .inactive, isStalled: false) { faults.append(fault) }
      }
    }
    #expect(faults.count == 0, "\(faults.prefix(3))")
  }
}
