/// What was heard on one port, setting by setting, and what it comes to in sentences.
package struct SniffReport: Sendable {
  /// One try.
  package struct Hearing: Hashable, Sendable {
    /// Nil for a network peer.
    package var line: ConsoleLine?
    package var bytes: Int
    package var verdict: Sniffer.Verdict

    package init(line: ConsoleLine?, bytes: Int, verdict: Sniffer.Verdict) {
      self.line = line
      self.bytes = bytes
      self.verdict = verdict
    }

    /// For the person who waits.
    package var summary: String {
      let setting = line.map { $0.summary + ": " } ?? ""
      guard let match = verdict.matches.first else { return setting + verdict.sight.sentence }
      return "\(setting)\(bytes) bytes, \(match.console.rawValue) \(match.certainty.word)"
    }
  }

  private var hearings: [Hearing] = []

  package init() {}

  package mutating func add(_ hearing: Hearing) { hearings.append(hearing) }

  /// Listening on would change nothing.
  package var isCertain: Bool { best?.certainty == .certain }

  package var best: Sniffer.Match? { matches.first }

  /// The surest first; each protocol once, at the setting that suits it best.
  private var matches: [Sniffer.Match] {
    let sorted = hearings.flatMap(\.verdict.matches).enumerated().sorted { left, right in
      let (a, b) = (left.element, right.element)
      if a.certainty != b.certainty { return a.certainty > b.certainty }
      if a.counts.good != b.counts.good { return a.counts.good > b.counts.good }
      return left.offset < right.offset
    }.map(\.element)
    return sorted.enumerated().filter { place, match in
      !sorted[..<place].contains { $0.console == match.console }
    }.map(\.element)
  }

  /// What it comes to. `place` is how a config names the port: `device: /dev/ttyUSB0`.
  package func conclusion(place: String) -> String {
    guard let best else { return unrecognised }
    var lines = [best.sentence]
    lines += matches.dropFirst().map { "or " + $0.sentence }
    lines.append("in the config: - {name: console, \(best.setting), \(place)\(best.lineSetting)}")
    return lines.map { $0 + "\n" }.joined()
  }

  /// The most telling of what was seen instead.
  private var unrecognised: String {
    let sights = hearings.map { ($0.line, $0.verdict.sight) }
    func first(_ isIt: (Sniffer.Sight) -> Bool) -> String? {
      sights.first { isIt($0.1) }.map { line, sight in (line.map { "at \($0.summary): " } ?? "") + sight.sentence }
    }
    let text = first { if case .textLines = $0 { true } else { false } }
    let noise = first { if case .noise = $0 { true } else { false } }
    let oneByte = first { if case .oneByte = $0 { true } else { false } }
    let tried = hearings.count > 1 ? " at any of \(hearings.count) settings" : ""
    return "no console was recognised\(tried)\n"
      + (text ?? noise ?? oneByte ?? Sniffer.Sight.silence.sentence) + "\n"
  }
}

extension Sniffer.Certainty {
  package var word: String {
    switch self {
    case .possible: "possible"
    case .likely: "likely"
    case .certain: "certain"
    }
  }
}

extension Sniffer.Match {
  fileprivate var sentence: String {
    let sport = sport.map { " (\($0.rawValue))" } ?? ""
    let line = line.map { " at \($0.summary)" } ?? ""
    return "\(console.rawValue)\(sport): \(certainty.word), \(counts.good) good frames, \(counts.bad) bad\(line)"
  }

  fileprivate var setting: String {
    let sport = sport.map { ", sport: \($0.rawValue)" } ?? ""
    return "protocol: \(console.rawValue)\(sport)" + (console == .fairPlayMP70 ? ", experimental: true" : "")
  }

  /// Only what differs from the protocol's usual line.
  fileprivate var lineSetting: String {
    guard let line, let usual = console.lines.first, line != usual else { return "" }
    var words = ""
    if line.baudRate != usual.baudRate { words += ", speed: \(line.baudRate)" }
    if line.dataBits != usual.dataBits { words += ", data_bits: \(line.dataBits)" }
    if line.parity != usual.parity { words += ", parity: \(line.parity.rawValue)" }
    return words
  }
}
