import Input
import Testing

@Suite struct SnifferTests {
  @Test("golden frames are recognised as what they are", arguments: GoldenFrame.all.filter { isClear($0.name) })
  func recognised(_ frame: GoldenFrame) {
    let bytes = Array(repeating: frame.bytes, count: 12).flatMap { $0 }
    let verdict = Sniffer.judge(bytes, on: nil, experimental: true)
    #expect(verdict.matches.first?.console == frame.console, "\(frame.name): \(verdict)")
    #expect((verdict.matches.first?.certainty ?? .possible) >= .likely)
  }

  /// One clear stream per protocol.
  private static func isClear(_ name: String) -> Bool {
    [
      "daktronics-rtd/basketball-whole-image", "daktronics-rtd/omnisport-swimming", "bodet-scorepad/basketball",
      "stramatel-tv/basketball", "stramatel-tv/american-football-24-bytes", "cts-gen6/worked-example",
      "favero-fa05/makers-example", "swisstiming-osm6/finish", "daktronics-allsport-cg/baseball",
      "fairplay-mp70/hockey-score-frame-keeps-the-clock",
    ].contains(name)
  }

  @Test("an experimental protocol is recognised only when asked for")
  func experimental() {
    let bytes = GoldenFrame.all.first { $0.name == "fairplay-mp70/hockey-score-frame-keeps-the-clock" }?.bytes ?? []
    #expect(!Sniffer.judge(bytes, on: nil).matches.contains { $0.console == .fairPlayMP70 })
  }

  @Test("a few frames are less sure than many")
  func certainty() {
    let one = GoldenFrame.all.first { $0.name == "daktronics-allsport-cg/soccer" }?.bytes ?? []
    let certain = Sniffer.judge(Array(repeating: one, count: 20).flatMap { $0 }, on: ConsoleLine(9600)).matches.first
    #expect(Sniffer.judge(one, on: nil).matches.first?.certainty == .possible)
    #expect(certain?.certainty == .certain && certain?.sport == .soccer && certain?.line == ConsoleLine(9600))
  }

  @Test("what makes no frames is described: silence, text, one byte, noise")
  func sights() {
    #expect(Sniffer.judge([], on: nil).sight == .silence)
    let text = Array("AME 2\r\nHOME 8 GUEST 12 9:45 P1\r\nHOME 8 GUEST 12 9:44 P1\r\nHOM".utf8)
    #expect(Sniffer.judge(text, on: nil).sight == .textLines(example: "HOME 8 GUEST 12 9:45 P1"))
    #expect(Sniffer.judge(Array(repeating: 0, count: 50), on: nil).sight == .oneByte(0))
    var random = SeededBytes(seed: 8)
    let noise = (0..<4000).map { _ in random.byte() }
    let verdict = Sniffer.judge(noise, on: nil, experimental: true)
    #expect(verdict.matches.isEmpty && verdict.sight == .noise(bytes: 4000), "\(verdict)")
  }

  @Test("the plan holds every usual line once, and says it as people write it")
  func plan() {
    let plan = Sniffer.plan().map(\.summary)
    #expect(Set(plan).count == plan.count)
    #expect(plan.contains("19200 8N1") && plan.contains("9600 8E1") && plan.contains("9600 7E1"))
  }
}
