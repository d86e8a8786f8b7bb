internal import Bridge
internal import GameCore
internal import LiveContract
internal import Publishing

// What must always hold (style 3), each as a sentence when it does not.
extension World {
  /// After every step.
  mutating func check() {
    guard engine != nil else { return }
    // A queue that grows is still long a few steps later.
    for lane in tally.steps % 8 == 0 ? engine!.laneViews(at: clock.moment.instant) : [] where lane.report.queued > 17 {
      broken.append("\(lane.sink.rawValue): \(lane.report.queued) wait")
    }
    if let peaceAt, peaceAt <= clock.elapsed {
      self.peaceAt = nil
      checkPeace()
    }
  }

  /// After a restart: what somebody was told is counted is counted, once, and nothing is there twice.
  mutating func checkMemory() {
    guard let engine else { return }
    let ids = engine.game(onCourt: 0).log.events.map(\.id)
    if Set(ids).count != ids.count { broken.append("an event is in the log twice") }
    let known = Set(ids)
    for id in receipts.sorted() where !known.contains(id) { broken.append("counted and gone: \(id)") }
  }

  /// Everything has worked for a while: phones show the game.
  private mutating func checkPeace() {
    guard let engine else { return }
    let wanted = engine.shownState(onCourt: 0, at: clock.moment)
    for lane in engine.laneViews(at: clock.moment.instant) where !lane.isOver {
      guard let shown = screen(of: lane)?.shown else {
        // Before play nothing has to be there; later somebody must have been told, or told why not.
        if wanted.gameStatus == .live { broken.append("\(lane.sink.rawValue): phones were never told") }
        continue
      }
      if !Self.isSame(shown, wanted) {
        broken.append(
          "\(lane.sink.rawValue): phones show \(shown.line), the game is \(Self.words(wanted)); \(lane.report)")
      }
    }
  }

  /// The game is over and so are its activities, or there is nothing more to wait for.
  var isOver: Bool {
    guard isCalm, people.endingAt != nil, peaceAt == nil, engine != nil else { return false }
    return engine!.game(onCourt: 0).state.life == .ended
      && engine!.laneViews(at: clock.moment.instant).allSatisfy(\.isOver) && disk.nextAnswer == nil
  }

  mutating func checkEnd() {
    guard let engine else { return broken.append("the power never came back") }
    guard isOver else {
      let lanes = engine.laneViews(at: clock.moment.instant).map { "\($0.sink.rawValue) \($0.report)" }
      return broken.append(
        "not over after \(tally.steps) steps: \(engine.game(onCourt: 0).state.life), \(lanes)")
    }
    checkMemory()
    let wanted = engine.shownState(onCourt: 0, at: clock.moment)
    for lane in engine.laneViews(at: clock.moment.instant) where !lane.isDead {
      guard let screen = screen(of: lane), let shown = screen.shown else { continue }
      if !screen.hasEnded { broken.append("\(lane.sink.rawValue): the end never arrived") }
      if !Self.isSame(shown, wanted) {
        broken.append("\(lane.sink.rawValue): phones keep \(shown.line), the game ended \(Self.words(wanted))")
      }
    }
    let game = engine.game(onCourt: 0)
    if game.log.folded() != game.state { broken.append("the log does not fold to the state") }
    let kept = disk.contents.events.filter { $0.game == game.id }
    if kept.count != game.log.events.count {
      broken.append("\(kept.count) events on the disk, \(game.log.events.count) in the game")
    }
    if ably.tiles.values.filter({ $0.starts > 0 }).count > 1 { broken.append("two tiles on every phone") }
    if ably.broadcasts != channelsAtTheEnd { broken.append("a broadcast was made for a game that is over") }
    if ably.broadcasts > 4 { broken.append("\(ably.broadcasts) broadcasts were made") }
  }

  private func screen(of lane: Engine.LaneView) -> FakeAbly.Screen? {
    switch lane.sink {
    case .ablyIOS: ably.tiles.sorted { $0.key < $1.key }.last { $0.value.shown != nil }?.value
    case .ablyAndroid: ably.cards[lane.game]
    }
  }

  private static func isSame(_ shown: ShownState, _ wanted: GameAttributes.ContentState) -> Bool {
    shown.home == wanted.homeScore && shown.away == wanted.awayScore && shown.status == wanted.gameStatus.rawValue
      && shown.period == wanted.period
  }

  static func words(_ state: GameAttributes.ContentState) -> String {
    "\(state.homeScore)–\(state.awayScore) \(state.gameStatus.rawValue) \(state.period)"
  }
}
