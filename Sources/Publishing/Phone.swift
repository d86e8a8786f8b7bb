package import Document
package import GameCore
package import LiveContract

/// What a fan sees of one game.
package struct FanView: Hashable, Sendable {
  package var homeTeam: String
  package var awayTeam: String
  package var state: GameAttributes.ContentState
  /// As shown at the instant of looking: a running clock has run on.
  package var clock: String
  package var isStale: Bool
  package var isOver: Bool

  init(
    _ attributes: GameAttributes, _ state: GameAttributes.ContentState, staleAt: WallTime?, isOver: Bool,
    at now: WallTime
  ) {
    homeTeam = attributes.homeTeam
    awayTeam = attributes.awayTeam
    self.state = state
    clock = ClockState(state).text(atMs: Int(now.milliseconds))
    isStale = staleAt.map { now >= $0 } ?? false
    self.isOver = isOver
  }

  /// One line, as a person would read it from the lock screen.
  package var line: String {
    var parts = ["\(homeTeam) \(state.homeScore), \(awayTeam) \(state.awayScore)"]
    let time = [state.period, clock].filter { !$0.isEmpty }.joined(separator: " ")
    if !time.isEmpty { parts.append(time) }
    if !state.lastPlay.isEmpty { parts.append(state.lastPlay) }
    if isOver { parts.append("(over)") } else if isStale { parts.append("(stale)") }
    return parts.joined(separator: " | ")
  }
}

/// What a modelled phone did with a push.
package enum PhoneOutcome: Hashable, Sendable {
  case shown
  /// Shown, and it lit the phone up.
  case alerted
  /// Too many urgent pushes within the hour: this one did not come through.
  case throttled
  /// Dropped without a word to anybody, as phones do. The reason is ours.
  case dropped(String)
}

/// An iPhone with the fan app, modelled for rehearsals: it decodes by the contract and keeps one tile per start.
package struct Phone: Sendable {
  private struct Tile {
    enum Life {
      /// Takes updates.
      case active
      /// Ended; stays on the lock screen until then.
      case over(until: WallTime)
    }

    var channel: String
    var attributes: GameAttributes
    var state: GameAttributes.ContentState
    var stampSeconds: Int64
    var started: WallTime
    var staleAt: WallTime?
    var life: Life
  }

  private let contract: Contract
  private let hourlyBudget: Int
  private var tiles: [Tile] = []
  private var urgent: [WallTime] = []

  /// Apple does not say how many urgent pushes an hour a phone grants; the default is another platform's figure.
  package init(contract: Contract, hourlyBudget: Int = 180) {
    self.contract = contract
    self.hourlyBudget = hourlyBudget
  }

  /// A push-to-start. A second one for the same game makes a second tile, as on a real phone.
  package mutating func receiveStart(apns: Node, at now: WallTime) -> PhoneOutcome {
    age(at: now)
    let aps = apns["aps"]
    guard aps?["event"]?.text == "start", let stamp = stamp(aps, at: now) else { return .dropped("not a start") }
    guard aps?["attributes-type"]?.text == contract.attributesType else { return .dropped("attributes-type") }
    guard let channel = aps?["input-push-channel"]?.text, !channel.isEmpty else {
      return .dropped("input-push-channel")
    }
    if let issue = ContractCheck.failure(aps?["attributes"], contract.attributes) { return .dropped(issue.key) }
    if let issue = ContractCheck.failure(aps?["content-state"], contract.wholeState) { return .dropped(issue.key) }
    guard let attributes = GameAttributes(aps?["attributes"]),
      let state = GameAttributes.ContentState(aps?["content-state"])
    else { return .dropped("content-state") }
    guard hasAlert(aps) else { return .dropped("alert") }
    let staleAt = seconds(aps?["stale-date"])
    if let staleAt, staleAt <= now { return .dropped("stale-date") }
    tiles.append(
      Tile(
        channel: channel, attributes: attributes, state: state, stampSeconds: stamp, started: now, staleAt: staleAt,
        life: .active))
    return .alerted
  }

  /// The fan opens the game in the app, which makes the tile itself and joins the broadcast.
  package mutating func follow(
    channel: String, attributes: GameAttributes, state: GameAttributes.ContentState, at now: WallTime
  ) {
    age(at: now)
    tiles.append(
      Tile(
        channel: channel, attributes: attributes, state: state, stampSeconds: 0, started: now, staleAt: nil,
        life: .active))
  }

  /// A broadcast, an update or the end, on Apple's channel of that id.
  package mutating func receiveBroadcast(
    channel: String, apns: Node, priority: String?, at now: WallTime
  ) -> PhoneOutcome {
    age(at: now)
    let aps = apns["aps"]
    let places = tiles.indices.filter { tiles[$0].channel == channel && isActive(tiles[$0]) }
    guard let newest = places.map({ tiles[$0].stampSeconds }).max() else { return .dropped("no tile") }
    guard let stamp = stamp(aps, at: now), stamp >= newest else { return .dropped("timestamp") }
    let ends = aps?["event"]?.text == "end"
    guard ends || aps?["event"]?.text == "update" else { return .dropped("event") }
    let given = aps?["content-state"]
    if given != nil || !ends {
      if let issue = ContractCheck.failure(given, contract.wholeState) { return .dropped(issue.key) }
    }
    guard ends || spend(priority, at: now) else { return .throttled }
    let dismissal = seconds(aps?["dismissal-date"])
    for place in places {
      tiles[place].stampSeconds = stamp
      if let state = GameAttributes.ContentState(given) { tiles[place].state = state }
      tiles[place].staleAt = seconds(aps?["stale-date"])
      if ends { tiles[place].life = .over(until: min(dismissal ?? .distantFuture, now + Self.afterTheEnd)) }
    }
    return !ends && hasAlert(aps) ? .alerted : .shown
  }

  /// The tiles as they look now, in the order in which they came.
  package func views(at now: WallTime) -> [FanView] {
    var aged = self
    aged.age(at: now)
    return aged.tiles.map { tile in
      FanView(tile.attributes, tile.state, staleAt: tile.staleAt, isOver: !aged.isActive(tile), at: now)
    }
  }

  /// The system ends a tile after eight hours, and takes an ended one away in time.
  private mutating func age(at now: WallTime) {
    for place in tiles.indices where isActive(tiles[place]) && now - tiles[place].started >= Self.longestLife {
      tiles[place].life = .over(until: tiles[place].started + Self.longestLife + Self.afterTheEnd)
    }
    tiles.removeAll { if case .over(let until) = $0.life { now >= until } else { false } }
  }

  private func isActive(_ tile: Tile) -> Bool {
    switch tile.life {
    case .active: true
    case .over: false
    }
  }

  private mutating func spend(_ priority: String?, at now: WallTime) -> Bool {
    guard priority != PushPriority.convenient.rawValue else { return true }
    urgent.removeAll { now - $0 >= .seconds(3600) }
    guard urgent.count < hourlyBudget else { return false }
    urgent.append(now)
    return true
  }

  private func stamp(_ aps: Node?, at now: WallTime) -> Int64? {
    guard let stamp = aps?["timestamp"].flatMap({ ContractCheck.integer($0) }) else { return nil }
    return Int64(stamp) <= now.seconds + 8 * 3600 ? Int64(stamp) : nil
  }

  private func seconds(_ node: Node?) -> WallTime? {
    ContractCheck.integer(node).flatMap { (0...Self.lastSecond).contains($0) ? $0 : nil }
      .map { WallTime(milliseconds: Int64($0) * 1000) }
  }

  private func hasAlert(_ aps: Node?) -> Bool {
    aps?["alert"]?["title"]?.text?.isEmpty == false && aps?["alert"]?["body"] != nil
  }

  private static let longestLife: Duration = .seconds(8 * 3600)
  private static let afterTheEnd: Duration = .seconds(4 * 3600)
  /// The end of the year 9999.
  private static let lastSecond = 253_402_300_799
}

extension WallTime {
  fileprivate static let distantFuture = WallTime(milliseconds: .max)
}
