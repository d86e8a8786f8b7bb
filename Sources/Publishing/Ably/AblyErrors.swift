import Document

/// What to do after a refusal.
package enum AblyAction: String, Hashable, Sendable, CaseIterable {
  /// Another host may do better; when all have failed, as `retry`.
  case fallback
  /// Wait, then send the newest state where the call may be repeated.
  case retry
  /// Get a new token and repeat once.
  case reauthenticate
  /// Give up this message, count it, go on with the next.
  case drop
  /// Stop this channel or broadcast and raise the alarm; others go on.
  case stopChannel
  /// No push-to-start is possible; updates to tiles that the app started itself may go on.
  case stopStarts
  /// Everything under `/push` stops; channel messages go on.
  case stopPush
  /// Stop sending, raise the alarm, probe once a minute.
  case stopAll
  /// Our request is wrong: give it up and raise the alarm as a defect of ours.
  case bug
}

/// One row of the service's error table.
package struct AblyErrorRule: Hashable, Sendable {
  package var codes: ClosedRange<Int>
  package var action: AblyAction
  /// For the operator: what is wrong, and where there is something to do, what.
  package var meaning: String

  fileprivate init(_ codes: ClosedRange<Int>, _ action: AblyAction, _ meaning: String) {
    self.codes = codes
    self.action = action
    self.meaning = meaning
  }

  fileprivate init(_ code: Int, _ action: AblyAction, _ meaning: String) { self.init(code...code, action, meaning) }
}

/// Ably's error numbers with our reaction to each. The first row that holds a number counts.
package enum AblyErrors {
  /// The reaction by number, and by status class where the number is unknown or missing.
  package static func rule(code: Int?, status: Int) -> AblyErrorRule {
    guard let code, let row = table.first(where: { $0.codes.contains(code) }) else { return rule(status: status) }
    switch code {
    case 50004, 50005: return AblyErrorRule(code, (500...504).contains(status) ? .fallback : .retry, row.meaning)
    case 80000...80030, 90001, 42923, 42925: return AblyErrorRule(code, rule(status: status).action, row.meaning)
    default: return row
    }
  }

  /// The reaction where the call matters too: a missing right on `/push` stops all pushes, a missing key stops all.
  package static func action(code: Int?, status: Int, message: String, call: AblyCall) -> AblyAction {
    if (400...499).contains(status), message.lowercased().holds("not push-enabled channel") { return .stopChannel }
    switch (code, call) {
    case (40160, .create), (40160, .start), (40160, .update), (40160, .end), (40160, .publishToDevice),
      (40160, .publishToDevices):
      return .stopPush
    case (40400, .requestToken): return .stopAll
    case (_, .start), (_, .update):
      if code == nil, status == 404 || status == 410 { return .stopChannel }
    case (_, .create), (_, .end), (_, .publish), (_, .publishToDevice), (_, .publishToDevices), (_, .time),
      (_, .pushLog), (_, .requestToken):
      break
    }
    return rule(code: code, status: status).action
  }

  /// What is behind a refusal and where to mend it, for a person; nil where the service's own words say all there is.
  package static func advice(code: Int?, status: Int, message: String) -> String? {
    let letters = String(message.lowercased().unicodeScalars.filter { $0.properties.isAlphabetic })
    if let cause = causes.first(where: { $0.words.contains { letters.holds($0) } }) { return cause.advice }
    let rule = rule(code: code, status: status)
    switch rule.action {
    case .stopAll, .stopPush, .stopStarts, .stopChannel, .reauthenticate: return rule.meaning
    case .fallback, .retry, .drop, .bug:
      let isAboutRatesOrDevices = (41001..<50000).contains(rule.codes.lowerBound) || rule.codes.lowerBound >= 103000
      return isAboutRatesOrDevices ? rule.meaning : nil
    }
  }

  /// What Apple and Ably answer, in small letters without spaces, when an account or an app is not set up for live
  /// activities; the number beside it is the same for all of them.
  private static let causes: [(words: [String], advice: String)] = [
    (
      ["featurenotenabled"],
      "switch on the broadcast capability of the app id in Apple's developer portal, under Push Notifications; Xcode "
        + "cannot do it"
    ),
    (
      ["channelnotregistered", "badchannelid", "baddevicetoken", "badenvironmentkey"],
      "sandbox and production do not know each other's channels and tokens: the Ably app must point at the APNs "
        + "environment of the app's build, and one Ably app serves one environment"
    ),
    (
      ["devicetokennotfortopic", "topicdisallowed", "badtopic"],
      "the Ably app's APNs settings name another bundle id than the app has"
    ),
    (["cannotcreatechannelconfig"], "Apple's 10,000 channels for this app are used up: end old activities"),
    (["notpushenabledchannel"], "give the channel's namespace a rule with push enabled, in the Ably app's settings"),
  ]

  private static func rule(status: Int) -> AblyErrorRule {
    switch status {
    case 401, 403: AblyErrorRule(status, .stopAll, "the service does not let us in: check the key and the account")
    case 404: AblyErrorRule(status, .stopChannel, "not found")
    case 408: AblyErrorRule(status, .retry, "the service waited too long for the request")
    case 413: AblyErrorRule(status, .drop, "too large")
    case 429: AblyErrorRule(status, .retry, "too many requests")
    case 400...499: AblyErrorRule(status, .drop, "refused")
    case 500...504: AblyErrorRule(status, .fallback, "the service is in trouble")
    case 505...599: AblyErrorRule(status, .retry, "the service is in trouble")
    default: AblyErrorRule(status, .bug, "an answer that ends nothing, such as a redirection, which is never followed")
    }
  }

  package static let table: [AblyErrorRule] = requests + access + rates + servers + pushes

  private static let requests: [AblyErrorRule] = [
    AblyErrorRule(40000...40004, .bug, "the request is not valid"),
    AblyErrorRule(40005, .stopAll, "key or token unreadable: check ably.key"),
    AblyErrorRule(40008, .bug, "the body is longer than announced"),
    AblyErrorRule(40009, .drop, "message too large"),
    AblyErrorRule(40010, .stopChannel, "channel name not acceptable"),
    AblyErrorRule(40011, .retry, "a listing broke off"),
    AblyErrorRule(40012, .stopAll, "client id not acceptable"),
    AblyErrorRule(40013, .bug, "data of a kind that cannot be sent"),
    AblyErrorRule(40014, .retry, "moved inside the service"),
    AblyErrorRule(40015, .drop, "device id not acceptable"),
    AblyErrorRule(40017, .stopAll, "protocol version not known: this program is too old for the service"),
    AblyErrorRule(40020, .drop, "some items of a batch failed"),
    AblyErrorRule(40021, .stopAll, "the service wants a newer protocol"),
    AblyErrorRule(40023, .stopAll, "the service wants a newer protocol"),
    AblyErrorRule(40025, .stopAll, "the service has dropped this feature"),
    AblyErrorRule(40030...40032, .bug, "the publish is not valid"),
    AblyErrorRule(40033, .retry, "stopped midway, result unknown"),
    AblyErrorRule(40034, .bug, "too many messages in one publish"),
    AblyErrorRule(40099, .drop, "refused on demand, for tests"),
  ]

  private static let access: [AblyErrorRule] = [
    AblyErrorRule(40100, .stopChannel, "not permitted"),
    AblyErrorRule(40101, .stopAll, "wrong secret: check ably.key"),
    AblyErrorRule(40102, .stopAll, "credentials do not fit the client id"),
    AblyErrorRule(40103, .bug, "the key must not travel without TLS"),
    AblyErrorRule(40104, .stopAll, "the clock of this machine is wrong"),
    AblyErrorRule(40105, .stopAll, "a token request was used twice"),
    AblyErrorRule(40106, .stopAll, "no way to authenticate: set ably.key"),
    AblyErrorRule(40110, .stopAll, "the account is switched off"),
    AblyErrorRule(40111, .stopAll, "the account has too many connections"),
    AblyErrorRule(40112, .stopAll, "the account is out of messages for this month"),
    AblyErrorRule(40113, .stopAll, "the app is switched off"),
    AblyErrorRule(40114, .retry, "the account has too many channels"),
    AblyErrorRule(40115, .stopAll, "the account is out of requests until the next full hour"),
    AblyErrorRule(40120, .stopAll, "the app is switched off"),
    AblyErrorRule(40130...40132, .stopAll, "the key is unknown, revoked or expired: put a new one in ably.key"),
    AblyErrorRule(40140...40149, .reauthenticate, "the token is no longer good"),
    AblyErrorRule(40160, .stopChannel, "the key lacks a capability"),
    AblyErrorRule(40161, .stopChannel, "the namespace wants identified clients"),
    AblyErrorRule(40162, .bug, "wrong kind of authentication"),
    AblyErrorRule(40165...40166, .bug, "a feature that this program does not use"),
    AblyErrorRule(40167...40168, .stopAll, "the account does not take this kind of client"),
    AblyErrorRule(40170, .retry, "no token could be had"),
    AblyErrorRule(40171, .stopAll, "the token is dead and cannot be renewed"),
    AblyErrorRule(40172, .bug, "wrong kind of authentication"),
    AblyErrorRule(40180...40181, .bug, "location pushes are not used"),
    AblyErrorRule(40182, .stopStarts, "push-to-start needs an APNs .p8 key in the Ably app"),
    AblyErrorRule(40183, .bug, "topics are not used"),
    AblyErrorRule(40300, .stopAll, "forbidden: account or app switched off"),
    AblyErrorRule(40310...40311, .stopAll, "the app demands or forbids TLS"),
    AblyErrorRule(40320, .bug, "no credentials were sent"),
    AblyErrorRule(40330...40332, .stopAll, "wrong cluster: check ably.endpoint"),
    AblyErrorRule(40400, .stopChannel, "not found"),
    AblyErrorRule(40500, .bug, "method not allowed"),
    AblyErrorRule(40900, .drop, "conflict"),
    AblyErrorRule(41001, .drop, "the device's registration has expired"),
    AblyErrorRule(42200...42213, .drop, "content rejected by the app's rules"),
  ]

  private static let rates: [AblyErrorRule] = [
    AblyErrorRule(42910...42921, .retry, "too many requests, messages or connections"),
    AblyErrorRule(42922, .retry, "the service's flood protection: slow down"),
    AblyErrorRule(42923...42925, .retry, "too many requests elsewhere in the account"),
    AblyErrorRule(42926, .retry, "more pushes than the account allows: a share of them is dropped"),
  ]

  private static let servers: [AblyErrorRule] = [
    AblyErrorRule(50000...50003, .fallback, "the service is in trouble"),
    AblyErrorRule(50004...50005, .fallback, "the service is busy"),
    AblyErrorRule(50010, .fallback, "the service's edge is in trouble"),
    AblyErrorRule(50205...50410, .fallback, "the service's routing is in trouble"),
    AblyErrorRule(61002, .drop, "the device belongs to another client id"),
    AblyErrorRule(80000...80030, .drop, "a connection error that requests do not know"),
    AblyErrorRule(90001, .drop, "the channel's state does not allow it"),
    AblyErrorRule(90010, .bug, "too many channels in a batch"),
    AblyErrorRule(90021, .retry, "too many new channels"),
  ]

  private static let pushes: [AblyErrorRule] = [
    AblyErrorRule(103000...103001, .drop, "a push failed inside the service"),
    AblyErrorRule(103002...103003, .bug, "a push without recipient or with an unusable body"),
    AblyErrorRule(103004, .bug, "Apple or Google refused the payload"),
    AblyErrorRule(103005, .drop, "the device's token is not valid for this app"),
    AblyErrorRule(103006, .stopPush, "the Ably app has no credentials for this platform: set them up there"),
    AblyErrorRule(103007, .drop, "Apple or Google could not be reached"),
    AblyErrorRule(103008, .stopPush, "Apple or Google refused the Ably app's credentials: renew them there"),
    AblyErrorRule(103009, .stopPush, "pushes are switched off on this cluster"),
    AblyErrorRule(103011, .retry, "Apple or Google ask to slow down"),
  ]
}
