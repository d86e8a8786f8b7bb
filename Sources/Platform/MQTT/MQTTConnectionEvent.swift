package import Input

/// What the connection to the brokers tells: messages, and each change of its own state.
package enum MQTTConnectionEvent: Hashable, Sendable {
  /// What the broker granted.
  package struct Session: Hashable, Sendable {
    /// The place in the list of brokers.
    package var broker: Int
    /// 5, or 4 for a broker that only knows 3.1.1.
    package var protocolLevel: Int
    package var isResumed: Bool
    /// Of a whole packet in bytes, where the broker names one.
    package var maximumPacketSize: Int?
    /// Addresses of the broker's name that did not answer before another one did.
    package var silentAddresses: [String] = []
  }

  /// Why there is no connection (any more).
  package enum Loss: String, Hashable, Sendable {
    /// No broker at the address, or it hangs up before it answers.
    case unreachable
    /// The certificate is not good, or TLS fails otherwise.
    case tlsFailed
    /// User, password or rights.
    case loginRefused
    /// Refused for another reason, such as the client id.
    case refused
    /// Was connected, and is no more.
    case lost
    /// Another client uses our id, and we throw each other out.
    case takenOver
  }

  /// Publishing works from here on; whatever is retained is to be said again.
  case connected(Session)
  /// The broker has answered every subscription; these it refused.
  case subscribed(refused: [String])
  case message(MQTTMessage)
  /// The broker took the message and would not have it.
  case notPublished(topic: String, reason: String)
  /// The next attempt begins after the delay, at the next broker where there are several.
  case disconnected(Loss, broker: Int, reason: String, retryAfter: Duration)
}

/// What became of a message at once.
package enum MQTTPublishOutcome: Hashable, Sendable {
  /// Given to the connection; not yet acknowledged. Of a retained topic that the broker acknowledges too slowly, only
  /// the newest value goes.
  case handedOver
  /// Nothing was kept: there is no connection.
  case notConnected
  /// Larger than what the broker takes; sending it would cost the connection.
  case tooLarge(limit: Int)
  /// The broker acknowledges too slowly, and the message is not retained: nothing was kept.
  case full
}
