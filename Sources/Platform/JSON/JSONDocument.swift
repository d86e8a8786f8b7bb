import CJansson
package import Document

/// JSON text becomes nodes, through jansson. Its errors carry line and column; its values do not, so every node
/// stands at 1:1 and only a fault in the text itself has a true place.
package enum JSONDocument {
  /// What a sender may ask of us; commands and answers are a few hundred bytes.
  package struct Bounds: Sendable {
    package var bytes: Int
    package var depth: Int

    package init(bytes: Int = 262_144, depth: Int = 32) {
      self.bytes = bytes
      self.depth = depth
    }
  }

  /// The C function is `json_loadb`.
  package static func parse(_ text: [UInt8], bounds: Bounds = Bounds()) throws(DocumentIssue) -> Node {
    let start = Position(line: 1, column: 1)
    guard text.count <= bounds.bytes else {
      throw DocumentIssue(
        "the JSON has \(text.count) bytes", at: start, remedy: "At most \(bounds.bytes) are accepted")
    }
    var fault = json_error_t()
    let flags = Int(JSON_REJECT_DUPLICATES) | Int(JSON_DECODE_ANY)
    let root = text.withUnsafeBufferPointer { buffer in
      buffer.withMemoryRebound(to: CChar.self) { json_loadb($0.baseAddress, $0.count, flags, &fault) }
    }
    guard let root else { throw issue(from: &fault) }
    defer { cjansson_release(root) }
    guard let node = node(from: root, depth: bounds.depth) else {
      throw DocumentIssue(
        "the JSON is nested too deeply", at: start, remedy: "At most \(bounds.depth) levels are accepted")
    }
    return node
  }

  /// Nil when the tree is deeper than `depth`.
  private static func node(from value: UnsafeMutablePointer<json_t>, depth: Int) -> Node? {
    let place = Position(line: 1, column: 1)
    switch value.pointee.type {
    case JSON_OBJECT:
      guard depth > 0, let members = members(of: value, depth: depth) else { return nil }
      return Node(.map(members), at: place)
    case JSON_ARRAY:
      guard depth > 0 else { return nil }
      var elements: [Node] = []
      elements.reserveCapacity(json_array_size(value))
      for index in 0..<json_array_size(value) {
        guard let element = json_array_get(value, index) else { continue }
        guard let node = node(from: element, depth: depth - 1) else { return nil }
        elements.append(node)
      }
      return Node(.list(elements), at: place)
    case JSON_STRING:
      return Node(.scalar(text(of: value), .quoted), at: place)
    case JSON_INTEGER:
      return Node(.scalar(String(json_integer_value(value)), .number), at: place)
    case JSON_REAL:
      return Node(.scalar(String(json_real_value(value)), .number), at: place)
    case JSON_TRUE:
      return Node(.scalar("true", .truth), at: place)
    case JSON_FALSE:
      return Node(.scalar("false", .truth), at: place)
    default:  // The library's enum, not ours; null is the last of its types.
      return Node(.scalar("null", .null), at: place)
    }
  }

  private static func members(of object: UnsafeMutablePointer<json_t>, depth: Int) -> [Node.Member]? {
    var members: [Node.Member] = []
    members.reserveCapacity(json_object_size(object))
    var iterator = json_object_iter(object)
    while let at = iterator {
      if let key = json_object_iter_key(at), let value = json_object_iter_value(at) {
        guard let node = node(from: value, depth: depth - 1) else { return nil }
        members.append(
          Node.Member(key: String(cString: key), keyPosition: Position(line: 1, column: 1), value: node))
      }
      iterator = json_object_iter_next(object, at)
    }
    return members
  }

  private static func text(of string: UnsafeMutablePointer<json_t>) -> String {
    guard let bytes = json_string_value(string) else { return "" }
    let buffer = UnsafeBufferPointer(start: bytes, count: json_string_length(string))
    return String(decoding: buffer.lazy.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// Our own sentences: the library's would quote the text, which may hold what is nobody's business.
  private static func issue(from fault: inout json_error_t) -> DocumentIssue {
    let place = Position(line: max(1, Int(fault.line)), column: max(1, Int(fault.column)))
    let text =
      switch UInt32(cjansson_error_code(&fault)) {
      case json_error_duplicate_key.rawValue: "a key stands twice in one object"
      case json_error_premature_end_of_input.rawValue: "the JSON ends too early"
      case json_error_end_of_input_expected.rawValue: "something follows the end of the JSON"
      case json_error_invalid_utf8.rawValue: "the text is not UTF-8"
      case json_error_null_character.rawValue, json_error_null_byte_in_key.rawValue: "a text holds a null character"
      case json_error_numeric_overflow.rawValue: "a number is too big"
      case json_error_stack_overflow.rawValue: "the JSON is nested too deeply"
      case json_error_out_of_memory.rawValue: "there is not enough memory for the JSON"
      default: "this is not valid JSON"  // The library's enum, not ours.
      }
    return DocumentIssue(text, at: place)
  }
}
