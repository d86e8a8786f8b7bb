import Foundation
import GameCore
import Input
import Testing

/// Presses as contacts make them: each change is a burst of edges shorter than L, an odd number of them.
private struct Contact {
  var random: SeededGenerator

  /// Edges of that many presses, and where each change has its burst.
  mutating func presses(_ count: Int) -> (edges: [LineEdge], bursts: [Range<Int>], presses: [Int64]) {
    var edges: [LineEdge] = []
    var bursts: [Range<Int>] = []
    var presses: [Int64] = []
    var now: Int64 = 1_000_000
    var level = LineLevel.inactive
    for change in 0..<(2 * count) {
      let start = edges.count
      if change.isMultiple(of: 2) { presses.append(now) }
      var at = now
      let extra = 2 * Int.random(in: 0...4, using: &random)
      // Short chatter, or slow swings: both are seen on real switches.
      let longest = Int64.random(in: 1...10, using: &random) <= 7 ? 700_000 : 2_600_000 as Int64
      for edge in 0...extra {
        level = level.other
        edges.append(LineEdge(level, at: Instant(nanoseconds: at)))
        if edge < extra { at += Int64.random(in: 20_000...longest, using: &random) }
      }
      bursts.append(start..<edges.count)
      now = max(at, now) + Int64.random(in: 30_000_000...90_000_000, using: &random)
    }
    return (edges, bursts, presses)
  }
}

@Suite struct SimulatedPresses {
  /// Ten million in a full run; every round has a seed of its own, which a failure names.
  static let total = ProcessInfo.processInfo.environment["SCOREBOARD_PRESSES"].flatMap(Int.init) ?? 60_000
  static let perRound = 200

  enum Fault: String, Sendable, CaseIterable {
    case none = "no edge dropped"
    case lostInBurst = "one edge of each burst of three or more dropped"
    case doubledInBurst = "one edge of a burst doubled"
    case anyLost = "any edge dropped"
    case anyLostUnnumbered = "any edge dropped, from a library that numbers none"
  }

  @Test("no press is lost or doubled, whatever the bounce", arguments: Fault.allCases)
  func presses(fault: Fault) {
    var problems: [String] = []
    for round in 0..<max(1, Self.total / Self.perRound / Fault.allCases.count) {
      let seed = UInt64(round)
      if let problem = Self.round(fault, seed: seed) { problems.append("seed \(seed): \(problem)") }
    }
    #expect(problems.count == 0, "\(problems.prefix(5))")
  }

  private static func round(_ fault: Fault, seed: UInt64) -> String? {
    var contact = Contact(random: SeededGenerator(seed: seed))
    let (edges, bursts, presses) = contact.presses(perRound)
    var told = edges.numbered
    for burst in bursts.reversed() {
      let place = Int.random(in: burst, using: &contact.random)
      switch fault {
      case .none: break
      case .lostInBurst: if burst.count > 1 { told.remove(at: place) }
      case .doubledInBurst: if burst.count > 1 { told.insert(told[place], at: place) }
      case .anyLost, .anyLostUnnumbered:
        if Int.random(in: 0..<10, using: &contact.random) == 0 { told.remove(at: place) }
      }
    }
    // A doubled edge keeps its number in no kernel: without numbers, only directions can tell.
    if fault == .doubledInBurst || fault == .anyLostUnnumbered { told = told.map { LineEdge($0.level, at: $0.at) } }
    let outcome = LineModel(edges, told: told).run()
    if outcome.level != .inactive { return "the line ends \(outcome.level)" }
    for (place, change) in outcome.changes.enumerated() where (change.level == .active) != place.isMultiple(of: 2) {
      return "changes do not pair"
    }
    switch fault {
    case .none, .lostInBurst, .doubledInBurst:
      if outcome.presses.count != presses.count { return "\(outcome.presses.count) presses" }
      // Stamped within its own bounce, or when a reading found what a lost edge hid.
      let isApart = zip(outcome.presses, presses).contains { $0 < $1 || $0 > $1 + 26_000_000 }
      if isApart { return "a press is stamped outside its bounce" }
    case .anyLost, .anyLostUnnumbered:
      // Each belongs to a press of its own that was really made.
      let owners = outcome.presses.map { stamp in presses.lastIndex { $0 <= stamp } }
      if owners.contains(nil) || Set(owners).count < owners.count { return "a press was invented or doubled" }
    }
    switch fault {
    case .none, .lostInBurst, .doubledInBurst: return nil
    case .anyLost:
      let gaps = zip([LineEdge(.inactive, at: .at(0))] + told, told).count { $1.sequence != $0.sequence + 1 }
      let noticed = outcome.suspicions.count { $0 == .sequenceGap }
      return noticed == gaps ? nil : "\(noticed) of \(gaps) gaps were told"
    case .anyLostUnnumbered:
      let pairs = zip(told, told.dropFirst()).count { $0.level == $1.level }
      let noticed = outcome.suspicions.count
      return noticed >= pairs ? nil : "\(noticed) of \(pairs) pairs of one direction were told"
    }
  }
}
