/// Everything that may be asked of Ably. How it travels is decided elsewhere; what may be repeated is a property of it.
package enum AblyCall: Hashable, Sendable {
  /// Who gets a push-to-start.
  package enum Audience: Hashable, Sendable {
    /// Every device with a push subscription to any of them.
    case channels([String])
    case device(String)
  }

  /// Makes a broadcast channel at Apple, one of ten thousand.
  case create(StoragePolicy)
  /// Makes tiles. Twice means two tiles, so it is never repeated once it may have been processed.
  case start(Broadcast, audience: Audience, LiveActivityPayload)
  case update(Broadcast, LiveActivityPayload)
  /// Sends the last state and removes the broadcast channel.
  case end(Broadcast, LiveActivityPayload)
  case publish(channel: String, [AblyMessage])
  case publishToDevice(id: String, LiveUpdatePayload)
  case publishToDevices(ids: [String], LiveUpdatePayload)
  /// The service's clock; also the probe while it cannot be reached.
  case time
  /// The newest entries of the push log, where refusals by Apple and Google show up.
  case pushLog(limit: Int)
  case requestToken(TokenRequest)
}

/// One message on an Ably channel.
package struct AblyMessage: Hashable, Sendable {
  package enum Body: Hashable, Sendable {
    case text(String)
    /// JSON that was written before; travels as a text with its encoding named.
    case json([UInt8])
  }

  /// The idempotency key; nil lets the client make one.
  package var id: String?
  package var name: String?
  package var body: Body?
  package var push: PushObject?

  package init(id: String? = nil, name: String? = nil, body: Body? = nil, push: PushObject? = nil) {
    self.id = id
    self.name = name
    self.body = body
    self.push = push
  }
}

/// What may be done after an attempt that perhaps was processed.
package enum RepeatRule: Hashable, Sendable {
  case always
  /// The caller learns that nobody knows.
  case never
  case once
  /// Only while no newer state waits to be sent: that one is the better repeat.
  case unlessNewerWaits
  /// Only inside the span in which the service recognises the message's id.
  case within(Duration)
}

extension AblyCall {
  package var ruleWhenUnsure: RepeatRule {
    switch self {
    case .create: .once
    case .start: .never
    case .update(_, let payload): payload.alert == nil ? .unlessNewerWaits : .never
    case .end: .always
    case .publish: .within(.seconds(110))
    case .publishToDevice(_, let payload), .publishToDevices(_, let payload):
      payload.event == .start && payload.alert != nil ? .never : .always
    case .time, .pushLog, .requestToken: .always
    }
  }

  /// For logs: what was asked, without anything of the payload.
  package var name: String {
    switch self {
    case .create: "create"
    case .start: "start"
    case .update: "update"
    case .end: "end"
    case .publish: "publish"
    case .publishToDevice, .publishToDevices: "push"
    case .time: "time"
    case .pushLog: "push-log"
    case .requestToken: "request-token"
    }
  }
}
