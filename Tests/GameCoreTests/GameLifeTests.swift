import GameCore
import Testing

@Suite("A game's life") struct GameLifeTests {
  private let defaults = Pair(home: Team(name: "Home", code: "hom"), away: Team(name: "Guests", code: "gst"))

  private func wall(_ seconds: Double) -> WallTime { moment(seconds).wall }

  @Test("buttons alone open, play, finish and open again")
  func buttons() {
    var game = Game(id: "a", rules: rules(.basketball))
    var at = 0.0
    func press(_ kind: GameEvent.Kind) -> Game.Answer.Verdict {
      at += 5
      return game.handle(event(kind, id: "p\(at)", at: at)).verdict
    }
    #expect(press(.nextGameOpened) == .counted && game.state.life == .open)
    #expect(press(plus(.home, 2)) == .counted && game.state.life == .playing)
    #expect(press(.nextGameOpened) != .counted)
    #expect(press(.gameEnded(armed: true)) == .counted && game.state.life == .settling)
    #expect(press(plus(.away, 3)) == .counted && game.state.score == Pair(home: 2, away: 3))
    #expect(press(.clockStarted) != .counted)
    #expect(press(.nextGameOpened) == .counted && game.state.life == .ended)
    #expect(press(plus(.home, 2)) != .counted && press(.undone) != .counted)
    #expect(press(.nextGameOpened) == .counted)
  }

  @Test("the start window opens by schedule; a start waits for names until it closes, then the defaults serve")
  func startWindow() {
    var game = Game(id: "a", rules: rules(.basketball), scheduledStart: wall(1200))
    #expect(game.nextDeadline == Instant(nanoseconds: 0))
    #expect(game.timePassed(at: moment(0)).isEmpty && game.state.life == .announced)
    #expect(game.nextDeadline == moment(60).instant)
    #expect(game.timePassed(at: moment(570)).isEmpty && game.nextDeadline == moment(600).instant)
    #expect(game.timePassed(at: moment(600)).map(\.event.kind) == [.opened])
    #expect(game.start(defaults: defaults, at: moment(601)) == .wait(until: moment(1800).instant))
    #expect(game.start(defaults: defaults, at: moment(1800)) == .start(defaults))
    let home = Team(name: "Riverton", code: "riv")
    _ = game.handle(event(.teamsNamed(home: home, away: nil), id: "n", at: 700))
    #expect(game.start(defaults: defaults, at: moment(701)) == .wait(until: moment(1800).instant))
    _ = game.handle(event(.playStarted, id: "s", at: 720))
    #expect(game.start(defaults: defaults, at: moment(721)) == .start(Pair(home: home, away: defaults.away)))
    _ = game.handle(event(.namesFrozen, id: "f", at: 722))
    let late = game.handle(event(.teamsNamed(home: nil, away: home), id: "m", at: 723))
    #expect(late.verdict == .ignored(Ignored("the activity has started; its names cannot change any more")))
  }

  @Test("the settling begins anew with each correction, undo included, and ends at its bound")
  func settling() {
    var game = Game(id: "a", rules: rules(.basketball, [("settle", "2m"), ("settle_at_most", "5m")]), opening: .open)
    _ = game.handle(event(.playStarted, id: "s", at: 0))
    _ = game.handle(event(plus(.home, 2), id: "h", at: 5))
    _ = game.handle(event(.finalDeclared(armed: true), id: "f", at: 10))
    #expect(game.nextDeadline == moment(130).instant)
    _ = game.handle(event(plus(.away, 1), id: "c", at: 100))
    #expect(game.nextDeadline == moment(220).instant)
    _ = game.handle(event(.undone, id: "u", at: 200))
    #expect(game.nextDeadline == moment(310).instant && game.state.score == Pair(home: 2, away: 0))
    #expect(game.timePassed(at: moment(310)).map(\.event.kind) == [.settled])
    #expect(game.state.life == .ended && game.nextDeadline == nil)
  }

  @Test("the end of regulation is no final; a decided game that is quiet for the configured time is")
  func quiet() {
    var game = Game(id: "a", rules: rules(.basketball, [("quiet_final", "10m")]), opening: .open)
    _ = game.handle(event(.periodSet(.regular(4)), id: "p", at: 0))
    _ = game.handle(event(.periodAdvanced, id: "e", at: 10))
    _ = game.timePassed(at: moment(5000))
    #expect(game.state.life == .playing, "level: overtime is to come")
    _ = game.handle(event(plus(.home, 2), id: "h", at: 5001))
    #expect(game.nextDeadline == moment(5601).instant)
    _ = game.timePassed(at: moment(5601))
    #expect(game.state.life == .settling)
    var plain = Game(id: "b", rules: rules(.basketball), opening: .open)
    _ = plain.handle(event(.periodSet(.regular(4)), id: "p", at: 0))
    _ = plain.handle(event(plus(.home, 2), id: "h", at: 5))
    _ = plain.handle(event(.periodAdvanced, id: "e", at: 10))
    _ = plain.timePassed(at: moment(90_000))
    #expect(plain.state.life == .playing && plain.nextDeadline == nil)
  }

  @Test(
    "what ends or resets needs a hold, and not within two seconds of a start",
    arguments: [
      GameEvent.Kind.finalDeclared(armed: false), .gameEnded(armed: false), .gameReset(armed: false),
      .calledOff(.abandoned, armed: false), .retired(.home, armed: false),
    ])
  func guards(_ kind: GameEvent.Kind) {
    var game = Game(id: "a", rules: rules(.tennis), opening: .open)
    _ = game.handle(event(.playStarted, id: "s", at: 0))
    let playing = game.state
    _ = game.handle(event(kind.armed(true), id: "soon", at: 1.9))
    _ = game.handle(event(kind, id: "press", at: 5))
    #expect(game.state == playing)
    #expect(game.handle(event(kind.armed(true), id: "hold", at: 6)).verdict == .counted)
  }

  @Test("a press that meant to end the period does not start the next one, as the clock was faster")
  func periodTwice() {
    var game = Game(id: "a", rules: rules(.basketball), opening: .open)
    _ = game.handle(event(.clockStarted, id: "s", at: 0))
    #expect(game.handle(event(.periodAdvanced, id: "p", at: 604)).verdict != .counted)
    #expect(game.state.phase == .intermission(Rest(after: .regular(1), since: moment(603).instant)))
    #expect(game.handle(event(.periodAdvanced, id: "q", at: 606)).verdict == .counted)
  }
}
