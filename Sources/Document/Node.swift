/// A place in a text, both counted from 1; columns count characters (Unicode scalars).
package struct Position: Hashable, Sendable {
  package var line: Int
  package var column: Int

  package init(line: Int, column: Int) {
    self.line = line
    self.column = column
  }
}

/// One value of a YAML or JSON text, with the place where it begins. `Platform` makes it (libyaml, jansson).
package struct Node: Hashable, Sendable {
  package enum Content: Hashable, Sendable {
    /// A single value, as it was written. What it means is decided by whoever asks for it.
    case scalar(String, ScalarStyle)
    case list([Node])
    /// In the order of the text; keys are unique.
    case map([Member])
  }

  /// How a scalar was written. YAML knows plain and quoted; the others are JSON's.
  package enum ScalarStyle: Hashable, Sendable {
    case plain, quoted, number, truth, null
  }

  package struct Member: Hashable, Sendable {
    package var key: String
    package var keyPosition: Position
    package var value: Node

    package init(key: String, keyPosition: Position, value: Node) {
      self.key = key
      self.keyPosition = keyPosition
      self.value = value
    }
  }

  package var content: Content
  package var position: Position

  package init(_ content: Content, at position: Position) {
    self.content = content
    self.position = position
  }

  /// The member of a map with this key; nil in anything else.
  package subscript(_ key: String) -> Node? {
    guard case .map(let members) = content else { return nil }
    return members.first { $0.key == key }?.value
  }

  /// The scalar's text; nil for lists and maps. JSON's null is nil as well.
  package var text: String? {
    guard case .scalar(let text, let style) = content, style != .null else { return nil }
    return text
  }

  /// The whole number a scalar spells in plain decimal digits with an optional minus; nil for anything else.
  package var integer: Int64? {
    guard case .scalar(let text, let style) = content, style != .truth, style != .null else { return nil }
    let digits = text.utf8.first == UInt8(ascii: "-") ? text.utf8.dropFirst() : text.utf8[...]
    guard !digits.isEmpty, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return Int64(text)
  }

  /// The elements of a list; nil for anything else.
  package var elements: [Node]? {
    guard case .list(let nodes) = content else { return nil }
    return nodes
  }

  /// The members of a map, in the order of the text; nil for anything else.
  package var members: [Member]? {
    guard case .map(let members) = content else { return nil }
    return members
  }
}
