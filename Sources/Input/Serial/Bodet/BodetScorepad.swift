import GameCore

/// Bodet Scorepad consoles: short messages, each with a check byte and a type that says what it shows.
package struct BodetScorepad: FrameDecoder {
  private var scanner: FrameScanner<BodetGrammar>
  private var board = BodetBoard()

  /// With a sport, messages of other sports are counted and not read; without one the console's own sport is followed.
  package init(sport: ConsoleSport? = nil) {
    scanner = FrameScanner(BodetGrammar(family: sport.flatMap(BodetBoard.family)))
  }

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() { scanner.dropPartialFrame() }

  package mutating func take(_ byte: UInt8) -> Bool {
    scanner.take(byte) { frame in
      board.accept(type: Int(frame[4] - 48) * 10 + Int(frame[5] - 48), frame[6..<frame.count - 2])
    }
  }

  package func image() -> ConsoleImage { board.image() }
}

/// The last message of each type, and what several messages tell together.
struct BodetBoard: Sendable {
  private var records = [[UInt8]](repeating: [], count: 100)
  private(set) var family: BodetMessage.Family = .any
  /// The clock's digits come in messages 18 and 36 by turns; the newer one is right.
  private var isClockIn36 = false
  private var homePoints: [String: Int]?
  private var awayPoints: [String: Int]?

  static func family(_ sport: ConsoleSport) -> BodetMessage.Family? {
    switch sport {
    case .basketball, .threeByThree: .basketball
    case .handball: .handball
    case .hockey, .floorball, .rinkHockey, .lacrosse: .hockey
    case .soccer, .rugby: .football
    case .futsal: .futsal
    case .volleyball: .volleyball
    case .tableTennis: .tableTennis
    case .badminton: .badminton
    case .tennis: .tennis
    case .americanFootball, .netball, .boxing, .waterPolo, .swimming, .baseball, .softball, .wrestling, .cricket,
      .judo, .taekwondo, .track, .autoRacing, .fencing:
      nil
    }
  }

  func record(_ type: Int) -> [UInt8]? { records[type].isEmpty ? nil : records[type] }

  var clockIn36: [UInt8]? { isClockIn36 ? record(36) : nil }

  mutating func accept(type: Int, _ content: ArraySlice<UInt8>) {
    switch type {
    case 1, 6, 10, 11, 18, 21, 26, 41, 45:
      family = BodetMessage.ofType[type]?.family ?? family
      isClockIn36 = false
    case 36: isClockIn36 = true
    case 32: accept(playerFouls: Array(content))
    case 56: accept(playerPoints: Array(content))
    case _: break
    }
    // Until a sport's main message comes, any of its messages tells the sport.
    if family == .any { family = BodetMessage.ofType[type]?.family ?? .any }
    records[type].removeAll(keepingCapacity: true)
    records[type].append(contentsOf: content)
  }

  /// One line of a foul list; a blank team clears both lists.
  private mutating func accept(playerFouls content: [UInt8]) {
    guard let team = side(content[1]) else {
      if content[1] == 0x20 {
        records[33].removeAll()
        records[34].removeAll()
      }
      return
    }
    guard let line = decimal(content[2...3]), 1...12 ~= line else { return }
    let list = team == .home ? 33 : 34
    // A list that was not sent whole yet stays unknown but for this line.
    if !records[list].isEmpty { records[list][line] = content[4] }
  }

  /// One player's points; a blank team clears all, blank points clear that player's.
  private mutating func accept(playerPoints content: [UInt8]) {
    guard let team = side(content[1]) else {
      if content[1] == 0x20 {
        homePoints = [:]
        awayPoints = [:]
      }
      return
    }
    // Shirt 0 is one player and 00 another.
    guard decimal(content[2...3]) != nil, let player = trimmedText(content[2...3]) else { return }
    let points = decimal(content[4...5])
    switch team {
    case .home: homePoints = (homePoints ?? [:]).merging([player: points ?? -1]) { $1 }.filter { $0.value >= 0 }
    case .away: awayPoints = (awayPoints ?? [:]).merging([player: points ?? -1]) { $1 }.filter { $0.value >= 0 }
    }
  }

  var points: [(String, [String: Int])] {
    [("home_player_points", homePoints), ("away_player_points", awayPoints)].compactMap { name, points in
      points.map { (name, $0) }
    }
  }
}

/// Which team a byte names: consoles write 1 for home and 2 for the guests.
func side(_ byte: UInt8) -> Side? {
  switch byte {
  case UInt8(ascii: "1"): .home
  case UInt8(ascii: "2"): .away
  case _: nil
  }
}
