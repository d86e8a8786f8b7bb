internal import GameCore
internal import Publishing

/// Counts what Apple and Google refused after the service had accepted it. That stands in the service's push log and
/// nowhere else; it is read once a minute while a game is on phones, and never makes anything be sent again.
struct PushLogWatch: Sendable {
  enum Notice: Hashable, Sendable {
    /// The first push that failed for this reason; those that follow are only counted.
    case newReason(code: Int?, message: String, advice: String?)
    /// The key may not read the log. Said once; nothing is asked any more until a reload.
    case notPermitted(String)
  }

  private enum State: Hashable, Sendable {
    /// No game is on phones.
    case idle
    case waiting(until: Instant)
    /// Whoever was refused under the settings of before is no judge of the new ones.
    case asking(underOldSettings: Bool)
    /// The key lacks the right, which no waiting brings back; new settings may.
    case closed
  }

  struct Reason: Hashable, Sendable {
    var code: Int?
    var message: String
    /// What is behind it and where to mend it.
    var advice: String?
    var count: Int
  }

  private var state = State.idle
  /// Entries from before the first game are none of ours.
  private var begin: WallTime?
  /// Of the last answer: whatever is not among them is new.
  private var known: Set<String> = []
  /// By the reason's number and what is behind it, in the order of their first appearance.
  private(set) var reasons: [Reason] = []

  /// `serverTime` is the time by the service's own clock.
  mutating func gameChanged(isOn: Bool, serverTime: WallTime, at now: Instant) {
    switch state {
    case .idle:
      guard isOn else { return }
      begin = begin ?? serverTime
      state = .waiting(until: now + Self.interval)
    case .waiting: if !isOn { state = .idle }
    case .asking, .closed: break
    }
  }

  /// The key, or what it may do, can be another now.
  mutating func settingsChanged() {
    switch state {
    case .closed: state = .idle
    case .asking: state = .asking(underOldSettings: true)
    case .idle, .waiting: break
    }
  }

  mutating func deadlineReached(at now: Instant) -> AblyCall? {
    guard case .waiting(let until) = state, until <= now else { return nil }
    state = .asking(underOldSettings: false)
    return .pushLog(limit: Self.limit)
  }

  mutating func answered(_ verdict: Verdict, at now: Instant) -> [Notice] {
    guard case .asking(let underOldSettings) = state else { return [] }
    state = .waiting(until: now + Self.interval)
    switch verdict {
    case .accepted(.pushLog(let entries)): return count(entries)
    case .refused(let refusal) where refusal.status == 401 || refusal.status == 403:
      if underOldSettings { return [] }
      state = .closed
      return [.notPermitted(refusal.message)]
    case .accepted, .refused, .notSent, .ambiguous: return []
    }
  }

  var nextDeadline: Instant? {
    if case .waiting(let until) = state { until } else { nil }
  }

  /// For status.
  var word: String {
    switch state {
    case .idle: "idle"
    case .waiting, .asking: "reading"
    case .closed: "not-permitted"
    }
  }

  private mutating func count(_ entries: [PushLogEntry]) -> [Notice] {
    var notices: [Notice] = []
    for entry in entries.reversed() where !known.contains(Self.name(entry)) {
      if let begin, let stamp = entry.timestampMilliseconds, stamp < begin.milliseconds { continue }
      let advice = AblyErrors.advice(code: entry.code, status: 0, message: entry.message)
      if let place = reasons.firstIndex(where: { $0.code == entry.code && $0.advice == advice }) {
        reasons[place].count += 1
      } else if reasons.count < Self.mostReasons {
        reasons.append(Reason(code: entry.code, message: entry.message, advice: advice, count: 1))
        notices.append(.newReason(code: entry.code, message: entry.message, advice: advice))
      }
    }
    known = Set(entries.map(Self.name))
    return notices
  }

  private static func name(_ entry: PushLogEntry) -> String {
    entry.id ?? "\(entry.timestampMilliseconds ?? 0) \(entry.message)"
  }

  private static let interval: Duration = .seconds(60)
  private static let limit = 100
  private static let mostReasons = 32
}
