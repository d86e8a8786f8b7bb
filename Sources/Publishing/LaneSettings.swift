/// Where a game is told. One activity, one lane, per game and sink.
package enum Sink: String, Hashable, Sendable, CaseIterable {
  case ablyIOS = "ably-ios"
  case ablyAndroid = "ably-android"

  /// The activity's place in the store. A game that outlives a tile has a second one at the same sink, and so on.
  func place(round: Int) -> String { round == 1 ? rawValue : "\(rawValue)-\(round)" }

  /// The sink and the round of a place; nil for a name that is none.
  static func at(place: String) -> (sink: Sink, round: Int)? {
    for sink in allCases {
      if place == sink.rawValue { return (sink, 1) }
      if place.hasPrefix(sink.rawValue + "-"), let round = Int(place.dropFirst(sink.rawValue.count + 1)), round > 1 {
        return (sink, round)
      }
    }
    return nil
  }
}

/// What an installation may set about a lane, and how.
package struct LaneSettings: Hashable, Sendable {
  /// For a channel yet to be made; an existing one keeps the policy it was made with.
  package var storagePolicy: StoragePolicy
  /// How long changes merge after a send. Rows with a wait of their own never wait longer than that.
  package var spacing: Duration
  package var rules: EventRules
  /// The app's Swift type of the attributes.
  package var attributesType: String
  /// How long before the scheduled start a tile may be started.
  package var startLead: Duration
  /// How long after the scheduled start a tile may still be started.
  package var startGrace: Duration
  package var heartbeat: Duration
  package var budgetCapacity: Int
  package var budgetRefill: Duration
  /// The last line of a tile that ends before the game does.
  package var followInApp: String
  /// Whether a game that outlives its tile goes on in another one, at the price of an alert and a start.
  package var renews: Bool

  package init(
    storagePolicy: StoragePolicy = .newest, spacing: Duration, rules: EventRules = EventRules(),
    attributesType: String = "GameAttributes", startLead: Duration = .seconds(600),
    startGrace: Duration = .seconds(600), heartbeat: Duration = .seconds(120), budgetCapacity: Int = 6,
    budgetRefill: Duration = .seconds(30), followInApp: String = "Follow the game in the app",
    renews: Bool = false
  ) {
    self.storagePolicy = storagePolicy
    self.spacing = spacing
    self.rules = rules
    self.attributesType = attributesType
    self.startLead = startLead
    self.startGrace = startGrace
    self.heartbeat = heartbeat
    self.budgetCapacity = budgetCapacity
    self.budgetRefill = budgetRefill
    self.followInApp = followInApp
    self.renews = renews
  }

  /// The facts' defaults for a sink.
  package static func standard(_ sink: Sink) -> LaneSettings {
    switch sink {
    case .ablyIOS: LaneSettings(spacing: .seconds(5))
    case .ablyAndroid: LaneSettings(spacing: .seconds(1))
    }
  }
}
