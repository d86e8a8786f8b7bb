internal import GameCore
internal import Outbox
internal import Publishing

/// Tells apps on a court's one fixed channel which game is on. Only the newest value counts: one message is under way at
/// a time, and what changes meanwhile is told once that one is answered. It carries no push, so no phone wakes of it.
struct CourtNotice: Sendable {
  let channel: String
  /// Repeats of a value carry its id, by which the service recognises them; no two values of all runs share one.
  private let run: String
  private var revision = 0
  private var newest: [UInt8] = []
  /// What the channel is known to say, or what it refused for good; empty when nobody knows.
  private var settled: [UInt8] = []
  private var inFlight: [UInt8]?
  private var retryAt: Instant?
  private var isRefused = false
  private var backoff = Backoff()

  init(channel: String, run: String) {
    self.channel = channel
    self.run = run
  }

  mutating func wants(_ value: [UInt8]) {
    guard value != newest else { return }
    newest = value
    revision += 1
  }

  /// The message that may leave now; nil when all is told, or one is under way, or the last one failed a moment ago.
  mutating func next(at now: Instant) -> AblyCall? {
    guard inFlight == nil, newest != settled, retryAt.map({ $0 <= now }) ?? true else { return nil }
    inFlight = newest
    return .publish(
      channel: channel, [AblyMessage(id: "\(run)-\(revision):0", name: "game", body: .json(newest))])
  }

  /// Gives why this value will not be told, where the service refused it for good.
  mutating func answered(_ verdict: Verdict, at now: Instant, random: UInt64) -> String? {
    guard let sent = inFlight else { return nil }
    inFlight = nil
    retryAt = nil
    isRefused = false
    switch verdict {
    case .accepted:
      settled = sent
      backoff.succeeded()
    case .notSent: retryAt = now + backoff.refused(asked: nil, least: nil, random: random)
    case .ambiguous:
      settled = []
      retryAt = now + backoff.refused(asked: nil, least: nil, random: random)
    case .refused(let refusal):
      switch refusal.sense {
      case .later: retryAt = now + backoff.refused(asked: refusal.retryAfter, least: refusal.leastWait, random: random)
      case .locked: retryAt = now + .seconds(60)
      case .stopped, .gone, .never:
        settled = sent
        isRefused = true
        return refusal.text
      }
    }
    return nil
  }

  /// The key, or what it may do, can be another now.
  mutating func settingsChanged() {
    retryAt = nil
    if isRefused { settled = [] }
  }

  /// The service gave a sign of life: no reason to wait any longer.
  mutating func providerReachable() { retryAt = nil }

  var nextDeadline: Instant? { inFlight == nil && newest != settled ? retryAt : nil }
}
