/// CRC-32 (the polynomial of Ethernet and zip), so that a flipped byte on the card is seen before it is believed.
struct Checksum {
  private static let table: [UInt32] = (0..<256).map { index in
    (0..<8).reduce(UInt32(index)) { value, _ in value & 1 == 1 ? 0xEDB8_8320 ^ (value >> 1) : value >> 1 }
  }

  private var state: UInt32 = 0xFFFF_FFFF

  var value: UInt32 { state ^ 0xFFFF_FFFF }

  mutating func add(_ bytes: some Sequence<UInt8>) {
    for byte in bytes { state = Self.table[Int((state ^ UInt32(byte)) & 0xFF)] ^ (state >> 8) }
  }

  /// Over a record with its place, so that a good body in the wrong place is as wrong as a bad body. The key's end is
  /// marked, or a byte could wander from the key into the body unseen.
  static func record(kind: Kind, key: some Collection<UInt8>, sequence: Int64, body: [UInt8]) -> UInt32 {
    var checksum = Checksum()
    checksum.add(CollectionOfOne(kind.rawValue))
    checksum.add(key)
    checksum.add(CollectionOfOne(0))
    checksum.add((0..<8).map { UInt8(truncatingIfNeeded: sequence >> (8 * $0)) })
    checksum.add(body)
    return checksum.value
  }

  /// Which table a record belongs to.
  enum Kind: UInt8 {
    case event = 1
    case entry, mark
  }
}
