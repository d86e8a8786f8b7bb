package import Document
package import GameCore
package import LiveContract

/// What a lane must still know after the power was cut: one value in the store, written anew as a whole.
package struct LaneRecord: Hashable, Sendable {
  package var game: String
  package var sink: Sink
  package var round: Int
  /// A word of the lifecycle.
  package var state = "none"
  package var broadcast: Broadcast?
  package var createdAt: WallTime?
  package var startedAt: WallTime?
  package var unansweredCreates = 0
  package var leakedChannels = 0
  package var postponedStarts = 0
  package var start = ActivityLifecycle.Start.due
  package var hasBeenTold = false
  package var end: EndIntent?
  package var dead: DeadReason?
  package var attributes: GameAttributes
  /// The newest state that was to be told.
  package var newest: GameAttributes.ContentState?
  /// The last state the provider took, with its number; nil while nobody knows what phones show.
  package var accepted: GameAttributes.ContentState?
  package var finish: LaneFinish?
  /// The scheduled start, or the moment the game was opened; nil while no clock that is believed has told that.
  package var scheduled: WallTime?

  package init(game: String, sink: Sink, round: Int = 1, attributes: GameAttributes, scheduled: WallTime?) {
    self.game = game
    self.sink = sink
    self.round = round
    self.attributes = attributes
    self.scheduled = scheduled
  }

  package static func key(game: String, sink: Sink, round: Int = 1) -> String {
    "\(keyPrefix)\(game)/\(sink.place(round: round))"
  }
  package static let keyPrefix = "lane/"

  /// In the place of one that cannot be understood: its activity is given up.
  static func unreadable(game: String, sink: Sink, round: Int) -> LaneRecord {
    var record = LaneRecord(
      game: game, sink: sink, round: round, attributes: GameAttributes(homeTeam: "", awayTeam: ""),
      scheduled: nil)
    record.state = "dead"
    record.dead = .recordUnreadable
    return record
  }

  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("game", game)
      json.member("sink", sink.rawValue)
      json.member("round", round)
      json.member("state", state)
      writeActivity(into: &json)
      writeStart(into: &json)
      json.key("attributes")
      json.raw(attributes.json())
      write("newest", newest, into: &json)
      write("accepted", accepted, into: &json)
      json.member("finish", finish?.rawValue)
      json.member("scheduledMs", scheduled?.milliseconds)
    }
    return writer.bytes
  }

  private func writeActivity(into json: inout JSONWriter) {
    if let broadcast {
      json.key("broadcast")
      json.object { json in
        json.member("id", broadcast.id)
        json.member("apnsChannelId", broadcast.apnsChannelID)
        json.member("policy", broadcast.policy.rawValue)
      }
    }
    json.member("createdAtMs", createdAt?.milliseconds)
    json.member("unansweredCreates", unansweredCreates)
    json.member("leakedChannels", leakedChannels)
    json.member("dead", dead?.rawValue)
    if let end {
      json.key("end")
      json.object { json in
        json.member("stamp", end.stamp)
        json.member("seq", end.sequence)
        json.member("builtAtMs", end.builtAt.milliseconds)
        json.member("dismissalMs", end.dismissal?.milliseconds)
      }
    }
  }

  private func writeStart(into json: inout JSONWriter) {
    switch start {
    case .due: json.member("start", "due")
    case .accepted: json.member("start", "accepted")
    case .unknown: json.member("start", "unknown")
    case .skipped(let reason):
      json.member("start", "skipped")
      json.member("startReason", reason)
    }
    json.member("postponedStarts", postponedStarts)
    json.member("told", hasBeenTold)
    json.member("startedAtMs", startedAt?.milliseconds)
  }

  private func write(_ name: String, _ state: GameAttributes.ContentState?, into json: inout JSONWriter) {
    json.key(name)
    if let state { json.raw(state.json()) } else { json.null() }
  }

  /// Nil for anything that this version did not write.
  package init?(_ node: Node) {
    guard node["version"]?.integer == 1, let game = node["game"]?.text, let state = node["state"]?.text,
      let sink = node["sink"]?.text.flatMap(Sink.init(rawValue:)),
      let attributes = node["attributes"].flatMap(GameAttributes.init(record:)), let scheduled = node["scheduledMs"]
    else { return nil }
    self.init(
      game: game, sink: sink, round: Int(node["round"]?.integer ?? 1), attributes: attributes,
      scheduled: WallTime(record: scheduled))
    self.state = state
    broadcast = node["broadcast"].flatMap(Broadcast.init(record:))
    createdAt = node["createdAtMs"].flatMap(WallTime.init(record:))
    startedAt = node["startedAtMs"].flatMap(WallTime.init(record:))
    unansweredCreates = Int(node["unansweredCreates"]?.integer ?? 0)
    leakedChannels = Int(node["leakedChannels"]?.integer ?? 0)
    postponedStarts = Int(node["postponedStarts"]?.integer ?? 0)
    switch node["start"]?.text {
    case "due": start = .due
    case "accepted": start = .accepted
    case "skipped": start = .skipped(reason: node["startReason"]?.text ?? "")
    // What cannot be read is treated as a start that may have happened: it is never sent again.
    case _: start = .unknown
    }
    // In doubt somebody was told, so that an end is sent.
    hasBeenTold = node["told"]?.text != "false"
    end = node["end"].flatMap(EndIntent.init(record:))
    dead = node["dead"]?.text.flatMap(DeadReason.init(rawValue:))
    newest = node["newest"].flatMap(GameAttributes.ContentState.init(record:))
    accepted = node["accepted"].flatMap(GameAttributes.ContentState.init(record:))
    finish = node["finish"]?.text.flatMap(LaneFinish.init(rawValue:))
    if sink == .ablyIOS, broadcast == nil, !Self.statesWithoutBroadcast.contains(state) { return nil }
  }

  private static let statesWithoutBroadcast = ["none", "creating", "create-unknown", "ended", "dead"]
}

/// How the activity is to come to its end.
package enum LaneFinish: String, Hashable, Sendable {
  /// The final is declared: tell it, hold for corrections, then end.
  case afterSettling
  /// Called off, or another game begins: tell the last state, then end.
  case atOnce
  /// The system's eight hours are nearly over: one last update, then end.
  case beforeTheSystem
  /// The stamps lie so far ahead of the time that phones would drop an update.
  case outOfReach
  /// Forgotten: end it and let the tile vanish.
  case forgotten
}

extension WallTime {
  fileprivate init?(record node: Node) {
    guard let milliseconds = node.integer else { return nil }
    self.init(milliseconds: milliseconds)
  }
}

extension Broadcast {
  fileprivate init?(record node: Node) {
    guard let id = node["id"]?.text, let channel = node["apnsChannelId"]?.text,
      let policy = node["policy"]?.integer.flatMap({ StoragePolicy(rawValue: Int($0)) })
    else { return nil }
    self.init(id: id, apnsChannelID: channel, policy: policy)
  }
}

extension EndIntent {
  fileprivate init?(record node: Node) {
    guard let stamp = node["stamp"]?.integer, let sequence = node["seq"]?.integer,
      let builtAt = node["builtAtMs"].flatMap(WallTime.init(record:))
    else { return nil }
    self.init(
      stamp: stamp, sequence: sequence, builtAt: builtAt, dismissal: node["dismissalMs"].flatMap(WallTime.init(record:))
    )
  }
}

extension GameAttributes {
  fileprivate init?(record node: Node) {
    guard let home = node["homeTeam"]?.text, let away = node["awayTeam"]?.text else { return nil }
    self.init(homeTeam: home, awayTeam: away)
  }
}

extension GameAttributes.ContentState {
  fileprivate init?(record node: Node) {
    guard let home = node["homeScore"]?.integer, let away = node["awayScore"]?.integer,
      let status = node["gameStatus"]?.text.flatMap(GameAttributes.GameStatus.init(rawValue:)),
      let period = node["period"]?.text, let clock = node["clock"]?.text, let lastPlay = node["lastPlay"]?.text,
      let direction = node["clockDir"]?.text.flatMap(GameAttributes.ClockDirection.init(rawValue:)),
      let anchor = node["clockAnchorMs"]?.integer, let seq = node["seq"]?.integer
    else { return nil }
    self.init(
      homeScore: Int(home), awayScore: Int(away), gameStatus: status, period: period, clock: clock, lastPlay: lastPlay,
      clockDir: direction, clockAnchorMs: Int(anchor), seq: Int(seq))
  }
}
