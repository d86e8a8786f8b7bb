/// Favero fencing apparatus: ten bytes that always show everything, about 24 times a second.
/// The start byte may also be the sum's value or a lamp test's digits, so a start counts only with digits and a sum.
package struct FaveroFA05: FrameDecoder {
  private var scanner = FrameScanner(Grammar())
  private var frame: [UInt8] = []

  package init() {}

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() { scanner.dropPartialFrame() }

  package mutating func take(_ byte: UInt8) -> Bool {
    scanner.take(byte) { good in frame = good }
  }

  struct Grammar: FrameGrammar {
    let longest = 10

    func starts(_ byte: UInt8) -> Bool { byte == 0xFF }

    func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
      let byte = frame[index]
      switch index {
      case 0, 5, 6: return .more
      case 1, 2: return isTwoDigits(byte, below: 0x9A) ? .more : .bad
      case 3: return isTwoDigits(byte, below: 0x5A) ? .more : .bad
      case 4: return byte < 0x0A ? .more : .bad
      case 7: return byte != 0xFF ? .more : .bad
      case 8: return byte & 0xC0 == 0 ? .more : .bad
      case _: return byte == frame[..<9].reduce(0, &+) ? .good : .bad
      }
    }

    private func isTwoDigits(_ byte: UInt8, below limit: UInt8) -> Bool { byte < limit && byte & 15 < 10 }
  }

  package func image() -> ConsoleImage {
    var image = ConsoleImage()
    guard frame.count == 10 else { return image }
    image["right_score"] = .number(digits(frame[1]))
    image["left_score"] = .number(digits(frame[2]))
    image.show(clock: ShownClock(minutes: digits(frame[4]), seconds: digits(frame[3])), as: "clock")
    image["lamps"] = marks(
      frame[5], ["left_white", "right_white", "left_red", "right_green", "right_yellow", "left_yellow"])
    image["cards"] = marks(frame[8], ["right_red", "left_red", "right_yellow", "left_yellow"])
    image["match"] = .number(Int(frame[6] & 3))
    let right = frame[6] & 4 != 0
    let left = frame[6] & 8 != 0
    image["priority"] = right == left ? .blank : .text(left ? "left" : "right")
    return image
  }

  private func digits(_ byte: UInt8) -> Int { Int(byte >> 4) * 10 + Int(byte & 15) }

  private func marks(_ byte: UInt8, _ names: [String]) -> ConsoleField {
    .map(Dictionary(uniqueKeysWithValues: names.enumerated().map { ($1, .truth(byte >> UInt8($0) & 1 == 1)) }))
  }
}
