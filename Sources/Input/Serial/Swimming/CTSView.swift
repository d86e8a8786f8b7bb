/// Reads the modules of a swimming or a water polo set-up.
extension CTSMemory {
  func swimmingImage() -> ConsoleImage {
    var image = ConsoleImage()
    if isSeen(0) {
      let time = time(0)
      image["running_clock_text"] = .shown(time)
      image["running_clock_hundredths"] = .shown(time.flatMap(ShownClock.hundredths(of:)))
    }
    let lanes = (1...10).filter(isSeen)
    if !lanes.isEmpty {
      image["lanes"] = .map(Dictionary(uniqueKeysWithValues: lanes.map { ("\($0)", lane($0)) }))
      image["finals"] = .map(
        Dictionary(uniqueKeysWithValues: lanes.compactMap { number in final(number).map { ("\(number)", $0) } }))
    }
    if isSeen(0x0C) {
      image["event"] = .shown(lit(0x0C, 0...2))
      image["heat"] = .shown(lit(0x0C, 5...7))
    }
    if isSeen(0x16) {
      let minutes = lit(0x16, 4...5)
      image["time_of_day"] = .shown(minutes.map { (lit(0x16, 2...3) ?? "") + ":" + $0 })
    }
    return image
  }

  /// A swimming lane's digits are the last race's, so neither time nor place of it is told. A dark lane digit makes the
  /// whole lane dark, whatever its running mark says: no lane swims there, or, in BLANK mode, the module shows the time
  /// of day.
  private func lane(_ channel: Int) -> ConsoleField {
    guard let lane = lit(channel, 0...0) else {
      return .map(["lane": .blank, "place": .blank, "running": .truth(false), "time": .blank])
    }
    if isRunning(channel) { return .map(["lane": .text(lane), "running": .truth(true), "time": .blank]) }
    return .map([
      "lane": .text(lane), "place": .shown(lit(channel, 1...1)), "running": .truth(false),
      "time": .shown(time(channel)),
    ])
  }

  /// A touch is sent twice, corrected the second time: its time is final once two cycles agree.
  private func final(_ channel: Int) -> ConsoleField? {
    guard !isRunning(channel), isSettled(channel), lit(channel, 0...0) != nil, let time = time(channel) else {
      return nil
    }
    return .map(["place": .shown(lit(channel, 1...1)), "time": .text(time)])
  }

  /// `M:SS.hh` of places 2 to 7, as far as it is lit.
  private func time(_ channel: Int) -> String? {
    let minutes = lit(channel, 2...3)
    let seconds = lit(channel, 4...5)
    let fraction = lit(channel, 6...7)
    guard minutes != nil || seconds != nil || fraction != nil else { return nil }
    let whole = minutes.map { $0 + ":" + (seconds.map { $0.count == 1 ? "0" + $0 : $0 } ?? "00") } ?? seconds ?? "0"
    return fraction.map { whole + "." + $0 } ?? whole
  }

  func waterPoloImage(_ channels: CTSGen6.Channels) -> ConsoleImage {
    var image = ConsoleImage()
    if isSeen(channels.clock) { image.show(clock: gameClock(channels.clock), as: "clock") }
    if isSeen(channels.shotClock) {
      image["shot_clock"] = .shown(number(channels.shotClock, 2...5))
    } else if isSeen(channels.period) {
      image["shot_clock"] = .shown(number(channels.period, 3...5))
    }
    if isSeen(channels.score) {
      image["home_score"] = .shown(number(channels.score, 0...1))
      image["away_score"] = .shown(number(channels.score, 6...7))
    }
    if isSeen(channels.period) { image["period"] = .shown(lit(channels.period, 1...1)) }
    return image
  }

  /// `M:SS`, or seconds and a tenth in the last minute.
  private func gameClock(_ channel: Int) -> ShownClock? {
    if let tenth = number(channel, 6...6), number(channel, 2...3) == nil {
      return ShownClock(tenths: (number(channel, 4...5) ?? 0) * 10 + tenth)
    }
    guard number(channel, 2...5) != nil else { return nil }
    return ShownClock(minutes: number(channel, 2...3) ?? 0, seconds: number(channel, 4...5) ?? 0)
  }
}
