internal import GameCore

/// When the daemon's own status is told: on every change of what matters, and at a heartbeat so that silence means
/// something. Numbers and words alone (ages, counts, texts) never make it speak.
struct StatusDesk: Sendable {
  var retainedCommands = 0
  var commandsDone = 0
  var commandsRefused = 0
  var recordsSetAside = 0
  var conditions = Conditions()
  private var condition: [String] = []
  private var toldAt: Instant?

  /// Whether to tell now, with the words that describe the condition.
  mutating func shouldTell(_ condition: [String], at now: Instant) -> Bool {
    guard condition != self.condition || isHeartbeatDue(at: now) else { return false }
    self.condition = condition
    toldAt = now
    return true
  }

  func isHeartbeatDue(at now: Instant) -> Bool { toldAt.map { now >= $0 + Self.heartbeat } ?? true }

  var nextDeadline: Instant? {
    [toldAt.map { $0 + Self.heartbeat }, conditions.nextDeadline].compactMap { $0 }.min()
  }

  /// A watcher that hears nothing for twice this long knows that something is wrong.
  static let heartbeat: Duration = .seconds(60)
}
