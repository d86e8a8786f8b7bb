package import GameCore

/// What a press means for its court, from the words of the config (`home +1`, `clock start/stop`).
package enum Binding: Hashable, Sendable {
  /// One event of the game; `armed` is filled in by the gesture.
  case game(GameEvent.Kind)
  /// Practice on or off: the engine's business, not the game's.
  case practice

  package enum Parsed: Hashable, Sendable {
    case binding(Binding)
    /// With the words that exist.
    case refused(String)
  }

  package static func parse(_ text: String, rules: Rules) -> Parsed {
    let known = words(for: rules)
    let wanted = text.lowercased().split(separator: " ").joined(separator: " ")
    if let found = known.first(where: { $0.word == wanted }) { return .binding(found.binding) }
    let names = known.map(\.word).joined(separator: ", ")
    return .refused("'\(text)' means nothing in \(rules.sport.rawValue); possible are \(names)")
  }

  /// Every word of a sport, in the order in which a person would look for it.
  package static func words(for rules: Rules) -> [(word: String, binding: Binding)] {
    var words: [(word: String, binding: Binding)] = []
    func add(_ word: String, _ kind: GameEvent.Kind) { words.append((word, .game(kind))) }
    for side in Side.allCases { addScores(side, rules, add) }
    if rules.clock != nil { addClock(add) }
    if !rules.shotClock.isEmpty { addShotClock(rules, add) }
    if rules.hasBreaks { add("period next", .periodAdvanced) }
    for side in Side.allCases { addCounts(side, rules, add) }
    addPossession(rules, add)
    addPlays(rules, add)
    for (word, kind) in Self.common { add(word, kind) }
    words.append(("practice", .practice))
    return words
  }

  private typealias Add = (String, GameEvent.Kind) -> Void

  private static func addScores(_ side: Side, _ rules: Rules, _ add: Add) {
    let name = side.rawValue
    for step in rules.scoreSteps {
      add("\(name) +\(step)", .scored(side, points: step, player: nil, play: nil))
    }
    if let most = rules.scoreSteps.max() {
      for step in 1...most { add("\(name) -\(step)", .scored(side, points: -step, player: nil, play: nil)) }
    }
  }

  private static func addClock(_ add: Add) {
    add("clock start/stop", .clockToggled)
    add("clock start", .clockStarted)
    add("clock stop", .clockStopped)
    add("clock +1s", .clockAdjusted(.seconds(1)))
    add("clock -1s", .clockAdjusted(.seconds(-1)))
  }

  private static func addShotClock(_ rules: Rules, _ add: Add) {
    add("shot clock reset", .shotClockReset(nil))
    for value in rules.shotClock { add("shot clock \(value.components.seconds)", .shotClockReset(value)) }
    add("shot clock stop", .shotClockStopped)
  }

  private static func addCounts(_ side: Side, _ rules: Rules, _ add: Add) {
    let name = side.rawValue
    if rules.timeouts.allowance != nil { add("\(name) timeout", .timeoutCalled(side)) }
    if rules.fouls.areCounted {
      add("\(name) foul", .fouled(side, by: 1, player: nil))
      add("\(name) foul -1", .fouled(side, by: -1, player: nil))
    }
    add("\(name) shot", .shotTaken(side, by: 1))
    if let usual = rules.penalties.first {
      add("\(name) penalty", .penaltyGiven(side, length: usual, player: nil))
      add("\(name) penalty over", .penaltyOver(side, slot: 1))
    }
    if rules.periods.shootout != nil {
      add("\(name) shootout goal", .shootoutAttempted(side, scored: true))
      add("\(name) shootout miss", .shootoutAttempted(side, scored: false))
    }
  }

  private static func addPossession(_ rules: Rules, _ add: Add) {
    switch rules.possession {
    case .none: break
    case .possession:
      add("possession home", .possessionSet(.home))
      add("possession away", .possessionSet(.away))
      add("possession none", .possessionSet(nil))
      add("possession switch", .possessionSwitched)
    case .serve:
      add("home serve", .possessionSet(.home))
      add("away serve", .possessionSet(.away))
      add("serve switch", .possessionSwitched)
    }
  }

  private static func addPlays(_ rules: Rules, _ add: Add) {
    if case .innings = rules.scoring {
      add("ball", .pitched(.ball))
      add("strike", .pitched(.strike))
      add("foul ball", .pitched(.foulBall))
      add("out", .pitched(.out))
      add("new batter", .pitched(.newBatter))
    }
    if rules.sport == .rollerDerby {
      add("jam start", .jamStarted)
      add("jam end", .jamEnded)
    }
  }

  private static let common: [(String, GameEvent.Kind)] = [
    ("undo", .undone), ("redo", .redone), ("horn", .hornSounded),
    ("timeout", .timeoutCalled(nil)), ("timeout end", .timeoutOver),
    ("review", .reviewStarted), ("review end", .reviewOver), ("delay", .delayed), ("resume", .resumed),
    ("held confirm", .heldConfirmed), ("held reject", .heldRejected),
    ("game open", .opened), ("game start", .playStarted), ("game final", .finalDeclared(armed: false)),
    ("game end", .gameEnded(armed: false)), ("game reset", .gameReset(armed: false)),
    ("game abandon", .calledOff(.abandoned, armed: false)), ("game cancel", .calledOff(.cancelled, armed: false)),
    ("game postpone", .calledOff(.postponed, armed: false)), ("game new", .nextGameOpened),
  ]

  /// The event's kind for a gesture: a hold, a chord or a confirmed command arms what a mere press must not do.
  package func kind(armed: Bool) -> GameEvent.Kind? {
    guard case .game(let kind) = self else { return nil }
    return kind.armed(armed)
  }
}

extension Rules {
  /// Periods that a press begins or ends: tennis goes from set to set by its points, a board without rules by its reports.
  fileprivate var hasBreaks: Bool {
    switch scoring {
    case .points, .sets, .innings: true
    case .tennis, .reports: false
    }
  }
}
