package import Document

/// The broker or brokers, and what we call ourselves there.
package struct MQTTConfig: Hashable, Sendable {
  package struct Broker: Hashable, Sendable {
    package var host = ""
    /// 1883, or 8883 with TLS, unless given.
    package var port: UInt16 = 1883
    package var tls: TLS?

    package init() {}

    package init(host: String, port: UInt16, tls: TLS? = nil) {
      self.host = host
      self.port = port
      self.tls = tls
    }
  }

  package struct TLS: Hashable, Sendable {
    package var caFile: String?
    package var certificateFile: String?
    package var keyFile: String?
    package var alpn: String?

    package init() {}
  }

  /// Home Assistant's discovery; off unless the section is there.
  package struct Discovery: Hashable, Sendable {
    package var prefix = "homeassistant"

    package init() {}
  }

  /// In the order in which they are tried.
  package var brokers: [Broker] = []
  package var username: String?
  package var password: SecretSource?
  /// Nil means `scoreboard/<venue slug>`; `Config.topicPrefix` answers for both.
  package var topicPrefix: String?
  package var keepAlive = Duration.seconds(10)
  /// Commands that carry a time older than this are refused.
  package var commandAge = Duration.seconds(30)
  package var discovery: Discovery?

  package init() {}

  /// The command line names one broker instead. What protects the login on its way stays: the certificates of the
  /// broker of that name, or else those of the first.
  package mutating func use(_ place: HostPort) {
    let tls = (brokers.first { $0.host == place.host } ?? brokers.first)?.tls
    brokers = [Broker(host: place.host, port: place.port, tls: tls)]
  }
}

extension MQTTConfig {
  static func schema() -> Schema<MQTTConfig> {
    .record(
      MQTTConfig(),
      [
        .required(
          "brokers", \.brokers, .list(of: brokerSchema(), count: 1...8),
          "The brokers, tried in this order; only one is used at a time.", example: "[{host: 127.0.0.1}]"),
        .optional(
          "username", \.username, .text(), "The account at the broker.", example: "bridge",
          otherwise: "no login"),
        .optional(
          "password", \.password, .secret, "Where the account's password is kept.",
          example: "{credential: mqtt-password}", otherwise: "no password"),
        .optional(
          "topic_prefix", \.topicPrefix, .topic, "What every topic begins with.", example: "scoreboard/riverside",
          otherwise: "`scoreboard/` and the venue's slug"),
        .setting(
          "keep_alive", \.keepAlive, .duration(.seconds(8)...(.seconds(300))),
          "After 1.5 times this silence the broker reports us lost, and we give up a broker that does not answer.",
          example: "10s"),
        .setting(
          "command_age", \.commandAge, .duration(.seconds(1)...(.seconds(3600))),
          "A command that carries a time older than this is refused.", example: "30s"),
        .optional(
          "discovery", \.discovery, discoverySchema(), "Tells Home Assistant about this venue.", example: "{}",
          otherwise: "nothing is announced"),
      ]
    ).checked { mqtt, node, decoding in
      if mqtt.password != nil, mqtt.username == nil {
        decoding.problem(
          "a password without a user name", at: node["password"]?.position ?? node.position,
          remedy: "Give username as well, or remove the password")
      }
    }
  }

  private struct BrokerDraft {
    var host = ""
    var port: UInt16?
    var tls: TLS?
  }

  private static func brokerSchema() -> Schema<Broker> {
    Schema.record(
      BrokerDraft(),
      [
        .required("host", \.host, .host, "The broker's name or address.", example: "broker.arena.example"),
        .optional(
          "port", \.port, .integer(1...65_535), "Its port.", example: "8883",
          otherwise: "1883, or 8883 with TLS"),
        .optional(
          "tls", \.tls, tlsSchema(), "Encrypts, and checks the broker's name; `{}` trusts the system's certificates.",
          example: "{ca_file: /etc/ssl/certs/arena-ca.pem}", otherwise: "no encryption"),
      ]
    ).converted { draft, _, _ in
      Broker(host: draft.host, port: draft.port ?? (draft.tls == nil ? 1883 : 8883), tls: draft.tls)
    }
  }

  private static func tlsSchema() -> Schema<TLS> {
    Schema.record(
      TLS(),
      [
        .optional(
          "ca_file", \.caFile, .absolutePath, "Certificates to trust instead of the system's.",
          example: "/etc/ssl/certs/arena-ca.pem", otherwise: "the system's certificates"),
        .optional(
          "certificate_file", \.certificateFile, .absolutePath, "Our own certificate, where the broker asks for one.",
          example: "/etc/scoreboard-bridge/client.pem", otherwise: "none"),
        .optional(
          "key_file", \.keyFile, .absolutePath, "The key of our certificate.",
          example: "/etc/scoreboard-bridge/client.key", otherwise: "none"),
        .optional(
          "alpn", \.alpn,
          .name("protocol", allowed: "a protocol's name", pattern: "^[!-~]{1,32}$") { text in
            !text.isEmpty && text.utf8.count <= 32 && text.utf8.allSatisfy { $0 > 32 && $0 < 127 }
          }, "The protocol's name, where brokers share port 443.", example: "mqtt", otherwise: "none"),
      ]
    ).checked { tls, node, decoding in
      guard (tls.certificateFile == nil) != (tls.keyFile == nil) else { return }
      decoding.problem(
        "a certificate and its key go together", at: node.position, remedy: "Give both certificate_file and key_file")
    }
  }

  private static func discoverySchema() -> Schema<Discovery> {
    Schema.record(
      Discovery(),
      [
        .setting(
          "prefix", \.prefix, .topic, "The topic that Home Assistant listens on.", example: "homeassistant")
      ])
  }
}
