/// Stramatel's TV interface: fixed frames from F8 to 0D without a check sum, sent all the time on a pair that also
/// carries the desks' chatter. Length, ends, code and the digits' places are the only defence.
package struct StramatelTV: FrameDecoder {
  private var scanner: FrameScanner<StramatelGrammar>
  private let sport: ConsoleSport?
  private var board = StramatelBoard()

  package init(sport: ConsoleSport? = nil, isAmericanFootball: Bool = false) {
    self.sport = sport
    let isShort = isAmericanFootball || sport == .americanFootball
    scanner = FrameScanner(StramatelGrammar(isShort: isShort ? true : sport == nil ? nil : false))
  }

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() { scanner.dropPartialFrame() }

  package mutating func take(_ byte: UInt8) -> Bool {
    scanner.take(byte) { frame in board.accept(frame) }
  }

  package func image() -> ConsoleImage { board.image(sport: sport) }
}

/// The frame codes, and which of them show a game.
enum StramatelCode {
  static let basketball: UInt8 = 0x33
  static let handball: UInt8 = 0x35
  static let volleyball: UInt8 = 0x36
  static let tennis: UInt8 = 0x39
  static let tableTennis: UInt8 = 0x3A
  static let badminton: UInt8 = 0x6C
  static let awayPlayers: UInt8 = 0x37
  static let homePlayers: UInt8 = 0x38

  static func isGame(_ code: UInt8) -> Bool {
    switch code {
    case basketball, handball, volleyball, tennis, tableTennis, badminton: true
    case _: false
    }
  }

  /// Names, messages, stopwatch, clock setting, training and lamp test: whole, and nothing for us.
  static func isOther(_ code: UInt8) -> Bool {
    switch code {
    case 0x77, 0x62, 0x4D, 0x43, 0x9A, 0x99, 0x9C, 0x66: true
    case _: false
    }
  }
}

struct StramatelGrammar: FrameGrammar {
  /// The 24-byte American football frame is told from a handball frame by where 0D falls. Which of the two is wanted says
  /// the configuration; nil takes both.
  let isShort: Bool?
  let longest = 54

  func starts(_ byte: UInt8) -> Bool { byte == 0xF8 }

  func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
    let byte = frame[index]
    if index == 0 { return .more }
    let code = frame[1]
    if index == 1 {
      let isKnown =
        StramatelCode.isGame(code) || StramatelCode.isOther(code) || code == StramatelCode.homePlayers
        || code == StramatelCode.awayPlayers
      return isKnown ? .more : .bad
    }
    if StramatelCode.isOther(code) {
      guard index == 53 else { return .more }
      return byte == 0x0D ? .other : .bad
    }
    // Two bytes are numbers in one of the two frames and nothing, or another sort of thing, in the other.
    let isHandball = code == StramatelCode.handball
    if index == 23, isHandball, byte == 0x0D, [8, 11].allSatisfy({ isDigitOrBlank(frame[$0]) }) {
      return isShort == false ? .other : .good
    }
    if index == 53 {
      guard byte == 0x0D, !isHandball || [17, 18].allSatisfy({ isDigitOrBlank(frame[$0]) }) else { return .bad }
      return isShort == true ? .other : .good
    }
    return fits(byte, code, index) ? .more : .bad
  }

  /// Digits or blanks where the sport has numbers; marks and what is not known may be anything, F8 among it.
  private func fits(_ byte: UInt8, _ code: UInt8, _ index: Int) -> Bool {
    switch (code, index) {
    // The period may be E, extra time.
    case (_, 14): isDigitOrBlank(byte) || (byte >= 65 && byte <= 90)
    case (_, 4...7), (StramatelCode.basketball, 8...18), (StramatelCode.basketball, 21...48): isDigitOrBlank(byte)
    case (StramatelCode.basketball, 49): isDigitOrBlank(byte) || (byte >= 0x40 && byte <= 0x49)
    case (StramatelCode.handball, 9...10), (StramatelCode.handball, 12...16), (StramatelCode.handball, 22...30),
      (StramatelCode.handball, 35...43):
      isDigitOrBlank(byte)
    case (StramatelCode.volleyball, 9...10), (StramatelCode.volleyball, 12...13), (StramatelCode.volleyball, 15...18),
      (StramatelCode.volleyball, 24...39), (StramatelCode.tennis, 22...23), (StramatelCode.tennis, 35...36):
      isDigitOrBlank(byte)
    case (StramatelCode.handball, _): true
    case (_, 2...3), (_, 19...20), (_, 50...52): true
    case _: isPrintable(byte)
    }
  }
}
