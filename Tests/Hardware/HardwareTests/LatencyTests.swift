import Foundation
import StandIn
import Testing

// How much the daemon adds to what the kernel, a reader in C and a connection over loopback take on the same machine in
// the same run. An emulated machine's own times mean nothing; the ratios do.

/// `SCOREBOARD_LATENCY=PRESSES`; zero without it.
private let presses = ProcessInfo.processInfo.environment["SCOREBOARD_LATENCY"].flatMap(Int.init) ?? 0

@Suite(
  "How long HardwareTests' daemon takes from the edge",
  .enabled(if: SimulatedChip.isPresent, "no simulated GPIO chip; run with Tests/Hardware/run-in-vm"),
  .enabled(if: presses > 0, "measured when SCOREBOARD_LATENCY says how many presses"),
  .enabled(if: HardwareRig.refusal == nil, "this kernel has only GPIO ABI v2, which libgpiod 1 does not speak"),
  .serialized)
struct LatencyHardwareTests {
  private static let floorLine = 11

  /// Microseconds of one quantity, by rank.
  private struct Times {
    var sorted: [Double]

    init(_ times: [Double]) { sorted = times.sorted() }

    func at(_ share: Double) -> Double { sorted[min(sorted.count - 1, Int(Double(sorted.count) * share))] }

    func told(_ name: String, beside floor: Times? = nil) -> String {
      let shares = [("p50", 0.5), ("p90", 0.9), ("p99", 0.99)]
      let numbers = shares.map { "\($0.0) \(Int(at($0.1))) us" }
      let ratios = floor.map { floor in
        shares.map { "\($0.0) x\(String(format: "%.1f", at($0.1) / floor.at($0.1)))" }.joined(separator: ", ")
      }
      return "\(name): \(numbers.joined(separator: ", "))" + (ratios.map { "  =  \($0) of the floor" } ?? "")
    }
  }

  /// A line per press: from the pull to the stamp, to the read, to the last byte of a request.
  private func floor() throws -> [[Double]] {
    let program = HardwareRig.programs.appendingPathComponent("gpio-floor").path
    let run = try Child.run(program, ["\(Self.floorLine)", "\(presses / 2)"], within: .seconds(120))
    try #require(run.code == 0, "\(run.error)")
    return run.out.split(separator: "\n").map { $0.split(separator: " ").compactMap { Double($0).map { $0 / 1000 } } }
  }

  @Test("from the edge to the reducer and to the request's bytes, beside a reader in C of the same run")
  func ratios() throws {
    let terminal = try PseudoTerminal(isWatched: true)
    let rig = try HardwareRig(phones: "{ios: {enabled: false}, android: {spacing: 0s}}", glitch: "0ms")
    defer { rig.close() }
    try rig.run(terminal: terminal)
    try #require(HardwareRig.waits { SimulatedChip.isLit(HardwareRig.ready) }, "\(terminal.text)")
    var floors = try floor()
    SimulatedChip.bouncingPress(HardwareRig.start)
    try #require(terminal.shows("game start counted", within: .seconds(15)), "\(terminal.text)")
    // What the reducer refuses is told in the turn in which it does, with the time since the edge.
    for _ in 0..<presses { press(HardwareRig.start) }
    var edges: [Int64] = []
    for _ in 0..<presses { edges.append(press(HardwareRig.home)) }
    #expect(HardwareRig.waits { rig.standIn.requests(.publish).contains { score($0) == presses } })
    floors += try floor()

    let reduced = refusals(terminal.text)
    #expect(reduced.count == presses)
    var sent: [Double] = []
    for (place, edge) in edges.enumerated() {
      let arrival = rig.standIn.requests(.publish).first { score($0) == place + 1 }?.at.instant.nanoseconds
      if let arrival { sent.append(Double(arrival - edge) / 1000) }
    }
    #expect(sent.count >= presses * 9 / 10)
    let stamped = Times(floors.map { $0[0] })
    let read = Times(floors.map { $0[1] })
    let written = Times(floors.map { $0[2] })
    print(stamped.told("C: pull to stamp"))
    print(read.told("C: stamp to read"))
    print(written.told("C: stamp to the request's last byte, no TLS"))
    print(Times(reduced).told("daemon: stamp to reducer", beside: read))
    print(Times(sent).told("daemon: pull to the request's last byte, TLS", beside: written))
  }

  /// When it was pressed.
  @discardableResult private func press(_ line: Int) -> Int64 {
    let now = Clock.now().instant.nanoseconds
    SimulatedChip.press(line, true)
    usleep(60_000)
    SimulatedChip.press(line, false)
    usleep(60_000)
    return now
  }

  private func score(_ request: Seen) -> Int? { request.fcmData?["homeScore"]?.string.flatMap { Int($0) } }

  /// The milliseconds of `game start: not counted, … (0.52 ms)`, in microseconds.
  private func refusals(_ text: String) -> [Double] {
    text.split(separator: "\n").compactMap { line in
      guard line.contains("game start: not counted"), let open = line.lastIndex(of: "(") else { return nil }
      return Double(line[line.index(after: open)...].prefix { $0 != " " }).map { $0 * 1000 }
    }
  }
}
