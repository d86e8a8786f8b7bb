/// One request as a value: what leaves over libcurl, and what arrives at the local HTTP server.
package struct HTTPRequest: Hashable, Sendable {
  package var method: String
  /// `https` or `http`.
  package var scheme: String
  /// A name or an address; an IPv6 literal without brackets.
  package var host: String
  package var port: Int
  /// Begins with `/`; percent-encoded, with the query.
  package var target: String
  package var headers: [HTTPHeader]
  package var body: [UInt8]

  package init(
    method: String, scheme: String = "https", host: String, port: Int = 443, target: String,
    headers: [HTTPHeader] = [], body: [UInt8] = []
  ) {
    self.method = method
    self.scheme = scheme
    self.host = host
    self.port = port
    self.target = target
    self.headers = headers
    self.body = body
  }
}

package struct HTTPHeader: Hashable, Sendable {
  package var name: String
  package var value: String

  package init(_ name: String, _ value: String) {
    self.name = name
    self.value = value
  }
}

package struct HTTPResponse: Hashable, Sendable {
  package var status: Int
  package var headers: [HTTPHeader]
  /// Cut at a bound by the transport (64 KiB), so that a foreign server cannot fill the memory.
  package var body: [UInt8]

  package init(status: Int, headers: [HTTPHeader] = [], body: [UInt8] = []) {
    self.status = status
    self.headers = headers
    self.body = body
  }

  /// The first header of that name, compared without case.
  package func header(_ name: String) -> String? {
    headers.first { $0.name.lowercased() == name.lowercased() }?.value
  }
}

/// What became of one attempt on one host, as the transport saw it (facts/ably 1.4).
package enum TransportResult: Hashable, Sendable {
  /// A complete answer came.
  case answered(HTTPResponse)
  /// The request certainly did not get through: it may be repeated, whatever it was.
  case notSent(TransportFault)
  /// The request may have been processed: a time-out or a broken connection after it was written.
  case ambiguous(TransportFault)
}

/// Why there was no answer.
package struct TransportFault: Hashable, Sendable {
  package enum Reason: String, Hashable, Sendable {
    case nameNotResolved, notConnected, tlsFailed, certificateRefused, timedOut, connectionLost, cancelled
  }

  package var reason: Reason
  /// For people; carries no secret and no URL query.
  package var detail: String

  package init(_ reason: Reason, detail: String) {
    self.reason = reason
    self.detail = detail
  }
}
