import Foundation
package import GameCore

/// One request as the stand-in remembers it.
package struct Seen: Sendable {
  /// 0, 1, 2 … over all connections, in the order in which they were complete.
  package var number: Int
  /// Which connection brought it; connections are counted from 0.
  package var connection: Int
  /// `h2` or `http/1.1`.
  package var spoken: String
  /// When its last byte had been read.
  package var at: Moment
  package var method: String
  /// As it stood in the request line, query included.
  package var target: String
  /// The path's segments, percent-decoded one by one.
  package var path: [String]
  package var query: [String: String]
  package var headers: [(name: String, value: String)]
  package var body: [UInt8]
  package var json: JSON?
  package var call: Call
  /// What the client was told; nil when it got no complete answer.
  package var answer: Answer?
  /// What the rules answered, whatever a fault made of it; nil when a fault kept the request from them.
  package var ownAnswer: Answer?
  /// It changed something: a channel made, a push handed to the phones, a message on a channel.
  package var processed = false
  /// Its message id was known, so it was accepted and went nowhere.
  package var duplicate = false

  /// The value of the first header with this name, given in lower case.
  package func header(_ name: String) -> String? { headers.first { $0.name == name }?.value }

  /// The broadcast's id or the channel's name, where the path holds one.
  package var subject: String? {
    switch call {
    case .start, .broadcast, .end: path.count > 2 ? path[2] : nil
    case .publish: path.count > 1 ? path[1] : nil
    case .time, .create, .direct, .batch, .pushLog, .requestToken, .unknown: nil
    }
  }

  /// `aps` of a Live Activity call.
  package var aps: JSON? { json?["apns"]?["aps"] }

  /// The one message of a channel publish.
  package var message: JSON? { json?.elements?.last ?? (json?.members == nil ? nil : json) }

  /// What FCM would hand to the app: from a channel publish or from a direct push.
  package var fcmData: JSON? { call == .direct ? json?["data"] : message?["extras"]?["push"]?["data"] }
}

extension Seen {
  init(_ request: Incoming, number: Int, connection: Int, spoken: String, at moment: Moment) {
    let parts = request.target.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
    let path = parts[0].split(separator: "/", omittingEmptySubsequences: false).dropFirst().map {
      $0.removingPercentEncoding ?? String($0)
    }
    var query: [String: String] = [:]
    for item in parts.count > 1 ? parts[1].split(separator: "&") : [] {
      let pair = item.split(separator: "=", maxSplits: 1).map { $0.removingPercentEncoding ?? String($0) }
      query[pair[0]] = pair.count > 1 ? pair[1] : ""
    }
    self.init(
      number: number, connection: connection, spoken: spoken, at: moment, method: request.method,
      target: request.target, path: path, query: query, headers: request.headers, body: request.body,
      json: JSON(request.body), call: AblyService.call(request.method, path))
  }
}
