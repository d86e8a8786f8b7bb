package import GameCore

/// One thing a lane wanted to tell, and what became of it. The newest is told; the others are history.
package struct OutboxEntry: Hashable, Sendable {
  /// What became of an entry.
  package enum Fate: Hashable, Sendable {
    /// It has not left yet.
    case waiting
    /// It left and there is no answer yet.
    case sent
    /// The service took it. Accepted is not delivered.
    case accepted
    /// A newer state left in its place.
    case superseded(by: Int64)
    /// It may have been processed; nobody knows.
    case unknown(reason: String)
    /// It can never succeed and blocks nothing.
    case parked(reason: String)
    /// There was nothing left to tell, or it came too late.
    case dropped(reason: String)

    package var word: String {
      switch self {
      case .waiting: "waiting"
      case .sent: "sent"
      case .accepted: "accepted"
      case .superseded: "superseded"
      case .unknown: "unknown"
      case .parked: "parked"
      case .dropped: "dropped"
      }
    }
  }

  /// `<game>/<sink>`.
  package var lane: String
  /// Its place in the lane's history.
  package var sequence: Int64
  /// What it was about: the word of an update kind.
  package var key: String
  package var wantedAt: WallTime
  /// After this it is not worth sending. Nil for every state of the game: the newest state is never too old.
  package var notAfter: WallTime?
  package var attempts: Int
  package var fate: Fate
  /// What it said, as JSON.
  package var body: [UInt8]

  package init(
    lane: String, sequence: Int64, key: String, wantedAt: WallTime, notAfter: WallTime? = nil, body: [UInt8]
  ) {
    self.lane = lane
    self.sequence = sequence
    self.key = key
    self.wantedAt = wantedAt
    self.notAfter = notAfter
    attempts = 0
    fate = .waiting
    self.body = body
  }
}
