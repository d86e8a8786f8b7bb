extension StringProtocol {
  /// Whether this text occurs in it, byte for byte. The standard library's own search brings its whole pattern engine
  /// into the binary, which is a megabyte.
  package func holds(_ text: String) -> Bool { Array(utf8).holds(Array(text.utf8)) }
}

extension [UInt8] {
  func holds(_ wanted: [UInt8]) -> Bool {
    guard count >= wanted.count else { return false }
    return (0...(count - wanted.count)).contains { self[$0..<($0 + wanted.count)].elementsEqual(wanted) }
  }
}
