import Document

/// Method, path and body of a call, with everything refused that must not leave.
struct AblyDraft {
  var method = "POST"
  var path: String
  var query: [String] = []
  var body: [UInt8] = []
  var needsAuthorization = true

  init(_ call: AblyCall, settings: AblySettings, messageBase: String) throws(LocalRefusal) {
    switch call {
    case .create(let policy):
      path = Self.broadcasts
      body = Self.json { $0.member("messageStoragePolicy", policy.rawValue) }
    case .start(let broadcast, let audience, let payload):
      path = try Self.path(broadcast, "start")
      body = try Self.start(broadcast, audience, payload, settings.contract)
    case .update(let broadcast, let payload):
      path = try Self.path(broadcast, "broadcast")
      body = try Self.broadcast(broadcast, payload, event: "update", settings.contract)
    case .end(let broadcast, let payload):
      path = try Self.path(broadcast, "end")
      body = try Self.broadcast(broadcast, payload, event: "end", settings.contract)
    case .publish(let channel, let messages):
      path = try Self.path(channel: channel)
      body = try Self.publish(messages, settings: settings, base: messageBase)
    case .publishToDevice(let id, let payload):
      path = "/push/publish"
      body = try Self.push(toDevice: id, payload.push)
    case .publishToDevices(let ids, let payload):
      path = "/push/batch/publish"
      body = try Self.push(toDevices: ids, payload.push)
    case .time:
      method = "GET"
      path = "/time"
      needsAuthorization = false
    case .pushLog(let limit):
      method = "GET"
      path = "/channels/\(percentEncoded("[meta]log:push"))/messages"
      query = ["limit=\(limit)"]
    case .requestToken:
      // A token request is signed anew for every attempt, so it has no bytes of its own here.
      throw LocalRefusal(code: 40106, status: 401, message: "a token request needs a key to sign it")
    }
  }

  private static let broadcasts = "/push/apnsBroadcastChannels"

  private static func path(_ broadcast: Broadcast, _ word: String) throws(LocalRefusal) -> String {
    guard !broadcast.id.isEmpty else { throw invalid("the broadcast has no id") }
    return "\(broadcasts)/\(percentEncoded(broadcast.id))/\(word)"
  }

  private static func path(channel: String) throws(LocalRefusal) -> String {
    guard let first = channel.first, first != "[", first != ":", !channel.contains(where: \.isNewline) else {
      throw LocalRefusal(
        code: 40010, status: 400,
        message: "a channel name must not be empty, begin with [ or :, or contain a line end")
    }
    return "/channels/\(percentEncoded(channel))/messages"
  }

  private static func json(_ members: (inout JSONWriter) -> Void) -> [UInt8] {
    var writer = JSONWriter()
    writer.object(members)
    return writer.bytes
  }

  static func invalid(_ message: String) -> LocalRefusal {
    LocalRefusal(code: 40000, status: 400, message: message)
  }

  static func tooLarge(_ what: String, _ bytes: Int, limit: Int) -> LocalRefusal {
    LocalRefusal(code: 40009, status: 400, message: "\(what) has \(bytes) bytes, the limit is \(limit)")
  }
}

// MARK: - iOS

extension AblyDraft {
  private static func start(
    _ broadcast: Broadcast, _ audience: AblyCall.Audience, _ payload: LiveActivityPayload, _ contract: Contract
  ) throws(LocalRefusal) -> [UInt8] {
    guard case .start(_, _, let inputPushChannel, _, _) = payload.event else {
      throw invalid("a start must carry the event start")
    }
    guard inputPushChannel == broadcast.apnsChannelID, !inputPushChannel.isEmpty else {
      throw invalid("input-push-channel is not the broadcast's own channel")
    }
    switch audience {
    case .channels(let names):
      guard !names.isEmpty, names.count <= 100 else { throw invalid("a start names one to 100 channels or one device") }
    case .device(let id):
      guard !id.isEmpty else { throw invalid("a start names one to 100 channels or one device") }
    }
    let apns = try checked(payload, limit: SizeLimits.apple.startPayload, contract)
    return json { body in
      body.key("apns")
      body.raw(apns)
      switch audience {
      case .channels(let names):
        body.key("channels")
        body.array { list in for name in names { list.string(name) } }
      case .device(let id): body.member("deviceId", id)
      }
      write(payload.headers, into: &body)
    }
  }

  private static func broadcast(
    _ broadcast: Broadcast, _ payload: LiveActivityPayload, event: String, _ contract: Contract
  ) throws(LocalRefusal) -> [UInt8] {
    guard payload.event.word == event else {
      throw invalid("the event \(payload.event.word) does not belong on this path")
    }
    if let headers = payload.headers, (headers.expirationSeconds == 0) != (broadcast.policy == .nothing) {
      throw invalid("apns-expiration \(headers.expirationSeconds) does not fit the broadcast's storage policy")
    }
    let apns = try checked(payload, limit: SizeLimits.apple.broadcastPayload, contract)
    return json { body in
      body.key("apns")
      body.raw(apns)
      write(payload.headers, into: &body)
    }
  }

  private static func checked(
    _ payload: LiveActivityPayload, limit: Int, _ contract: Contract
  ) throws(LocalRefusal) -> [UInt8] {
    if let issue = contract.check(payload) {
      throw invalid("the app would drop this push: \(issue.key) is \(issue.reason)")
    }
    let apns = payload.apnsJSON()
    guard apns.count <= limit else { throw tooLarge("the apns payload", apns.count, limit: limit) }
    let shown = payload.stateJSON().count + (payload.attributes?.json().count ?? 0)
    guard shown <= SizeLimits.apple.attributesAndState else {
      throw tooLarge("what the tile shows", shown, limit: SizeLimits.apple.attributesAndState)
    }
    return apns
  }

  private static func write(_ headers: LiveActivityPayload.Headers?, into body: inout JSONWriter) {
    guard let headers else { return }
    body.key("headers")
    body.object { json in
      json.member("apns-priority", headers.priority.rawValue)
      json.member("apns-expiration", String(headers.expirationSeconds))
    }
  }
}

// MARK: - Channels and devices

extension AblyDraft {
  private static func publish(
    _ messages: [AblyMessage], settings: AblySettings, base: String
  ) throws(LocalRefusal) -> [UInt8] {
    guard !messages.isEmpty else { throw invalid("there is no message to publish") }
    var writer = JSONWriter()
    writer.beginArray()
    var size = 0
    let needsIDs = messages.allSatisfy { $0.id == nil }
    for (index, message) in messages.enumerated() {
      try check(message.push)
      size += message.size
      message.write(id: needsIDs ? "\(base):\(index)" : message.id, into: &writer)
    }
    writer.endArray()
    guard size <= settings.maxMessageSize else {
      throw tooLarge("the message", size, limit: settings.maxMessageSize)
    }
    return writer.bytes
  }

  private static func push(toDevice id: String, _ push: PushObject) throws(LocalRefusal) -> [UInt8] {
    guard !id.isEmpty else { throw invalid("a push needs a device id") }
    guard !push.data.isEmpty else { throw invalid("a push needs data") }
    try check(push)
    return json { body in
      body.key("recipient")
      body.object { $0.member("deviceId", id) }
      push.writeMembers(into: &body)
    }
  }

  /// One item per device, so that the answer, which is parallel to the request, tells who was refused.
  private static func push(toDevices ids: [String], _ push: PushObject) throws(LocalRefusal) -> [UInt8] {
    guard !ids.isEmpty, ids.count <= 10_000, ids.allSatisfy({ !$0.isEmpty }) else {
      throw invalid("one batch reaches one to 10,000 devices, each with an id")
    }
    try check(push)
    var writer = JSONWriter()
    writer.array { items in
      for id in ids {
        items.object { item in
          item.key("recipient")
          item.object { $0.member("deviceId", id) }
          item.key("payload")
          item.object { push.writeMembers(into: &$0) }
        }
      }
    }
    guard writer.bytes.count <= 2 * 1024 * 1024 else {
      throw tooLarge("the batch", writer.bytes.count, limit: 2 * 1024 * 1024)
    }
    return writer.bytes
  }

  private static func check(_ push: PushObject?) throws(LocalRefusal) {
    guard let push else { return }
    if let key = push.unusableKey {
      throw LocalRefusal(code: 40013, status: 400, message: "the push data under \(key) cannot travel as text")
    }
    guard push.dataBytes <= SizeLimits.fcmData else {
      throw tooLarge("the push data", push.dataBytes, limit: SizeLimits.fcmData)
    }
  }
}

extension AblyMessage {
  /// As the service counts: name, data and the JSON of extras; id and encoding are free.
  package var size: Int {
    var data = 0
    switch body {
    case .text(let text): data = text.utf8.count
    case .json(let bytes): data = bytes.count
    case nil: break
    }
    return (name?.utf8.count ?? 0) + data + (extrasJSON?.count ?? 0)
  }

  private var extrasJSON: [UInt8]? {
    guard let push else { return nil }
    var writer = JSONWriter()
    writer.object { extras in
      extras.key("push")
      extras.object { push.writeMembers(into: &$0) }
    }
    return writer.bytes
  }

  fileprivate func write(id: String?, into writer: inout JSONWriter) {
    writer.object { json in
      if let id { json.member("id", id) }
      if let name { json.member("name", name) }
      switch body {
      case .text(let text): json.member("data", text)
      case .json(let bytes):
        json.member("data", String(decoding: bytes, as: UTF8.self))
        json.member("encoding", "json")
      case nil: break
      }
      if let extrasJSON {
        json.key("extras")
        json.raw(extrasJSON)
      }
    }
  }
}
