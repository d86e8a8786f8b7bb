import GameCore
import Input
import Testing

@Suite("Bindings") struct BindingTests {
  private func parse(_ text: String, _ sport: String) -> Binding.Parsed {
    guard case .rules(let rules) = Rules.named(sport) else { fatalError("no rules") }
    return Binding.parse(text, rules: rules)
  }

  @Test(
    "the words of the config mean events of the game",
    arguments: [
      ("home +1", "basketball", GameEvent.Kind.scored(.home, points: 1, player: nil, play: nil)),
      ("away +3", "basketball", .scored(.away, points: 3, player: nil, play: nil)),
      ("home -1", "soccer", .scored(.home, points: -1, player: nil, play: nil)),
      ("Clock  Start/Stop", "ice-hockey", .clockToggled), ("period next", "volleyball", .periodAdvanced),
      ("undo", "tennis", .undone), ("redo", "tennis", .redone), ("horn", "handball", .hornSounded),
      ("home timeout", "futsal", .timeoutCalled(.home)), ("away foul", "futsal", .fouled(.away, by: 1, player: nil)),
      ("possession switch", "water-polo", .possessionSwitched), ("home serve", "volleyball", .possessionSet(.home)),
      ("ball", "baseball", .pitched(.ball)), ("strike", "baseball", .pitched(.strike)),
      ("out", "baseball", .pitched(.out)),
      ("shot clock 14", "basketball", .shotClockReset(.seconds(14))), ("jam start", "roller-derby", .jamStarted),
      ("game final", "console", .finalDeclared(armed: false)), ("game new", "console", .nextGameOpened),
      ("away penalty", "ice-hockey", .penaltyGiven(.away, length: .seconds(120), player: nil)),
      ("away +5", "rugby-union", .scored(.away, points: 5, player: nil, play: nil)),
    ])
  func words(_ text: String, _ sport: String, _ kind: GameEvent.Kind) {
    #expect(parse(text, sport) == .binding(.game(kind)))
  }

  @Test(
    "what the sport does not have is refused with the names that exist",
    arguments: [
      ("home +4", "basketball", "home +3"), ("ball", "soccer", "home +1"), ("clock start", "volleyball", "home serve"),
      ("home foul", "tennis", "serve switch"), ("jam start", "soccer", "period next"), ("home +1", "console", "undo"),
      ("", "soccer", "home +1"), ("goal", "soccer", "home +1"), ("period next", "tennis", "game start"),
      ("home timeout", "soccer", "timeout"), ("shot clock reset", "soccer", "clock start"),
      ("away penalty", "basketball", "away foul"), ("home shootout goal", "basketball", "home +1"),
      ("home serve", "basketball", "possession home"), ("possession home", "volleyball", "home serve"),
    ])
  func refused(_ text: String, _ sport: String, _ named: String) {
    guard case .refused(let why) = parse(text, sport) else {
      Issue.record("\(text) was accepted in \(sport)")
      return
    }
    #expect(why.contains(named) && why.contains(sport))
  }

  @Test("practice is the engine's, and a hold arms what a press must not do")
  func gestures() {
    #expect(parse("practice", "soccer") == .binding(.practice))
    guard case .binding(let end) = parse("game end", "soccer") else { return }
    #expect(end.kind(armed: false) == .gameEnded(armed: false) && end.kind(armed: true) == .gameEnded(armed: true))
  }

  @Test("every word of every sport is its own and is understood")
  func unique() {
    for sport in Sport.allCases {
      let words = Binding.words(for: Rules.usual(for: sport)).map(\.word)
      #expect(Set(words).count == words.count, "\(sport)")
      for word in words { if case .refused(let why) = parse(word, sport.rawValue) { Issue.record("\(why)") } }
    }
  }
}
