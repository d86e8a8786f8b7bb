import GameCore

/// Rules of a sport, with settings that a test is about.
func rules(_ sport: Sport, _ settings: [(key: String, text: String)] = []) -> Rules {
  switch Rules.named(sport.rawValue, settings: settings) {
  case .rules(let rules): rules
  case .problems(let problems): fatalError("\(problems)")
  }
}

/// Seconds since an arbitrary origin, on both clocks.
func moment(_ seconds: Double) -> Moment {
  let nanoseconds = Int64(seconds * 1_000_000_000)
  return Moment(
    instant: Instant(nanoseconds: 1_000_000_000_000 + nanoseconds),
    wall: WallTime(milliseconds: 1_796_440_000_000 + nanoseconds / 1_000_000))
}

func event(_ kind: GameEvent.Kind, id: String, at seconds: Double = 0, _ sort: Source.Sort = .button) -> GameEvent {
  GameEvent(id: id, source: Source(sort), moment: moment(seconds), kind: kind)
}

/// A log that numbers what is appended to it.
struct NumberedLog {
  var log: GameLog
  private var next = 0

  init(_ sport: Sport, _ settings: [(key: String, text: String)] = []) {
    log = GameLog(rules: rules(sport, settings), opening: .open)
  }

  @discardableResult
  mutating func append(_ kind: GameEvent.Kind, at seconds: Double = 0, _ sort: Source.Sort = .button) -> Outcome {
    next += 1
    return log.append(event(kind, id: "e\(next)", at: seconds, sort))
  }

  var state: GameState { log.state }
}

func plus(_ side: Side, _ points: Int) -> GameEvent.Kind { .scored(side, points: points, player: nil, play: nil) }
