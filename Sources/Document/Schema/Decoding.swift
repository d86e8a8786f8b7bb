/// Everything that was wrong so far, and where in the tree the reading stands.
package struct Decoding: Sendable {
  package private(set) var issues: [DocumentIssue] = []
  package private(set) var path = ""

  package init() {}

  /// Reads one step down: the path of every issue inside carries the key.
  package mutating func inside<Result>(key: String, _ body: (inout Decoding) -> Result) -> Result {
    step(path.isEmpty ? key : "\(path).\(key)", body)
  }

  package mutating func inside<Result>(index: Int, _ body: (inout Decoding) -> Result) -> Result {
    step("\(path)[\(index)]", body)
  }

  package mutating func problem(_ text: String, at position: Position, remedy: String = "") {
    issues.append(DocumentIssue(text, at: position, path: path, remedy: remedy))
  }

  package mutating func warning(_ text: String, at position: Position, remedy: String = "") {
    issues.append(DocumentIssue(text, at: position, path: path, remedy: remedy, severity: .warning))
  }

  private mutating func step<Result>(_ deeper: String, _ body: (inout Decoding) -> Result) -> Result {
    let before = path
    path = deeper
    defer { path = before }
    return body(&self)
  }
}

/// How a message shows what it found: short, and never something that looks like a secret.
package enum Quoted {
  package static func node(_ node: Node) -> String {
    switch node.content {
    case .list: "a list stands here"
    case .map: "a map stands here"
    case .scalar("", .plain): "nothing is written here"
    case .scalar(_, .null): "null stands here"
    case .scalar(let text, _): "\(Self.text(text)) stands here"
    }
  }

  package static func text(_ text: String) -> String {
    if mayBeSecret(text) { return "a text that may be a secret" }
    let visible = text.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }
    return visible.count > 40 ? "“\(String(visible.prefix(40)))…”" : "“\(String(visible))”"
  }

  /// Keys of push services, addresses with a password in them, and long random words.
  private static func mayBeSecret(_ text: String) -> Bool {
    let bytes = text.utf8
    if bytes.contains(UInt8(ascii: "@")) { return true }
    guard !bytes.contains(UInt8(ascii: " ")), !bytes.contains(UInt8(ascii: "/")) else { return false }
    if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
      return bytes[..<colon].contains(UInt8(ascii: ".")) && bytes[colon...].count > 5
    }
    return bytes.count >= 24 && bytes.contains { $0 >= 48 && $0 <= 57 }
  }
}
