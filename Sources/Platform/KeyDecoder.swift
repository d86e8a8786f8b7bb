/// A terminal's bytes as single keys. Arrow and function keys, Alt with a key and letters outside ASCII come as several
/// bytes; they are nobody's button and vanish whole, so that no part of one is taken for a press.
package struct KeyDecoder {
  private enum State: Hashable {
    /// The next byte begins something.
    case ground
    /// An escape came last; alone it is the Esc key.
    case escape
    /// Inside a sequence that ends with a letter or `~`.
    case sequence
    /// One more byte belongs to the sequence (`ESC O P` is F1).
    case lastOfSequence
  }

  private var state = State.ground

  package init() {}

  /// The keys in what one read brought.
  package mutating func keys(in bytes: some Sequence<UInt8>) -> [Character] {
    var keys: [Character] = []
    // A key after an earlier read's lone Esc is a key of its own, unless it goes on as a sequence does.
    var isFirst = true
    for byte in bytes {
      switch state {
      case .ground: accept(byte, into: &keys)
      case .escape:
        switch byte {
        case UInt8(ascii: "["): state = .sequence
        case UInt8(ascii: "O"): state = .lastOfSequence
        case 0x1B: state = .escape
        case _ where isFirst:
          state = .ground
          accept(byte, into: &keys)
        case _: state = .ground
        }
      case .sequence:
        if (0x40...0x7E).contains(byte) { state = .ground }
      case .lastOfSequence: state = .ground
      }
      isFirst = false
    }
    return keys
  }

  private mutating func accept(_ byte: UInt8, into keys: inout [Character]) {
    if byte == 0x1B { state = .escape }
    if (0x20...0x7E).contains(byte) { keys.append(Character(UnicodeScalar(byte))) }
  }
}
