import Foundation
import GameCore

/// A request that Ably would not take, as the answer it gets.
struct Refusal: Error {
  var answer: Answer

  init(_ status: Int, _ code: Int, _ message: String) { answer = .error(status, code, message) }
}

/// What Ably knows: broadcasts, message ids, who may come in. No socket, no clock of its own.
struct AblyService {
  struct Broadcast {
    var appleChannel: String
    var policy: Int
    var ended = false
  }

  /// Replaced when somebody rotates it.
  var key: String
  private var tokens: Tokens
  /// Whoever is not our bridge gets by with older protocol versions and other optional fields.
  let anyClient: Bool
  private(set) var broadcasts: [String: Broadcast] = [:]
  private var messages: [String: (at: Instant, messageId: String)] = [:]
  private var serial = 0
  var fleet = Fleet()
  /// Entries of the push log, the oldest first.
  var pushLog: [JSON] = []

  static let idempotencyWindow = Duration.seconds(120)

  init(key: String, anyClient: Bool) {
    self.key = key
    tokens = Tokens(key: key)
    self.anyClient = anyClient
  }

  /// Judges one request, lets it take effect and gives the answer. Marks in `seen` what came of it.
  mutating func answer(_ seen: inout Seen) -> Answer {
    do throws(Refusal) {
      try checkHeaders(seen)
      switch seen.call {
      case .time: return try time(seen)
      case .create: return try create(&seen)
      case .start, .broadcast, .end: return try liveActivity(&seen)
      case .publish: return try publish(&seen)
      case .direct: return try direct(&seen)
      case .batch: return try batch(&seen)
      case .pushLog: return .json(200, JSON.array(pushLog.reversed()).text)
      case .requestToken:
        let answer = try tokens.request(seen.json!, keyName: seen.path[1], at: seen.at.wall)
        seen.processed = true
        return answer
      case .unknown: throw Refusal(404, 40400, "no such path: \(seen.target)")
      }
    } catch {
      return error.answer
    }
  }

  /// Which call a method and a path name; a wrong method on a known path is no call.
  static func call(_ method: String, _ path: [String]) -> Call {
    switch (method, path.first, path.count) {
    case ("GET", "time", 1): .time
    case ("POST", "push", 2) where path[1] == "publish": .direct
    case ("POST", "push", 3) where path[1] == "batch" && path[2] == "publish": .batch
    case ("GET", "channels", 3) where path[1] == "[meta]log:push" && path[2] == "messages": .pushLog
    case ("POST", "push", 2) where path[1] == "apnsBroadcastChannels": .create
    case ("POST", "push", 4) where path[1] == "apnsBroadcastChannels":
      switch path[3] {
      case "start": .start
      case "broadcast": .broadcast
      case "end": .end
      default: .unknown
      }
    case ("POST", "channels", 3) where path[2] == "messages": .publish
    case ("POST", "keys", 3) where path[2] == "requestToken": .requestToken
    default: .unknown
    }
  }

  // MARK: - Headers

  private func checkHeaders(_ seen: Seen) throws(Refusal) {
    if !anyClient { try checkBridgeHeaders(seen) }
    guard seen.header("x-ably-version")?.wholeMatch(of: /[1-6](\.[0-9])?/) != nil else {
      throw Refusal(400, 40017, "X-Ably-Version missing or unknown")
    }
    let isOpen = seen.call == .time || seen.call == .requestToken
    if !isOpen || seen.header("authorization") != nil { try checkAuthorization(seen) }
    guard seen.method == "POST" else { return }
    let type = seen.header("content-type")?.split(separator: ";").first.map(String.init)
    guard type == "application/json" else { throw Refusal(400, 40013, "Content-Type must be application/json") }
    guard seen.header("content-length").map({ $0 == String(seen.body.count) }) ?? (seen.spoken == "h2") else {
      throw Refusal(400, 40008, "Content-Length does not fit the body")
    }
    guard seen.body.count <= 524_288 else { throw Refusal(413, 40009, "body above maxFrameSize") }
    guard seen.json != nil else { throw Refusal(400, 40001, "body is not JSON") }
  }

  private func checkBridgeHeaders(_ seen: Seen) throws(Refusal) {
    let names = seen.headers.map(\.name)
    guard Set(names).count == names.count else { throw Refusal(400, 40004, "a header came twice") }
    guard seen.header("accept") == "application/json" else {
      throw Refusal(400, 40004, "Accept must be application/json")
    }
    guard seen.header("x-ably-version") == "6" else { throw Refusal(400, 40017, "X-Ably-Version must be 6") }
    let entry = #/[A-Za-z][A-Za-z0-9._-]*(/[0-9A-Za-z.+_-]+)?/#
    let agent = (seen.header("ably-agent") ?? "").split(separator: " ", omittingEmptySubsequences: false)
    guard !agent.isEmpty, agent.allSatisfy({ $0.wholeMatch(of: entry) != nil }), !agent[0].hasPrefix("ably-") else {
      throw Refusal(400, 40004, "Ably-Agent must be entries of name or name/version, our own first")
    }
    let foreign = names.first { $0 == "expect" || $0 == "transfer-encoding" || $0.hasPrefix("apns-") }
    if let foreign { throw Refusal(400, 40004, "header not expected: \(foreign)") }
    if seen.call == .time || seen.call == .requestToken, seen.header("authorization") != nil {
      throw Refusal(400, 40004, "\(seen.call.rawValue) goes without Authorization")
    }
    if seen.method == "GET", seen.header("content-type") != nil || !seen.body.isEmpty {
      throw Refusal(400, 40004, "a GET carries no body and no Content-Type")
    }
    if seen.method == "POST", seen.header("content-type") != "application/json" {
      throw Refusal(400, 40013, "Content-Type must be application/json")
    }
    for (name, value) in seen.query {
      let known =
        switch name {
        case "request_id": value.wholeMatch(of: /[A-Za-z0-9_-]{12,}/) != nil
        case "clientType": value == "server"
        case "limit": seen.call == .pushLog && (1...1_000).contains(Int(value) ?? 0)
        default: false
        }
      if !known { throw Refusal(400, 40002, "query parameter not known: \(name)") }
    }
  }

  private func checkAuthorization(_ seen: Seen) throws(Refusal) {
    guard let header = seen.header("authorization") else { throw Refusal(401, 40101, "no credentials") }
    let words = header.split(separator: " ")
    if words.count == 2, words[0] == "Bearer" {
      let resource = seen.call == .publish || seen.call == .pushLog ? seen.path[1] : nil
      return try tokens.check(bearer: String(words[1]), seen.call.operation, on: resource, at: seen.at.wall)
    }
    guard words.count == 2, words[0] == "Basic" else { throw Refusal(400, 40005, "credentials unreadable") }
    guard let bytes = Data(base64Encoded: String(words[1])), let given = String(bytes: bytes, encoding: .utf8),
      let colon = given.firstIndex(of: ":")
    else { throw Refusal(400, 40005, "key unreadable") }
    let name = key.prefix { $0 != ":" }
    guard given[..<colon] == name else { throw Refusal(401, 40130, "key unknown") }
    guard given == key else { throw Refusal(401, 40101, "wrong secret") }
  }

  // MARK: - Calls

  private func time(_ seen: Seen) throws(Refusal) -> Answer { .json(200, "[\(seen.at.wall.milliseconds)]") }

  private mutating func create(_ seen: inout Seen) throws(Refusal) -> Answer {
    let policy = try AblyRules.create(seen.json!)
    serial += 1
    let id = "apb_\(serial)x\(seen.at.instant.nanoseconds % 1_000_000)"
    let appleChannel = Data("channel-\(id)".utf8).base64EncodedString()
    broadcasts[id] = Broadcast(appleChannel: appleChannel, policy: policy)
    fleet.open(appleChannel, policy: policy)
    seen.processed = true
    return .json(201, #"{"id":"\#(id)","apnsChannelId":"\#(appleChannel)"}"#)
  }

  private mutating func liveActivity(_ seen: inout Seen) throws(Refusal) -> Answer {
    let id = seen.path[2]
    guard let broadcast = broadcasts[id], !broadcast.ended else {
      throw Refusal(404, 40400, "broadcast channel not found: \(id)")
    }
    let body = seen.json!
    try AblyRules.liveActivity(seen.call, body, broadcast: broadcast)
    seen.processed = true
    if seen.call == .start {
      fleet.start(body, at: seen.at.wall)
    } else {
      fleet.broadcast(broadcast.appleChannel, body, at: seen.at.wall)
      if seen.call == .end {
        broadcasts[id]?.ended = true
        fleet.close(broadcast.appleChannel)
      }
    }
    return .json(200, "{}")
  }

  private mutating func publish(_ seen: inout Seen) throws(Refusal) -> Answer {
    let channel = seen.path[1]
    let messages = try AblyRules.publish(channel, seen.json!, anyClient: anyClient)
    let serials = messages.indices.map { "\"\(seen.number)-\($0)\"" }.joined(separator: ",")
    serial += 1
    var messageId = "m\(serial)"
    if let base = messages.first?["id"]?.string.map(AblyRules.base) {
      let known = "\(channel)\u{0}\(base)"
      if let first = self.messages[known], seen.at.instant - first.at < AblyService.idempotencyWindow {
        seen.duplicate = true
        messageId = first.messageId
      } else {
        messageId = base
        self.messages[known] = (seen.at.instant, base)
      }
    }
    seen.processed = true
    if !seen.duplicate {
      for message in messages {
        if let push = message["extras"]?["push"] { fleet.message(on: channel, push, at: seen.at.wall) }
      }
    }
    let name = JSON.string(channel).text
    return .json(201, #"{"channel":\#(name),"messageId":\#(JSON.string(messageId).text),"serials":[\#(serials)]}"#)
  }

  private mutating func direct(_ seen: inout Seen) throws(Refusal) -> Answer {
    let device = try AblyRules.direct(seen.json!, anyClient: anyClient)
    seen.processed = true
    if let device { fleet.message(to: device, seen.json!, at: seen.at.wall) }
    return Answer(status: 204)
  }

  private mutating func batch(_ seen: inout Seen) throws(Refusal) -> Answer {
    guard let items = seen.json!.elements, !items.isEmpty else { throw Refusal(400, 40000, "an array of pushes") }
    var pushes: [(device: String?, push: JSON)] = []
    for item in items {
      guard item.keys == ["recipient", "payload"], let recipient = item["recipient"], let push = item["payload"],
        case .object(let members) = push
      else { throw Refusal(400, 40000, "an item is a recipient and a payload") }
      for one in recipient.elements ?? [recipient] {
        let body = JSON.object([.init(key: "recipient", value: one)] + members)
        pushes.append((try AblyRules.direct(body, anyClient: anyClient), push))
      }
    }
    guard pushes.count <= 10_000 else { throw Refusal(400, 90010, "more than 10000 recipients") }
    seen.processed = true
    for (device, push) in pushes where device != nil { fleet.message(to: device!, push, at: seen.at.wall) }
    return .json(200, "[" + items.map { _ in #"{"statusCode":200}"# }.joined(separator: ",") + "]")
  }
}
