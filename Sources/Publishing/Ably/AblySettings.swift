/// How requests prove who sends them.
package enum AblyCredential: Hashable, Sendable {
  case key(AblyKey)
  /// A token that nobody here can renew.
  case token(AblyToken)
  /// The key only signs token requests; all else travels under the token.
  case renewable(AblyKey, TokenRequest)

  package var key: AblyKey? {
    switch self {
    case .key(let key), .renewable(let key, _): key
    case .token: nil
    }
  }
}

/// Everything that is decided once about talking to Ably.
package struct AblySettings: Sendable {
  package var hosts: AblyHosts
  package var credential: AblyCredential
  /// `name/version` entries, our own first, one space between them.
  package var agent: String
  package var clientID: String?
  /// For accounts billed by users: says with every request that a server speaks.
  package var declaresServer = false
  /// Lets a test talk plain HTTP to this machine with a key.
  package var allowsPlainLoopback = false
  /// Treats 429 and switched-off pushes like any other answer of the edge, as the letter of the client spec has it.
  package var strictSpecFallback = false
  package var openTimeout: Duration = .seconds(4)
  package var requestTimeout: Duration = .seconds(10)
  package var maxRetryCount = 3
  package var maxRetryDuration: Duration = .seconds(15)
  /// How long a fallback that answered well stays the first choice.
  package var pinDuration: Duration = .seconds(600)
  package var maxMessageSize = 65_536
  /// What the fan app decodes; a push that does not fit is not sent.
  package var contract = Contract.standard

  package init(
    hosts: AblyHosts, credential: AblyCredential, agent: String, clientID: String? = nil
  ) throws(LocalRefusal) {
    if clientID == "*" || clientID == "" {
      throw LocalRefusal(code: 40012, status: 400, message: "a client id must not be empty or *")
    }
    self.hosts = hosts
    self.credential = credential
    self.agent = agent
    self.clientID = clientID
  }
}
