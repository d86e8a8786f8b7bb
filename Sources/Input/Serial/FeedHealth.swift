package import GameCore

/// Whether a console's feed can be believed: frames come, they have stopped (*stale*, told in the hall), they have been
/// away for long (*lost*, told to phones), or bytes come and make no frames.
package struct FeedHealth: Sendable {
  package enum Action: Hashable, Sendable {
    /// No valid frame for a few seconds: the clock is frozen, the score kept.
    case wentStale
    /// Silence for so long that phones must know.
    case wentLost
    /// A valid frame after either.
    case cameBack
    /// Bytes come, and hardly any frame passes. Said once, until frames pass again.
    case adviseSettings(String)
  }

  private enum State: Hashable, Sendable {
    /// No valid frame yet.
    case waiting
    /// Frames come.
    case fresh(since: Instant)
    /// The last valid frame is longer ago than this console's silences are.
    case stale(since: Instant)
    /// Phones were told.
    case lost(since: Instant)
  }

  /// Ten seconds of bytes, judged together.
  private struct Window: Hashable, Sendable {
    var began: Instant
    var bytes = 0
    var before: FrameCounts
  }

  private static let window = Duration.seconds(10)

  private let console: ConsoleProtocol
  private let lostAfter: Duration
  private var state = State.waiting
  private var counts = FrameCounts()
  private var window: Window?
  private var hasAdvised = false
  private var isResting = false
  package private(set) var lastGood: Instant?

  package init(_ console: ConsoleProtocol, lostAfter: Duration = .seconds(20)) {
    self.console = console
    self.lostAfter = lostAfter
  }

  /// One word for the status page.
  package var word: String {
    switch state {
    case .waiting: hasAdvised ? "unreadable" : "waiting"
    case .fresh: hasAdvised ? "unreadable" : "fresh"
    case .stale: "stale"
    case .lost: "lost"
    }
  }

  package var isFresh: Bool {
    if case .fresh = state { return true }
    return false
  }

  /// Bytes came, and the decoder's evidence stands at `counts` now. `isResting`: the console says its clock stands.
  package mutating func received(
    bytes: Int, counts now: FrameCounts, isResting: Bool, at instant: Instant
  ) -> [Action] {
    var actions = timePassed(at: instant)
    let gotFrame = now.good > counts.good || now.other > counts.other
    if window == nil { window = Window(began: instant, before: counts) }
    window?.bytes += bytes
    counts = now
    self.isResting = isResting
    if gotFrame {
      lastGood = instant
      switch state {
      case .stale, .lost: actions.append(.cameBack)
      case .waiting, .fresh: break
      }
      state = .fresh(since: instant)
    }
    return actions + judgeWindow(at: instant)
  }

  /// The port was reopened, with a decoder that counts on: what was silent stays silent until a frame comes.
  package mutating func reopened() { window = nil }

  package mutating func timePassed(at now: Instant) -> [Action] {
    var actions: [Action] = []
    if case .fresh(let since) = state, now >= since + patience {
      state = .stale(since: since)
      actions.append(.wentStale)
    }
    if case .stale(let since) = state, now >= since + lostAfter {
      state = .lost(since: since)
      actions.append(.wentLost)
    }
    return actions
  }

  package var nextDeadline: Instant? {
    switch state {
    case .waiting, .lost: nil
    case .fresh(let since): since + patience
    case .stale(let since): since + lostAfter
    }
  }

  private var patience: Duration {
    let patience = console.patience
    return min(isResting ? patience.resting : patience.running, lostAfter)
  }

  private mutating func judgeWindow(at now: Instant) -> [Action] {
    guard let window, now >= window.began + FeedHealth.window else { return [] }
    self.window = nil
    let valid = counts.good - window.before.good + counts.other - window.before.other
    let all = valid + counts.bad - window.before.bad
    if valid * 10 >= max(all, 1) {
      hasAdvised = false
      return []
    }
    guard !hasAdvised, window.bytes > 0 else { return [] }
    hasAdvised = true
    return [.adviseSettings(console.lineAdvice)]
  }
}
