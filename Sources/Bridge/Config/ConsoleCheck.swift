import Document
import Input

/// Whether what was said of one console goes together.
struct ConsoleCheck {
  let console: ConsoleConfig
  let isExperimental: Bool
  let checks: ConfigChecks

  func check(_ node: Node, _ decoding: inout Decoding) {
    checkTransport(node, &decoding)
    // An unknown protocol has been reported; its settings cannot be judged.
    guard node["protocol"]?.text == console.console.rawValue else { return }
    if node["pattern"] != nil, node["patterns"] != nil {
      decoding.problem("both pattern and patterns are given", at: node.position, remedy: "Keep one of them")
    }
    if console.console == .genericLine, node["pattern"] == nil, node["patterns"] == nil {
      decoding.problem(
        "a generic line needs a pattern", at: node.position,
        remedy: "Give pattern: with named groups such as (?<home_score>\\d+)")
      return
    }
    if console.console == .fairPlayMP70, !isExperimental {
      decoding.problem(
        "the protocol \(console.console.rawValue) is experimental", at: node.nearest(to: "protocol"),
        remedy: "Write experimental: true to use it all the same, and watch the first game")
    }
    checkSettings(node, &decoding)
  }

  private func checkTransport(_ node: Node, _ decoding: inout Decoding) {
    let given = ["device", "listen", "connect", "udp"].filter { node[$0] != nil }
    let isUsual = given.isEmpty && console.console.usualListen != nil
    if given.count != 1, !isUsual {
      let ways = given.joined(separator: ", ")
      decoding.problem(
        given.isEmpty
          ? "nothing says how the console's bytes arrive" : "the bytes arrive in \(given.count) ways: \(ways)",
        at: node.position, remedy: "Give exactly one of: device, listen, connect, udp")
    }
    guard node["device"] == nil, given.count == 1 || isUsual else { return }
    for member in node.members ?? [] where ["speed", "data_bits", "parity", "stop_bits"].contains(member.key) {
      decoding.inside(key: member.key) { decoding in
        decoding.problem(
          "only a serial port has this setting", at: member.keyPosition, remedy: "Remove it, or use device")
      }
    }
  }

  /// The protocol itself judges its settings, by making the decoder that the game will use.
  private func checkSettings(_ node: Node, _ decoding: inout Decoding) {
    for member in node.members ?? [] where member.key == "pattern" || member.key == "patterns" {
      guard console.console != .genericLine else { continue }
      decoding.inside(key: member.key) { decoding in
        decoding.problem(
          "only the protocol generic-line has this setting", at: member.keyPosition, remedy: "Remove it")
      }
      return
    }
    // Patterns need their library, which a pure check may lack.
    if console.console == .genericLine, checks.compilePattern == nil { return }
    let settings = console.decoderSettings(on: .console, compile: checks.compilePattern)
    guard case .failure(let refusal) = settings.makeDecoder() else { return }
    for reason in refusal.reasons {
      let setting = node["settings"]?.members?.first {
        reason.hasPrefix($0.key) || reason.holds("setting \($0.key)")
      }
      let key = setting != nil ? "settings" : node["pattern"] != nil ? "pattern" : "patterns"
      decoding.inside(key: key) { decoding in
        decoding.problem(
          reason, at: setting?.value.position ?? node.nearest(to: key),
          remedy: setting == nil ? "Mend the pattern, or look at the lines that come" : "Mend or remove it")
      }
    }
  }
}
