package import Document
package import LiveContract

/// One data message to the Android card: every fact of the game as text, and how FCM is to carry it.
package struct LiveUpdatePayload: Hashable, Sendable {
  package enum Event: String, Hashable, Sendable, CaseIterable {
    case start, update, end
  }

  package var event: Event
  package var gameID: String
  package var attributes: GameAttributes
  package var state: GameAttributes.ContentState
  /// Unix milliseconds; only ever rises within one Android app.
  package var stampMilliseconds: Int64
  /// Unix milliseconds after which the app should grey the card; nil where nothing is known to go stale.
  package var staleAtMilliseconds: Int64?
  package var alert: Alert?
  package var fcm: FCMOptions

  package init(
    event: Event, gameID: String, attributes: GameAttributes, state: GameAttributes.ContentState,
    stampMilliseconds: Int64, staleAtMilliseconds: Int64?, alert: Alert?, fcm: FCMOptions
  ) {
    self.event = event
    self.gameID = gameID
    self.attributes = attributes
    self.state = state
    self.stampMilliseconds = stampMilliseconds
    self.staleAtMilliseconds = staleAtMilliseconds
    self.alert = alert
    self.fcm = fcm
  }

  /// The idempotency key. `end` repeats the number of the last update, so the event's word keeps the two apart.
  package var messageID: String { "\(gameID)-\(state.seq)-\(event.rawValue):0" }

  /// The map that the app receives; numbers become text here and nowhere else.
  package var data: [PushDatum] {
    var data = [
      PushDatum("event", .text(event.rawValue)),
      PushDatum("gameId", .text(gameID)),
      PushDatum("homeTeam", .text(attributes.homeTeam)),
      PushDatum("awayTeam", .text(attributes.awayTeam)),
      PushDatum("homeScore", .integer(Int64(state.homeScore))),
      PushDatum("awayScore", .integer(Int64(state.awayScore))),
      PushDatum("gameStatus", .text(state.gameStatus.rawValue)),
      PushDatum("period", .text(state.period)),
      PushDatum("clock", .text(state.clock)),
      PushDatum("lastPlay", .text(state.lastPlay)),
      PushDatum("clockDir", .text(state.clockDir.rawValue)),
      PushDatum("clockAnchorMs", .integer(Int64(state.clockAnchorMs))),
      PushDatum("seq", .integer(Int64(state.seq))),
      PushDatum("timestamp", .integer(stampMilliseconds)),
    ]
    if let staleAtMilliseconds { data.append(PushDatum("staleAtMs", .integer(staleAtMilliseconds))) }
    if let alert {
      data.append(PushDatum("alertTitle", .text(alert.title)))
      data.append(PushDatum("alertBody", .text(alert.body)))
    }
    return data
  }

  /// The payload as Ably takes it: data only, so that the app's own code runs and draws the card.
  package var push: PushObject { PushObject(data: data, fcm: fcm) }

  /// The message that carries this payload on an Ably channel, its texts cut until it fits.
  package var message: AblyMessage { AblyMessage(id: messageID, name: "live-update", push: fitted().push) }
}

/// How FCM carries a data message. There is no collapse key: it would throttle a game to one message in three minutes.
package struct FCMOptions: Hashable, Sendable {
  package enum Priority: String, Hashable, Sendable, CaseIterable {
    /// Wakes a dozing phone.
    case high = "HIGH"
    case normal = "NORMAL"
  }

  package var priority: Priority
  /// Never absent: without it a phone switched on a week later would show a live game.
  package var timeToLive: Duration

  package init(priority: Priority, timeToLive: Duration) {
    self.priority = priority
    self.timeToLive = timeToLive
  }
}

/// One entry of a push's data map.
package struct PushDatum: Hashable, Sendable {
  package var key: String
  package var value: PushValue

  package init(_ key: String, _ value: PushValue) {
    self.key = key
    self.value = value
  }
}

/// What may be asked to travel in a data map, before FCM's demand that every value be a text.
package enum PushValue: Hashable, Sendable {
  case text(String)
  case integer(Int64)
  case number(Double)
  case truth(Bool)
  /// Null, a list or a map: FCM would refuse it long after Ably has answered 201.
  case unrepresentable

  /// The text that FCM accepts; nil where there is none.
  package var text: String? {
    switch self {
    case .text(let text): text
    case .integer(let integer): String(integer)
    case .number(let number): number.isFinite ? "\(number)" : nil
    case .truth(let truth): truth ? "true" : "false"
    case .unrepresentable: nil
    }
  }
}

/// Ably's push object, data only.
package struct PushObject: Hashable, Sendable {
  package var data: [PushDatum]
  package var fcm: FCMOptions?

  package init(data: [PushDatum], fcm: FCMOptions?) {
    self.data = data
    self.fcm = fcm
  }

  /// The first key that FCM would refuse or overwrite, or whose value has no text; nil when all is well.
  package var unusableKey: String? {
    data.first { datum in
      datum.value.text == nil || Self.reservedKeys.contains(datum.key)
        || Self.reservedPrefixes.contains { datum.key.hasPrefix($0) }
    }?.key
  }

  /// Keys plus values in UTF-8, as FCM counts.
  package var dataBytes: Int { data.reduce(0) { $0 + $1.key.utf8.count + ($1.value.text?.utf8.count ?? 0) } }

  /// Writes the members into an open object: nested under `push` on a channel, beside `recipient` in a direct push.
  package func writeMembers(into json: inout JSONWriter) {
    json.key("data")
    json.object { map in
      for datum in data { map.member(datum.key, datum.value.text ?? "") }
    }
    guard let fcm else { return }
    json.key("fcm")
    json.object { options in
      options.member("priority", fcm.priority.rawValue)
      options.member("ttl", "\(fcm.timeToLive.components.seconds)s")
    }
  }

  private static let reservedKeys: Set<String> = ["from", "message_type", "collapse_key"]
  private static let reservedPrefixes = ["google", "gcm"]
}
