/// The console's line of characters as far as it was received. Two things are kept for each place: what stands there,
/// and whether anything ever did, since a console sends only what changes.
struct RTDMemory: Hashable, Sendable {
  let size: Int
  private var characters: [UInt8]
  private var seen: [Bool]

  init(size: Int) {
    self.size = size
    characters = Array(repeating: 0x20, count: size)
    seen = Array(repeating: false, count: size)
  }

  /// False when the text would pass the end of the line; nothing is written then.
  mutating func write(_ text: [UInt8], at offset: Int) -> Bool {
    guard offset + text.count <= size else { return false }
    for (index, byte) in text.enumerated() {
      characters[offset + index] = byte
      seen[offset + index] = true
    }
    return true
  }

  /// The characters of an item, which the maker counts from 1.
  func item(_ item: Int, _ length: Int) -> ArraySlice<UInt8> { at(item - 1, length) }

  func at(_ offset: Int, _ length: Int) -> ArraySlice<UInt8> { characters[offset..<offset + length] }

  /// Whether the whole item was received at least once.
  func isSeen(_ item: Int, _ length: Int) -> Bool { isSeenAt(item - 1, length) }

  func isSeenAt(_ offset: Int, _ length: Int) -> Bool { seen[offset..<offset + length].allSatisfy { $0 } }

  /// A clock item, without the `z` that older firmware writes into it at zero.
  func clock(_ bytes: ArraySlice<UInt8>) -> ShownClock? {
    guard let text = trimmedText(bytes.filter { $0 != UInt8(ascii: "z") }) else { return nil }
    return ShownClock(reading: text)
  }

  /// A number is read trimmed, since real consoles do not keep the manual's justification: `7 ` is 7, and never 70.
  /// With `strict` it must end in the last column, and `7 ` is refused.
  func number(_ item: Int, _ length: Int, strict: Bool = false) -> Int? {
    let bytes = self.item(item, length)
    return strict && bytes.last == 0x20 ? nil : decimal(bytes)
  }

  func text(_ item: Int, _ length: Int) -> String? { trimmedText(self.item(item, length)) }

  /// True when the one-character mark stands there.
  func has(_ mark: UInt8, at item: Int) -> Bool { characters[item - 1] == mark }
}

/// One item of a sport's table that feeds a field of its own.
struct RTDItem: Sendable {
  /// How its characters are read.
  enum Kind: Sendable {
    /// Digits, right-justified.
    case number
    /// Any text, trimmed.
    case text
    /// On when anything stands there.
    case mark
    /// A clock, with its tenths beside it.
    case clock
  }

  let name: String
  let item: Int
  let length: Int
  let kind: Kind

  init(_ name: String, _ item: Int, _ length: Int, _ kind: Kind = .number) {
    self.name = name
    self.item = item
    self.length = length
    self.kind = kind
  }

  /// The same field of both teams.
  static func pair(_ name: String, _ home: Int, _ away: Int, _ length: Int, _ kind: Kind = .number) -> [RTDItem] {
    [RTDItem("home_" + name, home, length, kind), RTDItem("away_" + name, away, length, kind)]
  }
}

/// Numbers that stand one after the other: points by period, pitches, players.
struct RTDRow: Sendable {
  let name: String
  let item: Int
  let length: Int
  let stride: Int
  let count: Int

  static func pair(_ name: String, _ home: Int, _ away: Int, _ length: Int, count: Int) -> [RTDRow] {
    [
      RTDRow(name: "home_" + name, item: home, length: length, stride: length, count: count),
      RTDRow(name: "away_" + name, item: away, length: length, stride: length, count: count),
    ]
  }
}
