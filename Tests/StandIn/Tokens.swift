import CSSL
import Foundation
import GameCore

/// Tokens as the service gives them for signed requests, and what their holders may do. A device of a fan holds one.
struct Tokens {
  private struct Grant {
    /// Operations by resource.
    var operations: [String: Set<String>]
    var expires: WallTime
  }

  let key: String
  private var grants: [String: Grant] = [:]
  private var usedNonces: Set<String> = []

  init(key: String) { self.key = key }

  private var name: String { String(key.prefix { $0 != ":" }) }
  private var secret: String { String(key.drop { $0 != ":" }.dropFirst()) }

  /// The answer to `POST /keys/NAME/requestToken`. The signature is the proof; it is good once, for two minutes.
  mutating func request(_ body: JSON, keyName: String, at now: WallTime) throws(Refusal) -> Answer {
    guard keyName == name, body["keyName"]?.string == name else { throw Refusal(404, 40400, "key unknown") }
    guard let stamp = body["timestamp"]?.integer, let nonce = body["nonce"]?.string, nonce.count >= 16,
      let given = body["mac"]?.string
    else { throw Refusal(400, 40003, "timestamp, nonce or mac missing") }
    let lines = [
      name, body["ttl"]?.integer.map(String.init) ?? "", body["capability"]?.string ?? "",
      body["clientId"]?.string ?? "", String(stamp), nonce,
    ]
    guard given == mac(lines.map { $0 + "\n" }.joined()) else { throw Refusal(401, 40101, "mac does not match") }
    guard abs(stamp - now.milliseconds) <= 120_000 else { throw Refusal(401, 40104, "timestamp not current") }
    guard usedNonces.insert(nonce).inserted else { throw Refusal(401, 40105, "nonce value replayed") }
    let capability = body["capability"]?.string ?? #"{"*":["*"]}"#
    guard let members = JSON(capability.utf8)?.members else { throw Refusal(400, 40003, "capability is not JSON") }
    var operations: [String: Set<String>] = [:]
    for member in members { operations[member.key] = Set(member.value.elements?.compactMap(\.string) ?? []) }
    let token = "\(name).t\(grants.count)-\(nonce)"
    let expires = now + .milliseconds(body["ttl"]?.integer ?? 3_600_000)
    grants[token] = Grant(operations: operations, expires: expires)
    return .json(
      201,
      #"{"token":\#(JSON.string(token).text),"issued":\#(now.milliseconds),"expires":\#(expires.milliseconds),"#
        + #""capability":\#(JSON.string(capability).text)}"#)
  }

  /// Whether the holder may do this; only what is granted by name is allowed.
  func check(bearer: String, _ operation: String?, on resource: String?, at now: WallTime) throws(Refusal) {
    guard let token = Data(base64Encoded: bearer).flatMap({ String(bytes: $0, encoding: .utf8) }),
      let grant = grants[token]
    else { throw Refusal(401, 40140, "token unknown") }
    guard now < grant.expires else { throw Refusal(401, 40142, "token expired") }
    guard let operation else { return }
    let allowed = (grant.operations[resource ?? "*"] ?? []).union(grant.operations["*"] ?? [])
    guard allowed.contains(operation) || allowed.contains("*") else {
      throw Refusal(401, 40160, "operation not permitted with provided capability: \(operation)")
    }
  }

  private func mac(_ text: String) -> String {
    var digest = [UInt8](repeating: 0, count: 32)
    var length: UInt32 = 0
    let bytes = Array(text.utf8)
    HMAC(EVP_sha256(), secret, Int32(secret.utf8.count), bytes, bytes.count, &digest, &length)
    return Data(digest).base64EncodedString()
  }
}

extension Call {
  /// The right that a call takes; nil where any holder of credentials will do.
  var operation: String? {
    switch self {
    case .publish: "publish"
    case .create, .start, .broadcast, .end, .direct, .batch: "push-admin"
    case .pushLog: "history"
    case .time, .requestToken, .unknown: nil
    }
  }
}
