package import Input

/// Where and as whom to connect, and what to say and hear there.
package struct MQTTSettings: Hashable, Sendable {
  package struct Broker: Hashable, Sendable {
    package var host: String
    package var port: Int
    /// Nil is plain TCP.
    package var tls: TLS?

    package init(host: String, port: Int, tls: TLS? = nil) {
      self.host = host
      self.port = port
      self.tls = tls
    }
  }

  /// TLS 1.2 or newer; chain and host name are always checked.
  package struct TLS: Hashable, Sendable {
    /// Nil trusts the system's certificates.
    package var caFile: String?
    /// Ours, for a broker that asks for one; both or none.
    package var certificateFile: String?
    package var keyFile: String?
    /// The application protocol to ask for, where the broker shares its port with others.
    package var alpn: String?

    package init(
      caFile: String? = nil, certificateFile: String? = nil, keyFile: String? = nil, alpn: String? = nil
    ) {
      self.caFile = caFile
      self.certificateFile = certificateFile
      self.keyFile = keyFile
      self.alpn = alpn
    }
  }

  package struct Subscription: Hashable, Sendable {
    package var filter: String
    package var qos: QoS

    package init(_ filter: String, qos: QoS = .atLeastOnce) {
      self.filter = filter
      self.qos = qos
    }
  }

  /// Tried in this order; after a loss from the first again. Never empty.
  package var brokers: [Broker]
  /// Unique on the broker: two clients with one id throw each other out.
  package var clientID: String
  package var username: String?
  package var password: String?
  /// Within 1.5 times of this the broker notices that we are gone, and we that it is: 8 s at least.
  package var keepAlive: Duration
  /// What the broker says for us when we are gone without a word.
  package var will: MQTTPublication?
  /// What we say last on a clean stop.
  package var farewell: MQTTPublication?
  /// Asked for anew on each connect.
  package var subscriptions: [Subscription]

  package init(
    brokers: [Broker], clientID: String, username: String? = nil, password: String? = nil,
    keepAlive: Duration = .seconds(10), will: MQTTPublication? = nil, farewell: MQTTPublication? = nil,
    subscriptions: [Subscription] = []
  ) {
    precondition(!brokers.isEmpty, "A connection needs a broker.")
    self.brokers = brokers
    self.clientID = clientID
    self.username = username
    self.password = password
    self.keepAlive = keepAlive
    self.will = will
    self.farewell = farewell
    self.subscriptions = subscriptions
  }
}
