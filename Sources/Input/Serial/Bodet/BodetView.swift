import GameCore

/// Reads the board's messages into fields. Status bits: 0 rest timer, 1 stopped, 2 horn, 4 tenths (basketball) or
/// serve, 6 new match.
extension BodetBoard {
  func image() -> ConsoleImage {
    var image = ConsoleImage()
    readShared(into: &image)
    switch family {
    // The last minute's message belongs to no sport, and may be the first that is heard.
    case .any: if let digits = clockIn36 { image.show(clock: lastMinute(digits), as: "clock") }
    case .basketball: readBasketball(into: &image)
    case .handball: readHandball(into: &image)
    case .hockey: readHockey(into: &image)
    case .football: readField(into: &image, type: 10, hasTenths: false, sport: "football")
    case .futsal: readField(into: &image, type: 45, hasTenths: true, sport: "futsal")
    case .volleyball: readVolleyball(into: &image)
    case .tableTennis: readRacket(into: &image, type: 21, clock: 22, finished: nil, sport: "table tennis")
    case .badminton: readRacket(into: &image, type: 41, clock: 42, finished: 43, sport: "badminton")
    case .tennis: readTennis(into: &image)
    }
    return image
  }

  /// What is not bound to the sport's main message, and may come before it.
  private func readShared(into image: inout ConsoleImage) {
    if let record = record(20), let time = decimal(record) {
      image["time_of_day"] = .text("\(time / 100):\(twoDigits(time % 100))")
    }
    for (type, team) in [(98, "home"), (99, "away")] {
      guard let record = record(type) else { continue }
      image[team + "_name"] = .shown(trimmedText(record[..<18]))
      image[team + "_short_name"] = .shown(trimmedText(record[18...]))
    }
    if let record = record(50) {
      image["shot_running"] = .truth(record[0] & 2 == 0)
      image["shot_horn"] = .truth(record[0] & 4 != 0)
      image["shot_shown"] = .truth(record[0] & 8 == 0)
      image["shot_tenths"] = .shown(decimal(record[1...]).map { record[0] & 16 != 0 ? $0 : $0 * 10 })
    }
    for (type, team) in [(37, "home"), (38, "away")] {
      if let record = record(type) { image[team + "_players"] = shirts(record) }
    }
    for (type, team) in [(33, "home"), (34, "away")] {
      guard let record = record(type) else { continue }
      // As many fouls as there are bits: right for the manual's bytes and for those of real consoles.
      image[team + "_player_fouls"] = .list(record[1...].map { .number(($0 & 0x7F).nonzeroBitCount) })
    }
    for (name, points) in points {
      image[name] = .map(Dictionary(uniqueKeysWithValues: points.map { ("\($0.key)", .number($0.value)) }))
    }
  }

  private func shirts(_ record: [UInt8]) -> ConsoleField {
    var shirts = stride(from: 0, to: 30, by: 2).map { ConsoleField.shown(trimmedText(record[$0..<$0 + 2])) }
    while shirts.last == .blank { shirts.removeLast() }
    return .list(shirts)
  }

  private func readStatus(_ status: UInt8, into image: inout ConsoleImage, sport: String) {
    image["sport"] = .text(sport)
    image["clock_kind"] = .text(status & 1 == 0 ? "game" : "rest")
    image["clock_running"] = .truth(status & 2 == 0)
    image["horn"] = .truth(status & 4 != 0)
  }

  /// Four places: `MMSS`, or `SSDt` in the last minute. Message 36 brings the tenths in between.
  private func readClock(_ digits: ArraySlice<UInt8>, into image: inout ConsoleImage) {
    image.show(clock: clockIn36.flatMap(lastMinute) ?? clock(digits), as: "clock")
  }

  private func clock(_ digits: ArraySlice<UInt8>) -> ShownClock? {
    let first = digits.startIndex
    guard digits[first + 2] == UInt8(ascii: "D") else { return ShownClock(minutesAndSeconds: digits) }
    return decimal(digits[first..<first + 2]).flatMap { seconds in
      decimal(digits[(first + 3)...]).map { ShownClock(tenths: seconds * 10 + $0) }
    }
  }

  private func lastMinute(_ digits: [UInt8]) -> ShownClock? { decimal(digits).map { ShownClock(tenths: $0) } }

  private func period(_ byte: UInt8) -> ConsoleField {
    switch byte {
    case UInt8(ascii: "O"), UInt8(ascii: "E"): .text("OT")
    case _: .shown(trimmedText([byte]))
    }
  }

  private func readBasketball(into image: inout ConsoleImage) {
    if let record = record(18) {
      readStatus(record[0], into: &image, sport: record[1] == UInt8(ascii: "8") ? "basketball-3x3" : "basketball")
      image["new_match"] = .truth(record[0] & 64 != 0)
      readClock(record[2..<6], into: &image)
      image["home_timeouts_taken"] = .shown(decimal(record[6..<7]))
      image["away_timeouts_taken"] = .shown(decimal(record[7..<8]))
      image["period"] = period(record[10])
    }
    if let record = record(30) { readScores(record[1...], into: &image) }
    if let record = record(31) {
      image["home_fouls"] = .shown(decimal(record[2..<3]))
      image["away_fouls"] = .shown(decimal(record[4..<5]))
      image["foul_callout"] = foulCallout(record)
    }
    if let record = record(19) { image["timeout_clock_s"] = .shown(decimal(record[3...])) }
    if let record = record(60) {
      let bits: UInt8 = record[0] == UInt8(ascii: "8") ? 7 : 1
      image["home_bonus"] = .truth(record[1] & bits != 0)
      image["away_bonus"] = .truth(record[2] & bits != 0)
    }
  }

  /// The last foul, while the console shows it.
  private func foulCallout(_ record: [UInt8]) -> ConsoleField {
    guard let player = decimal(record[5..<7]), let fouls = decimal(record[7..<8]), let team = side(record[8]) else {
      return .blank
    }
    return .map(["player": .number(player), "fouls": .number(fouls), "team": .text(team.rawValue)])
  }

  /// Three places each; trimmed before they are read, since real consoles write `·7·` and `12·`.
  private func readScores(_ digits: ArraySlice<UInt8>, into image: inout ConsoleImage) {
    let first = digits.startIndex
    image["home_score"] = .shown(decimal(digits[first..<first + 3]))
    image["away_score"] = .shown(decimal(digits[first + 3..<first + 6]))
  }

  private func readHandball(into image: inout ConsoleImage) {
    if let record = record(1) {
      readStatus(record[0], into: &image, sport: "handball")
      readClock(record[2..<6], into: &image)
      image["home_timeouts_taken"] = .shown(decimal(record[6..<7]))
      image["away_timeouts_taken"] = .shown(decimal(record[7..<8]))
      image["period"] = period(record[8])
    }
    if let record = record(2) { readScores(record[1...], into: &image) }
    if let record = record(3) {
      let slots = ["home1", "home2", "home3", "away1", "away2", "away3"]
      image["penalties"] = bySlot(slots.enumerated().map { ($1, penalty(record, at: 1 + 3 * $0)) })
      image["penalty_players"] = bySlot(slots.enumerated().map { ($1, number(record, at: 19 + 2 * $0)) })
    }
    if let record = record(4) { image["timeout_clock_s"] = .shown(decimal(record[3..<5])) }
  }

  /// Ice hockey, floorball and rink hockey. Penalties are by slot: a player's number shows only for a while.
  private func readHockey(into image: inout ConsoleImage) {
    if let record = record(11) {
      readStatus(record[0], into: &image, sport: "hockey-family")
      readClock(record[2..<6], into: &image)
      readScores(record[6...], into: &image)
      image["period"] = period(record[12])
    }
    var penalties: [(String, ConsoleField)] = []
    for (type, first, second) in [(12, "home1", "home2"), (13, "away1", "away2"), (14, "home3", "away3")] {
      guard let record = record(type) else { continue }
      penalties.append((first, penalty(record, at: 2)))
      penalties.append((second, penalty(record, at: 6)))
    }
    if !penalties.isEmpty { image["penalties"] = bySlot(penalties) }
    if let record = record(15) {
      let slots = ["home1", "home2", "home3", "away1", "away2", "away3"]
      image["penalty_players"] = bySlot(slots.enumerated().map { ($1, number(record, at: 1 + 2 * $0)) })
    }
    if let record = record(16) { image["timeout_clock_s"] = .shown(decimal(record[3...])) }
  }

  private func bySlot(_ fields: [(String, ConsoleField)]) -> ConsoleField { .map(Dictionary(fields) { _, new in new }) }

  /// `MSS` as seconds.
  private func penalty(_ record: [UInt8], at index: Int) -> ConsoleField {
    .shown(decimal(record[index..<index + 3]).map { $0 / 100 * 60 + $0 % 100 })
  }

  private func number(_ record: [UInt8], at index: Int) -> ConsoleField { .shown(decimal(record[index..<index + 2])) }

  /// Football, rugby and futsal.
  private func readField(into image: inout ConsoleImage, type: Int, hasTenths: Bool, sport: String) {
    guard let record = record(type) else { return }
    readStatus(record[0], into: &image, sport: sport)
    let scores = hasTenths ? 6 : 5
    if hasTenths, let clock = ShownClock(minutesAndSeconds: record[1..<5]) {
      image.show(
        clock: ShownClock(text: clock.text, tenths: clock.tenths + (decimal(record[5..<6]) ?? 0)), as: "clock")
    } else {
      readClock(record[1..<5], into: &image)
    }
    readScores(record[scores..<scores + 6], into: &image)
    image["period"] = period(record[scores + 6])
  }
}
