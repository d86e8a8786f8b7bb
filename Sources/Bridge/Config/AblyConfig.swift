package import Document

/// The push service: where it is and where its key is kept.
package struct AblyConfig: Hashable, Sendable {
  package var key = SecretSource.environment("ABLY_API_KEY")
  /// The routing policy or host; nil means the service's usual hosts.
  package var endpoint: String?
  /// Nil means the fallbacks that belong to the endpoint; empty means none.
  package var fallbackHosts: [String]?
  package var port: UInt16 = 443
  package var caFile: String?
  package var openTimeout = Duration.seconds(2)
  package var requestTimeout = Duration.seconds(5)

  package init() {}

  static func schema() -> Schema<AblyConfig> {
    .record(
      AblyConfig(),
      [
        .required(
          "key", \.key, .secret, "Where the API key is kept; never the key itself.",
          example: "{credential: ably-key}"),
        .optional(
          "endpoint", \.endpoint, .endpoint, "A routing policy's name or a host of its own.", example: "main",
          otherwise: "Ably's usual hosts"),
        .optional(
          "fallback_hosts", \.fallbackHosts, .list(of: .host, count: 0...8),
          "Hosts to try when the first is down; an empty list means none.", example: "[]",
          otherwise: "those of the endpoint"),
        .setting(
          "port", \.port, .integer(1...65_535), "The TLS port; another one than 443 is for tests.", example: "443"),
        .optional(
          "ca_file", \.caFile, .absolutePath, "Certificates to trust instead of the system's.",
          example: "/etc/ssl/certs/arena-ca.pem", otherwise: "the system's certificates"),
        .setting(
          "open_timeout", \.openTimeout, .duration(.milliseconds(200)...(.seconds(30))),
          "How long a connection may take to open.", example: "2s"),
        .setting(
          "request_timeout", \.requestTimeout, .duration(.milliseconds(500)...(.seconds(60))),
          "How long a request may take in all, the name look-up included.", example: "5s"),
      ])
  }
}
