import Document
import GameCore
import LiveContract

@testable import Publishing

/// Reads JSON into nodes and keeps what the stock readers lose: how a number was spelled, and a key that comes twice.
enum JSONText {
  static func parse(_ bytes: [UInt8]) -> Node? {
    var reader = Reader(bytes: bytes)
    guard let node = reader.value(), reader.isAtEnd else { return nil }
    return node
  }

  static func parse(_ text: String) -> Node? { parse(Array(text.utf8)) }

  private struct Reader {
    let bytes: [UInt8]
    var place = 0

    private static let position = Position(line: 1, column: 1)

    var isAtEnd: Bool {
      mutating get {
        skipSpace()
        return place == bytes.count
      }
    }

    mutating func value() -> Node? {
      skipSpace()
      guard place < bytes.count else { return nil }
      switch bytes[place] {
      case UInt8(ascii: "{"): return map()
      case UInt8(ascii: "["): return list()
      case UInt8(ascii: "\""): return string().map { Node(.scalar($0, .quoted), at: Self.position) }
      default: return word()
      }
    }

    private mutating func map() -> Node? {
      var members: [Node.Member] = []
      guard take("{") else { return nil }
      if take("}") { return Node(.map(members), at: Self.position) }
      repeat {
        skipSpace()
        guard let key = string(), take(":"), let value = value() else { return nil }
        members.append(Node.Member(key: key, keyPosition: Self.position, value: value))
      } while take(",")
      return take("}") ? Node(.map(members), at: Self.position) : nil
    }

    private mutating func list() -> Node? {
      var elements: [Node] = []
      guard take("[") else { return nil }
      if take("]") { return Node(.list(elements), at: Self.position) }
      repeat {
        guard let value = value() else { return nil }
        elements.append(value)
      } while take(",")
      return take("]") ? Node(.list(elements), at: Self.position) : nil
    }

    private mutating func string() -> String? {
      guard place < bytes.count, bytes[place] == UInt8(ascii: "\"") else { return nil }
      place += 1
      var text: [UInt8] = []
      while place < bytes.count {
        let byte = bytes[place]
        place += 1
        if byte == UInt8(ascii: "\"") { return String(decoding: text, as: UTF8.self) }
        guard byte == UInt8(ascii: "\\") else {
          text.append(byte)
          continue
        }
        guard place < bytes.count else { return nil }
        place += 1
        switch bytes[place - 1] {
        case UInt8(ascii: "n"): text.append(0x0A)
        case UInt8(ascii: "r"): text.append(0x0D)
        case UInt8(ascii: "t"): text.append(0x09)
        case UInt8(ascii: "u"):
          guard let scalar = UInt32(String(decoding: bytes[place..<place + 4], as: UTF8.self), radix: 16) else {
            return nil
          }
          place += 4
          text.append(contentsOf: String(Character(Unicode.Scalar(scalar) ?? "?")).utf8)
        case let other: text.append(other)
        }
      }
      return nil
    }

    private mutating func word() -> Node? {
      let start = place
      while place < bytes.count, !",]} \n\t\r".utf8.contains(bytes[place]) { place += 1 }
      let text = String(decoding: bytes[start..<place], as: UTF8.self)
      switch text {
      case "true", "false": return Node(.scalar(text, .truth), at: Self.position)
      case "null": return Node(.scalar(text, .null), at: Self.position)
      default:
        let digits = text.drop { $0 == "-" }
        let isLeadingZero = digits.first == "0" && digits.dropFirst().first?.isNumber == true
        guard Double(text) != nil, !isLeadingZero, digits.first?.isNumber == true else { return nil }
        return Node(.scalar(text, .number), at: Self.position)
      }
    }

    private mutating func take(_ character: Character) -> Bool {
      skipSpace()
      guard place < bytes.count, bytes[place] == character.asciiValue else { return false }
      place += 1
      return true
    }

    private mutating func skipSpace() {
      while place < bytes.count, " \n\t\r".utf8.contains(bytes[place]) { place += 1 }
    }
  }
}

extension Node {
  /// Positions aside, maps as sets of members: what two texts mean.
  var meaning: String {
    switch content {
    case .scalar(let text, .quoted): "\"\(text)\""
    case .scalar(let text, _): text
    case .list(let nodes): "[" + nodes.map(\.meaning).joined(separator: ",") + "]"
    case .map(let members):
      "{" + members.map { "\"\($0.key)\":\($0.value.meaning)" }.sorted().joined(separator: ",") + "}"
    }
  }

  var keys: [String] { (members ?? []).map(\.key).sorted() }
}

/// SHA-256 and HMAC by the book, so that signatures are checked without the library that makes them.
enum Digest {
  static let hmac: HMACSHA256 = { key, message in
    var block = key.count > 64 ? sha256(key) : key
    block += [UInt8](repeating: 0, count: 64 - block.count)
    return sha256(block.map { $0 ^ 0x5C } + sha256(block.map { $0 ^ 0x36 } + message))
  }

  static func sha256(_ message: [UInt8]) -> [UInt8] {
    var padded = message + [0x80]
    padded += [UInt8](repeating: 0, count: (120 - padded.count % 64) % 64)
    let bits = UInt64(message.count) * 8
    padded += (0..<8).map { UInt8(truncatingIfNeeded: bits >> UInt64(56 - 8 * $0)) }
    var hash = start
    for block in stride(from: 0, to: padded.count, by: 64) { mix(padded[block..<block + 64], into: &hash) }
    return hash.flatMap { word in (0..<4).map { UInt8(truncatingIfNeeded: word >> UInt32(24 - 8 * $0)) } }
  }

  private static func mix(_ block: ArraySlice<UInt8>, into hash: inout [UInt32]) {
    var words = stride(from: block.startIndex, to: block.endIndex, by: 4).map { place in
      block[place..<place + 4].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
    }
    for place in 16..<64 {
      let low = rotate(words[place - 15], 7) ^ rotate(words[place - 15], 18) ^ (words[place - 15] >> 3)
      let high = rotate(words[place - 2], 17) ^ rotate(words[place - 2], 19) ^ (words[place - 2] >> 10)
      words.append(words[place - 16] &+ low &+ words[place - 7] &+ high)
    }
    var s = hash
    for place in 0..<64 {
      let choice = (s[4] & s[5]) ^ (~s[4] & s[6])
      let one =
        s[7] &+ (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25)) &+ choice &+ rounds[place] &+ words[place]
      let majority = (s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2])
      let two = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22)) &+ majority
      s = [one &+ two, s[0], s[1], s[2], s[3] &+ one, s[4], s[5], s[6]]
    }
    hash = zip(hash, s).map { $0 &+ $1 }
  }

  private static func rotate(_ word: UInt32, _ count: UInt32) -> UInt32 { word >> count | word << (32 - count) }

  private static let primes: [Int] = (2...311).filter { number in !(2..<number).contains { number % $0 == 0 } }

  /// The first 32 bits of the fraction of a root, found by halving.
  private static func fraction(_ prime: Int, cube: Bool) -> UInt32 {
    var low: UInt64 = 0
    var high: UInt64 = 1 << 40
    while high - low > 1 {
      let middle = (low + high) / 2
      let square = middle.multipliedFullWidth(by: middle)
      let isBelow =
        cube
        ? square.high * middle + square.low.multipliedFullWidth(by: middle).high < UInt64(prime) << 32
        : square.high < UInt64(prime)
      if isBelow { low = middle } else { high = middle }
    }
    return UInt32(truncatingIfNeeded: low)
  }

  private static let start: [UInt32] = primes.prefix(8).map { fraction($0, cube: false) }
  private static let rounds: [UInt32] = primes.prefix(64).map { fraction($0, cube: true) }
}
