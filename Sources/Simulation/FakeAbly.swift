internal import GameCore
package import Publishing

/// The push service and the phones behind it as one value: it does what is asked, forgets message ids after two minutes,
/// knows a broadcast until its end, and remembers what phones show. What it must never see, it writes down.
package struct FakeAbly: Sendable {
  /// A tile, or an Android card: what phones of one sink show of one game.
  package struct Screen: Hashable, Sendable {
    package var starts = 0
    package var hasEnded = false
    package var shown: ShownState?
    package var lastStamp: Int64 = .min
  }

  /// The order of one sink's requests, as they left the board.
  private struct Sent: Hashable, Sendable {
    var body: [UInt8]
    var stamp: Int64
    var seq: Int64
    var at: Duration
    var hasEnded = false
    var urgent: [Duration] = []
  }

  package private(set) var tiles: [String: Screen] = [:]
  package private(set) var cards: [String: Screen] = [:]
  package private(set) var broadcasts = 0
  /// What must never happen, as it happened.
  package private(set) var broken: [String] = []
  private var sent: [String: Sent] = [:]
  private var bodies: [String: [UInt8]] = [:]
  private var known: [String: Duration] = [:]
  private let json: JSONParse

  package init(json: @escaping JSONParse) { self.json = json }

  /// The power went while the disk took nothing: numbers that were given past their block, so that fans were told on,
  /// may be given again or followed by lower ones, and with a clock that was wrong by lower stamps. Phones judge by the
  /// stamp.
  mutating func forgiveNumbers(stampsToo: Bool) {
    for sink in sent.keys {
      sent[sink]?.seq = .min
      if stampsToo { sent[sink]?.stamp = .min }
    }
    bodies = [:]
  }

  // MARK: What leaves the board

  /// A request leaves; `boot` tells one life of the daemon from the next.
  mutating func left(_ push: SeenPush, body: [UInt8], at now: Duration, sinceBoot: Duration) {
    switch push.call {
    case .time, .create, .publish, .other: break
    case .start(let id): judge(push, of: "broadcast \(id)", isEnd: false, body, at: now, sinceBoot)
    case .update(let id): judge(push, of: "broadcast \(id)", isEnd: false, body, at: now, sinceBoot)
    case .end(let id): judge(push, of: "broadcast \(id)", isEnd: true, body, at: now, sinceBoot)
    case .message(let game, let event):
      if let id = push.messageID {
        if let other = bodies[id], other != body { complain("message id \(id) carries another state") }
        bodies[id] = body
      }
      judge(push, of: "card \(game)", isEnd: event == "end", body, at: now, sinceBoot)
    }
  }

  private mutating func judge(
    _ push: SeenPush, of sink: String, isEnd: Bool, _ body: [UInt8], at now: Duration, _ bootedAt: Duration
  ) {
    guard let stamp = push.stamp, let seq = push.shown?.seq else { return complain("\(sink): a push without a state") }
    var last = sent[sink] ?? Sent(body: [], stamp: .min, seq: .min, at: .zero)
    defer { sent[sink] = last }
    // The same bytes again, to another host or after silence, are the same push.
    if last.body == body { return }
    if last.hasEnded, !isEnd { complain("\(sink): a push after the end was sent") }
    if isEnd ? stamp < last.stamp : stamp <= last.stamp { complain("\(sink): stamp \(stamp) after \(last.stamp)") }
    if isEnd ? seq < last.seq : seq <= last.seq { complain("\(sink): seq \(seq) after \(last.seq)") }
    let isTile = sink.hasPrefix("broadcast")
    if isTile, last.at >= bootedAt, last.stamp != .min, now - last.at < .seconds(1) {
      complain("\(sink): two pushes within a second")
    }
    // Neither a final score nor the last word before the system's own end asks the budget.
    let isLast = push.shown.map { $0.status == "finished" || $0.line.hasSuffix(Self.followInApp) } ?? false
    if isTile, case .update = push.call, push.isUrgent, !isLast {
      last.urgent = (last.urgent + [now]).suffix(40)
      for (index, first) in last.urgent.reversed().enumerated() {
        let allowed = 6 + Int((now - first).components.seconds / 30) + 1
        if index + 1 > allowed { complain("\(sink): \(index + 1) urgent pushes in \(now - first)") }
      }
    }
    last.body = body
    last.stamp = stamp
    last.seq = seq
    last.at = now
    last.hasEnded = last.hasEnded || isEnd
  }

  // MARK: What arrives

  /// A request arrives, and is done.
  mutating func arrived(_ push: SeenPush, at now: Duration, trueWall: WallTime) -> HTTPResponse {
    switch push.call {
    case .time: return answer(200, "[\(trueWall.milliseconds)]")
    case .create:
      broadcasts += 1
      let id = "b\(broadcasts)"
      tiles[id] = Screen()
      return answer(201, #"{"id":"\#(id)","apnsChannelId":"YnJvYWRjYXN0\#(broadcasts)"}"#)
    case .start(let id), .update(let id), .end(let id):
      guard var tile = tiles[id], !tile.hasEnded else {
        return answer(404, #"{"error":{"code":40400,"statusCode":404,"message":"not found"}}"#)
      }
      if case .start = push.call {
        tile.starts += 1
        if tile.starts > 1 { complain("broadcast \(id): \(tile.starts) starts arrived") }
      }
      if case .end = push.call { tile.hasEnded = true }
      Self.show(push, on: &tile)
      tiles[id] = tile
      return answer(200, "{}")
    case .message(let game, let event):
      var card = cards[game] ?? Screen()
      let id = push.messageID ?? ""
      if let before = known[id], now - before < .seconds(120) { return published(id) }
      known[id] = now
      if event == "start" { card.starts += 1 }
      if event == "end" { card.hasEnded = true }
      Self.show(push, on: &card)
      cards[game] = card
      return published(id)
    case .publish: return published("x")
    case .other: return answer(404, #"{"error":{"code":40400,"statusCode":404,"message":"no such path"}}"#)
    }
  }

  /// A phone drops what is not newer than what it shows. An end takes its place at the same stamp.
  private static func show(_ push: SeenPush, on screen: inout Screen) {
    guard let stamp = push.stamp, stamp > screen.lastStamp || screen.hasEnded && stamp == screen.lastStamp else {
      return
    }
    screen.lastStamp = stamp
    screen.shown = push.shown
  }

  private func published(_ id: String) -> HTTPResponse { answer(201, #"{"messageId":"\#(id)","channel":"c"}"#) }

  func answer(_ status: Int, _ json: String, headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers, body: Array(json.utf8))
  }

  private static let followInApp = LaneSettings.standard(.ablyIOS).followInApp

  private mutating func complain(_ what: String) {
    if broken.count < 20 { broken.append(what) }
  }
}
