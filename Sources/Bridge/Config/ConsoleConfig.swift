import Document

/// One console's data port: what it speaks, and how its bytes come to us.
package struct ConsoleConfig: Hashable, Sendable {
  package enum Parity: String, CaseIterable, Hashable, Sendable {
    case none, even, odd
  }

  /// Nil means what the protocol is known to use.
  package struct Line: Hashable, Sendable {
    package var speed: UInt32?
    package var dataBits: UInt8?
    package var parity: Parity?
    package var stopBits: UInt8?

    package init() {}
  }

  package enum Transport: Hashable, Sendable {
    /// A serial port by its path.
    case device(String, Line)
    /// The console connects to us.
    case listen(HostPort)
    /// We connect to a box that has the console's serial port.
    case connect(HostPort)
    /// Datagrams to this port; a multicast group is joined.
    case udp(HostPort)
  }

  package enum LineEnd: Hashable, Sendable {
    case carriageReturn, lineFeed, both
    case byte(UInt8)
  }

  package var name = ""
  package var protocolName = ProtocolName.genericLine
  package var transport = Transport.device("", Line())
  /// For the generic line: patterns with named groups, tried in this order.
  package var patterns: [String] = []
  /// Nil means a carriage return, a line feed or both.
  package var lineEnd: LineEnd?
  package var longestLine: Int = 1024
  /// After this silence phones are told that the feed is lost.
  package var lostAfter = Duration.seconds(20)

  package init() {}
}

extension ConsoleConfig {
  private struct Draft {
    var console = ConsoleConfig()
    var device: String?
    var listen: HostPort?
    var connect: HostPort?
    var udp: HostPort?
    var line = Line()
    var isExperimental = false
    var pattern: String?
    var patterns: [String]?

    var transports: [Transport] {
      [
        device.map { .device($0, line) }, listen.map { .listen($0) }, connect.map { .connect($0) },
        udp.map { .udp($0) },
      ].compactMap { $0 }
    }
  }

  static func schema(_ checks: ConfigChecks) -> Schema<ConsoleConfig> {
    Schema.record(Draft(), whatItSpeaks() + howItComes() + howLinesLook(checks)).converted { draft, node, decoding in
      var console = draft.console
      console.patterns = draft.patterns ?? draft.pattern.map { [$0] } ?? []
      checkTransport(draft, node, &decoding)
      checkProtocol(draft, console, node, &decoding)
      if let transport = draft.transports.first { console.transport = transport }
      return console
    }
  }

  private static func whatItSpeaks() -> [Field<Draft>] {
    [
      .required("name", \.console.name, .label, "What operators call it.", example: "console"),
      .required("protocol", \.console.protocolName, .words("protocol"), "What it speaks.", example: "daktronics-rtd"),
      .setting(
        "experimental", \.isExperimental, .truth, "Says yes to a protocol that nobody has proved yet.",
        example: "true"),
      .setting(
        "lost_after", \.console.lostAfter, .duration(.seconds(3)...(.seconds(600))),
        "After this silence fans are told that the feed is lost.", example: "20s"),
    ]
  }

  private static func howItComes() -> [Field<Draft>] {
    [
      .optional(
        "device", \.device, .absolutePath, "A serial port; its by-id name survives replugging.",
        example: "/dev/serial/by-id/usb-FTDI_FT232R_A10K-if00-port0", otherwise: "another transport"),
      .optional(
        "listen", \.listen, .hostPort, "An address on which the console connects to us.", example: "0.0.0.0:4001",
        otherwise: "another transport"),
      .optional(
        "connect", \.connect, .hostPort, "An Ethernet-to-serial box to connect to.", example: "192.0.2.20:4001",
        otherwise: "another transport"),
      .optional(
        "udp", \.udp, .hostPort, "Datagrams to this address; a multicast group is joined.",
        example: "224.51.105.104:21000", otherwise: "another transport"),
      .optional(
        "speed", \.line.speed, .integer(50...4_000_000, unit: "bit/s"), "The serial port's speed.", example: "9600",
        otherwise: "the protocol's usual one"),
      .optional(
        "data_bits", \.line.dataBits, .integer(5...8), "Data bits of a character.", example: "8",
        otherwise: "the protocol's usual ones"),
      .optional(
        "parity", \.line.parity, .words("parity"), "The parity bit.", example: "none",
        otherwise: "the protocol's usual one"),
      .optional(
        "stop_bits", \.line.stopBits, .integer(1...2), "Stop bits of a character.", example: "1",
        otherwise: "the protocol's usual ones"),
    ]
  }

  private static func howLinesLook(_ checks: ConfigChecks) -> [Field<Draft>] {
    let pattern = Schema<String>.text(atMost: 1000).checked { pattern, node, decoding in
      guard let fault = checks.faultOfPattern(pattern) else { return }
      decoding.problem("the pattern \(Quoted.text(pattern)) cannot be used: \(fault)", at: node.position)
    }
    return [
      .optional(
        "pattern", \.pattern, pattern, "For generic-line: how a line reads, with named groups such as home_score.",
        example: "'^H(?<home_score>\\d+) G(?<guest_score>\\d+)'", otherwise: "none"),
      .optional(
        "patterns", \.patterns, .list(of: pattern, count: 1...16), "Several of them, tried in this order.",
        example: "['^S …', '^C …']", otherwise: "none"),
      .optional(
        "line_end", \.console.lineEnd, lineEndSchema(), "For generic-line: what ends a line.", example: "crlf",
        otherwise: "a carriage return, a line feed or both"),
      .setting(
        "longest_line", \.console.longestLine, .integer(8...4096, unit: "bytes"),
        "For generic-line: a longer line is dropped whole.", example: "1024"),
    ]
  }

  private static func lineEndSchema() -> Schema<LineEnd> {
    let shape = ScalarShape(
      name: "line end", allowed: "cr, lf, crlf, etx or a number such as 0x03",
      form: .text(pattern: "^(cr|lf|crlf|etx|0x[0-9A-Fa-f]{2})$"))
    return .scalar(
      shape,
      write: { end in
        switch end {
        case .carriageReturn: "cr"
        case .lineFeed: "lf"
        case .both: "crlf"
        case .byte(let byte): "0x" + (byte < 16 ? "0" : "") + String(byte, radix: 16)
        }
      },
      parse: { text in
        switch text {
        case "cr": .carriageReturn
        case "lf": .lineFeed
        case "crlf": .both
        case "etx": .byte(3)
        default:
          text.hasPrefix("0x") && text.utf8.count == 4 ? UInt8(text.dropFirst(2), radix: 16).map { .byte($0) } : nil
        }
      })
  }

  private static func checkTransport(_ draft: Draft, _ node: Node, _ decoding: inout Decoding) {
    let given = ["device", "listen", "connect", "udp"].filter { node[$0] != nil }
    if given.count != 1 {
      decoding.problem(
        given.isEmpty
          ? "nothing says how the console's bytes arrive"
          : "the bytes arrive in \(given.count) ways: \(given.joined(separator: ", "))",
        at: node.position, remedy: "Give exactly one of: device, listen, connect, udp")
    }
    guard draft.device == nil, given.count == 1 else { return }
    for key in ["speed", "data_bits", "parity", "stop_bits"] {
      guard let member = node.members?.first(where: { $0.key == key }) else { continue }
      decoding.inside(key: key) { decoding in
        decoding.problem(
          "only a serial port has this setting", at: member.keyPosition, remedy: "Remove it, or use device")
      }
    }
  }

  private static func checkProtocol(
    _ draft: Draft, _ console: ConsoleConfig, _ node: Node, _ decoding: inout Decoding
  ) {
    if node["pattern"] != nil, node["patterns"] != nil {
      decoding.problem("both pattern and patterns are given", at: node.position, remedy: "Keep one of them")
    }
    let isGeneric = console.protocolName == .genericLine
    if isGeneric, node["protocol"]?.text == ProtocolName.genericLine.rawValue, node["pattern"] == nil,
      node["patterns"] == nil
    {
      decoding.problem(
        "a generic line needs a pattern", at: node.position,
        remedy: "Give pattern: with named groups such as (?<home_score>\\d+)")
    }
    for key in ["pattern", "patterns", "line_end", "longest_line"] where !isGeneric {
      guard let member = node.members?.first(where: { $0.key == key }) else { continue }
      decoding.inside(key: key) { decoding in
        decoding.problem(
          "only the protocol generic-line has this setting", at: member.keyPosition, remedy: "Remove it")
      }
    }
    if console.protocolName == .fairPlayMP70, !draft.isExperimental {
      decoding.problem(
        "the protocol \(ProtocolName.fairPlayMP70.rawValue) is experimental",
        at: node["protocol"]?.position ?? node.position,
        remedy: "Write experimental: true to use it all the same, and watch the first game")
    }
  }
}
