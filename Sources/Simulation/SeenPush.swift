internal import Document
internal import Publishing

/// One request as the push service reads it off the wire.
package struct SeenPush: Hashable, Sendable {
  package enum Call: Hashable, Sendable {
    case time
    case create
    /// To a broadcast, by its id.
    case start(String)
    case update(String)
    case end(String)
    /// To Android, by the game.
    case message(game: String, event: String)
    /// To a channel that is not a card's.
    case publish(channel: String)
    case other
  }

  package var call: Call
  package var shown: ShownState?
  /// Seconds on iOS, milliseconds on Android.
  package var stamp: Int64?
  package var alert: String?
  package var isUrgent = false
  /// The idempotency key.
  package var messageID: String?

  init(_ request: HTTPRequest, json: JSONParse) {
    let path = request.target.split(separator: "?", maxSplits: 1).first.map(String.init) ?? ""
    let parts = path.split(separator: "/").map(String.init)
    let body = request.body.isEmpty ? nil : json(request.body)
    switch (parts.count, parts.first) {
    case (1, "time"): call = .time
    case (2, "push") where parts[1] == "apnsBroadcastChannels": call = .create
    case (4, "push") where parts[1] == "apnsBroadcastChannels":
      switch parts[3] {
      case "start": call = .start(parts[2])
      case "broadcast": call = .update(parts[2])
      case "end": call = .end(parts[2])
      default: call = .other
      }
      readTile(body)
    case (3, "channels"):
      call = .publish(channel: parts[1])
      readMessage(body, channel: parts[1])
    default: call = .other
    }
  }

  private mutating func readTile(_ body: Node?) {
    guard let aps = body?["apns"]?["aps"] else { return }
    stamp = aps["timestamp"]?.integer
    shown = aps["content-state"].flatMap(ShownState.init)
    alert = aps["alert"]?["title"]?.text
    isUrgent = body?["headers"]?["apns-priority"]?.text == "10"
  }

  private mutating func readMessage(_ body: Node?, channel: String) {
    guard let message = body?.elements?.first, let data = message["extras"]?["push"]?["data"] else { return }
    call = .message(game: data["gameId"]?.text ?? channel, event: data["event"]?.text ?? "")
    messageID = message["id"]?.text
    stamp = data["timestamp"]?.integer
    shown = ShownState(data)
    alert = data["alertTitle"]?.text
  }
}

/// What a fan reads.
package struct ShownState: Hashable, Sendable {
  package var home: Int64
  package var away: Int64
  package var status: String
  package var period: String
  package var clock: String
  package var lastPlay: String
  package var seq: Int64

  init?(_ node: Node) {
    guard let home = node["homeScore"]?.integer, let away = node["awayScore"]?.integer,
      let status = node["gameStatus"]?.text, let period = node["period"]?.text, let clock = node["clock"]?.text,
      let lastPlay = node["lastPlay"]?.text, let seq = node["seq"]?.integer
    else { return nil }
    self.home = home
    self.away = away
    self.status = status
    self.period = period
    self.clock = clock
    self.lastPlay = lastPlay
    self.seq = seq
  }

  /// In one line.
  package var line: String {
    "\(home)–\(away) \(status) \(period)" + (clock.isEmpty ? "" : " \(clock)")
      + (lastPlay.isEmpty ? "" : " · \(lastPlay)")
  }
}
