internal import GameCore
internal import Outbox
internal import Publishing

// Which games the store holds, and which of them are forgotten in the end.
extension Engine {
  /// Games of the run before, by their events and by the records and floors of their lanes.
  mutating func knowGames(of contents: StoreContents, at now: Moment) {
    var lastEvents: [String: StoreContents.Event] = [:]
    for event in contents.events { lastEvents[event.game] = event }
    knownGames = Set(lastEvents.keys)
    for key in contents.marks.keys {
      let parts = key.split(separator: "/", omittingEmptySubsequences: false)
      guard let kind = parts.first, (kind == "lane" && parts.count == 3) || (kind == "floor" && parts.count == 4) else {
        continue
      }
      knownGames.insert(String(parts[1]))
    }
    pastGames = knownGames.map { game in
      let last = lastEvents[game].flatMap { ports.json($0.body) }.flatMap(GameEvent.init(json:))
      return HistoryRule.PastGame(game: game, endedAt: last?.moment.wall ?? now.wall)
    }
  }

  /// Never a game that is on or has an activity that is, and nothing while the clock may be in another year.
  mutating func forgetOldGames(at now: Moment) {
    guard phase == .ready, timeTrust.trust != .untrusted else { return }
    let inUse = Set(courts.map(\.record.id) + lanes.values.filter { !$0.lane.isOver }.map(\.lane.game))
    let forgotten = HistoryRule.forgets(pastGames.filter { !inUse.contains($0.game) }, at: now.wall)
    guard !forgotten.isEmpty else { return }
    let ids = Set(forgotten.map(\.game))
    pastGames.removeAll { ids.contains($0.game) }
    store.write(ids.sorted().map(StoreOperation.forgetGame))
    log(.info, "old games forgotten", ["games": "\(ids.count)"])
  }
}
