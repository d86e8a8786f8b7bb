import Document

/// A JSON text as a node tree: the tests of a pure room do without the C library that does this on the board.
struct JSONText {
  private var rest: Substring

  static func node(_ bytes: [UInt8]) -> Node? {
    var text = JSONText(rest: Substring(String(decoding: bytes, as: UTF8.self)))
    guard let node = text.value(), text.rest.isEmpty else { return nil }
    return node
  }

  private static func node(_ content: Node.Content) -> Node { Node(content, at: Position(line: 1, column: 1)) }

  private mutating func value() -> Node? {
    switch rest.first {
    case "{": return map()
    case "[": return list()
    case "\"": return string().map { Self.node(.scalar($0, .quoted)) }
    default:
      let word = rest.prefix { !",]}".contains($0) }
      rest = rest.dropFirst(word.count)
      let style: Node.ScalarStyle = word == "true" || word == "false" ? .truth : word == "null" ? .null : .number
      return Self.node(.scalar(String(word), style))
    }
  }

  private mutating func map() -> Node? {
    var members: [Node.Member] = []
    rest = rest.dropFirst()
    while rest.first != "}" {
      if rest.first == "," { rest = rest.dropFirst() }
      guard let key = string(), rest.first == ":" else { return nil }
      rest = rest.dropFirst()
      guard let value = value() else { return nil }
      members.append(Node.Member(key: key, keyPosition: value.position, value: value))
    }
    rest = rest.dropFirst()
    return Self.node(.map(members))
  }

  private mutating func list() -> Node? {
    var elements: [Node] = []
    rest = rest.dropFirst()
    while rest.first != "]" {
      if rest.first == "," { rest = rest.dropFirst() }
      guard let value = value() else { return nil }
      elements.append(value)
    }
    rest = rest.dropFirst()
    return Self.node(.list(elements))
  }

  private mutating func string() -> String? {
    guard rest.first == "\"" else { return nil }
    rest = rest.dropFirst()
    var text = ""
    while let character = rest.first, character != "\"" {
      rest = rest.dropFirst()
      if character == "\\" {
        guard let escaped = rest.first else { return nil }
        rest = rest.dropFirst()
        text.append(escaped == "n" ? "\n" : escaped)
      } else {
        text.append(character)
      }
    }
    rest = rest.dropFirst()
    return text
  }
}
