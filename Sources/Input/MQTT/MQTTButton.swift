package import Document

/// A button that speaks on the broker, in its maker's words: each message that says that somebody pressed, now, gives
/// the maker's word for it (`single`, `SS`, `long_push`, `HOLD`). What was stored, repeated or sent again is no press.
package struct MQTTButton: Hashable, Sendable {
  package enum Maker: String, CaseIterable, Hashable, Sendable {
    /// The member `action` of a device's JSON, or the bare word on its topic `…/action`.
    case zigbee2MQTT = "zigbee2mqtt"
    /// `shellies/<id>/input_event/N` with a counter.
    case shellyGen1 = "shelly-gen1"
    /// `<prefix>/events/rpc`, with the event's own time. Also of the generations that followed.
    case shellyGen2 = "shelly-gen2"
    /// `stat/<topic>/RESULT`, or `…/BUTTONn`.
    case tasmota
    /// An event entity's JSON, or a binary sensor's ON and OFF.
    case espHome = "esphome"

    /// Whether a message that is delivered twice can be told from two presses. For the others the broker is asked to
    /// deliver at most once.
    package var knowsRepeats: Bool {
      switch self {
      case .shellyGen1, .shellyGen2: true
      case .zigbee2MQTT, .tasmota, .espHome: false
      }
    }

    package func isHold(_ word: String) -> Bool {
      let word = word.lowercased()
      return word.holds("hold") || word.holds("long") || (self == .shellyGen1 && word.first == "l")
    }
  }

  package enum Answer: Hashable, Sendable {
    /// The maker's words, in order; several events may come in one message.
    case pressed([String])
    /// A message about something else, or what is no press.
    case ignored(reason: String)
  }

  package let name: String
  package let maker: Maker
  package let topic: String
  /// Which of the device's inputs, as the maker counts them.
  private let input: Int
  /// The counter that came last (Shelly's first generation); nil before the first.
  private var counter: Int64?
  /// The newest events by their own time (Shelly's later generations).
  private var seen: [String] = []
  package private(set) var retained = 0

  package init(name: String, maker: Maker, topic: String, input: Int?) {
    self.name = name
    self.maker = maker
    self.topic = topic
    self.input = input ?? (maker == .tasmota ? 1 : 0)
  }

  package mutating func received(_ message: MQTTMessage, json: ([UInt8]) -> Node?) -> Answer {
    guard message.topic == topic else { return .ignored(reason: "another topic") }
    let node = json(message.payload)
    if message.isRetained {
      retained += 1
      // Its counter is still good to know: the next press differs from it.
      if maker == .shellyGen1, let count = node?["event_cnt"]?.integer { counter = count }
      return .ignored(reason: "a stored message is no press")
    }
    switch maker {
    case .zigbee2MQTT: return zigbee(message, node)
    case .shellyGen1: return shellyGen1(node)
    case .shellyGen2: return shellyGen2(node)
    case .tasmota: return tasmota(node)
    case .espHome: return espHome(message, node)
    }
  }

  private func word(_ text: String?) -> Answer {
    guard let text, !text.isEmpty, text.utf8.count <= 64 else { return .ignored(reason: "no press in it") }
    return .pressed([text])
  }

  private func zigbee(_ message: MQTTMessage, _ node: Node?) -> Answer {
    if message.topic.hasSuffix("/action"), node?.members == nil {
      return word(String(decoding: message.payload.prefix(65), as: UTF8.self).trimmed)
    }
    return word(node?["action"]?.text)
  }

  /// The message comes again at every reconnect and every so often: only another counter is a press, and the first one
  /// that is seen says nothing.
  private mutating func shellyGen1(_ node: Node?) -> Answer {
    guard let count = node?["event_cnt"]?.integer else { return .ignored(reason: "no press in it") }
    defer { counter = count }
    guard let counter else { return .ignored(reason: "the first counter seen") }
    return counter == count ? .ignored(reason: "the same press again") : word(node?["event"]?.text)
  }

  private mutating func shellyGen2(_ node: Node?) -> Answer {
    guard node?["method"]?.text == "NotifyEvent", let params = node?["params"] else {
      return .ignored(reason: "no press in it")
    }
    var words: [String] = []
    for event in (params["events"]?.elements ?? []).prefix(16) {
      guard event["component"]?.text == "input:\(input)", let name = event["event"]?.text, name.utf8.count <= 64 else {
        continue
      }
      let mark = "\(event["ts"]?.text ?? params["ts"]?.text ?? "") \(name)"
      guard !seen.contains(mark) else { continue }
      seen.append(mark)
      if seen.count > 32 { seen.removeFirst() }
      words.append(name)
    }
    return words.isEmpty ? .ignored(reason: "no press in it") : .pressed(words)
  }

  /// The same topic answers every command; only our button's member is a press, whatever its case.
  private func tasmota(_ node: Node?) -> Answer {
    let names = ["button\(input)", "switch\(input)"]
    let member = node?.members?.first { names.contains($0.key.lowercased()) }?.value
    return word(member?.members?.first { $0.key.lowercased() == "action" }?.value.text)
  }

  private func espHome(_ message: MQTTMessage, _ node: Node?) -> Answer {
    if node?.members != nil { return word(node?["event_type"]?.text) }
    return word(String(decoding: message.payload.prefix(65), as: UTF8.self).trimmed)
  }

  /// Whether a maker's word means a long press: it arms what a mere press must not do.
  package func isHold(_ word: String) -> Bool { maker.isHold(word) }
}
