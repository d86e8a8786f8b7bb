import GameCore

/// The newest frame of each kind; a frame always shows everything.
struct StramatelBoard: Sendable {
  private var game: [UInt8] = []
  private var homePlayers: [UInt8] = []
  private var awayPlayers: [UInt8] = []

  mutating func accept(_ frame: [UInt8]) {
    switch frame[1] {
    case StramatelCode.homePlayers: homePlayers = frame
    case StramatelCode.awayPlayers: awayPlayers = frame
    case _: game = frame
    }
  }

  func image(sport: ConsoleSport?) -> ConsoleImage {
    var image = ConsoleImage()
    if !homePlayers.isEmpty { image["home_player_points"] = points(homePlayers) }
    if !awayPlayers.isEmpty { image["away_player_points"] = points(awayPlayers) }
    guard !game.isEmpty else { return image }
    if game.count == 24 {
      readAmericanFootball(into: &image)
      return image
    }
    readCommon(into: &image)
    switch game[1] {
    case StramatelCode.basketball: readBasketball(into: &image)
    case StramatelCode.handball: readHandball(into: &image)
    case StramatelCode.volleyball: readSets(into: &image)
    case StramatelCode.tennis: readTennis(into: &image)
    case _: readSets(into: &image)
    }
    return image
  }

  private func number(_ range: ClosedRange<Int>) -> ConsoleField { .shown(decimal(game[range])) }

  private func number(_ index: Int) -> ConsoleField { number(index...index) }

  private func isOne(_ index: Int) -> ConsoleField { .truth(game[index] == UInt8(ascii: "1")) }

  /// E is extra time.
  private func period(_ index: Int) -> ConsoleField {
    game[index] == UInt8(ascii: "E") ? .text("OT") : .shown(trimmedText([game[index]]))
  }

  /// `MMSS`, or `SSt·` when the last place is blank.
  private func clock(_ digits: ArraySlice<UInt8>) -> ShownClock? {
    guard digits.last == 0x20 else { return ShownClock(minutesAndSeconds: digits) }
    return decimal(digits).map { ShownClock(tenths: $0) }
  }

  private func readCommon(into image: inout ConsoleImage) {
    image.show(clock: clock(game[4...7]), as: "clock")
    image["horn"] = isOne(19)
    image["clock_running"] = isOne(20)
    image["period"] = period(14)
    for (team, index) in [("home", 17), ("away", 18)] { image[team + "_timeouts"] = number(index) }
  }

  private func readBasketball(into image: inout ConsoleImage) {
    image["possession"] = .shown(side(game[3])?.rawValue)
    image["home_score"] = number(8...10)
    image["away_score"] = number(11...13)
    image["home_fouls"] = number(15)
    image["away_fouls"] = number(16)
    image["home_player_fouls"] = .list((22...33).map(number))
    image["away_player_fouls"] = .list((34...45).map(number))
    image["timeout_clock_s"] = .shown(decimal([game[21], game[46], game[47]].filter { $0 != 0x20 }))
    image["shot_tenths"] = .shown(shotTenths)
    image["shot_horn"] = isOne(50)
    image["shot_running"] = isOne(51)
    image["shot_shown"] = isOne(52)
  }

  /// Seconds in two places, or tenths: 0x40 to 0x49 in the second place is the digit after the point.
  private var shotTenths: Int? {
    guard game[49] >= 0x40, game[49] <= 0x49 else { return decimal(game[48...49]).map { $0 * 10 } }
    return decimal(game[48...48]).map { $0 * 10 + Int(game[49] - 0x40) } ?? Int(game[49] - 0x40)
  }

  /// Handball, football, hockey, floorball: one layout, with penalties by slot.
  private func readHandball(into image: inout ConsoleImage) {
    image["home_score"] = number(9...10)
    image["away_score"] = number(12...13)
    for (team, running, times) in [("home", 15, 22), ("away", 16, 35)] {
      image[team + "_penalties_running"] = penaltiesRunning(game[running])
      image[team + "_penalties"] = .list(
        (0..<3).map { slot in
          let first = times + 3 * slot
          return .shown(decimal(game[first..<first + 3]).map { $0 / 100 * 60 + $0 % 100 })
        })
    }
  }

  /// Which of the three penalties run, in the maker's own order of codes.
  private func penaltiesRunning(_ code: UInt8) -> ConsoleField {
    let slots: [Int]
    switch code {
    case UInt8(ascii: "1"): slots = [1]
    case UInt8(ascii: "2"): slots = [1, 2]
    case UInt8(ascii: "3"): slots = [1, 2, 3]
    case UInt8(ascii: "4"): slots = [2]
    case UInt8(ascii: "5"): slots = [3]
    case UInt8(ascii: "6"): slots = [2, 3]
    case UInt8(ascii: "7"): slots = [1, 3]
    case _: slots = []
    }
    return .list(slots.map { .number($0) })
  }

  /// Volleyball; table tennis and badminton are read by the same places.
  private func readSets(into image: inout ConsoleImage) {
    image["home_score"] = number(9...10)
    image["away_score"] = number(12...13)
    image["set"] = image["period"]
    image["home_sets"] = number(15)
    image["away_sets"] = number(16)
    image["home_set_scores"] = .list((0..<4).map { number(24 + 4 * $0...25 + 4 * $0) })
    image["away_set_scores"] = .list((0..<4).map { number(26 + 4 * $0...27 + 4 * $0) })
    switch game[50] {
    case UInt8(ascii: "1"), UInt8(ascii: "2"): image["serve"] = .text("home")
    case UInt8(ascii: "3"), UInt8(ascii: "4"): image["serve"] = .text("away")
    case _: image["serve"] = .blank
    }
    image["winner"] = .shown(side(game[51])?.rawValue)
  }

  private func readTennis(into image: inout ConsoleImage) {
    image["home_points"] = .shown(trimmedText(game[9...10]))
    image["away_points"] = .shown(trimmedText(game[12...13]))
    image["home_games"] = number(22...23)
    image["away_games"] = number(35...36)
    image["home_sets"] = number(15)
    image["away_sets"] = number(16)
    image["home_set_scores"] = .list((0..<5).map { number(24 + 2 * $0...25 + 2 * $0) })
    image["away_set_scores"] = .list((0..<5).map { number(37 + 2 * $0...38 + 2 * $0) })
    image["set"] = image["period"]
    image["tie_break"] = isOne(52)
    switch game[50] {
    case UInt8(ascii: "1"), UInt8(ascii: "2"): image["serve"] = .text("home")
    case UInt8(ascii: "3"), UInt8(ascii: "4"): image["serve"] = .text("away")
    case _: image["serve"] = .blank
    }
  }

  /// The 24-byte frame. Its run flags at 20 to 22 are unsettled, so it says nothing of whether the clock runs.
  private func readAmericanFootball(into image: inout ConsoleImage) {
    image.show(clock: clock(game[4...7]), as: "clock")
    image["home_score"] = number(9...10)
    image["away_score"] = number(12...13)
    image["to_go"] = number(2...3)
    image["play_clock"] = .shown(decimal([game[8], game[11]]))
    image["home_timeouts"] = number(14)
    image["away_timeouts"] = number(15)
    image["down"] = number(16)
    image["quarter"] = period(17)
    image["period"] = image["quarter"]
    image["possession"] = .shown(side(game[18])?.rawValue)
  }

  /// Individual points, two places for each line of the list.
  private func points(_ frame: [UInt8]) -> ConsoleField {
    .list(stride(from: 22, to: 46, by: 2).map { .shown(decimal(frame[$0...$0 + 1])) })
  }
}
