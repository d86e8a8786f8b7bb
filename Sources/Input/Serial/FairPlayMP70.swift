/// Fair-Play MP-70 and Trans-Lux: text between STX and ETX, the clock in one frame and the score in another.
/// Experimental: the places are one public reader's, and no real bytes were seen.
package struct FairPlayMP70: FrameDecoder {
  private var scanner = FrameScanner(Grammar())
  private var clockFrame: [UInt8] = []
  private var scoreFrame: [UInt8] = []

  package init() {}

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() { scanner.dropPartialFrame() }

  package mutating func take(_ byte: UInt8) -> Bool {
    scanner.take(byte) { frame in
      if frame[1] == UInt8(ascii: "C") { clockFrame = frame } else { scoreFrame = frame }
    }
  }

  struct Grammar: FrameGrammar {
    let longest = 160

    func starts(_ byte: UInt8) -> Bool { byte == 0x02 }

    func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
      let byte = frame[index]
      if index == 0 { return .more }
      if byte == 0x03 {
        guard index >= 79 else { return .bad }
        return frame[1] == UInt8(ascii: "C") || frame[1] == UInt8(ascii: "H") ? .good : .other
      }
      return fits(byte, frame[1], index) ? .more : .bad
    }

    private func fits(_ byte: UInt8, _ kind: UInt8, _ index: Int) -> Bool {
      switch (kind, index) {
      case (UInt8(ascii: "C"), 2...5), (UInt8(ascii: "H"), 13...14), (UInt8(ascii: "H"), 29...30),
        (UInt8(ascii: "H"), 52...55), (UInt8(ascii: "H"), 57...60), (UInt8(ascii: "H"), 62...65),
        (UInt8(ascii: "H"), 67...70):
        return isDigitOrBlank(byte)
      case _: return isPrintable(byte)
      }
    }
  }

  package func image() -> ConsoleImage {
    var image = ConsoleImage()
    if !clockFrame.isEmpty { image.show(clock: ShownClock(minutesAndSeconds: clockFrame[2...5]), as: "clock") }
    guard !scoreFrame.isEmpty else { return image }
    image["home_score"] = .shown(decimal(scoreFrame[13...14]))
    image["away_score"] = .shown(decimal(scoreFrame[29...30]))
    image["period"] = .shown(trimmedText(scoreFrame[45...45]))
    image["home_penalties"] = penalties([52, 57])
    image["away_penalties"] = penalties([62, 67])
    return image
  }

  /// Seconds of the penalties that are shown.
  private func penalties(_ places: [Int]) -> ConsoleField {
    .list(places.compactMap { decimal(scoreFrame[$0..<$0 + 4]).map { .number($0 / 100 * 60 + $0 % 100) } })
  }
}
