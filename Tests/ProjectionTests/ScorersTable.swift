import GameCore
import Input
import LiveContract
import Publishing

/// A scorer's table in words: each step says how long after the last one somebody presses, holds or a console reports
/// what, and the table answers with what the phones would show then.
struct ScorersTable {
  var game: Game
  let names: Pair<Team>
  var texts = Texts()
  var now: Moment
  var timeIsTrusted = true
  var refusal: String?
  var plan: [PublishPlan.Update] = []
  private var counter = 0

  init(
    _ sport: String, _ settings: [(key: String, text: String)] = [], opening: Opening = .open,
    teams: Pair<Team> = Pair(home: Team(name: "Riverton", code: "riv"), away: Team(name: "Harbor City", code: "har"))
  ) {
    guard case .rules(let rules) = Rules.named(sport, settings: settings) else { fatalError("no rules for \(sport)") }
    names = teams
    now = Moment(instant: Instant(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_796_440_000_000))
    game = Game(id: "game-1", rules: rules, names: Pair(home: names.home, away: names.away), opening: opening)
  }

  var rules: Rules { game.rules }

  /// `3 home +2`: three seconds later. `hold game final` is armed; `wait` only lets time pass.
  mutating func step(_ line: String) {
    var words = line.split(separator: " ").map(String.init)
    if let seconds = Double(words[0]) {
      words.removeFirst()
      pass(.milliseconds(Int64(seconds * 1000)))
    }
    plan = []
    refusal = nil
    let accepted = game.timePassed(at: now)
    note(accepted)
    if words == ["wait"] { return }
    act(words)
  }

  private mutating func act(_ words: [String]) {
    switch words[0] {
    case "report": happened(.reported(Report(words: words.dropFirst())), .console)
    case "set": happened(.totalSet(.init(rawValue: words[1])!, Side(rawValue: words[2])!, Int(words[3])!), .mqtt)
    case "clockset": happened(.clockSet(Duration(clock: words[1])), .mqtt)
    case "period": if words[1] == "next" { press(words, armed: false) } else { setPeriod(words) }
    case "penalty":
      happened(.penaltyGiven(Side(rawValue: words[1])!, length: Duration(clock: words[2]), player: words[3]))
    case "goal", "score":
      let points = Int(words[2])!
      happened(.scored(Side(rawValue: words[1])!, points: points, player: words[3], play: words.dropFirst(4).first))
    case "wrong": happened(.corrected(id: words[1], to: words.count > 2 ? kind(words.dropFirst(2)) : nil), .mqtt)
    case "lastplay": happened(.lastPlaySet(words.dropFirst().joined(separator: " ")), .mqtt)
    case "retire": happened(.retired(Side(rawValue: words[1])!, armed: true))
    case "hold": press(words.dropFirst(), armed: true)
    default: press(words[...], armed: false)
    }
  }

  private mutating func setPeriod(_ words: [String]) {
    guard let period = rules.period(named: words.dropFirst().joined(separator: " ")) else { fatalError("\(words)") }
    happened(.periodSet(period), .mqtt)
  }

  private func kind(_ words: some Collection<String>, armed: Bool = false) -> GameEvent.Kind {
    let text = words.joined(separator: " ")
    guard case .binding(let binding) = Binding.parse(text, rules: rules), let kind = binding.kind(armed: armed) else {
      fatalError("no such press: \(text)")
    }
    return kind
  }

  private mutating func press(_ words: some Collection<String>, armed: Bool) { happened(kind(words, armed: armed)) }

  mutating func pass(_ duration: Duration) {
    now = Moment(instant: now.instant + duration, wall: now.wall + duration)
  }

  @discardableResult
  mutating func happened(_ kind: GameEvent.Kind, _ sort: Source.Sort = .button, id: String? = nil) -> Game.Answer {
    counter += 1
    let event = GameEvent(id: id ?? "e\(counter)", source: Source(sort), moment: now, kind: kind)
    let answer = game.handle(event)
    refusal = nil
    if case .ignored(let ignored) = answer.verdict { refusal = ignored.reason }
    if case .held = answer.verdict { refusal = "held" }
    note(answer.accepted)
    return answer
  }

  private mutating func note(_ accepted: [Game.Accepted]) {
    for one in accepted {
      plan +=
        PublishPlan(
          one.change, state: game.state, rules: rules, names: names, texts: texts, at: now
        ).updates
    }
  }

  /// The alerts of the plan that ring by the usual rules.
  var rung: [Alert] { plan.filter { EventRules()[$0.kind].alert != .none }.compactMap(\.alert) }

  var content: GameAttributes.ContentState {
    GameAttributes.ContentState(
      game.published, rules: rules, names: names, texts: texts,
      in: ProjectionContext(moment: now, timeIsTrusted: timeIsTrusted))
  }

  /// `3-0 live Q1 9:50 down | RIV three-pointer`: everything but the anchor, which must agree with the clock.
  var shown: String {
    let content = content
    let refused = refusal.map { " ! \($0)" } ?? ""
    let clock = content.clock.isEmpty ? "" : " [\(content.clock)]"
    let anchor = anchorAgrees(content) ? "" : " ANCHOR \(content.clockAnchorMs)"
    let lastPlay = content.lastPlay.isEmpty ? "" : " \(content.lastPlay)"
    return "\(content.homeScore)-\(content.awayScore) \(content.gameStatus.rawValue) \(content.period)\(clock)"
      + " \(content.clockDir.rawValue) |\(lastPlay)\(refused)\(anchor)"
  }

  /// The anchor of a running clock is now plus or minus its reading; of a stopped one it is 0.
  private func anchorAgrees(_ content: GameAttributes.ContentState) -> Bool {
    let away = Int64(content.clockAnchorMs) - now.wall.milliseconds
    switch content.clockDir {
    case .stop: return content.clockAnchorMs == 0
    case .down: return GameClock.Direction.down.text(of: .milliseconds(away)) == content.clock
    case .up:
      return content.clock.contains("+") || GameClock.Direction.up.text(of: .milliseconds(-away)) == content.clock
    }
  }

  /// Plays a script and returns each step whose payload is another than the one expected.
  mutating func play(_ script: [(step: String, shows: String)]) -> [String] {
    var wrong: [String] = []
    for (index, line) in script.enumerated() {
      step(line.step)
      if shown != line.shows { wrong.append("step \(index + 1), \(line.step): shows '\(shown)', not '\(line.shows)'") }
      refusal = nil
    }
    return wrong
  }
}

extension Duration {
  /// `5:32` or `14.5`.
  init(clock: String) {
    let parts = clock.split(separator: ":")
    let seconds = Double(parts.last!)! + (parts.count == 2 ? 60 * Double(parts[0])! : 0)
    self = .milliseconds(Int64(seconds * 1000))
  }
}

extension Report {
  /// `home=41 away=38 clock=5:32 run shot=14 period=3`.
  init(words: some Sequence<String>) {
    self.init()
    for word in words {
      let parts = word.split(separator: "=").map(String.init)
      take(parts[0], parts.count > 1 ? parts[1] : "")
    }
  }

  private mutating func take(_ key: String, _ value: String) {
    switch key {
    case "home": home.score = Int(value)
    case "away": away.score = Int(value)
    case "sets":
      (home.sets, away.sets) = (Int(value.prefix(1)), Int(value.suffix(1)))
    case "games":
      (home.games, away.games) = (Int(value.prefix(1)), Int(value.suffix(1)))
    case "points":
      let parts = value.split(separator: "-").map { $0 == "A" ? TennisPoint.advantage : .number(Int($0)!) }
      (home.points, away.points) = (parts[0], parts[1])
    case "clock": clock = Clock(reading: Duration(clock: value), running: clock?.running)
    case "run": clock?.running = true
    case "stop": clock?.running = false
    case "shot": shotClock = Clock(reading: Duration(clock: value))
    case "rest": restClock = Clock(reading: Duration(clock: value))
    case "break": isRest = true
    case "period": periodNumber = Int(value)
    case "text": periodText = value
    case "clocktext": clockText = value
    case "fouls":
      (home.fouls, away.fouls) = (Int(value.prefix(1)), Int(value.suffix(1)))
    default: fatalError("no such field: \(key)")
    }
  }
}
