package import GameCore

/// Turns what a console shows into a report for the game: only what was really seen, each clock under its own name.
package enum ConsoleReport {
  /// Nil until the game may be told anything: a board with scores says nothing before both were seen once, as it may
  /// have sent a clock alone for minutes.
  package static func of(_ image: ConsoleImage) -> Report? {
    guard hasBothScores(image) || !mayHaveScores(image) else { return nil }
    var report = Report()
    for side in Side.allCases { report[side] = team(side, image) }
    readClocks(image, into: &report)
    readPeriod(image, into: &report)
    report.possession = possession(image)
    report.balls = image["balls"].number
    report.strikes = image["strikes"].number
    report.outs = image["outs"].number
    report.down = down(image["down"])
    report.distance = image["to_go"].number
    report.ballOn = image["ball_on"].number
    return report
  }

  /// Whether the scores are still awaited: for the status page.
  package static func isWaitingForScores(_ image: ConsoleImage) -> Bool {
    mayHaveScores(image) && !hasBothScores(image)
  }

  private static func hasBothScores(_ image: ConsoleImage) -> Bool {
    Side.allCases.allSatisfy { score($0, image) != nil || image["\($0.rawValue)_sets"].number != nil }
  }

  /// Pools' boards have lanes and no scores; scores come from elsewhere, and event and clock pass without them.
  private static func mayHaveScores(_ image: ConsoleImage) -> Bool {
    let pool = ["running_clock", "running_clock_text", "lanes", "race"]
    return !pool.contains { image.fields[$0] != nil }
  }

  /// Fencing names its sides by where the fencers stand: left is home.
  private static func score(_ side: Side, _ image: ConsoleImage) -> Int? {
    image["\(side.rawValue)_score"].number ?? image[side == .home ? "left_score" : "right_score"].number
  }

  private static func team(_ side: Side, _ image: ConsoleImage) -> Report.Side {
    var team = Report.Side()
    let name = { (field: String) in "\(side.rawValue)_\(field)" }
    if image.fields[name("sets")] != nil {
      team.sets = image[name("sets")].number
      team.games = image[name("games")].number
      team.points = points(image[name("points")]) ?? image[name("score")].number.map { .number($0) }
    } else {
      team.score = score(side, image)
    }
    team.fouls = image[name("fouls")].number
    team.timeoutsLeft = image[name("timeouts_left")].number
    team.timeoutsTaken = image[name("timeouts_taken")].number
    team.shots = image[name("shots")].number
    team.penalties = penalties(side, image)
    if image.isSeen(name("bonus")) {
      team.bonus = image[name("bonus")].truth ?? image[name("bonus")].number.map { $0 > 0 }
    }
    return team
  }

  private static func points(_ field: ConsoleField) -> TennisPoint? {
    guard let text = field.text?.uppercased() else { return field.number.map { .number($0) } }
    return text.hasPrefix("A") ? .advantage : decimal(text.utf8).map { .number($0) }
  }

  /// Those with time left, in the order of their slots. Nil while no slot was ever seen.
  private static func penalties(_ side: Side, _ image: ConsoleImage) -> [Report.ReportedPenalty]? {
    if let slots = image["penalties"].members {
      let own = slots.filter { $0.key.hasPrefix(side.rawValue) }.sorted { $0.key < $1.key }
      guard !own.isEmpty else { return nil }
      let players = image["penalty_players"].members
      return own.compactMap { penalty(seconds: $1, player: players?[$0]) }
    }
    let list = image["\(side.rawValue)_penalties"].elements ?? image["\(side.rawValue)_exclusions"].elements
    guard let list, list.isEmpty || list.contains(where: isSeen) else { return nil }
    return list.compactMap { slot in
      guard let parts = slot.elements else { return penalty(seconds: slot, player: nil) }
      let seconds = parts.count > 1 ? parts[1].text.flatMap(ShownClock.init(reading:)).map { $0.tenths / 10 } : nil
      return penalty(seconds: .shown(seconds), player: parts.first)
    }
  }

  private static func isSeen(_ slot: ConsoleField) -> Bool {
    switch slot {
    case .unknown: false
    case .list(let parts): parts.contains(where: isSeen)
    case .blank, .number, .text, .truth, .map: true
    }
  }

  private static func penalty(seconds: ConsoleField, player: ConsoleField?) -> Report.ReportedPenalty? {
    guard let seconds = seconds.number, seconds > 0 else { return nil }
    return Report.ReportedPenalty(
      player: player?.number.map { String($0) } ?? player?.text, remaining: .seconds(seconds))
  }

  /// Rest and time-out clocks stand in the same digits on many boards, and never land in the game clock.
  private static func readClocks(_ image: ConsoleImage, into report: inout Report) {
    let running = image["clock_running"].truth
    let isRest = image["clock_kind"].text.map { $0 == "rest" }
    report.isRest = isRest
    if let tenths = image["clock_tenths"].number {
      let clock = Report.Clock(reading: .milliseconds(tenths * 100), running: running)
      if isRest == true { report.restClock = clock } else { report.clock = clock }
    }
    if isRest != true {
      report.clockText = image["clock"].text ?? image["running_clock_text"].text ?? image["running_clock"].text
    }
    report.shotClock = shotClock(image)
    readTimeout(image, into: &report)
  }

  private static func readTimeout(_ image: ConsoleImage, into report: inout Report) {
    let fields = ["timeout_clock_tenths", "timeout_clock_s"].filter { image.isSeen($0) }
    guard let name = fields.first else { return }
    let tenths = image[name].number.map { name.hasSuffix("_s") ? $0 * 10 : $0 } ?? 0
    report.isTimeout = tenths > 0
    if tenths > 0, report.restClock == nil { report.restClock = Report.Clock(reading: .milliseconds(tenths * 100)) }
  }

  /// The second clock, where the board shows it: some boards send the digits of one that is switched off.
  private static func shotClock(_ image: ConsoleImage) -> Report.Clock? {
    if image["shot_shown"].truth == false, !isShotClockAlone(image) { return nil }
    let tenths =
      image["shot_tenths"].number ?? image["shot_clock_tenths"].number ?? image["play_clock_tenths"].number
      ?? image["shot_clock"].number.map { $0 * 10 } ?? image["play_clock"].number.map { $0 * 10 }
    return tenths.map { Report.Clock(reading: .milliseconds($0 * 100), running: image["shot_running"].truth) }
  }

  /// A desk for the shot clock alone leaves every other field blank, its mark for "shown" among them.
  private static func isShotClockAlone(_ image: ConsoleImage) -> Bool {
    image["home_score"] == .blank && image["away_score"] == .blank && image["clock"] == .blank
      && image["period"] == .blank
  }

  private static func readPeriod(_ image: ConsoleImage, into report: inout Report) {
    let shown = image["period"].text ?? image["match"].number.map { String($0) }
    if let shown, let number = decimal(shown.utf8), number > 0 { report.periodNumber = number }
    // A text such as 1ST says no more than the number; OT, or a board without a number, does.
    let texts = [shown, image["period_text"].text].compactMap { $0 }
    report.periodText = texts.first { $0.utf8.first.map { $0 < 48 || $0 > 57 } ?? false && $0 != "R" }
    if let event = image["event"].text ?? image["event"].number.map({ String($0) }) {
      let heat = image["heat"].text ?? image["heat"].number.map { String($0) }
      report.periodText = "Event \(event)" + (heat.map { ", heat \($0)" } ?? "")
    }
    guard image.fields["inning"] != nil else { return }
    report.inning = report.periodNumber
    report.isTopOfInning = image["inning_half"].text.map { $0 == "top" }
  }

  private static func possession(_ image: ConsoleImage) -> Report.Possession? {
    for name in ["possession", "serve", "at_bat", "priority"] {
      switch image[name] {
      case .text("home"), .text("left"): return .home
      case .text("away"), .text("right"): return .away
      case .blank: return Report.Possession.none
      case .unknown, .number, .text, .truth, .list, .map: continue
      }
    }
    return nil
  }

  /// `2ND` on one board, 2 on another.
  private static func down(_ field: ConsoleField) -> Int? {
    field.number ?? field.text.flatMap { decimal($0.utf8.prefix(1)) }
  }
}
