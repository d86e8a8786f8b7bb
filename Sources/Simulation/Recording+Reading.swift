package import Bridge
package import Document
package import GameCore
internal import Input
internal import Outbox

/// One line of a recording, read back.
package enum RecordedLine {
  case header(RecordingHeader)
  case input(Stimulus, at: Moment)
  /// The config was read anew here; a replay goes on with the one it has.
  case reload
}

/// Reads a recording line by line; each needs the one before it for the time of day.
package struct RecordingReader: Sendable {
  private var offset: Duration?
  private let json: @Sendable ([UInt8]) -> Node?

  package init(json: @escaping @Sendable ([UInt8]) -> Node?) { self.json = json }

  /// Nil for a line that is none: torn by a power cut, or not of a recording.
  package mutating func read(_ line: [UInt8]) -> RecordedLine? {
    guard let node = json(line), let at = node["at"]?.integer else { return nil }
    let instant = Instant(nanoseconds: at)
    if let wall = node["wall"]?.integer {
      offset = Moment(instant: instant, wall: WallTime(milliseconds: wall)).wallOffset
    }
    guard let offset else { return nil }
    let moment = Moment(at: instant, wallOffset: offset)
    if node["recording"] != nil { return node.header(began: moment).map { .header($0) } }
    guard let input = node["input"]?.text else { return nil }
    if input == "reload" { return .reload }
    return node.stimulus(input).map { .input($0, at: moment) }
  }
}

extension Moment {
  package init(at instant: Instant, wallOffset: Duration) {
    self.init(
      instant: instant,
      wall: WallTime(milliseconds: (wallOffset + .nanoseconds(instant.nanoseconds)).milliseconds))
  }
}

extension Node {
  fileprivate func bytes(_ name: String) -> [UInt8]? {
    self[name]?.text.map { Array($0.utf8) } ?? self[name + "_hex"]?.text.flatMap(Hexadecimal.decode)
  }

  private func number(_ name: String) -> Int? { self[name]?.integer.map { Int($0) } }

  private func isSet(_ name: String) -> Bool { self[name]?.text == "true" }

  fileprivate func header(began: Moment) -> RecordingHeader? {
    guard self["recording"]?.integer == RecordingHeader.format, let version = self["version"]?.text,
      let seed = self["seed"]?.text.flatMap({ UInt64($0) }), let boot = self["boot"]?.text,
      let courts = self["courts"]?.elements
    else { return nil }
    return RecordingHeader(
      version: version, seed: seed, boot: boot, courts: courts.compactMap(\.text), began: began)
  }

  private var contents: StoreContents? {
    var contents = StoreContents()
    for event in self["events"]?.elements ?? [] {
      guard let game = event["game"]?.text, let sequence = event["sequence"]?.integer, let body = event.bytes("body")
      else { return nil }
      contents.events.append(.init(game: game, sequence: sequence, body: body))
    }
    for entry in self["entries"]?.elements ?? [] {
      guard let lane = entry["lane"]?.text, let sequence = entry["sequence"]?.integer, let body = entry.bytes("body")
      else { return nil }
      contents.entries.append(.init(lane: lane, sequence: sequence, body: body))
    }
    for mark in self["marks"]?.elements ?? [] {
      guard let key = mark["key"]?.text, let body = mark.bytes("body") else { return nil }
      contents.marks[key] = body
    }
    return contents
  }

  fileprivate func stimulus(_ input: String) -> Stimulus? {
    switch input {
    case "started": contents.map { .started($0) }
    case "bytes": address.flatMap { address in bytes("data").map { .bytes($0, from: address) } }
    case "feed opened": address.map { .feedOpened($0) }
    case "feed closed": address.map { .feedClosed($0, reason: self["reason"]?.text ?? "") }
    case "key": self["key"]?.text.flatMap(\.first).map { .key($0) }
    case "line": place.flatMap { place in news.map { .line(place, $0) } }
    case "message": message.map { .message($0) }
    case "broker": brokerState.map { .broker($0) }
    case "broker said": brokerNews.map { .brokerSaid($0) }
    case "link": .linkCameUp
    case "clock": .clockChecked(isSynchronised: self["synchronised"].map { $0.text == "true" })
    case "end": .terminate
    case _: nil
    }
  }

  private var address: InputAddress? {
    guard let court = number("court"), let console = number("console") else { return nil }
    return InputAddress(court: court, console: console)
  }

  private var place: LinePlace? {
    guard let court = number("court") else { return nil }
    if let button = number("button") { return LinePlace(court: court, part: .button(button)) }
    return number("lamp").map { LinePlace(court: court, part: .lamp($0)) }
  }

  private func level(_ name: String) -> LineLevel? { self[name]?.text.flatMap(LineLevel.init(rawValue:)) }

  private var news: LineNews? {
    if let level = level("opened") {
      return .opened(level, place: self["chip"]?.text ?? "", warning: self["warning"]?.text)
    }
    if let level = level("read") { return .read(level) }
    if let reason = self["down"]?.text { return .down(reason: reason) }
    guard let nodes = self["edges"]?.elements else { return nil }
    let edges = nodes.compactMap { edge -> LineEdge? in
      guard let at = edge["at"]?.integer, let level = edge.level("level") else { return nil }
      return LineEdge(
        level, at: Instant(nanoseconds: at), sequence: UInt32(clamping: edge["sequence"]?.integer ?? 0))
    }
    return edges.count == nodes.count ? .edges(edges, queueWasFull: isSet("queue_was_full")) : nil
  }

  private var message: MQTTMessage? {
    guard let topic = self["topic"]?.text, let payload = bytes("payload") else { return nil }
    return MQTTMessage(
      topic: topic, payload: payload, qos: number("qos").flatMap { QoS(rawValue: UInt8(clamping: $0)) } ?? .atMostOnce,
      isRetained: isSet("retained"), responseTopic: self["response_topic"]?.text,
      correlation: bytes("correlation"))
  }

  private var brokerNews: BrokerNews? {
    if let filters = self["refused"]?.elements { return .subscribed(refused: filters.compactMap(\.text)) }
    guard let topic = self["topic"]?.text else { return nil }
    if let reason = self["reason"]?.text { return .notPublished(topic: topic, reason: reason) }
    return number("limit").map { .tooLarge(topic: topic, limit: $0) } ?? .tooSlow(topic: topic)
  }

  private var brokerState: BrokerState? {
    let reason = self["reason"]?.text ?? ""
    switch self["state"]?.text {
    case "connecting": return .connecting
    case "connected":
      return .connected(broker: self["broker"]?.text ?? "", maximumPacketSize: number("maximum_packet_size"))
    case "login refused": return .loginRefused(reason: reason)
    case "client id taken": return .clientIDTaken
    case "lost": return .lost(reason: reason)
    case _: return nil
    }
  }
}
