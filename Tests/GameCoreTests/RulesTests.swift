import GameCore
import Testing

@Suite("Rules") struct RulesTests {
  private func problems(_ sport: String, _ settings: [(key: String, text: String)] = []) -> [RuleProblem] {
    guard case .problems(let problems) = Rules.named(sport, settings: settings) else { return [] }
    return problems
  }

  @Test("an unknown sport is refused with all fifteen names")
  func unknownSport() {
    let message = problems("cricket").first?.message ?? ""
    #expect(Sport.allCases.allSatisfy { message.contains($0.rawValue) } && Sport.allCases.count == 15)
  }

  @Test(
    "a setting that the sport does not have, or out of range, is refused by its key with what is possible",
    arguments: [
      ("basketball", "period_lenght", "10m", "period_length"), ("basketball", "period_length", "10", "a duration from"),
      ("basketball", "period_length", "3h", "a duration from 1m to 120m"), ("soccer", "bonus_at", "5", "extra_time"),
      ("volleyball", "best_of", "9", "a number from 1 to 5"), ("tennis", "deciding_point", "yes", "true or false"),
      ("basketball", "format", "thirds", "one of quarters, halves"),
      ("basketball", "timeouts", "2,x", "separated by commas"),
      ("console", "period_length", "10m", "grace"), ("ice-hockey", "shootout", "maybe", "true or false"),
    ])
  func refused(_ sport: String, _ key: String, _ text: String, _ possible: String) {
    let found = problems(sport, [(key, text)])
    #expect(found.count == 1 && found.first?.key == key && found.first?.message.contains(possible) == true)
  }

  @Test("every problem is told at once")
  func all() {
    #expect(
      problems("basketball", [("a", "1"), ("grace", "x"), ("period_length", "12m")]).map(\.key) == ["a", "grace"])
  }

  @Test("settings apply in the order of the sport's file, whatever the order in the config")
  func order() {
    let made = rules(.basketball, [("period_length", "16m"), ("format", "halves"), ("shot_clock", "off")])
    #expect(made.periods.count == 2 && made.periods.length == .seconds(960) && made.shotClock.isEmpty)
  }

  @Test("the usual value of every setting of every sport is possible, and writing it changes nothing")
  func usual() {
    for sport in Sport.allCases {
      for setting in Rules.settings(of: sport) {
        let made = Rules.named(sport.rawValue, settings: [(setting.key, setting.usual)])
        #expect(made == .rules(Rules.usual(for: sport)), "\(sport) \(setting.key) \(setting.usual)")
        #expect(!setting.summary.isEmpty)
      }
      let keys = Rules.settings(of: sport).map(\.key)
      #expect(Set(keys).count == keys.count, "\(sport)")
    }
  }

  @Test(
    "durations are spelled with a unit or as minutes and seconds",
    arguments: [
      ("10m", 600_000), ("90s", 90_000), ("1h30m", 5_400_000), ("12:30", 750_000), ("500ms", 500), ("0s", 0),
      ("2min", 120_000),
      ("10", -1), ("", -1), ("m", -1), ("1:7", -1), ("1:70", -1), ("-5s", -1), ("5 s", -1), ("1d", -1),
    ])
  func durations(_ text: String, _ milliseconds: Int) {
    #expect(Duration(spelled: text)?.milliseconds == (milliseconds < 0 ? nil : Int64(milliseconds)))
  }

  @Test(
    "names of periods and breaks are those of the sport",
    arguments: [
      (Sport.basketball, "Q1 End Q1 Q2 Half Q3 End Q3 Q4 End Q4 OT End OT 2OT End 2OT"),
      (.iceHockey, "1st 1st INT 2nd 2nd INT 3rd End 3rd OT End OT"),
      (.soccer, "1H Half 2H End 2H ET1 End ET1 ET2 End ET2"),
      (.floorball, "1st End 1st 2nd End 2nd 3rd End 3rd OT End OT"),
      (.rollerDerby, "P1 Half P2 End P2 OT End OT 2OT End 2OT 3OT End 3OT 4OT End 4OT"),
      (.waterPolo, "Q1 End Q1 Q2 Half Q3 End Q3 Q4 End Q4"),
    ])
  func names(_ sport: Sport, _ expected: String) {
    let rules = rules(sport)
    var words: [String] = []
    var period: Period? = .regular(1)
    for _ in 0..<(sport == .iceHockey || sport == .floorball ? 4 : 6) {
      guard let current = period, current != .shootout else { break }
      words += [rules.name(of: current), rules.breakName(after: current)]
      period = rules.period(after: current, isTied: true)
    }
    #expect(words.joined(separator: " ") == expected)
  }

  @Test("every period is found by its own name and number")
  func found() {
    for sport in Sport.allCases where sport != .console {
      let rules = rules(sport)
      for number in 1...rules.periods.count {
        #expect(rules.period(named: rules.name(of: .regular(number))) == .regular(number))
      }
      if rules.periods.shootout != nil { #expect(rules.period(named: rules.name(of: .shootout)) == .shootout) }
    }
    #expect(rules(.baseball).period(numbered: 10) == .overtime(1))
    #expect(rules(.basketball).period(numbered: 6) == .overtime(2))
    #expect(rules(.iceHockey).period(numbered: 5) == .shootout)
  }

  @Test("team fouls and time-outs begin again where the rules say so")
  func counts() {
    var log = NumberedLog(.basketball)
    log.append(.clockStarted)
    for _ in 0..<4 { log.append(.fouled(.home, by: 1, player: nil), at: 3) }
    log.append(.timeoutCalled(.home), at: 4)
    #expect(log.state.home.fouls == 4 && log.state.home.timeoutsLeft == 1)
    var seconds = 10.0
    func next() {
      seconds += 10
      log.append(.periodAdvanced, at: seconds)
    }
    next()
    next()
    #expect(log.state.home.fouls == 0 && log.state.home.timeoutsLeft == 1)
    next()
    next()
    #expect(log.state.home.timeoutsLeft == 3)
    next()
    next()
    log.append(.fouled(.away, by: 5, player: nil), at: seconds)
    next()
    next()
    #expect(log.state.phase == .live(.overtime(1)))
    #expect(log.state.away.fouls == 5 && log.state.home.timeoutsLeft == 1)
  }
}
