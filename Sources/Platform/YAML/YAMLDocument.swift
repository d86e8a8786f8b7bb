import CYAML
package import Document

/// YAML text becomes nodes with line and column, through libyaml's events. Of YAML only what a person needs is let in:
/// one document of maps, lists and texts. What a text means is decided later, by the schema.
package enum YAMLDocument {
  package struct Bounds: Sendable {
    package var bytes: Int
    package var depth: Int
    /// Counted after aliases are replaced by what they stand for.
    package var nodes: Int

    package init(bytes: Int = 1_048_576, depth: Int = 24, nodes: Int = 20_000) {
      self.bytes = bytes
      self.depth = depth
      self.nodes = nodes
    }
  }

  package static func parse(_ text: [UInt8], bounds: Bounds = Bounds()) throws(DocumentIssue) -> Node {
    guard text.count <= bounds.bytes else {
      throw DocumentIssue(
        "the file has \(text.count) bytes", at: Position(line: 1, column: 1),
        remedy: "At most \(bounds.bytes) are accepted; is it the right file?")
    }
    let content = try YAMLText.checked(text)
    var reader = YAMLReader(bounds: bounds)
    return try reader.read(content)
  }
}

/// What is checked in the raw bytes, before libyaml sees them, because its own messages would not help anybody.
private enum YAMLText {
  /// The text without a byte order mark.
  static func checked(_ text: [UInt8]) throws(DocumentIssue) -> [UInt8] {
    if text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF]) {
      throw DocumentIssue(
        "the file is UTF-16", at: Position(line: 1, column: 1), remedy: "Save it as UTF-8")
    }
    let content = text.starts(with: [0xEF, 0xBB, 0xBF]) ? Array(text.dropFirst(3)) : text
    var place = Position(line: 1, column: 1)
    var decoder = UTF8()
    var bytes = content.makeIterator()
    var inIndentation = true
    var firstTab: Position?
    while true {
      switch decoder.decode(&bytes) {
      case .emptyInput: return content
      case .error:
        throw DocumentIssue("the file is not UTF-8 here", at: place, remedy: "Save it as UTF-8")
      case .scalarValue("\n"):
        place = Position(line: place.line + 1, column: 1)
        inIndentation = true
        firstTab = nil
      case .scalarValue(let scalar):
        if inIndentation, scalar == "\t", firstTab == nil { firstTab = place }
        if inIndentation, scalar != "\t", scalar != " ", scalar != "\r" {
          inIndentation = false
          if let firstTab { throw YAMLFault.tab(at: firstTab) }
        }
        place.column += 1
      }
    }
  }
}
