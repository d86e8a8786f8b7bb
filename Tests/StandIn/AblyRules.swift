/// The shapes of bodies, as strict as a sender can wish for: whatever Ably or Apple or FCM would drop later, in silence,
/// is refused here and now.
enum AblyRules {
  // MARK: - Live Activities

  static func create(_ body: JSON) throws(Refusal) -> Int {
    guard body.keys == ["messageStoragePolicy"], let policy = body["messageStoragePolicy"]?.integer,
      policy == 0 || policy == 1
    else { throw Refusal(400, 40001, "create takes messageStoragePolicy 0 or 1 and nothing else") }
    return Int(policy)
  }

  static func liveActivity(_ call: Call, _ body: JSON, broadcast: AblyService.Broadcast) throws(Refusal) {
    var allowed: Set<String> = ["apns", "headers"]
    if call == .start {
      let hasChannels = body["channels"] != nil
      guard hasChannels != (body["deviceId"] != nil) else {
        throw Refusal(400, 40000, "exactly one of channels and deviceId")
      }
      allowed.insert(hasChannels ? "channels" : "deviceId")
      if let channels = body["channels"] {
        let names = channels.elements?.map { $0.string ?? "" } ?? []
        guard !names.isEmpty, names.count <= 100, !names.contains("") else {
          throw Refusal(400, 40000, "channels must be names, at least one")
        }
      } else if body["deviceId"]?.string?.isEmpty ?? true {
        throw Refusal(400, 40000, "deviceId must be a text")
      }
    }
    try only(allowed, in: body, "the body")
    guard let apns = body["apns"], apns.keys == ["aps"], let aps = apns["aps"], aps.members != nil else {
      throw Refusal(400, 40001, "apns must hold aps and nothing else")
    }
    try checkAps(call, aps, broadcast: broadcast)
    try checkSizes(call, apns)
    if let headers = body["headers"] { try checkHeaders(call, headers, policy: broadcast.policy) }
  }

  private static func checkAps(_ call: Call, _ aps: JSON, broadcast: AblyService.Broadcast) throws(Refusal) {
    var keys: Set<String> = ["timestamp", "event", "content-state", "alert"]
    switch call {
    case .start:
      keys.formUnion(["attributes-type", "attributes", "input-push-channel", "stale-date", "relevance-score"])
    case .broadcast: keys.formUnion(["stale-date", "relevance-score"])
    default: keys.formUnion(["dismissal-date"])
    }
    try only(keys, in: aps, "aps")
    let event = call == .broadcast ? "update" : call.rawValue
    guard aps["event"]?.string == event else { throw Refusal(400, 40000, "aps.event must be \(event)") }
    try checkSeconds(aps["timestamp"], "timestamp", required: true)
    try checkSeconds(aps["stale-date"], "stale-date", required: false)
    try checkSeconds(aps["dismissal-date"], "dismissal-date", required: false)
    guard aps["content-state"]?.members?.isEmpty == false else {
      throw Refusal(400, 40000, "content-state must be an object")
    }
    if let score = aps["relevance-score"], !score.isNumber {
      throw Refusal(400, 40000, "relevance-score must be a number")
    }
    if let alert = aps["alert"] { try checkAlert(alert) }
    guard call == .start else { return }
    guard aps["alert"] != nil else { throw Refusal(400, 40000, "a start without an alert is not shown") }
    guard aps["attributes-type"]?.string?.isEmpty == false, aps["attributes"]?.members?.isEmpty == false else {
      throw Refusal(400, 40000, "a start needs attributes-type and attributes")
    }
    guard aps["input-push-channel"]?.string == broadcast.appleChannel else {
      throw Refusal(400, 40000, "input-push-channel is not this broadcast's channel")
    }
  }

  private static func checkAlert(_ alert: JSON) throws(Refusal) {
    try only(["title", "body", "sound"], in: alert, "alert")
    for key in ["title", "body"] where alert[key]?.string?.isEmpty ?? true {
      throw Refusal(400, 40000, "alert needs a \(key)")
    }
    if let sound = alert["sound"], sound.string?.isEmpty ?? true {
      throw Refusal(400, 40000, "alert.sound must be a text")
    }
  }

  /// Seconds since 1970, told apart from milliseconds and from Apple's own epoch by their size.
  private static func checkSeconds(_ value: JSON?, _ name: String, required: Bool) throws(Refusal) {
    guard let value else {
      if required { throw Refusal(400, 40000, "\(name) missing") }
      return
    }
    guard let seconds = value.integer, (1_000_000_000..<10_000_000_000).contains(seconds) else {
      throw Refusal(400, 40000, "\(name) must be whole seconds since 1970")
    }
  }

  private static func checkHeaders(_ call: Call, _ headers: JSON, policy: Int) throws(Refusal) {
    try only(["apns-priority", "apns-expiration"], in: headers, "headers")
    for member in headers.members ?? [] where member.value.string == nil {
      throw Refusal(400, 40000, "\(member.key) must be a string")
    }
    if let priority = headers["apns-priority"]?.string, priority != "10", priority != "5" {
      throw Refusal(400, 40000, "apns-priority must be 10 or 5")
    }
    guard let expiration = headers["apns-expiration"]?.string else { return }
    guard expiration == "0" || expiration.wholeMatch(of: /[1-9][0-9]{9}/) != nil else {
      throw Refusal(400, 40000, "apns-expiration must be seconds since 1970")
    }
    if call != .start, (expiration == "0") != (policy == 0) {
      throw Refusal(400, 40000, "BadExpirationDate: \(expiration) on a channel with storage policy \(policy)")
    }
  }

  private static func checkSizes(_ call: Call, _ apns: JSON) throws(Refusal) {
    let limit = call == .start ? 4_096 : 5_120
    guard apns.text.utf8.count <= limit else { throw Refusal(413, 40009, "apns above \(limit) bytes") }
    let aps = apns["aps"]
    let held = ["attributes", "content-state"].reduce(0) { $0 + (aps?[$1]?.text.utf8.count ?? 0) }
    guard held <= 4_096 else { throw Refusal(413, 40009, "attributes and content-state above 4096 bytes") }
  }

  // MARK: - Messages

  static func publish(_ channel: String, _ body: JSON, anyClient: Bool) throws(Refusal) -> [JSON] {
    let starts: [Character] = ["[", ":"]
    guard let first = channel.first, !starts.contains(first), !channel.contains("\n") else {
      throw Refusal(400, 40010, "channel name not allowed")
    }
    let messages: [JSON]
    if let elements = body.elements { messages = elements } else { messages = [body] }
    guard !messages.isEmpty, anyClient || body.elements != nil else {
      throw Refusal(400, 40030, "an array of messages")
    }
    for message in messages { try checkMessage(message, anyClient: anyClient) }
    try checkIds(messages)
    let size = messages.reduce(0) { $0 + AblyRules.size(of: $1) }
    guard size <= 65_536 else { throw Refusal(413, 40009, "message of \(size) bytes above maxMessageSize") }
    return messages
  }

  private static func checkMessage(_ message: JSON, anyClient: Bool) throws(Refusal) {
    try only(["name", "data", "encoding", "id", "clientId", "extras"], in: message, "a message", code: 40030)
    for key in ["name", "encoding", "id", "clientId"] {
      if let value = message[key], value.string?.isEmpty ?? true {
        throw Refusal(400, 40030, "\(key) must be a text")
      }
    }
    if !anyClient, message["clientId"] != nil { throw Refusal(400, 40012, "clientId in a message") }
    switch message["data"] {
    case nil, .string, .object, .array: break
    case .number, .truth, .null: throw Refusal(400, 40013, "data must be a text, an object or an array")
    }
    guard let extras = message["extras"] else { return }
    try only(["push", "headers", "ephemeral", "ref"], in: extras, "extras", code: 40032)
    if let push = extras["push"] { try checkPush(push, anyClient: anyClient) }
  }

  private static func checkPush(_ push: JSON, anyClient: Bool) throws(Refusal) {
    try only(anyClient ? ["data", "notification", "fcm", "apns", "web"] : ["data", "fcm"], in: push, "push")
    if let data = push["data"] { try checkFCMData(data) }
    guard let fcm = push["fcm"] else { return }
    try only(["priority", "ttl"], in: fcm, "fcm")
    if let priority = fcm["priority"], priority.string != "HIGH", priority.string != "NORMAL" {
      throw Refusal(400, 40000, "fcm.priority must be HIGH or NORMAL")
    }
    if let ttl = fcm["ttl"], ttl.string?.wholeMatch(of: /[0-9]+s/) == nil {
      throw Refusal(400, 40000, "fcm.ttl must be seconds followed by s")
    }
  }

  private static func checkFCMData(_ data: JSON) throws(Refusal) {
    guard let members = data.members else { throw Refusal(400, 40013, "push data must be an object") }
    var size = 0
    for member in members {
      guard let value = member.value.string else {
        throw Refusal(400, 40013, "INVALID_ARGUMENT: \(member.key) is not a string")
      }
      let reserved = ["from", "message_type", "collapse_key"]
      if reserved.contains(member.key) || member.key.hasPrefix("google") || member.key.hasPrefix("gcm") {
        throw Refusal(400, 40013, "reserved key \(member.key)")
      }
      size += member.key.utf8.count + value.utf8.count
    }
    guard size <= 4_096 else { throw Refusal(413, 40009, "FCM data of \(size) bytes above 4096") }
  }

  /// Ids of several messages must be BASE:0, BASE:1 … of one base.
  private static func checkIds(_ messages: [JSON]) throws(Refusal) {
    guard messages.count > 1, messages.contains(where: { $0["id"] != nil }) else { return }
    let first = base(messages[0]["id"]?.string ?? "")
    for (index, message) in messages.enumerated() where message["id"]?.string != "\(first):\(index)" {
      throw Refusal(400, 40031, "ids must be BASE:0, BASE:1 … of one base")
    }
  }

  /// What is compared to find a repeated message: the id without its `:index`.
  static func base(_ id: String) -> String {
    guard let colon = id.lastIndex(of: ":"), Int(id[id.index(after: colon)...]) != nil else { return id }
    return String(id[..<colon])
  }

  static func size(of message: JSON) -> Int {
    let data = message["data"].map { $0.string ?? $0.text } ?? ""
    return [message["name"]?.string ?? "", data, message["clientId"]?.string ?? "", message["extras"]?.text ?? ""]
      .reduce(0) { $0 + $1.utf8.count }
  }

  /// Gives the device, where one is named.
  static func direct(_ body: JSON, anyClient: Bool) throws(Refusal) -> String? {
    guard case .object(let members) = body, let recipient = body["recipient"], let target = recipient.members,
      !target.isEmpty
    else { throw Refusal(400, 40000, "recipient missing or empty") }
    let push = JSON.object(members.filter { $0.key != "recipient" })
    guard push.members?.isEmpty == false else { throw Refusal(400, 40000, "no payload") }
    let shapes: [Set<String>] = [["deviceId"], ["clientId"], ["transportType", "registrationToken"]]
    guard anyClient || shapes.contains(Set(target.map(\.key))), target.allSatisfy({ $0.value.string != "" }) else {
      throw Refusal(400, 40000, "recipient not understood")
    }
    try checkPush(push, anyClient: anyClient)
    return recipient["deviceId"]?.string
  }

  // MARK: - Keys

  private static func only(
    _ allowed: Set<String>, in object: JSON, _ place: String, code: Int = 40000
  ) throws(Refusal) {
    guard let keys = object.keys else { throw Refusal(400, code, "\(place) must be an object") }
    if let foreign = keys.subtracting(allowed).sorted().first {
      throw Refusal(400, code, "\(place) holds \(foreign), which does not belong there")
    }
    for member in object.members ?? [] where member.value == .null {
      throw Refusal(400, code, "\(member.key) is null: leave it out")
    }
  }
}
