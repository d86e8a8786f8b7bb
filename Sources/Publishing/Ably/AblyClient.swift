package import GameCore

/// One attempt for the transport to make: these bytes to this host, name lookup included, within `timeout`.
package struct AblyAttempt: Hashable, Sendable {
  package var call: UInt64
  package var request: HTTPRequest
  package var openTimeout: Duration
  package var timeout: Duration
}

/// How a call ended.
package struct CallOutcome: Hashable, Sendable {
  package var verdict: Verdict
  /// For the log and for the service's own support.
  package var requestID: String
  package var attempts: Int
  /// Attempts that may have been processed without our knowing: each may have left a broadcast channel behind.
  package var unsureAttempts: Int

  package init(verdict: Verdict, requestID: String, attempts: Int, unsureAttempts: Int) {
    self.verdict = verdict
    self.requestID = requestID
    self.attempts = attempts
    self.unsureAttempts = unsureAttempts
  }
}

/// Calls in, attempts out: hosts, fallbacks, tokens and what may be repeated. Back-off and order are the lane's.
package struct AblyClient: Sendable {
  package enum Action: Hashable, Sendable {
    case attempt(AblyAttempt)
    case finished(call: UInt64, CallOutcome)
  }

  /// A call that has not ended.
  struct Flight: Sendable {
    enum Phase: Sendable {
      /// Nothing is under way: a token is being fetched, for all calls together.
      case waitingForToken
      /// The call's own attempt is under way.
      case attempting
      /// The service's clock is being read, because it refused the time in a token request.
      case readingClock
    }

    let call: AblyCall
    let identity: CallIdentity
    var phase: Phase
    var plan: HostPlan
    var began: Moment
    var attemptBegan: Moment
    var attempts = 0
    var unsureAttempts = 0
    var firstAmbiguity: Ambiguity?
    /// Whether the one renewal, or the one new signature, that a call is granted has been used.
    var renewed = false
  }

  let settings: AblySettings
  let json: JSONParse
  let hmac: HMACSHA256
  var flights: [UInt64: Flight] = [:]
  var pin: HostPin?
  var token: AblyToken?
  package private(set) var clock = ClockOffset()

  /// The number of the token request that all waiting calls share; callers count from 1 and never get there.
  package static let renewal = UInt64.max

  package init(settings: AblySettings, json: @escaping JSONParse, hmac: @escaping HMACSHA256) {
    self.settings = settings
    self.json = json
    self.hmac = hmac
  }

  /// The host that is asked first at the moment, for status.
  package func preferredHost(at now: Instant) -> String {
    if let pin, now < pin.expires { pin.host } else { settings.hosts.primary }
  }

  package mutating func begin(
    _ call: AblyCall, number: UInt64, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    precondition(flights[number] == nil, "two calls with one number")
    let call = call.prepared(for: settings.contract)
    let flight = Flight(
      call: call, identity: CallIdentity(using: &random), phase: .attempting,
      plan: HostPlan(settings: settings, at: now.instant), began: now, attemptBegan: now)
    flights[number] = flight
    if needsToken(call, at: now.wall) {
      flights[number]?.phase = .waitingForToken
      return beginRenewal(at: now, random: &random)
    }
    return firstAttempt(number, at: now, random: &random)
  }

  /// `newerWaits` says that a newer state of the same activity is ready: the better repeat of an update.
  package mutating func attemptEnded(
    call number: UInt64, _ result: TransportResult, newerWaits: Bool, at now: Moment,
    random: inout some RandomNumberGenerator
  ) -> [Action] {
    guard let flight = flights[number] else { preconditionFailure("an attempt of a call that is not under way") }
    switch flight.phase {
    case .waitingForToken: preconditionFailure("an attempt of a call that waits for its token")
    case .readingClock: return clockRead(number, result, at: now, random: &random)
    case .attempting: break
    }
    let verdict = verdict(result, to: flight.call, at: now)
    if case .accepted(.time(let server)) = verdict {
      clock.sampled(server: server, sent: flight.attemptBegan, received: now)
    }
    if case .refused(let refusal) = verdict {
      switch refusal.code {
      case 40104, 40105:
        if let actions = signAnew(number, refusal, at: now, random: &random) { return actions }
      case .some(40140...40149):
        if refusal.status == 401 { return tokenRefused(number, refusal, at: now, random: &random) }
      default: break
      }
    }
    return settle(number, verdict, result, newerWaits: newerWaits, at: now, random: &random)
  }
}

// MARK: - Attempts

extension AblyClient {
  mutating func firstAttempt(
    _ number: UInt64, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    let host = flights[number]!.plan.firstHost(pin: &pin, at: now.instant)
    return attempt(number, host: host, at: now, random: &random)
  }

  private mutating func attempt(
    _ number: UInt64, host: String, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    var flight = flights[number]!
    do throws(LocalRefusal) {
      let request = try request(of: flight, at: now, random: &random)
      flight.attempts += 1
      flight.attemptBegan = now
      flights[number] = flight
      return [
        .attempt(
          AblyAttempt(
            call: number, request: request.addressed(to: host, settings.hosts), openTimeout: settings.openTimeout,
            timeout: flight.plan.timeout(at: now.instant)))
      ]
    } catch {
      return finish(number, .refused(error.refusal), at: now, random: &random)
    }
  }

  private func request(
    of flight: Flight, at now: Moment, random: inout some RandomNumberGenerator
  ) throws(LocalRefusal) -> AblyRequest {
    guard case .attempting = flight.phase else {
      return try AblyRequest(.time, settings: settings, identity: flight.identity)
    }
    guard case .requestToken(let wanted) = flight.call, let key = settings.credential.key else {
      return try AblyRequest(flight.call, settings: settings, identity: flight.identity, token: token)
    }
    let body = wanted.signedJSON(
      key: key, timestampMilliseconds: clock.serverTime(at: now.wall).milliseconds, nonce: random.freshIdentifier(),
      hmac: hmac)
    return AblyRequest(signed: body, keyName: key.name, settings: settings, identity: flight.identity)
  }

  func verdict(_ result: TransportResult, to call: AblyCall, at now: Moment) -> Verdict {
    switch result {
    case .answered(let response): AblyAnswer.verdict(response, to: call, json: json, now: now.wall)
    case .notSent(let fault): .notSent(fault)
    case .ambiguous(let fault): .ambiguous(.unanswered(fault))
    }
  }

  /// Either another host, or the end of the call.
  private mutating func settle(
    _ number: UInt64, _ verdict: Verdict, _ result: TransportResult, newerWaits: Bool, at now: Moment,
    random: inout some RandomNumberGenerator
  ) -> [Action] {
    var flight = flights[number]!
    var unsure = false
    var code: Int?
    var succeeded = false
    switch verdict {
    case .accepted: succeeded = true
    case .notSent: break
    case .refused(let refusal): code = refusal.code
    case .ambiguous(let ambiguity):
      unsure = true
      flight.unsureAttempts += 1
      flight.firstAmbiguity = flight.firstAmbiguity ?? ambiguity
      if case .answered(let refusal) = ambiguity { code = refusal.code }
    }
    guard result.blamesHost(code: code, strict: settings.strictSpecFallback) else {
      flight.plan.hostAnswered(succeeded: succeeded, pin: &pin, at: now.instant)
      flights[number] = flight
      return finish(number, verdict, at: now, random: &random)
    }
    let mayRepeat = !unsure || mayRepeat(flight, newerWaits: newerWaits, at: now.instant)
    let next = flight.plan.hostFailed(mayRepeat: mayRepeat, pin: &pin, at: now.instant, random: &random)
    flights[number] = flight
    switch next {
    case .attempt(let host): return attempt(number, host: host, at: now, random: &random)
    case .handBack: return finish(number, verdict, at: now, random: &random)
    case .outOfTime: return finish(number, outOfTime(verdict), at: now, random: &random)
    }
  }

  private func mayRepeat(_ flight: Flight, newerWaits: Bool, at now: Instant) -> Bool {
    switch flight.call.ruleWhenUnsure {
    case .always: true
    case .never: false
    case .once: flight.unsureAttempts <= 1
    case .unlessNewerWaits: !newerWaits
    case .within(let span): now - flight.began.instant < span
    }
  }

  private func outOfTime(_ last: Verdict) -> Verdict {
    let message = "no host answered within \(settings.maxRetryDuration.components.seconds) s"
    if case .notSent = last { return .notSent(TransportFault(.timedOut, detail: message)) }
    return .ambiguous(.answered(Refusal(code: 50003, status: 500, message: message, action: .fallback)))
  }

  /// What is told in the end: a call of which one attempt may have been processed is not `notSent`, and a broadcast that
  /// is gone has been ended.
  mutating func finish(
    _ number: UInt64, _ verdict: Verdict, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    let flight = flights.removeValue(forKey: number)!
    var told = verdict
    if case .notSent = verdict, let ambiguity = flight.firstAmbiguity { told = .ambiguous(ambiguity) }
    if case .refused(let refusal) = verdict, refusal.saysGone, case .end = flight.call {
      told = .accepted(.alreadyEnded)
    }
    if number == Self.renewal { return renewalEnded(told, at: now, random: &random) }
    return [
      .finished(
        call: number,
        CallOutcome(
          verdict: told, requestID: flight.identity.requestID, attempts: flight.attempts,
          unsureAttempts: flight.unsureAttempts))
    ]
  }
}

// MARK: - Clock

extension AblyClient {
  /// The answer to the question for the time that a refused token request made necessary.
  private mutating func clockRead(
    _ number: UInt64, _ result: TransportResult, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    guard case .accepted(.time(let server)) = verdict(result, to: .time, at: now) else {
      let message = "the clock of this machine is wrong, and the service's could not be read"
      let refusal = Refusal(code: 40104, status: 401, message: message, action: .stopAll)
      return finish(number, .refused(refusal), at: now, random: &random)
    }
    clock.sampled(server: server, sent: flights[number]!.attemptBegan, received: now)
    flights[number]!.phase = .attempting
    return firstAttempt(number, at: now, random: &random)
  }
}
