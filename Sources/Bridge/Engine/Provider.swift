package import GameCore
package import Outbox
package import Publishing

/// Names a lane for as long as the daemon runs.
package struct LaneID: Hashable, Sendable {
  package var number: Int

  package init(number: Int) { self.number = number }
}

/// The push service as all lanes share it: their calls, the probe while it is silent, its clock, and a connection that
/// is warm when the next press comes.
package struct Provider: Sendable {
  package enum Action: Hashable, Sendable {
    case attempt(AblyAttempt)
    /// A call of a lane has ended.
    case answered(LaneID, AttemptToken, AblyCall, CallOutcome)
    /// The service gave a sign of life: lanes that met silence may go on.
    case reachable
    /// Its clock was read; the answer took this long.
    case clockRead(WallTime, roundTrip: Duration)
    /// A call that would have left, in a rehearsal.
    case rehearsed(LaneID, RehearsedPush)
    /// The message on a court's channel has ended; courts count from 0.
    case courtAnswered(Int, CallOutcome)
    case pushLogAnswered(CallOutcome)
    /// The question for the time ended badly: worth a line in the log.
    case probeFailed(CallOutcome)
  }

  /// Where calls go.
  private enum Mode: Sendable {
    case service(AblyClient)
    /// No provider: everything happens but the wire, and every call is answered at once.
    case rehearsal(Rehearsal)
    /// A provider is named and cannot be used: nothing leaves, and that is said.
    case down(reason: String)
  }

  /// Whose answer a call's number stands for.
  private enum Owner: Sendable {
    case lane(LaneID, AttemptToken, AblyCall)
    /// `GET /time`, as probe, clock and warmth in one.
    case probe(sent: Instant)
    /// What apps are told of a court.
    case court(Int)
    case pushLog
  }

  private var mode: Mode
  private var owners: [UInt64: Owner] = [:]
  private var lastNumber: UInt64 = 0
  /// Calls up to this one were asked before the settings changed.
  private var lastUnderOldSettings: UInt64 = 0
  private var isProbing = false
  private var lastAsked: Instant?
  private var probeDue: Instant?
  private var isNeeded = false

  package static func service(_ settings: AblySettings, json: @escaping JSONParse, hmac: @escaping HMACSHA256)
    -> Provider
  {
    Provider(mode: .service(AblyClient(settings: settings, json: json, hmac: hmac)))
  }

  package static func rehearsal(_ settings: AblySettings, json: @escaping JSONParse) -> Provider {
    Provider(mode: .rehearsal(Rehearsal(settings, json: json)))
  }

  package static func down(reason: String) -> Provider { Provider(mode: .down(reason: reason)) }

  private init(mode: Mode) { self.mode = mode }

  package var isRehearsal: Bool {
    switch mode {
    case .rehearsal: true
    case .service, .down: false
    }
  }

  /// Why nothing can leave at all; nil when it can.
  package var downReason: String? {
    switch mode {
    case .down(let reason): reason
    case .service, .rehearsal: nil
    }
  }

  /// How far the service's clock is ahead of ours; nil until it was read.
  package var clockAheadOfUs: Duration? {
    switch mode {
    case .service(let client): client.clock.aheadOfUs
    case .rehearsal, .down: nil
    }
  }

  /// Why this one cannot go over to that one while it runs; nil when it can.
  package func refusal(of new: Provider) -> String? {
    switch (mode, new.mode) {
    case (.service, .service), (.rehearsal, .rehearsal), (.down, .service), (.down, .down): nil
    case (.service, .down(let reason)), (.rehearsal, .down(let reason)): reason
    case (.service, .rehearsal), (.rehearsal, .service), (.down, .rehearsal):
      "rehearsal or not can only be changed by a restart"
    }
  }

  /// Takes over how the service is asked from now on; what is under way goes on, and what is asked again is asked with
  /// the new key.
  mutating func adopt(_ new: Provider) {
    switch (mode, new.mode) {
    case (.service(var client), .service(let other)):
      client.adopt(other.settings)
      lastUnderOldSettings = lastNumber
      mode = .service(client)
    case (.rehearsal(var rehearsal), .rehearsal(let other)):
      rehearsal.adopt(other)
      mode = .rehearsal(rehearsal)
    case (_, _): mode = new.mode
    }
  }

  /// Calls under way.
  package var isIdle: Bool { owners.isEmpty }

  // MARK: - Calls of lanes

  package mutating func ask(
    _ call: AblyCall, from lane: LaneID, token: AttemptToken, at now: Moment,
    random: inout some RandomNumberGenerator
  ) -> [Action] {
    switch mode {
    case .service(var client):
      let number = take(.lane(lane, token, call))
      lastAsked = now.instant
      let actions = client.begin(call, number: number, at: now, random: &random)
      mode = .service(client)
      return translate(actions, at: now)
    case .rehearsal(var rehearsal):
      let identity = CallIdentity(using: &random)
      let (push, verdict) = rehearsal.ask(call, from: lane, identity: identity, at: now.wall)
      mode = .rehearsal(rehearsal)
      let outcome = CallOutcome(verdict: verdict, requestID: identity.requestID, attempts: 1, unsureAttempts: 0)
      return (push.map { [.rehearsed(lane, $0)] } ?? []) + [.answered(lane, token, call, outcome)]
    case .down(let reason):
      let outcome = CallOutcome(
        verdict: .notSent(TransportFault(.notConnected, detail: reason)), requestID: "", attempts: 0, unsureAttempts: 0)
      return [.answered(lane, token, call, outcome)]
    }
  }

  /// A lane that is over and gone.
  package mutating func forget(_ lane: LaneID) {
    guard case .rehearsal(var rehearsal) = mode else { return }
    rehearsal.forget(lane)
    mode = .rehearsal(rehearsal)
  }

  // MARK: - Calls of the daemon's own

  /// Whether there is a service to tell apps by.
  package var reachesApps: Bool {
    switch mode {
    case .service: true
    case .rehearsal, .down: false
    }
  }

  package mutating func tellApps(
    _ call: AblyCall, of court: Int, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    askForOurselves(call, .court(court), at: now, random: &random)
  }

  package mutating func readPushLog(
    _ call: AblyCall, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    askForOurselves(call, .pushLog, at: now, random: &random)
  }

  private mutating func askForOurselves(
    _ call: AblyCall, _ owner: Owner, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .service(var client) = mode else { return [] }
    let number = take(owner)
    lastAsked = now.instant
    let actions = client.begin(call, number: number, at: now, random: &random)
    mode = .service(client)
    return translate(actions, at: now)
  }

  // MARK: - Answers

  /// Whose call this is; nil for what is asked for ourselves.
  package func lane(ofCall number: UInt64) -> LaneID? {
    if case .lane(let lane, _, _)? = owners[number] { lane } else { nil }
  }

  /// `newerWaits`: the lane whose call it is has a newer state ready.
  package mutating func attemptEnded(
    call number: UInt64, _ result: TransportResult, newerWaits: Bool, at now: Moment,
    random: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .service(var client) = mode, number == AblyClient.renewal || owners[number] != nil else { return [] }
    let actions = client.attemptEnded(call: number, result, newerWaits: newerWaits, at: now, random: &random)
    mode = .service(client)
    return translate(actions, at: now)
  }

  // MARK: - Time

  /// `isNeeded`: some lane still has something to tell. `isSilent`: some lane waits for a sign of life.
  package mutating func lanesChanged(isNeeded: Bool, isSilent: Bool, at now: Instant) {
    self.isNeeded = isNeeded
    guard case .service = mode else { return }
    let wanted: Instant?
    if isSilent {
      wanted = (lastAsked ?? now) + Self.probeInterval
    } else if isNeeded {
      wanted = lastAsked.map { $0 + Self.warmInterval } ?? now
    } else {
      wanted = lastAsked.map { $0 + Self.clockInterval } ?? now
    }
    probeDue = wanted
  }

  package var nextDeadline: Instant? { isProbing ? nil : probeDue }

  package mutating func deadlineReached(at now: Moment, random: inout some RandomNumberGenerator) -> [Action] {
    guard case .service = mode, !isProbing, let due = probeDue, due <= now.instant else { return [] }
    isProbing = true
    probeDue = nil
    return askForOurselves(.time, .probe(sent: now.instant), at: now, random: &random)
  }

  // MARK: - Parts

  private mutating func take(_ owner: Owner) -> UInt64 {
    lastNumber += 1
    owners[lastNumber] = owner
    return lastNumber
  }

  /// A key that was replaced meanwhile is refused for nothing: the call was not processed, and is asked again with the new.
  private func judged(_ outcome: CallOutcome, of number: UInt64) -> CallOutcome {
    guard number <= lastUnderOldSettings, case .refused(let refusal) = outcome.verdict, refusal.action == .stopAll
    else { return outcome }
    var outcome = outcome
    outcome.verdict = .notSent(TransportFault(.cancelled, detail: "asked with the key of before"))
    return outcome
  }

  private mutating func translate(_ actions: [AblyClient.Action], at now: Moment) -> [Action] {
    var result: [Action] = []
    for action in actions {
      switch action {
      case .attempt(let attempt): result.append(.attempt(attempt))
      case .finished(let number, let outcome):
        guard let owner = owners.removeValue(forKey: number) else { continue }
        switch owner {
        case .lane(let lane, let token, let call):
          result.append(.answered(lane, token, call, judged(outcome, of: number)))
        case .court(let court): result.append(.courtAnswered(court, outcome))
        case .pushLog: result.append(.pushLogAnswered(outcome))
        case .probe(let sent):
          isProbing = false
          if case .accepted(.time(let time)) = outcome.verdict {
            result.append(.clockRead(time, roundTrip: now.instant - sent))
          } else {
            result.append(.probeFailed(outcome))
          }
        }
        if outcome.verdict.isSignOfLife { result.append(.reachable) }
      }
    }
    return result
  }

  private static var probeInterval: Duration { .seconds(1) }
  /// Well inside the time after which servers and middleboxes forget an idle connection.
  private static var warmInterval: Duration { .seconds(45) }
  private static var clockInterval: Duration { .seconds(900) }
}

extension Verdict {
  /// Somebody on the other side answered and meant it: neither silence nor a 5xx.
  var isSignOfLife: Bool {
    switch self {
    case .accepted: true
    case .notSent, .refused, .ambiguous: false
    }
  }

  /// For logs and status, in few words and without secrets.
  package var summary: String {
    switch self {
    case .accepted: "accepted"
    case .notSent(let fault), .ambiguous(.unanswered(let fault)): fault.detail
    case .refused(let refusal), .ambiguous(.answered(let refusal)): refusal.text
    }
  }
}
