internal import GameCore
internal import LiveContract
internal import Publishing

// The system ends a tile after eight hours, wherever the game stands. Where the operator wants it, the game goes on in
// another one: the new activity is accepted first, then the old one ends and makes room.
extension Engine {
  /// A second activity for the game at the lane's sink, told of the game as it stands.
  mutating func renew(_ id: LaneID, at now: Moment) {
    guard let old = lanes[id], let place = old.court, courts[place].lanes.contains(id) else { return }
    let court = courts[place]
    let lane = ActivityLane(
      game: old.lane.game, sink: old.lane.sink, round: old.lane.round + 1,
      settings: laneSettings(of: court, old.lane.sink), at: now)
    let successor = addLane(lane, court: place)
    courts[place].lanes.append(successor)
    log(.notice, "the tile nears its limit: another one follows", ["game": lane.game, "sink": lane.sink.rawValue])
    tell(successor, .trustChanged(timeTrust.trust), at: now)
    tell(
      successor,
      .opened(
        GameOpening(
          attributes: GameAttributes(court.names), isNamed: court.isNamed, scheduled: nil,
          startAlert: startAlert(of: place, at: now), hasFeed: court.hasFeed, state: contentState(of: place, at: now))),
      at: now)
  }

  /// The new tile is there: the old one takes no more news.
  mutating func retirePredecessor(of id: LaneID, at now: Moment) {
    guard let new = lanes[id], new.lane.round > 1, new.lane.isStarted, let place = new.court else { return }
    let old = courts[place].lanes.filter { other in
      guard let lane = lanes[other]?.lane else { return false }
      return lane.sink == new.lane.sink && lane.game == new.lane.game && lane.round < new.lane.round
    }
    courts[place].lanes.removeAll(where: old.contains)
    for other in old { tell(other, .succeeded, at: now) }
  }
}
