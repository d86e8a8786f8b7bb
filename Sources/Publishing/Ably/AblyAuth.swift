import Document
import GameCore

/// HMAC-SHA256 of a message under a key, both raw. `Platform` brings it (libcrypto).
package typealias HMACSHA256 = @Sendable (_ key: [UInt8], _ message: [UInt8]) -> [UInt8]

/// An Ably key, `APPID.KEYID:SECRET`. It never shows its secret when printed.
package struct AblyKey: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  /// `APPID.KEYID`, which is no secret.
  package let name: String
  package let secret: String

  /// Nothing is trimmed: white space around a key is the classic fault of configuration files, and is refused as such.
  package init(_ text: String) throws(LocalRefusal) {
    let halves = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = halves[0].split(separator: ".", omittingEmptySubsequences: false)
    guard halves.count == 2, parts.count == 2, !parts[0].isEmpty, !parts[1].isEmpty, !halves[1].isEmpty,
      !halves[1].contains(":"), !text.unicodeScalars.contains(where: { $0.properties.isWhitespace || $0.value < 32 })
    else {
      throw LocalRefusal(
        code: 40005, status: 400,
        message: "an Ably key looks like APPID.KEYID:SECRET, without spaces or line ends around it")
    }
    name = String(halves[0])
    secret = String(halves[1])
  }

  package var description: String { "key \(name)" }
  package var customMirror: Mirror { Mirror(self, children: ["name": name]) }

  /// The value of the `Authorization` header. Only for requests over TLS.
  package var basicAuthorization: String { "Basic " + Base64.standard.encode("\(name):\(secret)".utf8) }
}

/// A token of Ably's or a JWT, with the time at which it ends where that is known.
package struct AblyToken: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  package var text: String
  package var expiresMilliseconds: Int64?
  /// What the token may do, as the service granted it: compare with what was asked for.
  package var capability: String?

  package init(text: String, expiresMilliseconds: Int64? = nil, capability: String? = nil) {
    self.text = text
    self.expiresMilliseconds = expiresMilliseconds
    self.capability = capability
  }

  package var description: String { "token" }
  package var customMirror: Mirror { Mirror(self, children: ["expires": expiresMilliseconds as Any]) }

  /// A JWT travels as it is, a token of Ably's in base64. Only a JWT has three parts that begin with an object.
  package var bearerAuthorization: String {
    let isJWT = text.hasPrefix("eyJ") && text.split(separator: ".", omittingEmptySubsequences: false).count == 3
    return "Bearer " + (isJWT ? text : Base64.standard.encode(text.utf8))
  }
}

/// What the holder may do where: operations by resource. Written in one order only, because it is signed.
package struct Capability: Hashable, Sendable {
  package var operations: [String: [String]]

  package init(_ operations: [String: [String]]) { self.operations = operations }

  /// The least that a fan's device needs on one game's channel. Publishing is not among it.
  package static func device(channel: String) -> Capability {
    Capability([channel: ["push-subscribe", "subscribe"]])
  }

  /// Resources and operations in ascending order of their bytes, no white space.
  package var canonicalJSON: String {
    var writer = JSONWriter()
    writer.object { json in
      for (resource, allowed) in operations.sorted(by: { $0.key.utf8.lexicographicallyPrecedes($1.key.utf8) }) {
        json.key(resource)
        json.array { list in
          for operation in allowed.sorted(by: { $0.utf8.lexicographicallyPrecedes($1.utf8) }) {
            list.string(operation)
          }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
  }
}

/// What a token is asked to be. Signed with the key it needs no `Authorization`, so a device may exchange it itself.
package struct TokenRequest: Hashable, Sendable {
  package var timeToLive: Duration?
  /// Nil: everything the key can do. Never filled in here.
  package var capability: Capability?
  package var clientID: String?

  package init(timeToLive: Duration? = nil, capability: Capability? = nil, clientID: String? = nil) {
    self.timeToLive = timeToLive
    self.capability = capability
    self.clientID = clientID
  }

  /// The text under the signature: six lines, an absent value leaves its line empty, the last line ends as well.
  package func signingText(keyName: String, timestampMilliseconds: Int64, nonce: String) -> String {
    let lines = [
      keyName, timeToLive.map { String($0.milliseconds) } ?? "", capability?.canonicalJSON ?? "", clientID ?? "",
      String(timestampMilliseconds), nonce,
    ]
    return lines.map { $0 + "\n" }.joined()
  }

  /// The signed request as JSON. Good once, and for two minutes around its timestamp.
  package func signedJSON(
    key: AblyKey, timestampMilliseconds: Int64, nonce: String, hmac: HMACSHA256
  ) -> [UInt8] {
    let text = signingText(keyName: key.name, timestampMilliseconds: timestampMilliseconds, nonce: nonce)
    var writer = JSONWriter()
    writer.object { json in
      json.member("keyName", key.name)
      if let timeToLive { json.member("ttl", timeToLive.milliseconds) }
      if let capability { json.member("capability", capability.canonicalJSON) }
      if let clientID { json.member("clientId", clientID) }
      json.member("timestamp", timestampMilliseconds)
      json.member("nonce", nonce)
      json.member("mac", Base64.standard.encode(hmac(Array(key.secret.utf8), Array(text.utf8))))
    }
    return writer.bytes
  }
}

/// A token that we sign ourselves, without a round trip.
package struct JSONWebToken: Hashable, Sendable {
  package var issuedSeconds: Int64
  package var expiresSeconds: Int64
  package var capability: Capability
  package var clientID: String?
  /// Accounts billed by users count this holder as a server.
  package var declaresServer: Bool

  package init(
    issuedSeconds: Int64, expiresSeconds: Int64, capability: Capability, clientID: String? = nil,
    declaresServer: Bool = false
  ) {
    self.issuedSeconds = issuedSeconds
    self.expiresSeconds = expiresSeconds
    self.capability = capability
    self.clientID = clientID
    self.declaresServer = declaresServer
  }

  package func signed(key: AblyKey, hmac: HMACSHA256) -> String {
    var header = JSONWriter()
    header.object { json in
      json.member("typ", "JWT")
      json.member("alg", "HS256")
      json.member("kid", key.name)
    }
    var claims = JSONWriter()
    claims.object { json in
      json.member("iat", issuedSeconds)
      json.member("exp", expiresSeconds)
      json.member("x-ably-capability", capability.canonicalJSON)
      if let clientID { json.member("x-ably-clientId", clientID) }
      if declaresServer { json.member("x-ably-clientType", "server") }
    }
    let text = Base64.urlSafe.encode(header.bytes) + "." + Base64.urlSafe.encode(claims.bytes)
    return text + "." + Base64.urlSafe.encode(hmac(Array(key.secret.utf8), Array(text.utf8)))
  }
}
