package import GameCore

/// What a call came to when its last attempt was over. Accepted is not delivered.
package enum Verdict: Hashable, Sendable {
  /// The service took it.
  case accepted(Acceptance)
  /// No attempt got through: nothing was processed, whatever the call was.
  case notSent(TransportFault)
  /// The service, or we ourselves before sending, said no: nothing was processed.
  case refused(Refusal)
  /// It may have been processed: no complete answer came, or one that says nothing about it.
  case ambiguous(Ambiguity)
}

/// What an accepted call brought back.
package enum Acceptance: Hashable, Sendable {
  case plain
  /// Both names of a new broadcast channel.
  case created(Broadcast)
  /// One serial per message; nil where a rule of the service merged the message away, which is a success too.
  case published(messageID: String?, serials: [String?])
  /// The broadcast was already gone when its end was asked for, which is what was wanted.
  case alreadyEnded
  case time(WallTime)
  case token(AblyToken)
  case pushLog([PushLogEntry])
  /// The answer to a push to many devices: those that were refused, by device id.
  case devices(refused: [String: Refusal])
}

/// A no, with what to do about it.
package struct Refusal: Hashable, Sendable {
  /// The service's own number; nil when the answer carried none.
  package var code: Int?
  package var status: Int
  /// For people. Carries no secret.
  package var message: String
  package var action: AblyAction
  /// What `Retry-After` asked for, between one second and five minutes.
  package var retryAfter: Duration?
  /// We said no before anything was sent.
  package fileprivate(set) var isLocal = false

  package init(code: Int?, status: Int, message: String, action: AblyAction, retryAfter: Duration? = nil) {
    self.code = code
    self.status = status
    self.message = message
    self.action = action
    self.retryAfter = retryAfter
  }

  /// The shortest wait before the next try: what the service asked for, and never under 5 s after its flood protection.
  package var leastWait: Duration? {
    guard code == 42922 else { return retryAfter }
    return max(retryAfter ?? .zero, .seconds(5))
  }

  /// The broadcast, channel or key that the call named does not exist (any more).
  package var saysGone: Bool { code == 40400 || status == 404 || status == 410 }
}

/// Why nobody knows.
package enum Ambiguity: Hashable, Sendable {
  /// A time-out or a broken connection after the request was written.
  case unanswered(TransportFault)
  /// An answer that leaves it open: a 5xx, a stop midway, or a success nobody can read.
  case answered(Refusal)
}

/// A request that is wrong before it is sent. Nothing reached any host.
package struct LocalRefusal: Error, Hashable, Sendable {
  package var code: Int
  package var status: Int
  package var message: String

  package init(code: Int, status: Int, message: String) {
    self.code = code
    self.status = status
    self.message = message
  }

  /// As a verdict: our request is wrong, or does not fit.
  package var refusal: Refusal {
    let action = AblyErrors.rule(code: code, status: status).action
    var refusal = Refusal(code: code, status: status, message: message, action: action)
    refusal.isLocal = true
    return refusal
  }
}
