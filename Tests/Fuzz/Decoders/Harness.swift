// Coverage-guided fuzzing of every decoder: whatever comes, nothing crashes, memory stays bounded, and whole frames after
// it are read. SCOREBOARD_FUZZ names the protocol; the first byte of an input chooses the sport.
import Document
import GameCore
import Input

/// Digits anywhere in a line, without the pattern library: the line decoder is under test here, not the library.
private func digits() -> LinePattern {
  LinePattern(groups: ["home_score", "clock", "stopped"]) { line in
    guard let first = line.firstIndex(where: { $0 >= 48 && $0 <= 57 }) else { return .noMatch }
    let end = line[first...].firstIndex { $0 < 48 || $0 > 58 } ?? line.endIndex
    return .matched([first..<end, first..<line.endIndex, line.first == 0x53 ? line.startIndex..<first : nil])
  }
}

private func text(_ bytes: String) -> [UInt8] { Array(bytes.utf8) }

/// A frame that every state of the decoder must find its way back to.
private func goodFrame(_ console: ConsoleProtocol) -> [UInt8] {
  let blanks = [UInt8](repeating: 0x20, count: 160)
  return switch console {
  case .daktronicsRTD: [0x16] + text("00000000\u{1}0042100107\u{2}  12\u{4}19\u{17}")
  case .bodetScorepad: [0x01, 0x7F, 0x02, 0x47] + text("305 0  0 ") + [0x03, 0x2F]
  case .stramatelTV: [0xF8, 0x33] + blanks.prefix(51) + [0x0D]
  case .stramatelAmericanFootball: [0xF8, 0x35] + blanks.prefix(21) + [0x0D]
  case .ctsGen6: [0xBC, 0x0E, 0x1D, 0x20, 0x30, 0x4A, 0x59, 0x6C, 0x79]
  case .faveroFA05: [0xFF, 0x06, 0x12, 0x56, 0x02, 0x14, 0x0A, 0x00, 0x38, 0xC5]
  case .swissTimingOSM6: [0x01, 0x02, 0x08] + text("0  ?? 400302    ") + [0x04]
  case .daktronicsAllSportCG: [0x01] + blanks.prefix(36) + [0x04]
  case .fairPlayMP70: text("\u{2}H") + blanks.prefix(77) + [0x03]
  case .genericLine: text("\nH 12\n")
  }
}

/// One input, and what must hold after it.
func fuzz(_ console: ConsoleProtocol, _ bytes: UnsafeBufferPointer<UInt8>) {
  guard let first = bytes.first else { return }
  let sports: [ConsoleSport?] = [nil] + ConsoleSport.allCases
  // The character generator's frame has a length by sport; the good frame below is basketball's.
  let sport = console == .daktronicsAllSportCG ? nil : sports[Int(first) % sports.count]
  let options = console == .genericLine ? [(name: "pattern", value: "")] : []
  let settings = DecoderSettings(console: console, sport: sport, options: options) { _ in .success(digits()) }
  guard var feed = try? ConsoleFeed(settings) else { fatalError("These settings always make a decoder.") }
  let rest = Array(bytes.dropFirst())
  _ = feed.received(rest[...], at: Instant(nanoseconds: 0))
  var json = JSONWriter()
  FieldNames.addingOthers(to: feed.shown).write(to: &json)
  // A short variant read as the long one, or another sport's frame, is whole and counted apart.
  let before = feed.counts
  let good = goodFrame(console)
  for _ in 0..<16 where feed.counts.good + feed.counts.other == before.good + before.other {
    _ = feed.received(good[...], at: Instant(nanoseconds: 1))
  }
  let after = feed.counts
  precondition(after.good + after.other > before.good + before.other, "no frame was found again")
}
