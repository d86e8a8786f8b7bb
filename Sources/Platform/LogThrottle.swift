package import GameCore

// Logs on a memory card must not grow with a fault's patience (B104). Two bounds work together: a line that says
// exactly the same again is held back for a while that doubles each time, and all lines of one event share a bucket,
// so that a counter or a delay inside them does not make each of them news. What was held back is counted, and the
// next line of that event says how many there were.

/// Decides which log lines are worth their ink.
package struct LogThrottle {
  package enum Verdict: Hashable, Sendable {
    /// Write it; so many of its event were held back since the last one.
    case write(unsaid: Int)
    case suppress
  }

  /// One event name's account.
  private struct Account {
    var tokens: Double
    var refilled: Instant
    var unsaid = 0
    var lastUsed: Instant
  }

  /// One text that was written lately.
  private struct Echo {
    var silentUntil: Instant
    var silence: Duration
  }

  private struct Allowance {
    var burst: Double
    var interval: Duration
  }

  private var accounts: [String: Account] = [:]
  private var echoes: [String: Echo] = [:]

  private static let firstSilence = Duration.seconds(10)
  private static let longestSilence = Duration.seconds(3600)
  private static let mostAccounts = 256
  private static let mostEchoes = 256

  package init() {}

  /// Errors, warnings and notices repeat when something is broken; the rest comes from what people do, and is only
  /// kept from flooding.
  private static func allowance(for level: Log.Level) -> Allowance {
    switch level {
    case .error, .warning, .notice: Allowance(burst: 20, interval: .seconds(60))
    case .info, .debug: Allowance(burst: 500, interval: .milliseconds(500))
    }
  }

  package mutating func admit(_ text: String, event: String, level: Log.Level, at now: Instant) -> Verdict {
    let allowance = Self.allowance(for: level)
    var account =
      accounts[event] ?? Account(tokens: allowance.burst, refilled: now, lastUsed: now)
    let earned = Double((now - account.refilled).nanoseconds) / Double(allowance.interval.nanoseconds)
    account.tokens = min(allowance.burst, account.tokens + max(0, earned))
    account.refilled = now
    account.lastUsed = now
    defer {
      accounts[event] = account
      forgetTheOldest()
    }
    // People press the same button twice; only what is wrong is held to be an echo.
    let echoes = level <= .notice && isEcho(text, at: now)
    guard !echoes, account.tokens >= 1 else {
      account.unsaid += 1
      return .suppress
    }
    account.tokens -= 1
    defer { account.unsaid = 0 }
    return .write(unsaid: account.unsaid)
  }

  private mutating func isEcho(_ text: String, at now: Instant) -> Bool {
    guard let echo = echoes[text], now - echo.silentUntil < Self.longestSilence else {
      echoes[text] = Echo(silentUntil: now + Self.firstSilence, silence: Self.firstSilence)
      return false
    }
    if now < echo.silentUntil { return true }
    let silence = min(echo.silence * 2, Self.longestSilence)
    echoes[text] = Echo(silentUntil: now + silence, silence: silence)
    return false
  }

  /// Both tables are bounded; the entry that matters least goes first.
  private mutating func forgetTheOldest() {
    if echoes.count > Self.mostEchoes, let oldest = echoes.min(by: { $0.value.silentUntil < $1.value.silentUntil }) {
      echoes[oldest.key] = nil
    }
    if accounts.count > Self.mostAccounts, let oldest = accounts.min(by: { $0.value.lastUsed < $1.value.lastUsed }) {
      accounts[oldest.key] = nil
    }
  }
}
