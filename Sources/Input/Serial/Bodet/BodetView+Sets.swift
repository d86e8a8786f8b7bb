/// The sports that are played in sets. From the maker's manual alone: no real bytes were seen.
extension BodetBoard {
  func readVolleyball(into image: inout ConsoleImage) {
    if let record = record(6) {
      image["sport"] = .text("volleyball")
      image["horn"] = .truth(record[0] & 4 != 0)
      image["serve"] = .text(record[0] & 8 != 0 ? "home" : "away")
      image["set"] = .shown(trimmedText(record[2..<3]))
      image["period"] = image["set"]
      image["home_sets"] = .shown(decimal(record[3..<4]))
      image["away_sets"] = .shown(decimal(record[4..<5]))
      image["home_score"] = .shown(decimal(record[5..<7]))
      image["away_score"] = .shown(decimal(record[7..<9]))
      image["home_timeouts_taken"] = .shown(decimal(record[9..<10]))
      image["away_timeouts_taken"] = .shown(decimal(record[10..<11]))
      image["timeout_clock_s"] = .shown(decimal(record[11..<13]))
    }
    if let record = record(7) {
      image["clock_kind"] = .text(record[0] & 1 == 0 ? "game" : "rest")
      image["clock_running"] = .truth(record[0] & 2 == 0)
      image.show(clock: ShownClock(minutesAndSeconds: record[2..<6]), as: "clock")
    }
    if let record = record(8) { readFinishedSets(record[2...], into: &image) }
  }

  /// Table tennis and badminton.
  func readRacket(into image: inout ConsoleImage, type: Int, clock: Int, finished: Int?, sport: String) {
    if let record = record(type) {
      image["sport"] = .text(sport)
      image["serve"] = .text(record[0] & 16 != 0 ? "home" : "away")
      image["home_sets"] = .shown(decimal(record[2..<3]))
      image["away_sets"] = .shown(decimal(record[3..<4]))
      image["home_score"] = .shown(decimal(record[4..<6]))
      image["away_score"] = .shown(decimal(record[6..<8]))
      image["set"] = .shown(trimmedText(record[8..<9]))
      image["period"] = image["set"]
    }
    if let record = record(clock) { readHours(record[1...], into: &image) }
    if let finished, let record = record(finished) { readFinishedSets(record[2...], into: &image) }
  }

  func readTennis(into image: inout ConsoleImage) {
    if let record = record(26) {
      image["sport"] = .text("tennis")
      image["serve"] = .text(record[0] & 16 != 0 ? "home" : "away")
      image["home_sets"] = .shown(decimal(record[2..<3]))
      image["away_sets"] = .shown(decimal(record[3..<4]))
      image["home_games"] = .shown(decimal(record[4..<6]))
      image["away_games"] = .shown(decimal(record[6..<8]))
      image["home_points"] = .shown(trimmedText(record[8..<10]))
      image["away_points"] = .shown(trimmedText(record[10..<12]))
      image["set"] = .shown(trimmedText(record[12..<13]))
      image["period"] = image["set"]
    }
    if let record = record(27) { readFinishedSets(record[2...], into: &image) }
  }

  /// Hours and minutes of play: a length of the match, which is no game clock.
  private func readHours(_ digits: ArraySlice<UInt8>, into image: inout ConsoleImage) {
    let time = decimal(digits.prefix(3))
    image["match_time"] = .shown(time.map { "\($0 / 100):\(twoDigits($0 % 100))" })
  }

  /// Two places for home and two for the guests, set after set.
  private func readFinishedSets(_ digits: ArraySlice<UInt8>, into image: inout ConsoleImage) {
    var home: [ConsoleField] = []
    var away: [ConsoleField] = []
    var rest = digits
    while rest.count >= 4 {
      home.append(.shown(decimal(rest.prefix(2))))
      away.append(.shown(decimal(rest.dropFirst(2).prefix(2))))
      rest = rest.dropFirst(4)
    }
    image["home_set_scores"] = .list(home)
    image["away_set_scores"] = .list(away)
  }
}
