import GameCore

/// Tokens: fetched once for all who wait, renewed once per call, never in a loop.
extension AblyClient {
  /// Whether this call must wait for a token first. Ahead of its end a token is renewed only when the service's clock is
  /// known: by ours it might look dead while it is not.
  func needsToken(_ call: AblyCall, at now: WallTime) -> Bool {
    guard case .renewable = settings.credential else { return false }
    switch call {
    case .time, .requestToken: return false
    case .create, .start, .update, .end, .publish, .publishToDevice, .publishToDevices, .pushLog: break
    }
    guard let token else { return true }
    guard let expires = token.expiresMilliseconds, clock.aheadOfUs != nil else { return false }
    return clock.serverTime(at: now).milliseconds + 30_000 >= expires
  }

  mutating func beginRenewal(at now: Moment, random: inout some RandomNumberGenerator) -> [Action] {
    guard flights[Self.renewal] == nil, case .renewable(_, let wanted) = settings.credential else { return [] }
    return begin(.requestToken(wanted), number: Self.renewal, at: now, random: &random)
  }

  /// A token error with the means to renew waits for a new token and repeats once, with the same bytes but for it.
  mutating func tokenRefused(
    _ number: UInt64, _ refusal: Refusal, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    var flight = flights[number]!
    flight.plan.hostAnswered(succeeded: false, pin: &pin, at: now.instant)
    flights[number] = flight
    switch settings.credential {
    case .key: return finish(number, .refused(refusal), at: now, random: &random)
    case .token:
      let dead = Refusal(
        code: 40171, status: 403, message: "the token is dead and cannot be renewed: \(refusal.message)",
        action: .stopAll)
      return finish(number, .refused(dead), at: now, random: &random)
    case .renewable:
      if case .requestToken = flight.call { return finish(number, .refused(refusal), at: now, random: &random) }
      guard !flight.renewed else { return finish(number, .refused(refusal), at: now, random: &random) }
      flights[number]!.renewed = true
      flights[number]!.phase = .waitingForToken
      return beginRenewal(at: now, random: &random)
    }
  }

  /// Whoever waited goes on with the new token, or gets the renewal's own failure.
  mutating func renewalEnded(
    _ verdict: Verdict, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action] {
    var actions: [Action] = []
    let waiting = flights.filter { if case .waitingForToken = $0.value.phase { true } else { false } }.keys.sorted()
    for number in waiting {
      flights[number]!.phase = .attempting
      if case .accepted(.token(let fresh)) = verdict {
        token = fresh
        flights[number]!.plan = HostPlan(settings: settings, at: now.instant)
        actions += firstAttempt(number, at: now, random: &random)
      } else {
        actions += finish(number, withoutToken(verdict), at: now, random: &random)
      }
    }
    return actions
  }

  /// The calls that waited were not processed, however unclear it is what became of the token request.
  private func withoutToken(_ verdict: Verdict) -> Verdict {
    switch verdict {
    case .notSent, .refused: return verdict
    case .ambiguous, .accepted:
      return .refused(Refusal(code: 40170, status: 401, message: "no token could be had", action: .retry))
    }
  }

  /// A token request refused for its time or its nonce is signed anew, once. Nil when it has been, or is another call.
  mutating func signAnew(
    _ number: UInt64, _ refusal: Refusal, at now: Moment, random: inout some RandomNumberGenerator
  ) -> [Action]? {
    guard case .requestToken = flights[number]!.call, !flights[number]!.renewed else { return nil }
    flights[number]!.renewed = true
    flights[number]!.plan = HostPlan(settings: settings, at: now.instant)
    if refusal.code == 40104 { flights[number]!.phase = .readingClock }
    return firstAttempt(number, at: now, random: &random)
  }
}
