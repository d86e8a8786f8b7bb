import Document

/// What stays the same in all attempts of one call, and what is drawn anew for the next call.
package struct CallIdentity: Hashable, Sendable {
  /// In the query, in every log line and in the error that is shown.
  package var requestID: String
  /// Where messages without an id get theirs from.
  package var messageBase: String

  package init(requestID: String, messageBase: String) {
    self.requestID = requestID
    self.messageBase = messageBase
  }

  package init(using random: inout some RandomNumberGenerator) {
    self.init(requestID: random.freshIdentifier(), messageBase: random.freshIdentifier())
  }
}

/// A call as bytes, before a host is chosen: every attempt sends exactly these.
package struct AblyRequest: Hashable, Sendable {
  package var method: String
  /// Percent-encoded, with the query.
  package var target: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]

  /// Fails, with nothing sent, where the service or the phones would refuse it anyway.
  package init(
    _ call: AblyCall, settings: AblySettings, identity: CallIdentity, token: AblyToken? = nil
  ) throws(LocalRefusal) {
    let draft = try AblyDraft(call, settings: settings, messageBase: identity.messageBase)
    method = draft.method
    target = Self.target(draft, settings: settings, requestID: identity.requestID)
    body = draft.body
    headers = Self.commonHeaders(settings, hasBody: !draft.body.isEmpty)
    if draft.needsAuthorization {
      headers += try Self.authorization(settings, token: token)
    }
  }

  /// The exchange of a signed token request: the signature is the proof, so there is no `Authorization`.
  package init(signed body: [UInt8], keyName: String, settings: AblySettings, identity: CallIdentity) {
    method = "POST"
    target = "/keys/\(percentEncoded(keyName))/requestToken?request_id=\(identity.requestID)"
    headers = Self.commonHeaders(settings, hasBody: true)
    self.body = body
  }

  /// The request to one host; only the host differs between attempts.
  package func addressed(to host: String, _ hosts: AblyHosts) -> HTTPRequest {
    HTTPRequest(
      method: method, scheme: hosts.scheme, host: host, port: hosts.port, target: target, headers: headers, body: body)
  }

  private static func target(_ draft: AblyDraft, settings: AblySettings, requestID: String) -> String {
    var query = draft.query
    query.append("request_id=\(percentEncoded(requestID))")
    if settings.declaresServer, case .key = settings.credential { query.append("clientType=server") }
    return draft.path + "?" + query.joined(separator: "&")
  }

  private static func commonHeaders(_ settings: AblySettings, hasBody: Bool) -> [HTTPHeader] {
    var headers = [HTTPHeader("Accept", "application/json")]
    if hasBody { headers.append(HTTPHeader("Content-Type", "application/json")) }
    headers.append(HTTPHeader("X-Ably-Version", protocolVersion))
    headers.append(HTTPHeader("Ably-Agent", settings.agent))
    return headers
  }

  private static func authorization(
    _ settings: AblySettings, token: AblyToken?
  ) throws(LocalRefusal) -> [HTTPHeader] {
    switch settings.credential {
    case .key(let key):
      if settings.hosts.scheme != "https", !(settings.allowsPlainLoopback && settings.hosts.isLoopback) {
        throw LocalRefusal(code: 40103, status: 401, message: "the key is not sent without TLS")
      }
      var headers = [HTTPHeader("Authorization", key.basicAuthorization)]
      if let clientID = settings.clientID {
        headers.append(HTTPHeader("X-Ably-ClientId", Base64.standard.encode(clientID.utf8)))
      }
      return headers
    case .token(let fixed): return [HTTPHeader("Authorization", fixed.bearerAuthorization)]
    case .renewable:
      guard let token else {
        throw LocalRefusal(code: 40106, status: 401, message: "there is no token yet")
      }
      return [HTTPHeader("Authorization", token.bearerAuthorization)]
    }
  }

  private static let protocolVersion = "6"
}
