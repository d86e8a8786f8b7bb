import Document

/// What a court's game is on phones: one iOS activity and one Android notification at most.
package struct PhonesConfig: Hashable, Sendable {
  package var ios = IOSConfig()
  package var android = AndroidConfig()
  /// The fixed channel that tells apps which game is on; nil means `scoreboard:<venue>:<court>`.
  package var courtChannel: String?

  package init() {}

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
      ])
  }
}

package struct IOSConfig: Hashable, Sendable {
  package enum StoragePolicy: String, CaseIterable, Hashable, Sendable {
    case nothingStored = "0"
    case newestStored = "1"
  }

  package var isEnabled = true
  /// Chosen when the broadcast is created and recorded with it; a change here counts for the next game.
  package var storagePolicy = StoragePolicy.newestStored
  /// Between two updates that are not about the score.
  package var spacing = Duration.seconds(5)
  package var scoreSpacing = Duration.seconds(1)
  /// Where devices that want a start have subscribed; nil means the game starts in the app only.
  package var startChannel: String?
  /// A game longer than 7 h 30 min gets a second activity.
  package var isRenewed = false

  package init() {}

  static func schema() -> Schema<IOSConfig> {
    .record(
      IOSConfig(),
      [
        .setting("enabled", \.isEnabled, .truth, "Whether iPhones are told at all.", example: "true"),
        .setting(
          "storage_policy", \.storagePolicy, .words("policy"),
          "1: Apple keeps the newest update for phones that were offline. 0: nothing is kept, and more updates may be sent.",
          example: "1"),
        .setting(
          "spacing", \.spacing, .spacing, "The shortest time between updates that are not about the score.",
          example: "5s"),
        .setting(
          "score_spacing", \.scoreSpacing, .spacing, "The shortest time between updates of the score.", example: "1s"),
        .optional(
          "start_channel", \.startChannel, .channel, "The channel whose subscribers get the activity started.",
          example: "fans:riverside", otherwise: "activities are started by the app"),
        .setting(
          "renewal", \.isRenewed, .truth, "Whether a game longer than 7 h 30 m gets a second activity.",
          example: "false"),
      ]
    ).refusingList("One court has one iOS activity; a second one would put two tiles on every phone")
  }
}

package struct AndroidConfig: Hashable, Sendable {
  package var isEnabled = true
  /// Nil means `scoreboard:<venue>:<court>:android`.
  package var channel: String?
  /// Between two updates that are not about the score.
  package var spacing = Duration.seconds(1)
  package var scoreSpacing = Duration.seconds(1)

  package init() {}

  static func schema() -> Schema<AndroidConfig> {
    .record(
      AndroidConfig(),
      [
        .setting("enabled", \.isEnabled, .truth, "Whether Android phones are told at all.", example: "true"),
        .optional(
          "channel", \.channel, .channel, "The channel that the app's devices have subscribed to.",
          example: "scoreboard:riverside:main:android",
          otherwise: "`scoreboard:`, the venue's and the court's slug, and `:android`"),
        .setting(
          "spacing", \.spacing, .spacing, "The shortest time between updates that are not about the score.",
          example: "1s"),
        .setting(
          "score_spacing", \.scoreSpacing, .spacing,
          "The shortest time between updates of the score; never more than spacing counts.", example: "1s"),
      ]
    ).refusingList("One court has one Android channel")
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
