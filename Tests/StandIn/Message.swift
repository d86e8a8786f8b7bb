/// A complete request as a connection read it.
struct Incoming {
  var method: String
  var target: String
  /// Names in lower case, in the order in which they came; `:authority` is told as `host`.
  var headers: [(name: String, value: String)]
  var body: [UInt8]

  func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }
}

/// What the stand-in answers.
package struct Answer: Hashable, Sendable {
  package var status: Int
  package var headers: [String: String]
  package var body: String

  package init(status: Int, headers: [String: String] = [:], body: String = "") {
    self.status = status
    self.headers = headers
    self.body = body
  }

  package static func json(_ status: Int, _ body: String) -> Answer {
    Answer(status: status, headers: ["content-type": "application/json"], body: body)
  }

  /// An error as Ably tells it: in the body and in two headers.
  package static func error(_ status: Int, _ code: Int, _ message: String) -> Answer {
    var answer = json(
      status,
      JSON.object([
        .init(
          key: "error",
          value: .object([
            .init(key: "message", value: .string(message)), .init(key: "code", value: .number(String(code))),
            .init(key: "statusCode", value: .number(String(status))),
            .init(key: "href", value: .string("https://help.ably.io/error/\(code)")),
          ]))
      ]).text)
    answer.headers["x-ably-errorcode"] = String(code)
    answer.headers["x-ably-errormessage"] = message
    return answer
  }

  /// A bare status with the error Ably would give with it.
  package static func status(_ status: Int) -> Answer {
    switch status {
    case 429: error(429, 42910, "rate limit exceeded")
    case 503: error(503, 50003, "request timed out inside the service")
    case 500...: error(status, status * 100, "internal error")
    default: error(status, status * 100, "refused on request of the test")
    }
  }

  /// A page for people, as captive portals and proxies send it.
  package static func html(_ status: Int) -> Answer {
    Answer(
      status: status, headers: ["content-type": "text/html"],
      body: "<!DOCTYPE html><title>Welcome</title><p>Please accept the terms of the venue's network.</p>")
  }

  /// A refusal by the edge network in front of Ably: headers only.
  package static func edge(_ status: Int, code: Int) -> Answer {
    Answer(status: status, headers: ["x-ably-errorcode": String(code), "server": "CloudFront"])
  }

  package func adding(_ header: String, _ value: String) -> Answer {
    var answer = self
    answer.headers[header.lowercased()] = value
    return answer
  }

  package func retryAfter(_ value: String) -> Answer { adding("retry-after", value) }
}

/// What a request asks for.
package enum Call: String, Hashable, Sendable, CaseIterable {
  case time, create, start, broadcast, end, publish, direct
  /// The same push to many devices.
  case batch
  /// What Apple and Google refused, as Ably keeps it on a channel of its own.
  case pushLog
  /// A signed request for a token, as a device sends it.
  case requestToken
  /// No call that Ably offers.
  case unknown
}
