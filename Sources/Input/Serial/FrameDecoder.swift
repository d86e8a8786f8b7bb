/// How many frames came in, and what became of them. The feed's health is told from these.
package struct FrameCounts: Hashable, Sendable {
  /// Whole, checked, and read.
  package var good = 0
  /// Begun, and then refused: cut short, a wrong sum, letters where digits belong.
  package var bad = 0
  /// Whole and checked, but nothing for us: keep-alives, foreign headers, message types without a field.
  package var other = 0

  package init(good: Int = 0, bad: Int = 0, other: Int = 0) {
    self.good = good
    self.bad = bad
    self.other = other
  }
}

/// One protocol: bytes become frames, and frames write what the console shows.
///
/// It takes one byte at a time, so that how the bytes were cut into reads cannot matter; what it keeps is bounded.
package protocol FrameDecoder {
  var counts: FrameCounts { get }

  /// The counts as a proof that line and protocol are right: the same, but where a stream without checks makes chance
  /// frames of any bytes.
  var evidence: FrameCounts { get }

  /// True when this byte ended at least one good frame, so that the image may have changed.
  mutating func take(_ byte: UInt8) -> Bool

  /// What the console shows after all bytes so far.
  func image() -> ConsoleImage

  /// The port was reopened: what was begun is thrown away, what was shown is kept.
  mutating func dropPartialFrame()
}

extension FrameDecoder {
  package var evidence: FrameCounts { counts }

  /// True when any of these bytes ended a good frame.
  @discardableResult
  package mutating func feed(_ bytes: some Sequence<UInt8>) -> Bool {
    var changed = false
    let isContiguous: Void? = bytes.withContiguousStorageIfAvailable { buffer in
      for byte in buffer where take(byte) { changed = true }
    }
    if isContiguous == nil {
      for byte in bytes where take(byte) { changed = true }
    }
    return changed
  }
}

/// What the newest byte of a frame makes of it.
package enum FrameStep: Hashable, Sendable {
  /// Right so far.
  case more
  /// The frame ends here, and every check passed.
  case good
  /// It ends here, whole, and is nothing for us.
  case other
  /// It cannot become a frame any more.
  case bad
}

/// The rules of a protocol with frames: where one may begin, and whether the next byte may follow.
package protocol FrameGrammar: Sendable {
  /// The longest frame: what bounds the buffer.
  var longest: Int { get }

  func starts(_ byte: UInt8) -> Bool

  /// `frame[index]` is new; everything before it has been accepted.
  func step(_ frame: [UInt8], _ index: Int) -> FrameStep
}

/// Cuts frames out of a stream. After a bad frame only its first byte is dropped and the rest is read again, since a
/// whole good frame may begin inside it; each byte is checked as it comes, so a frame that was cut short is given up
/// at the first byte that does not fit.
package struct FrameScanner<Grammar: FrameGrammar>: Sendable {
  package let grammar: Grammar
  package private(set) var counts = FrameCounts()
  private var pending: [UInt8] = []
  private var checked = 0

  package init(_ grammar: Grammar) {
    self.grammar = grammar
    pending.reserveCapacity(grammar.longest)
  }

  package mutating func dropPartialFrame() {
    pending.removeAll(keepingCapacity: true)
    checked = 0
  }

  /// `accept` is called with each good frame this byte completes: at most a few, as a dropped start is read again.
  package mutating func take(_ byte: UInt8, accept: ([UInt8]) -> Void) -> Bool {
    if pending.isEmpty, !grammar.starts(byte) { return false }
    pending.append(byte)
    var found = false
    while checked < pending.count {
      switch pending.count > grammar.longest ? .bad : grammar.step(pending, checked) {
      case .more:
        checked += 1
      case .good:
        counts.good += 1
        found = true
        if checked + 1 == pending.count {
          accept(pending)
          dropPartialFrame()
        } else {
          accept(Array(pending[...checked]))
          restart(after: checked + 1)
        }
      case .other:
        counts.other += 1
        restart(after: checked + 1)
      case .bad:
        // A start byte that nothing fits is noise; a frame was begun when at least one more byte did fit.
        if checked > 1 { counts.bad += 1 }
        restart(after: 1)
      }
    }
    return found
  }

  private mutating func restart(after count: Int) {
    let next = pending[count...].firstIndex(where: grammar.starts) ?? pending.endIndex
    pending.removeFirst(next)
    checked = 0
  }
}
