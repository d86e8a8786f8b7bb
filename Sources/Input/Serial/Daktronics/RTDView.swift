/// Reads a sport's fields off the console's line.
extension RTDMemory {
  func image(_ settings: DaktronicsRTD.Settings) -> ConsoleImage {
    if settings.sport == .swimming { return swimmingImage() }
    let code = sportCode
    let known = code.flatMap(RTDTable.sport(ofCode:))
    if settings.sport == .waterPolo, known == nil, settings.isOmnisport ?? looksLikeOmnisportWaterPolo {
      return omnisportWaterPoloImage()
    }
    // Handball borrows other sports' codes with meanings of its own, so that its code is not believed.
    let sport = settings.sport == .handball ? .handball : known ?? settings.sport
    var image = ConsoleImage()
    image["sport_code"] = isSeen(184, 4) ? .shown(code) : .unknown
    if sport == .track {
      readTrack(into: &image)
    } else {
      readCommonItems(into: &image, baseball: sport == .baseball || sport == .softball, settings: settings)
    }
    if let table = RTDTable.of(sport) { read(table, into: &image, settings: settings) }
    switch sport {
    case .basketball, .threeByThree:
      readShotClock(into: &image)
      readBonus(into: &image)
    case .hockey, .lacrosse, .floorball, .rinkHockey, .waterPolo:
      readShotClock(into: &image)
    case .baseball, .softball:
      readInningHalf(into: &image)
    case .americanFootball, .soccer, .futsal, .rugby, .handball, .volleyball, .netball, .boxing, .swimming, .tennis,
      .tableTennis, .badminton, .wrestling, .cricket, .judo, .taekwondo, .track, .autoRacing, .fencing, nil:
      break
    }
    return image
  }

  /// Real consoles put four digits at item 184; anything else there is not a code.
  private var sportCode: String? {
    let bytes = item(184, 4)
    guard bytes.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return text(184, 4)
  }

  private func readCommonItems(
    into image: inout ConsoleImage, baseball: Bool, settings: DaktronicsRTD.Settings
  ) {
    readMainClock(into: &image, baseball: baseball)
    setMark("clock_at_zero", [27], in: &image)
    // A blank here means that the clock runs, so a place that was never sent says nothing.
    image["clock_running"] = isSeen(28, 1) ? .truth(!has(UInt8(ascii: "s"), at: 28)) : .unknown
    setMark("horn", [29, 30], in: &image)
    setMark("timeout_horn", [31], in: &image)
    for item in RTDItem.common { read(item, into: &image, settings: settings) }
  }

  /// Items 14 and 19 show other clocks at times, so that only items 1 and 6 are the game's.
  private func readMainClock(into image: inout ConsoleImage, baseball: Bool) {
    let long = isSeen(6, 8) ? clock(item(6, 8)) : nil
    guard isSeen(1, 5) else { return image.show(clock: long, as: "clock", seen: isSeen(6, 8)) }
    var shown = clock(item(1, 5))
    // Baseball's short form may be hours and minutes; its long form says which.
    if baseball, let long { shown = shown.map { ShownClock(text: $0.text, tenths: long.tenths) } }
    image.show(clock: shown, as: "clock")
  }

  private func read(_ table: RTDTable, into image: inout ConsoleImage, settings: DaktronicsRTD.Settings) {
    for item in table.items { read(item, into: &image, settings: settings) }
    for row in table.rows {
      image[row.name] = .list(
        (0..<row.count).map { index in
          let item = row.item + index * row.stride
          return isSeen(item, row.length)
            ? .shown(number(item, row.length, strict: settings.strictColumns)) : .unknown
        })
    }
    if let penalties = table.penalties { read(penalties, into: &image) }
    if let (name, home, away) = table.holder {
      let isHome = isMarked(home)
      let isAway = isMarked(away)
      let seen = isSeen(home, 1) || isSeen(away, 1)
      // Both marks at once is a moment between two packets, and says nothing.
      image[name] = !seen ? .unknown : isHome == isAway ? .blank : .text(isHome ? "home" : "away")
    }
  }

  private func read(_ item: RTDItem, into image: inout ConsoleImage, settings: DaktronicsRTD.Settings) {
    let seen = isSeen(item.item, item.length)
    switch item.kind {
    case .number:
      image[item.name] =
        seen ? .shown(number(item.item, item.length, strict: settings.strictColumns)) : .unknown
    case .text:
      image[item.name] = seen ? .shown(text(item.item, item.length)) : .unknown
    case .mark:
      image.set(item.name, .truth(text(item.item, item.length) != nil), seen: seen)
    case .clock:
      image.show(clock: clock(self.item(item.item, item.length)), as: item.name, seen: seen)
    }
  }

  /// By slot, not by player: a number may go blank while its penalty runs on.
  private func read(_ penalties: RTDPenalties, into image: inout ConsoleImage) {
    for (team, first) in [("home_", penalties.home), ("away_", penalties.away)] {
      image[team + penalties.name] = .list(
        (0..<penalties.slots).map { slot in
          let item = first + slot * penalties.stride
          var parts: [ConsoleField] = [
            isSeen(item, 2) ? .shown(number(item, 2)) : .unknown,
            isSeen(item + 2, 8) ? .shown(clock(self.item(item + 2, 8))?.text) : .unknown,
          ]
          if let offset = penalties.countOffset {
            parts.append(isSeen(item + offset, 2) ? .shown(number(item + offset, 2)) : .unknown)
          }
          return .list(parts)
        })
    }
  }

  /// One read serves old firmware, which writes the clock anywhere in eight characters with a `z` at their end, and
  /// new firmware, which keeps the `z` in a place of its own.
  private func readShotClock(into image: inout ConsoleImage) {
    let bytes = item(201, 8)
    image.show(clock: clock(bytes), as: "shot_clock", seen: isSeen(201, 7))
    image.set("shot_at_zero", .truth(bytes.contains(UInt8(ascii: "z"))), seen: isSeen(208, 1))
    setMark("shot_horn", [209], in: &image)
  }

  private func readBonus(into image: inout ConsoleImage) {
    for (name, single, double) in [("home_bonus", 222, 223), ("away_bonus", 229, 230)] {
      let level = isMarked(double) ? 2 : isMarked(single) ? 1 : 0
      image.set(name, .number(level), seen: isSeen(single, 1) && isSeen(double, 1))
    }
  }

  /// The half stands in the words of item 148; counting outs would be guessing.
  private func readInningHalf(into image: inout ConsoleImage) {
    guard isSeen(148, 3) else { return }
    switch text(148, 3)?.lowercased() {
    case "top": image["inning_half"] = .text("top")
    case "bot": image["inning_half"] = .text("bottom")
    case nil, _?: image["inning_half"] = .blank
    }
  }

  private func readTrack(into image: inout ConsoleImage) {
    image.show(clock: clock(item(1, 9)), as: "running_clock", seen: isSeen(1, 9))
    var lanes: [String: ConsoleField] = [:]
    for line in 0..<10 where isSeen(241 + 36 * line, 34) {
      let item = 241 + 36 * line
      lanes["\(line + 1)"] = .map([
        "name": .shown(text(item, 15)), "team": .shown(text(item + 15, 5)), "lane": .shown(text(item + 20, 2)),
        "place": .shown(text(item + 22, 3)), "time": .shown(text(item + 25, 9)),
      ])
    }
    image["lines"] = .map(lanes)
  }

  private func setMark(_ name: String, _ items: [Int], in image: inout ConsoleImage) {
    image.set(name, .truth(items.contains(where: isMarked)), seen: items.allSatisfy { isSeen($0, 1) })
  }

  private func isMarked(_ item: Int) -> Bool { !has(0x20, at: item) }
}

extension RTDItem {
  /// The items that all sports with a clock share, but for clock and flags.
  fileprivate static let common: [RTDItem] = {
    let groups: [[RTDItem]] = [
      [
        RTDItem("timeout_clock", 32, 8, .clock), RTDItem("time_of_day", 40, 8, .text),
        RTDItem("period", 142, 2, .text), RTDItem("period_text", 144, 4, .text),
        RTDItem("period_description", 148, 12, .text),
      ],
      pair("name", 48, 68, 20, .text), pair("short_name", 88, 98, 10, .text), pair("score", 108, 112, 4),
      pair("timeouts_left_full", 116, 124, 2), pair("timeouts_left_partial", 118, 126, 2),
      pair("timeouts_left_tv", 120, 128, 2), pair("timeouts_left", 122, 130, 2), pair("timeout", 132, 137, 1, .mark),
    ]
    return groups.flatMap { $0 }
  }()
}
