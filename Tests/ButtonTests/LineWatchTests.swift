import GameCore
import Input
import Testing

@Suite struct LineWatchTests {
  private func watched(_ edges: [LineEdge]) -> (watch: LineWatch, bursts: [LineWatch.Burst]) {
    var watch = LineWatch(level: .inactive)
    var bursts = edges.compactMap { watch.edge($0) }
    if let last = watch.timePassed(to: .at(1_000_000)) { bursts.append(last) }
    return (watch, bursts)
  }

  @Test("edges close together are one change, with how many they were and how long they bounced")
  func bursts() {
    let (watch, bursts) = watched(edges(0, 3, 5, 120, 124, 126))
    #expect(bursts.map(\.edges) == [3, 3])
    #expect(bursts.map(\.length) == [.milliseconds(5), .milliseconds(6)])
    #expect(watch.shortestWidth == .milliseconds(120))
  }

  @Test(
    "a switch that bounces for 30 ms on a cable with spikes of 2 ms is given a lockout of 60 ms and a glitch of 4 ms")
  func suggestion() throws {
    let bouncing = edges(0, 8, 15, 22, 30, 400)
    let spikes = edges(1000, 1002, 1100, 1101.5)
    let suggestion = try #require(watched(bouncing + spikes).watch.suggestion)
    #expect(suggestion == (.milliseconds(4), .milliseconds(60)))
  }

  @Test("a clean switch is given what fits most; a line that never changed is given nothing")
  func cleanSwitch() throws {
    let suggestion = try #require(watched(edges(0, 100)).watch.suggestion)
    #expect(suggestion == (.milliseconds(1), .milliseconds(25)))
    #expect(watched(edges(0, 1)).watch.suggestion == nil)
  }

  @Test("a line is noisy from its twentieth glitch in ten seconds, told once, and forgotten after a quiet minute")
  func noise() {
    var noise = NoiseWatch()
    var told = 0
    for place in 0..<30 where noise.seen(glitches: place, at: .at(Double(place) * 300)) { told += 1 }
    #expect(told == 1)
    #expect(noise.isNoisy(at: .at(9000)))
    #expect(!noise.isNoisy(at: .at(80_000)))
    var slow = NoiseWatch()
    for place in 0..<100 where slow.seen(glitches: place, at: .at(Double(place) * 1000)) { told += 1 }
    #expect(told == 1)
  }
}
