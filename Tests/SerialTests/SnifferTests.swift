import GameCore
import Input
import Testing

@Suite struct SnifferTests {
  static let clear = GoldenFrame.all.filter { isClear($0.name) }

  @Test("golden frames are recognised as what they are", arguments: clear)
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
    var random = SeededGenerator(seed: 8)
    let noise = (0..<4000).map { _ in UInt8.random(in: 0...255, using: &random) }
    let verdict = Sniffer.judge(noise, on: nil, experimental: true)
    #expect(verdict.matches.isEmpty && verdict.sight == .noise(bytes: 4000), "\(verdict)")
  }

  @Test("the plan holds every usual line once, and says it as people write it")
  func plan() {
    let plan = Sniffer.plan().map(\.summary)
    #expect(Set(plan).count == plan.count)
    #expect(plan.contains("19200 8N1") && plan.contains("9600 8E1") && plan.contains("9600 7E1"))
  }

  private func heard(_ name: String, _ line: ConsoleLine?, times: Int = 12) -> SniffReport.Hearing {
    let frame = GoldenFrame.all.first { $0.name == name }?.bytes ?? []
    let bytes = Array(repeating: frame, count: times).flatMap { $0 }
    return SniffReport.Hearing(
      line: line, bytes: bytes.count, verdict: Sniffer.judge(bytes, on: line, experimental: true))
  }

  @Test("the conclusion names the surest console, how sure it is, and what to write into the config")
  func conclusion() {
    var report = SniffReport()
    report.add(heard("cts-gen6/worked-example", ConsoleLine(9600), times: 1))
    #expect(!report.isCertain)
    report.add(heard("bodet-scorepad/basketball", ConsoleLine(2400)))
    #expect(report.isCertain)
    let text = report.conclusion(place: "device: /dev/ttyUSB0")
    #expect(text.hasPrefix("bodet-scorepad: certain, "))
    #expect(text.contains(" 0 bad at 2400 8N1\n"))
    #expect(text.contains("\nor cts-gen6: likely, 3 good frames, 0 bad at 9600 8N1\n"))
    #expect(
      text.hasSuffix(
        "in the config: - {name: console, protocol: bodet-scorepad, device: /dev/ttyUSB0, speed: 2400}\n"))
  }

  @Test("each protocol is named once, at the setting that suits it best, with its sport")
  func bestSetting() {
    var report = SniffReport()
    report.add(heard("daktronics-allsport-cg/soccer", ConsoleLine(19200), times: 2))
    report.add(heard("daktronics-allsport-cg/soccer", ConsoleLine(9600, parity: .even)))
    let text = report.conclusion(place: "connect: \"192.0.2.20:4001\"")
    #expect(text.hasPrefix("daktronics-allsport-cg (soccer): certain, 12 good frames, 0 bad at 9600 8E1\n"))
    #expect(!text.contains("19200"))
    #expect(text.contains("sport: soccer, connect: \"192.0.2.20:4001\", parity: even}"))
  }

  @Test("without a console the most telling sight is told, with the setting at which it was seen")
  func unrecognised() {
    var report = SniffReport()
    report.add(SniffReport.Hearing(line: ConsoleLine(19200), bytes: 0, verdict: Sniffer.judge([], on: nil)))
    #expect(report.conclusion(place: "").contains("is the console on"))
    let noise: [UInt8] = (0..<500).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ $0 / 7) | 0x80 }
    report.add(SniffReport.Hearing(line: ConsoleLine(2400), bytes: 500, verdict: Sniffer.judge(noise, on: nil)))
    #expect(report.conclusion(place: "").hasPrefix("no console was recognised at any of 2 settings\nat 2400 8N1: "))
    #expect(report.conclusion(place: "").contains("swap A and B"))
    let text = Array("HOME 8\r\nHOME 8\r\nHOME 9\r\n".utf8)
    report.add(SniffReport.Hearing(line: ConsoleLine(9600), bytes: 24, verdict: Sniffer.judge(text, on: nil)))
    #expect(report.conclusion(place: "").contains("at 9600 8N1: lines of text, such as \"HOME 8\""))
    #expect(report.best == nil)
  }
}
