/// Learns which message costs the connection, where the broker does not name its limit (MQTT 3.1.1): a message that was
/// the largest under way at two losses in a row is not sent a third time.
struct MQTTPoison {
  private var suspect: (topic: String, size: Int)?
  /// The largest packet that may be sent, once that is known.
  private(set) var limit: Int?

  /// The connection ended with these under way; certainly because of one of them, or for whatever reason.
  mutating func lost(largest: (topic: String, size: Int)?, isCertain: Bool = false) {
    guard let largest else {
      suspect = nil
      return
    }
    if isCertain {
      limit = largest.size - 1
    } else if let suspect, suspect.topic == largest.topic, suspect.size <= largest.size {
      limit = suspect.size - 1
    }
    suspect = largest
  }

  /// The broker took one of this size.
  mutating func acknowledged(size: Int) {
    if let suspect, size >= suspect.size { self.suspect = nil }
    if let limit, size > limit { self.limit = nil }
  }
}
