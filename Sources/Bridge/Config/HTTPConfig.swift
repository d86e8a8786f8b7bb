import Document

/// The local server: how an app finds the game. It listens only when this section is there.
package struct HTTPConfig: Hashable, Sendable {
  package var listen = "127.0.0.1"
  package var port: UInt16 = 8080
  /// Names that a request's `Host` may carry beside the listening address and `localhost`.
  package var hostNames: [String] = []

  package init() {}

  static func schema() -> Schema<HTTPConfig> {
    .record(
      HTTPConfig(),
      [
        .setting(
          "listen", \.listen, .ownAddress, "The address to listen on; 0.0.0.0 is every network of this machine.",
          example: "127.0.0.1"),
        .setting("port", \.port, .integer(1...65_535), "The port to listen on.", example: "8080"),
        .setting(
          "host_names", \.hostNames, .list(of: .host, count: 0...16),
          "Names under which apps may ask, beside the address itself; others are refused.",
          example: "[scores.arena.example]"),
      ])
  }
}
