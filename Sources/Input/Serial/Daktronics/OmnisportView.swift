/// Omnisport 2000 sends the same packets as an All Sport console, with a line of its own: places here count from 0.
extension RTDMemory {
  /// Only the clock is proved; the lanes' layout is one reader's word.
  func swimmingImage() -> ConsoleImage {
    var image = ConsoleImage()
    // The same clock twice.
    let offset = isSeenAt(0, 9) ? 0 : 1025
    image.show(clock: clock(at(offset, 9)), as: "running_clock", seen: isSeenAt(offset, 9))
    var lanes: [String: ConsoleField] = [:]
    for lane in 0..<10 where isSeenAt(222 + 36 * lane, 36) {
      let offset = 222 + 36 * lane
      lanes["\(lane + 1)"] = .map([
        "name": .shown(trimmedText(at(offset, 21))), "lane": .shown(trimmedText(at(offset + 21, 2))),
        "place": .shown(trimmedText(at(offset + 23, 2))), "time": .shown(trimmedText(at(offset + 25, 9))),
        "lengths": .shown(decimal(at(offset + 34, 2))),
      ])
    }
    if !lanes.isEmpty { image["lanes"] = .map(lanes) }
    return image
  }

  /// An All Sport line has clocks at 13 and 18 that are written anyhow; Omnisport has two scores, time-outs and the period
  /// there.
  var looksLikeOmnisportWaterPolo: Bool {
    let marks: [UInt8] = [UInt8(ascii: ":"), UInt8(ascii: ".")]
    guard isSeenAt(15, 4), !(at(13, 4) + at(18, 8)).contains(where: marks.contains) else { return false }
    return decimal(at(15, 2)) != nil && decimal(at(17, 2)) != nil
  }

  func omnisportWaterPoloImage() -> ConsoleImage {
    var image = ConsoleImage()
    let isRest = has(UInt8(ascii: "R"), at: 24)
    var game = clock(at(0, 5))
    // Between periods this console blanks its clock instead of showing 0:00.
    if isRest, trimmedText(at(0, 5)) == nil { game = ShownClock(minutes: 0, seconds: 0) }
    image.show(clock: game, as: "clock", seen: isSeenAt(0, 5))
    image["clock_kind"] = isSeenAt(23, 1) ? .text(isRest ? "rest" : "game") : .unknown
    image.show(clock: clock(at(5, 5)), as: "shot_clock", seen: isSeenAt(5, 5))
    image.show(clock: clock(at(10, 5)), as: "timeout_clock", seen: isSeenAt(10, 5))
    image["home_score"] = number(15, 2)
    image["away_score"] = number(17, 2)
    image["home_timeouts_left"] = number(19, 1)
    image["away_timeouts_left"] = number(20, 1)
    image["home_timeouts_left_short"] = number(21, 1)
    image["away_timeouts_left_short"] = number(22, 1)
    image["period"] = isSeenAt(23, 1) ? .shown(trimmedText(at(23, 1))) : .unknown
    image["home_exclusions"] = exclusions(24)
    image["away_exclusions"] = exclusions(45)
    image["home_player_fouls"] = foulCounts(66)
    image["away_player_fouls"] = foulCounts(141)
    return image
  }

  private func number(_ offset: Int, _ length: Int) -> ConsoleField {
    isSeenAt(offset, length) ? .shown(decimal(at(offset, length))) : .unknown
  }

  /// Cap and time by slot; the cap may stay blank for a while.
  private func exclusions(_ first: Int) -> ConsoleField {
    .list(
      (0..<3).map { slot in
        let offset = first + 7 * slot
        let time: ConsoleField = isSeenAt(offset + 2, 5) ? .shown(clock(at(offset + 2, 5))?.text) : .unknown
        return .list([number(offset, 2), time])
      })
  }

  /// How many fouls each cap has, for the caps the console lists.
  private func foulCounts(_ first: Int) -> ConsoleField {
    var counts: [String: ConsoleField] = [:]
    for index in 0..<25 where isSeenAt(first + 3 * index, 3) {
      let offset = first + 3 * index
      guard let cap = trimmedText(at(offset, 2)) else { continue }
      counts[cap] = .shown(decimal(at(offset + 2, 1)))
    }
    return .map(counts)
  }
}
