import Document
package import LiveContract

/// One push to the iOS tile: the `apns` object and the `headers` that travel beside it in the body.
package struct LiveActivityPayload: Hashable, Sendable {
  package enum Event: Hashable, Sendable {
    /// Makes the tile and joins it to the broadcast. Without an alert a phone shows nothing, so there is no start without.
    case start(
      attributesType: String, attributes: GameAttributes, inputPushChannel: String, staleSeconds: Int64, alert: Alert)
    case update(staleSeconds: Int64?, alert: Alert?)
    /// Nil leaves the tile for up to four hours.
    case end(dismissalSeconds: Int64?)

    package var word: String {
      switch self {
      case .start: "start"
      case .update: "update"
      case .end: "end"
      }
    }
  }

  /// What Ably hands to Apple as HTTP headers; here they are members of the body, and always texts.
  package struct Headers: Hashable, Sendable {
    package var priority: PushPriority
    /// Unix seconds; 0 means try once and keep nothing.
    package var expirationSeconds: Int64

    package init(priority: PushPriority, expirationSeconds: Int64) {
      self.priority = priority
      self.expirationSeconds = expirationSeconds
    }
  }

  /// Unix seconds; only ever rises within one activity.
  package var stampSeconds: Int64
  package var event: Event
  package var state: GameAttributes.ContentState
  package var headers: Headers?
  /// Keys that only this app has, behind ours in the state.
  package var extra: [Contract.Extra] = []

  package init(
    stampSeconds: Int64, event: Event, state: GameAttributes.ContentState, headers: Headers?
  ) {
    self.stampSeconds = stampSeconds
    self.event = event
    self.state = state
    self.headers = headers
  }

  package var alert: Alert? {
    switch event {
    case .start(_, _, _, _, let alert): alert
    case .update(_, let alert): alert
    case .end: nil
    }
  }

  package var attributes: GameAttributes? {
    switch event {
    case .start(_, let attributes, _, _, _): attributes
    case .update, .end: nil
    }
  }

  /// The `apns` object, compact, members in the order of Ably's own examples.
  package func apnsJSON() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { apns in
      apns.key("aps")
      apns.object { aps in
        aps.member("timestamp", stampSeconds)
        aps.member("event", event.word)
        writeEvent(into: &aps)
      }
    }
    return writer.bytes
  }

  private func writeEvent(into aps: inout JSONWriter) {
    switch event {
    case .start(let type, let attributes, let channel, let stale, let alert):
      aps.member("input-push-channel", channel)
      writeState(into: &aps)
      aps.member("attributes-type", type)
      aps.key("attributes")
      aps.raw(attributes.json())
      aps.member("stale-date", stale)
      write(alert, into: &aps)
    case .update(let stale, let alert):
      writeState(into: &aps)
      if let stale { aps.member("stale-date", stale) }
      if let alert { write(alert, into: &aps) }
    case .end(let dismissal):
      writeState(into: &aps)
      if let dismissal { aps.member("dismissal-date", dismissal) }
    }
  }

  /// The `content-state`, compact.
  package func stateJSON() -> [UInt8] { state.json(extra) }

  private func writeState(into aps: inout JSONWriter) {
    aps.key("content-state")
    aps.raw(stateJSON())
  }

  private func write(_ alert: Alert, into aps: inout JSONWriter) {
    aps.key("alert")
    aps.object { json in
      json.member("title", alert.title)
      json.member("body", alert.body)
    }
  }
}

/// How urgently Apple delivers. Only `now` counts against the budget that a phone grants an app.
package enum PushPriority: String, Hashable, Sendable, CaseIterable {
  case now = "10"
  case convenient = "5"
}

extension GameAttributes {
  /// Compact JSON with both keys.
  package func json() -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 96)
    writer.object { json in
      json.member("homeTeam", homeTeam)
      json.member("awayTeam", awayTeam)
    }
    return writer.bytes
  }
}

extension GameAttributes.ContentState {
  /// Compact JSON with all nine keys, always: a missing key drops the push on the phone.
  package func json(_ extra: [Contract.Extra] = []) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 256)
    writer.object { json in
      json.member("homeScore", homeScore)
      json.member("awayScore", awayScore)
      json.member("gameStatus", gameStatus.rawValue)
      json.member("period", period)
      json.member("clock", clock)
      json.member("lastPlay", lastPlay)
      json.member("clockDir", clockDir.rawValue)
      json.member("clockAnchorMs", clockAnchorMs)
      json.member("seq", seq)
      for key in extra {
        switch key.value {
        case .text(let text): json.member(key.name, text)
        case .integer(let integer): json.member(key.name, integer)
        }
      }
    }
    return writer.bytes
  }
}
