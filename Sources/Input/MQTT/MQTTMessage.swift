/// How often a message may arrive; the raw value is the wire's (MQTT 5, 4.3).
package enum QoS: UInt8, Hashable, Sendable {
  case atMostOnce = 0
  case atLeastOnce = 1
  case exactlyOnce = 2
}

/// A message as the broker delivered it.
package struct MQTTMessage: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  package var qos: QoS
  /// Set on the broker's stored copy: it says what was once so, never what somebody presses now.
  package var isRetained: Bool
  /// Where an MQTT 5 requester wants the answer; the broker refuses wildcards in it.
  package var responseTopic: String?
  /// To be copied into the answer as it is.
  package var correlation: [UInt8]?

  package init(
    topic: String, payload: [UInt8], qos: QoS = .atMostOnce, isRetained: Bool = false,
    responseTopic: String? = nil, correlation: [UInt8]? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.responseTopic = responseTopic
    self.correlation = correlation
  }
}

/// A message of ours.
package struct MQTTPublication: Hashable, Sendable {
  package var topic: String
  package var payload: [UInt8]
  package var qos: QoS
  /// The broker keeps it for whoever subscribes later.
  package var isRetained: Bool
  package var correlation: [UInt8]?
  /// After so long the broker forgets it; only MQTT 5 knows how.
  package var expiry: Duration?

  package init(
    topic: String, payload: [UInt8], qos: QoS = .atLeastOnce, isRetained: Bool, correlation: [UInt8]? = nil,
    expiry: Duration? = nil
  ) {
    self.topic = topic
    self.payload = payload
    self.qos = qos
    self.isRetained = isRetained
    self.correlation = correlation
    self.expiry = expiry
  }
}
