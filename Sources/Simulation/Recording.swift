package import Bridge
internal import Document
package import GameCore
internal import Input
internal import Outbox

/// What one run of the daemon began with.
package struct RecordingHeader: Hashable, Sendable {
  /// The format's number; a reader refuses any other.
  package static let format: Int64 = 1

  package var version: String
  /// The seed of the run's own randomness, so that a replay draws the same.
  package var seed: UInt64
  package var boot: String
  /// The courts' slugs in the order of the config, by which inputs name them.
  package var courts: [String]
  package var began: Moment

  package init(version: String, seed: UInt64, boot: String, courts: [String], began: Moment) {
    self.version = version
    self.seed = seed
    self.boot = boot
    self.courts = courts
    self.began = began
  }
}

/// Turns what comes from outside into lines of a recording: a header, then one JSON object for each stimulus.
/// What the daemon made of it, the answers of service and disk among it, is not written: a replay makes its own.
package struct Recorder: Sendable {
  /// Wall time minus monotonic time, as it was last written.
  private var offset: Duration

  package init(_ header: RecordingHeader) { offset = header.began.wallOffset }

  package static func line(_ header: RecordingHeader) -> [UInt8] {
    var json = JSONWriter()
    json.object { json in
      json.member("recording", RecordingHeader.format)
      json.member("version", header.version)
      json.member("seed", String(header.seed))
      json.member("boot", header.boot)
      json.key("courts")
      json.array { json in for court in header.courts { json.string(court) } }
      json.member("at", header.began.instant.nanoseconds)
      json.member("wall", header.began.wall.milliseconds)
    }
    return json.bytes + [0x0A]
  }

  /// Nil for what does not come from outside.
  package mutating func line(_ stimulus: Stimulus, at moment: Moment) -> [UInt8]? {
    var json = JSONWriter()
    json.beginObject()
    json.member("at", moment.instant.nanoseconds)
    let drift = moment.wallOffset - offset
    // Two clocks read one after the other differ by a moment each time; more than that is a clock that moves.
    if drift > .milliseconds(5) || drift < .milliseconds(-5) {
      offset = moment.wallOffset
      json.member("wall", moment.wall.milliseconds)
    }
    guard json.write(stimulus) else { return nil }
    json.endObject()
    return json.bytes + [0x0A]
  }
}

extension Moment {
  /// The wall clock's reading at the monotonic clock's zero.
  package var wallOffset: Duration {
    .milliseconds(wall.milliseconds) - .nanoseconds(instant.nanoseconds)
  }
}

extension JSONWriter {
  /// Text where it is text, hexadecimal digits under another name where it is not.
  fileprivate mutating func member(_ name: String, bytes: [UInt8]) {
    if !bytes.contains(0), let text = String(validating: bytes, as: UTF8.self) {
      member(name, text)
    } else {
      member(name + "_hex", Hexadecimal.encode(bytes))
    }
  }

  fileprivate mutating func write(_ contents: StoreContents) {
    key("events")
    array { json in
      for event in contents.events {
        json.object { json in
          json.member("game", event.game)
          json.member("sequence", event.sequence)
          json.member("body", bytes: event.body)
        }
      }
    }
    key("entries")
    array { json in
      for entry in contents.entries {
        json.object { json in
          json.member("lane", entry.lane)
          json.member("sequence", entry.sequence)
          json.member("body", bytes: entry.body)
        }
      }
    }
    key("marks")
    array { json in
      for (key, value) in contents.marks.sorted(by: { $0.key < $1.key }) {
        json.object { json in
          json.member("key", key)
          json.member("body", bytes: value)
        }
      }
    }
  }

  /// False for what does not come from outside.
  fileprivate mutating func write(_ stimulus: Stimulus) -> Bool {
    switch stimulus {
    case .started(let contents):
      member("input", "started")
      write(contents)
    case .bytes(let bytes, let address):
      begin("bytes", address)
      member("data", bytes: bytes)
    case .feedOpened(let address): begin("feed opened", address)
    case .feedClosed(let address, let reason):
      begin("feed closed", address)
      member("reason", reason)
    case .key(let key):
      member("input", "key")
      member("key", String(key))
    case .line(let place, let news): write(news, of: place)
    case .message(let message): write(message)
    case .broker(let state): write(state)
    case .brokerSaid(let news): write(news)
    case .linkCameUp: member("input", "link")
    case .clockChecked(let isSynchronised):
      member("input", "clock")
      if let isSynchronised { member("synchronised", isSynchronised) }
    // A config holds secrets, so only that it came is told.
    case .reload: member("input", "reload")
    case .terminate: member("input", "end")
    case .input, .stored, .answered, .deadline: return false
    }
    return true
  }

  private mutating func begin(_ input: String, _ address: InputAddress) {
    member("input", input)
    member("court", address.court)
    member("console", address.console)
  }

  private mutating func write(_ news: LineNews, of place: LinePlace) {
    member("input", "line")
    member("court", place.court)
    switch place.part {
    case .button(let number): member("button", number)
    case .lamp(let number): member("lamp", number)
    }
    switch news {
    case .opened(let level, let chip, let warning):
      member("opened", level.rawValue)
      member("chip", chip)
      if let warning { member("warning", warning) }
    case .edges(let edges, let queueWasFull):
      key("edges")
      array { json in
        for edge in edges {
          json.object { json in
            json.member("at", edge.at.nanoseconds)
            json.member("level", edge.level.rawValue)
            json.member("sequence", edge.sequence)
          }
        }
      }
      if queueWasFull { member("queue_was_full", true) }
    case .read(let level): member("read", level.rawValue)
    case .down(let reason): member("down", reason)
    }
  }

  private mutating func write(_ message: MQTTMessage) {
    member("input", "message")
    member("topic", message.topic)
    member("payload", bytes: message.payload)
    member("qos", message.qos.rawValue)
    if message.isRetained { member("retained", true) }
    if let topic = message.responseTopic { member("response_topic", topic) }
    if let correlation = message.correlation { member("correlation", bytes: correlation) }
  }

  private mutating func write(_ state: BrokerState) {
    member("input", "broker")
    switch state {
    case .connecting: member("state", "connecting")
    case .connected(let broker, let size):
      member("state", "connected")
      member("broker", broker)
      if let size { member("maximum_packet_size", size) }
    case .loginRefused(let reason):
      member("state", "login refused")
      member("reason", reason)
    case .clientIDTaken: member("state", "client id taken")
    case .lost(let reason):
      member("state", "lost")
      member("reason", reason)
    }
  }

  private mutating func write(_ news: BrokerNews) {
    member("input", "broker said")
    switch news {
    case .notPublished(let topic, let reason):
      member("topic", topic)
      member("reason", reason)
    case .tooLarge(let topic, let limit):
      member("topic", topic)
      member("limit", limit)
    case .tooSlow(let topic): member("topic", topic)
    case .subscribed(let refused):
      key("refused")
      array { list in for filter in refused { list.string(filter) } }
    }
  }
}

/// Bytes as pairs of digits.
enum Hexadecimal {
  static func encode(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity(bytes.count * 2)
    for byte in bytes {
      for digit in [byte >> 4, byte & 15] { text.append(digit < 10 ? 48 + digit : 87 + digit) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  static func decode(_ text: String) -> [UInt8]? {
    let digits = Array(text.utf8)
    guard digits.count % 2 == 0 else { return nil }
    var bytes: [UInt8] = []
    bytes.reserveCapacity(digits.count / 2)
    for place in stride(from: 0, to: digits.count, by: 2) {
      guard let high = value(digits[place]), let low = value(digits[place + 1]) else { return nil }
      bytes.append(high << 4 | low)
    }
    return bytes
  }

  private static func value(_ digit: UInt8) -> UInt8? {
    switch digit {
    case 48...57: digit - 48
    case 97...102: digit - 87
    case _: nil
    }
  }
}
