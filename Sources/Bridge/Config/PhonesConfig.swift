import Document
package import Publishing

/// What a court's game is on phones: one iOS activity and one Android notification at most.
package struct PhonesConfig: Hashable, Sendable {
  package var ios = IOSConfig()
  package var android = AndroidConfig()
  /// The fixed channel that tells apps which game is on; nil means `scoreboard:<venue>:<court>`.
  package var courtChannel: String?
  package var events: [EventChange] = []

  package init() {}

  /// The facts' rules with this installation's changes.
  package var eventRules: EventRules {
    events.reduce(into: EventRules()) { rules, event in event.change(&rules) }
  }

  static func schema() -> Schema<PhonesConfig> {
    .record(
      PhonesConfig(),
      [
        .setting(
          "ios", \.ios, IOSConfig.schema(), "The Live Activity on iPhones: one per court.",
          example: "{storage_policy: 1}", otherwise: "on, with its defaults"),
        .setting(
          "android", \.android, AndroidConfig.schema(), "The Live Update on Android phones.", example: "{spacing: 1s}",
          otherwise: "on, with its defaults"),
        .optional(
          "court_channel", \.courtChannel, .channel, "The fixed channel where apps find the court's game.",
          example: "scoreboard:riverside:main", otherwise: "`scoreboard:` with the venue's and the court's slug"),
        .setting(
          "events", \.events, EventChange.schema(), "What is told otherwise than usual, by kind of event.",
          example: "{period_ended: {alert: at-once}}", otherwise: "the usual rules"),
      ])
  }
}

package struct IOSConfig: Hashable, Sendable {
  package var isEnabled = true
  /// Chosen when the broadcast is created and recorded with it; a change here counts for the next game.
  package var storagePolicy = StoragePolicy.newest
  /// Between two updates that are not about the score.
  package var spacing = Duration.seconds(5)
  /// Whether a game that outlives the eight hours of a tile goes on in another one.
  package var isRenewed = false

  package init() {}

  static func schema() -> Schema<IOSConfig> {
    .record(
      IOSConfig(),
      [
        .setting("enabled", \.isEnabled, .truth, "Whether iPhones are told at all.", example: "true"),
        .setting(
          "storage_policy", \.storagePolicy, .storagePolicy,
          "1: Apple keeps the newest update for phones that were offline. 0: nothing is kept, and more updates may be sent.",
          example: "1"),
        .setting(
          "spacing", \.spacing, .spacing, "The shortest time between updates that are not about the score.",
          example: "5s"),
        .setting(
          "renew", \.isRenewed, .truth,
          "Whether a game longer than 7 h 30 min goes on in a second tile; that alerts every phone once more.",
          example: "true"),
      ]
    ).refusingList("One court has one iOS activity; a second one would put two tiles on every phone")
  }
}

package struct AndroidConfig: Hashable, Sendable {
  package var isEnabled = true
  /// Between two updates that are not about the score.
  package var spacing = Duration.seconds(1)

  package init() {}

  static func schema() -> Schema<AndroidConfig> {
    .record(
      AndroidConfig(),
      [
        .setting("enabled", \.isEnabled, .truth, "Whether Android phones are told at all.", example: "true"),
        .setting(
          "spacing", \.spacing, .spacing, "The shortest time between updates that are not about the score.",
          example: "1s"),
      ]
    ).refusingList("One court has one Android channel")
  }
}

extension Schema where Value == StoragePolicy {
  static var storagePolicy: Schema {
    let words = StoragePolicy.allCases.map { String($0.rawValue) }
    let shape = ScalarShape(name: "policy", allowed: words.joined(separator: " or "), form: .words(words))
    return .scalar(
      shape, write: { String($0.rawValue) },
      parse: { text in StoragePolicy.allCases.first { String($0.rawValue) == text } })
  }
}

extension Schema where Value == Duration {
  static var spacing: Schema { .duration(.zero...(.seconds(60))) }
}

extension Schema {
  /// The same, with the reason why there can be only one.
  func refusingList(_ reason: String) -> Schema {
    Schema(shape, write: write) { node, decoding in
      guard node.elements != nil else { return read(node, &decoding) }
      decoding.problem("a list stands here", at: node.position, remedy: reason)
      return nil
    }
  }
}
