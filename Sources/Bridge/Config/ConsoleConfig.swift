import Document
package import GameCore
package import Input

/// One console's data port: what it speaks, and how its bytes come to us.
package struct ConsoleConfig: Hashable, Sendable {
  package enum Transport: Hashable, Sendable {
    /// A serial port by its path.
    case device(String, ConsoleLine)
    /// The console connects to us.
    case listen(HostPort)
    /// We connect to a box that has the console's serial port.
    case connect(HostPort)
    /// Datagrams to this port; a multicast group is joined.
    case udp(HostPort)
  }

  /// A setting of the protocol's own.
  package struct Option: Hashable, Sendable {
    package var name: String
    package var value: String
  }

  package var name = ""
  package var console = ConsoleProtocol.genericLine
  /// What is on the board, where it is not the court's sport (swimming under `console`).
  package var sport: ConsoleSport?
  package var transport = Transport.device("", ConsoleLine(9600))
  package var options: [Option] = []
  /// After this silence phones are told that the feed is lost.
  package var lostAfter = Duration.seconds(20)

  package init() {}

  /// What makes this console's decoder on a court of that sport.
  package func decoderSettings(on court: Sport, compile: LinePatternCompiler?) -> DecoderSettings {
    DecoderSettings(
      console: console, sport: sport ?? ConsoleSport(court.rawValue, on: console),
      options: options.map { ($0.name, $0.value) }, compile: compile)
  }
}

extension ConsoleProtocol {
  /// Where a console that connects by itself looks for us.
  var usualListen: HostPort? { self == .bodetScorepad ? HostPort(host: "0.0.0.0", port: 4001) : nil }
}

extension ConsoleConfig {
  struct Draft {
    var console = ConsoleConfig()
    var device: String?
    var listen: HostPort?
    var connect: HostPort?
    var udp: HostPort?
    var speed: UInt32?
    var dataBits: UInt8?
    var parity: ConsoleLine.Parity?
    var stopBits: UInt8?
    var isExperimental = false
    var pattern: String?
    var patterns: [String]?
    var settings: [Option] = []

    /// What was given, else what the protocol is known to use.
    var line: ConsoleLine {
      var line = console.console.lines[0]
      if let speed { line.baudRate = speed }
      if let dataBits { line.dataBits = dataBits }
      if let parity { line.parity = parity }
      if let stopBits { line.stopBits = stopBits }
      return line
    }

    var transport: Transport? {
      device.map { .device($0, line) } ?? listen.map { .listen($0) } ?? connect.map { .connect($0) }
        ?? udp.map { .udp($0) } ?? console.console.usualListen.map { .listen($0) }
    }
  }

  static func schema(_ checks: ConfigChecks) -> Schema<ConsoleConfig> {
    Schema.record(Draft(), whatItSpeaks() + howItComes() + howItIsRead()).converted { draft, node, decoding in
      var console = draft.console
      let patterns = draft.patterns ?? draft.pattern.map { [$0] } ?? []
      console.options = patterns.map { Option(name: "pattern", value: $0) } + draft.settings
      if let transport = draft.transport { console.transport = transport }
      for (key, place) in [("listen", draft.listen), ("udp", draft.udp)] {
        guard let place, !Schema<String>.isAddress(place.host) else { continue }
        decoding.inside(key: key) { decoding in
          decoding.problem(
            "\(Quoted.text(place.host)) is a name", at: node[key]?.position ?? node.position,
            remedy: "Allowed: \(Schema<String>.digits), and a port")
        }
      }
      ConsoleCheck(console: console, isExperimental: draft.isExperimental, checks: checks).check(node, &decoding)
      return console
    }
  }

  private static func whatItSpeaks() -> [Field<Draft>] {
    [
      .required("name", \.console.name, .label, "What operators call it.", example: "console"),
      .required("protocol", \.console.console, .words("protocol"), "What it speaks.", example: "daktronics-rtd"),
      .optional(
        "sport", \.console.sport, .words("sport"), "What is on the board, where the court's sport does not say it.",
        example: "swimming", otherwise: "the court's sport"),
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
        otherwise: "another transport; without any, a Bodet is listened for on 0.0.0.0:4001"),
      .optional(
        "connect", \.connect, .hostPort, "An Ethernet-to-serial box to connect to.", example: "192.0.2.20:4001",
        otherwise: "another transport"),
      .optional(
        "udp", \.udp, .hostPort, "Datagrams to this address; a multicast group is joined.",
        example: "224.51.105.104:21000", otherwise: "another transport"),
      .optional(
        "speed", \.speed, .integer(50...4_000_000, unit: "bit/s"), "The serial port's speed.", example: "9600",
        otherwise: "the protocol's usual one"),
      .optional(
        "data_bits", \.dataBits, .integer(5...8), "Data bits of a character.", example: "8",
        otherwise: "the protocol's usual ones"),
      .optional(
        "parity", \.parity, .words("parity"), "The parity bit.", example: "none",
        otherwise: "the protocol's usual one"),
      .optional(
        "stop_bits", \.stopBits, .integer(1...2), "Stop bits of a character.", example: "1",
        otherwise: "the protocol's usual ones"),
    ]
  }

  private static func howItIsRead() -> [Field<Draft>] {
    let name = Schema<String>.name("name", allowed: "a setting's name", pattern: "^[a-z_]+$") { text in
      !text.isEmpty && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
    }
    let settings = Schema.map(name, Schema<String>.text(), atMost: 16).converted { pairs, _, _ in
      pairs.map { Option(name: $0.key, value: $0.value) }
    }
    return [
      .optional(
        "pattern", \.pattern, .text(atMost: 1000),
        "For generic-line: how a line reads, with named groups such as home_score.",
        example: "'^H(?<home_score>\\d+) G(?<guest_score>\\d+)'", otherwise: "none"),
      .optional(
        "patterns", \.patterns, .list(of: .text(atMost: 1000), count: 1...16),
        "Several of them, tried in this order.", example: "['^S …', '^C …']", otherwise: "none"),
      .setting(
        "settings", \.settings, settings, "What the protocol has of its own; `check` knows the names.",
        example: "{line_end: crlf}", otherwise: "the protocol's usual ones"),
    ]
  }
}
