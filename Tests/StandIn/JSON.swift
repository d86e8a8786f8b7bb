/// Strict JSON: numbers keep their text, members their order; a duplicate key or a stray byte is refused.
package indirect enum JSON: Hashable, Sendable {
  case object([Member])
  case array([JSON])
  case string(String)
  /// As written, so that `102` and `102.0` stay two things.
  case number(String)
  case truth(Bool)
  case null

  package struct Member: Hashable, Sendable {
    package var key: String
    package var value: JSON

    package init(key: String, value: JSON) {
      self.key = key
      self.value = value
    }
  }

  package init?(_ bytes: some Sequence<UInt8>) {
    var reader = JSONReader(bytes: Array(bytes))
    guard let value = reader.document() else { return nil }
    self = value
  }

  package subscript(_ key: String) -> JSON? {
    guard case .object(let members) = self else { return nil }
    return members.first { $0.key == key }?.value
  }

  package var members: [Member]? {
    guard case .object(let members) = self else { return nil }
    return members
  }

  package var keys: Set<String>? { members.map { Set($0.map(\.key)) } }

  package var elements: [JSON]? {
    guard case .array(let elements) = self else { return nil }
    return elements
  }

  package var string: String? {
    guard case .string(let text) = self else { return nil }
    return text
  }

  /// A whole number in plain digits; nil for `1.0`, `1e3` and anything that is not a number.
  package var integer: Int64? {
    guard case .number(let text) = self else { return nil }
    return Int64(text)
  }

  package var isNumber: Bool {
    guard case .number = self else { return false }
    return true
  }

  /// Compact text, members in their order.
  package var text: String {
    switch self {
    case .object(let members): "{" + members.map { quote($0.key) + ":" + $0.value.text }.joined(separator: ",") + "}"
    case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
    case .string(let text): quote(text)
    case .number(let text): text
    case .truth(let value): value ? "true" : "false"
    case .null: "null"
    }
  }

  /// The same value with members in the order of their keys, for comparing what has no order.
  package var sorted: JSON {
    switch self {
    case .object(let members):
      .object(
        members.map { Member(key: $0.key, value: $0.value.sorted) }.sorted {
          Array($0.key.utf8).lexicographicallyPrecedes($1.key.utf8)
        }
      )
    case .array(let elements): .array(elements.map(\.sorted))
    case .string, .number, .truth, .null: self
    }
  }
}

private func quote(_ text: String) -> String {
  var quoted = "\""
  for scalar in text.unicodeScalars {
    switch scalar {
    case "\"": quoted += "\\\""
    case "\\": quoted += "\\\\"
    case "\n": quoted += "\\n"
    case "\r": quoted += "\\r"
    case "\t": quoted += "\\t"
    case "\u{0}"..<" ": quoted += "\\u00" + (scalar.value < 16 ? "0" : "") + String(scalar.value, radix: 16)
    default: quoted.unicodeScalars.append(scalar)
    }
  }
  return quoted + "\""
}

/// Reads one document by descent; nil anywhere means that the text is not JSON.
private struct JSONReader {
  let bytes: [UInt8]
  var index = 0
  var depth = 0

  init(bytes: [UInt8]) { self.bytes = bytes }

  private var next: UInt8? { index < bytes.count ? bytes[index] : nil }

  mutating func document() -> JSON? {
    guard let value = value() else { return nil }
    skipSpace()
    return index == bytes.count ? value : nil
  }

  private mutating func skipSpace() {
    while let byte = next, byte == 0x20 || byte == 0x09 || byte == 0x0A || byte == 0x0D { index += 1 }
  }

  private mutating func take(_ byte: Character) -> Bool {
    skipSpace()
    guard next == byte.asciiValue else { return false }
    index += 1
    return true
  }

  private mutating func value() -> JSON? {
    depth += 1
    defer { depth -= 1 }
    guard depth < 64 else { return nil }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return object()
    case UInt8(ascii: "["): return array()
    case UInt8(ascii: "\""): return string().map(JSON.string)
    case UInt8(ascii: "t"): return word("true", .truth(true))
    case UInt8(ascii: "f"): return word("false", .truth(false))
    case UInt8(ascii: "n"): return word("null", .null)
    default: return number()
    }
  }

  private mutating func word(_ text: String, _ value: JSON) -> JSON? {
    guard bytes[index...].starts(with: text.utf8) else { return nil }
    index += text.utf8.count
    return value
  }

  private mutating func object() -> JSON? {
    index += 1
    var members: [JSON.Member] = []
    if take("}") { return .object([]) }
    repeat {
      skipSpace()
      guard next == UInt8(ascii: "\""), let key = string(), take(":"), let value = value(),
        !members.contains(where: { $0.key == key })
      else { return nil }
      members.append(JSON.Member(key: key, value: value))
    } while take(",")
    return take("}") ? .object(members) : nil
  }

  private mutating func array() -> JSON? {
    index += 1
    var elements: [JSON] = []
    if take("]") { return .array([]) }
    repeat {
      guard let value = value() else { return nil }
      elements.append(value)
    } while take(",")
    return take("]") ? .array(elements) : nil
  }

  private mutating func number() -> JSON? {
    let start = index
    if next == UInt8(ascii: "-") { index += 1 }
    if next == UInt8(ascii: "0") { index += 1 } else if !digits() { return nil }
    if next == UInt8(ascii: ".") {
      index += 1
      guard digits() else { return nil }
    }
    if next == UInt8(ascii: "e") || next == UInt8(ascii: "E") {
      index += 1
      if next == UInt8(ascii: "+") || next == UInt8(ascii: "-") { index += 1 }
      guard digits() else { return nil }
    }
    return .number(String(decoding: bytes[start..<index], as: UTF8.self))
  }

  private mutating func digits() -> Bool {
    let start = index
    while let byte = next, (48...57).contains(byte) { index += 1 }
    return index > start
  }

  private mutating func string() -> String? {
    index += 1
    var units: [UInt8] = []
    while let byte = next {
      index += 1
      switch byte {
      case UInt8(ascii: "\""): return String(validating: units, as: UTF8.self)
      case UInt8(ascii: "\\"):
        guard let scalar = escape() else { return nil }
        units.append(contentsOf: String(scalar).utf8)
      case 0..<0x20: return nil
      default: units.append(byte)
      }
    }
    return nil
  }

  private mutating func escape() -> Unicode.Scalar? {
    guard let byte = next else { return nil }
    index += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return Unicode.Scalar(byte)
    case UInt8(ascii: "b"): return "\u{8}"
    case UInt8(ascii: "f"): return "\u{C}"
    case UInt8(ascii: "n"): return "\n"
    case UInt8(ascii: "r"): return "\r"
    case UInt8(ascii: "t"): return "\t"
    case UInt8(ascii: "u"):
      guard let first = hexUnit() else { return nil }
      guard (0xD800..<0xDC00).contains(first) else { return Unicode.Scalar(first) }
      guard next == UInt8(ascii: "\\") else { return nil }
      index += 1
      guard next == UInt8(ascii: "u") else { return nil }
      index += 1
      guard let second = hexUnit(), (0xDC00..<0xE000).contains(second) else { return nil }
      return Unicode.Scalar(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00))
    default: return nil
    }
  }

  private mutating func hexUnit() -> UInt32? {
    guard index + 4 <= bytes.count else { return nil }
    var value: UInt32 = 0
    for byte in bytes[index..<index + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else { return nil }
      value = value << 4 | UInt32(digit)
    }
    index += 4
    return value
  }
}
