package import GameCore

/// Whether Apple keeps the newest broadcast for phones that are away. Chosen at create, never to be changed.
package enum StoragePolicy: Int, Hashable, Sendable, CaseIterable {
  /// Nothing is kept; Apple grants a higher publishing budget. Every broadcast must expire at once.
  case nothing = 0
  /// The newest broadcast is kept for at most eight hours, so its expiration must not be zero.
  case newest = 1

  /// The one place where the policy decides `apns-expiration`: the value for a broadcast sent now.
  package func expirationSeconds(keeping span: Duration, at now: WallTime) -> Int64 {
    switch self {
    case .nothing: 0
    case .newest: (now + span).seconds
    }
  }
}

/// An APNs broadcast channel as Ably made it. There is no call that looks it up again: it is stored before it is used.
package struct Broadcast: Hashable, Sendable {
  /// Ably's opaque handle, used in every later call.
  package var id: String
  /// Apple's channel id, kept byte for byte: phones subscribe to it.
  package var apnsChannelID: String
  /// Recorded at create; what the configuration says later does not count.
  package var policy: StoragePolicy

  package init(id: String, apnsChannelID: String, policy: StoragePolicy) {
    self.id = id
    self.apnsChannelID = apnsChannelID
    self.policy = policy
  }
}
