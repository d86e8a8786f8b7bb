import Glibc

/// The second place of the floors: a small text file beside the database, so that stamps and sequences keep rising when
/// the database is lost. One line per floor: a checksum, the key, the value in hexadecimal.
///
/// A floor only ever rises. Its value is written so that the greater one is the longer text, or of two equally long
/// ones the greater: decimal digits without leading zeros are.
enum FloorsFile {
  static let prefix = "floor/"

  static func isFloor(_ key: String) -> Bool { key.utf8.starts(with: prefix.utf8) }

  /// The higher of two floors.
  static func higher(_ one: [UInt8], _ other: [UInt8]) -> [UInt8] {
    if one.count != other.count { return one.count > other.count ? one : other }
    return one.lexicographicallyPrecedes(other) ? other : one
  }

  /// The lines whose checksum is right; a file that is not there has none.
  static func read(_ path: String) -> (floors: [String: [UInt8]], damage: [String]) {
    var floors: [String: [UInt8]] = [:]
    var damage: [String] = []
    for line in (SmallFile.read(path) ?? []).split(separator: UInt8(ascii: "\n")) {
      if let (key, value) = parse(line) {
        floors[key] = value
      } else {
        damage.append("floors: a line has a wrong checksum")
      }
    }
    return (floors, damage)
  }

  static func write(_ floors: [String: [UInt8]], to path: String) throws(PlatformError) {
    let text = floors.sorted { $0.key < $1.key }.map { key, value in
      "\(hexadecimal(bigEndian(checksum(key, value)))) \(hexadecimal([UInt8](key.utf8))) \(hexadecimal(value))\n"
    }
    try SmallFile.replace(path, with: [UInt8](text.joined().utf8))
  }

  private static func parse(_ line: ArraySlice<UInt8>) -> (String, [UInt8])? {
    let fields = line.split(separator: UInt8(ascii: " "), omittingEmptySubsequences: false).map(bytes)
    guard fields.count == 3, let check = fields[0], let key = fields[1], let value = fields[2] else { return nil }
    let name = String(decoding: key, as: UTF8.self)
    return bigEndian(checksum(name, value)) == check ? (name, value) : nil
  }

  private static func checksum(_ key: String, _ value: [UInt8]) -> UInt32 {
    Checksum.record(kind: .mark, key: key.utf8, sequence: 0, body: value)
  }

  private static func bigEndian(_ value: UInt32) -> [UInt8] {
    [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
  }

  private static func hexadecimal(_ bytes: [UInt8]) -> String {
    let digits = [UInt8]("0123456789abcdef".utf8)
    return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
  }

  private static func bytes(_ text: ArraySlice<UInt8>) -> [UInt8]? {
    guard text.count.isMultiple(of: 2) else { return nil }
    var bytes: [UInt8] = []
    var high: UInt8?
    for character in text {
      guard let digit = Character(UnicodeScalar(character)).hexDigitValue.map(UInt8.init) else { return nil }
      if let first = high {
        bytes.append(first << 4 | digit)
        high = nil
      } else {
        high = digit
      }
    }
    return bytes
  }
}
