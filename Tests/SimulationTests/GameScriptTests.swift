import GameCore
import LiveContract
import Publishing
import Simulation
import Testing

@Suite("Game scripts") struct GameScriptTests {
  private func rules(_ sport: Sport) -> Rules {
    guard case .rules(let rules) = Rules.named(sport.rawValue) else { fatalError("no rules") }
    return rules
  }

  @Test(
    "every seed plays a whole game of every sport to its final, and the log folds to the same state",
    arguments: Sport.allCases)
  func whole(_ sport: Sport) {
    let rules = rules(sport)
    for seed in 1...8 {
      let script = GameScript(rules: rules, seed: UInt64(seed))
      var game = Game(id: "g", rules: rules)
      var now = Moment(instant: Instant(nanoseconds: 5), wall: WallTime(milliseconds: 1_796_000_000_000))
      for (index, step) in script.steps.enumerated() {
        now = Moment(instant: now.instant + step.delay, wall: now.wall + step.delay)
        _ = game.handle(GameEvent(id: "e\(index)", source: step.source, moment: now, kind: step.kind))
      }
      now = Moment(instant: now.instant + script.settles, wall: now.wall + script.settles)
      _ = game.timePassed(at: now)
      #expect(game.state.life == .ended, "\(sport) seed \(seed): \(game.state.phase)")
      #expect(game.state == game.log.folded(), "\(sport) seed \(seed)")
      #expect(script.steps.count > 10 && script.steps.count < 2_000, "\(sport) seed \(seed): \(script.steps.count)")
    }
  }

  @Test("the same seed writes the same game, another seed another")
  func seeds() {
    for sport in Sport.allCases {
      let rules = rules(sport)
      #expect(GameScript(rules: rules, seed: 7).steps == GameScript(rules: rules, seed: 7).steps)
      #expect(GameScript(rules: rules, seed: 7).steps != GameScript(rules: rules, seed: 8).steps)
    }
  }
}
