package import GameCore

/// A fallback host that answered well and is asked first for a while. Shared by all calls of one client.
package struct HostPin: Hashable, Sendable {
  package var host: String
  package var expires: Instant
}

/// Which host the next attempt of one call goes to. Whether an attempt may be repeated at all is decided above.
package struct HostPlan: Sendable {
  package enum Next: Hashable, Sendable {
    case attempt(host: String)
    /// The last outcome is the call's outcome.
    case handBack
    /// Too much time has passed to try another host.
    case outOfTime
  }

  private enum State {
    /// The attempt under way is on the host that answered well lately.
    case pinned
    /// The attempt under way is on the first host.
    case primary(since: Instant)
    /// The attempt under way is on a fallback; `left` have not been tried.
    case fallback(host: String, since: Instant, left: [String], tried: Int)
    /// Nothing is under way and nothing more will be.
    case over
  }

  private let settings: AblySettings
  private let began: Instant
  private var state: State = .over

  package init(settings: AblySettings, at now: Instant) {
    self.settings = settings
    began = now
  }

  /// How long the next attempt may last: its own time-out, cut so that the whole call ends near the one deadline.
  package func timeout(at now: Instant) -> Duration {
    let end = began + settings.maxRetryDuration * 1.1
    return min(settings.requestTimeout, max(end - now, .milliseconds(1)))
  }

  /// The host of the first attempt. An expired pin is cleared here.
  package mutating func firstHost(pin: inout HostPin?, at now: Instant) -> String {
    if let pinned = pin, now < pinned.expires {
      state = .pinned
      return pinned.host
    }
    pin = nil
    state = .primary(since: now)
    return settings.hosts.primary
  }

  /// After an attempt that is the host's fault: what next. The pin never outlives such a failure of its host.
  package mutating func hostFailed(
    mayRepeat: Bool, pin: inout HostPin?, at now: Instant, random: inout some RandomNumberGenerator
  ) -> Next {
    switch state {
    case .pinned:
      pin = nil
      guard mayRepeat else { return over(.handBack) }
      guard now - began < settings.maxRetryDuration else { return over(.outOfTime) }
      state = .primary(since: now)
      return .attempt(host: settings.hosts.primary)
    case .primary(let since):
      guard mayRepeat else { return over(.handBack) }
      return nextFallback(since: since, left: settings.hosts.fallbacks, tried: 0, at: now, random: &random)
    case .fallback(_, let since, let left, let tried):
      guard mayRepeat else { return over(.handBack) }
      return nextFallback(since: since, left: left, tried: tried, at: now, random: &random)
    case .over: preconditionFailure("an attempt ended that this plan never began")
    }
  }

  /// After an attempt that is not the host's fault. Only a success pins the fallback it came from.
  package mutating func hostAnswered(succeeded: Bool, pin: inout HostPin?, at now: Instant) {
    if succeeded, case .fallback(let host, _, _, _) = state {
      pin = HostPin(host: host, expires: now + settings.pinDuration)
    }
    state = .over
  }

  private mutating func nextFallback(
    since: Instant, left: [String], tried: Int, at now: Instant, random: inout some RandomNumberGenerator
  ) -> Next {
    guard tried < settings.maxRetryCount, !left.isEmpty else { return over(.handBack) }
    guard now - since <= settings.maxRetryDuration, now - began <= settings.maxRetryDuration else {
      return over(.outOfTime)
    }
    var left = left
    let host = left.remove(at: Int.random(in: 0..<left.count, using: &random))
    state = .fallback(host: host, since: since, left: left, tried: tried + 1)
    return .attempt(host: host)
  }

  private mutating func over(_ next: Next) -> Next {
    state = .over
    return next
  }
}

extension TransportResult {
  /// Whether another host may do better: nothing else is a reason to try one.
  package func blamesHost(code: Int?, strict: Bool) -> Bool {
    switch self {
    case .notSent(let fault), .ambiguous(let fault):
      switch fault.reason {
      case .nameNotResolved, .notConnected, .tlsFailed, .timedOut, .connectionLost: return true
      case .certificateRefused, .cancelled: return false
      }
    case .answered(let response):
      if !strict, response.status == 429 || code == 103009 { return false }
      if (500...504).contains(response.status) { return true }
      return response.status >= 400 && response.header("Server")?.lowercased() == "cloudfront"
    }
  }
}
