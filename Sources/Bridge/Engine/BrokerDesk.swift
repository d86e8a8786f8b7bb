package import Input

/// What the broker is to know. Retained topics are values, not messages: while nobody is connected only the newest of
/// each is kept, and a connection gets them all, so that a broker that forgot everything knows it again at once and an
/// older value never follows a newer one. Events and replies are told once or not at all.
package struct BrokerDesk: Hashable, Sendable {
  private var retained: [String: [UInt8]] = [:]
  /// Those that the broker is to forget when they are not said again.
  private var expiries: [String: Duration] = [:]
  /// In the order of their first appearance, so that a connection tells them in the same order every time.
  private var order: [String] = []
  private var changed: [String] = []
  private var messages: [MQTTPublication] = []
  package private(set) var isConnected = false
  /// Messages that found no broker.
  package private(set) var dropped = 0
  /// The largest packet that the broker takes; nil is no limit.
  private var maximumPacketSize: Int?
  /// Topics whose newest value the broker would refuse for its size.
  package private(set) var oversized: [String] = []
  /// Topics on which it would not have our messages, with its reason, and what it would not let us hear.
  private(set) var refused: [String: String] = [:]
  private(set) var unheard: [String] = []

  package init() {}

  /// A new value of a retained topic; the same value again is not told again.
  package mutating func retain(_ topic: String, _ payload: [UInt8], expiry: Duration? = nil) {
    expiries[topic] = expiry
    if retained[topic] == nil { order.append(topic) }
    guard retained[topic] != payload else { return }
    retained[topic] = payload
    if isConnected, !changed.contains(topic) { changed.append(topic) }
  }

  /// Tells some retained topics again, for somebody who has forgotten them though the broker has not.
  package mutating func repeatRetained(where isMeant: (String) -> Bool) {
    guard isConnected else { return }
    for topic in order where isMeant(topic) && !changed.contains(topic) { changed.append(topic) }
  }

  /// Something that is true for one moment: never retained, and lost without a broker.
  package mutating func say(_ message: MQTTPublication) {
    guard isConnected else {
      dropped += 1
      return
    }
    messages.append(message)
  }

  /// Everything retained is told, what was first retained last at the end.
  package mutating func connected(maximumPacketSize: Int?) {
    isConnected = true
    self.maximumPacketSize = maximumPacketSize
    (oversized, refused, unheard) = ([], [:], [])
    changed = order
  }

  /// What the broker says of one topic; its refusals stand until they are tried again.
  mutating func heard(_ news: BrokerNews) {
    switch news {
    case .notPublished(let topic, let reason): refused[topic] = reason
    case .tooLarge(let topic, _): if !oversized.contains(topic) { oversized.append(topic) }
    case .tooSlow: dropped += 1
    case .subscribed(let refused): unheard = refused
    }
  }

  /// Once in a while: the access list may have been mended.
  mutating func retryRefused() {
    let topics = refused
    refused = [:]
    repeatRetained { topics[$0] != nil }
  }

  package mutating func disconnected() {
    isConnected = false
    changed = []
    dropped += messages.count
    messages = []
  }

  /// What leaves in this turn: states first, so that whoever acts on an event or a reply finds the state it led to.
  package mutating func drain() -> [MQTTPublication] {
    guard isConnected else { return [] }
    var result: [MQTTPublication] = []
    for topic in changed {
      guard let payload = retained[topic], fits(topic, payload) else { continue }
      result.append(MQTTPublication(topic: topic, payload: payload, isRetained: true, expiry: expiries[topic]))
    }
    result += messages.filter { fits($0.topic, $0.payload) }
    changed = []
    messages = []
    return result
  }

  /// A packet above the broker's limit would cost the connection; it is set aside instead. The room for the fixed header,
  /// the topic and the properties is taken generously.
  private mutating func fits(_ topic: String, _ payload: [UInt8]) -> Bool {
    if topic.utf8.count + payload.count + 64 <= maximumPacketSize ?? .max {
      oversized.removeAll { $0 == topic }
      return true
    }
    if !oversized.contains(topic) { oversized.append(topic) }
    return false
  }
}
