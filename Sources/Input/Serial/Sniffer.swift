/// Says what a port speaks from bytes that were listened to under one set of line settings: every decoder is tried on
/// them, and what makes frames is recognised. It only reads; nothing is ever sent.
package struct Sniffer {
  package enum Certainty: Int, Hashable, Sendable, Comparable {
    /// A frame or two without a check sum: it may be chance.
    case possible
    /// A few frames.
    case likely
    /// Many frames, or some with a right sum, and hardly anything else.
    case certain

    package static func < (left: Certainty, right: Certainty) -> Bool { left.rawValue < right.rawValue }
  }

  package struct Match: Hashable, Sendable {
    package var console: ConsoleProtocol
    /// The sport whose layout fits, where the protocol needs one.
    package var sport: ConsoleSport?
    package var line: ConsoleLine?
    package var counts: FrameCounts
    package var certainty: Certainty
  }

  /// What the bytes look like when no protocol fits.
  package enum Sight: Hashable, Sendable {
    case silence
    /// Lines of text, with one of them: the generic line can read them.
    case textLines(example: String)
    /// The same byte over and over: a line that idles at the wrong level, or a far too slow speed.
    case oneByte(UInt8)
    /// Bytes without a shape: wrong speed or parity, a swapped pair, or a protocol we do not know.
    case noise(bytes: Int)

    package var sentence: String {
      switch self {
      case .silence: "nothing came: is the console on, its data output enabled, the cable the right one?"
      case .textLines(let example): "lines of text, such as \"\(example)\": generic-line reads them with a pattern"
      case .oneByte(let byte): "only the byte 0x\(hex(byte)): check the wiring, swap A and B, try another speed"
      case .noise(let bytes): "\(bytes) bytes without a frame: another speed or parity, or swap A and B"
      }
    }
  }

  package struct Verdict: Hashable, Sendable {
    /// The best first.
    package var matches: [Match]
    package var sight: Sight
  }

  /// The settings worth listening with, each with the protocols that use it; experimental ones only when asked for.
  package static func plan(experimental: Bool = false) -> [ConsoleLine] {
    var lines: [ConsoleLine] = []
    for console in ConsoleProtocol.allCases where experimental || console != .fairPlayMP70 {
      for line in console.lines where !lines.contains(line) { lines.append(line) }
    }
    return lines
  }

  /// `line` is nil for bytes that came over the network.
  package static func judge(_ bytes: [UInt8], on line: ConsoleLine?, experimental: Bool = false) -> Verdict {
    var matches: [Match] = []
    for console in ConsoleProtocol.allCases where experimental || console != .fairPlayMP70 {
      guard let best = candidates(console).compactMap({ match($0, bytes, line) }).max(by: isWorse) else { continue }
      matches.append(best)
    }
    return Verdict(matches: matches.sorted { isWorse($1, $0) }, sight: sight(of: bytes))
  }

  /// Between equals the one that reads fewer things is meant: all that Stramatel's American football takes, `stramatel-tv`
  /// takes as well.
  private static func isWorse(_ left: Match, _ right: Match) -> Bool {
    let isNarrower = right.console == .stramatelAmericanFootball && left.console != right.console
    return (left.certainty, left.counts.good, isNarrower ? 0 : 1) < (right.certainty, right.counts.good, 1)
  }

  /// The settings with which one protocol may read; several where its frames differ by sport.
  private static func candidates(_ console: ConsoleProtocol) -> [DecoderSettings] {
    switch console {
    case .daktronicsAllSportCG:
      [ConsoleSport.basketball, .americanFootball, .soccer, .volleyball, .baseball]
        .map { DecoderSettings(console: console, sport: $0) }
    case .daktronicsRTD:
      [DecoderSettings(console: console), DecoderSettings(console: console, sport: .swimming)]
    case .genericLine: []
    case .bodetScorepad, .stramatelTV, .stramatelAmericanFootball, .ctsGen6, .faveroFA05, .swissTimingOSM6,
      .fairPlayMP70:
      [DecoderSettings(console: console)]
    }
  }

  private static func match(_ settings: DecoderSettings, _ bytes: [UInt8], _ line: ConsoleLine?) -> Match? {
    guard case .success(var decoder) = settings.makeDecoder() else { return nil }
    decoder.feed(bytes)
    let counts = decoder.evidence
    guard counts.good > 0, counts.good * 4 > counts.bad else { return nil }
    let proof = settings.console.hasCheck ? counts.good * 3 : counts.good
    let certainty: Certainty = proof >= 9 && counts.good > counts.bad ? .certain : proof >= 3 ? .likely : .possible
    return Match(
      console: settings.console, sport: settings.sport, line: line, counts: counts, certainty: certainty)
  }

  private static func sight(of bytes: [UInt8]) -> Sight {
    guard let first = bytes.first else { return .silence }
    if bytes.count >= 8, bytes.allSatisfy({ $0 == first }) { return .oneByte(first) }
    let readable = bytes.count { $0 == 0x0D || $0 == 0x0A || (isPrintable($0) && $0 < 0x80) }
    let lines = bytes.split { $0 == 0x0D || $0 == 0x0A }
    // The first piece is the tail of a line, the last its beginning.
    if readable * 20 >= bytes.count * 19, lines.count >= 3, let example = trimmedText(lines[1].prefix(80)) {
      return .textLines(example: example)
    }
    return .noise(bytes: bytes.count)
  }

  private static func hex(_ byte: UInt8) -> String {
    let text = String(byte, radix: 16, uppercase: true)
    return text.count == 1 ? "0" + text : text
  }
}
