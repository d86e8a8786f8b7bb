package import GameCore

// Lamps tell the table what became of a press, by rhythm and not only by colour. What is true for a while (ready,
// trouble) lasts until it is not; what happened (counted, sent) is played once over it.

/// A rhythm of light: how long it is lit and dark in turn, beginning with lit.
package struct LampPattern: Hashable, Sendable {
  package var steps: [Duration]
  /// Played again and again, for as long as it is true.
  package var repeats: Bool

  var length: Duration { steps.reduce(.zero, +) }

  /// Whether it is lit, and when that changes; nil when it has ended.
  func level(after elapsed: Duration) -> (isLit: Bool, changesIn: Duration?)? {
    guard length > .zero else { return (true, nil) }
    var rest = elapsed
    if repeats {
      rest = .nanoseconds(elapsed.nanoseconds % length.nanoseconds)
    } else if elapsed >= length {
      return nil
    }
    for (place, step) in steps.enumerated() {
      if rest < step { return (place.isMultiple(of: 2), step - rest) }
      rest -= step
    }
    return nil
  }
}

extension LampConfig.Receipt {
  /// Every receipt's rhythm. Ten presses a second must still be ten flashes, so `counted` is shorter than that.
  package var pattern: LampPattern {
    func milliseconds(_ steps: [Int], repeats: Bool) -> LampPattern {
      LampPattern(steps: steps.map { .milliseconds($0) }, repeats: repeats)
    }
    return switch self {
    case .counted: milliseconds([60, 40], repeats: false)
    case .sent: milliseconds([40, 60, 40, 60], repeats: false)
    case .storing: milliseconds([40, 40], repeats: true)
    case .trouble: milliseconds([100, 100, 100, 100, 100, 500], repeats: true)
    case .stored: milliseconds([800, 800], repeats: true)
    case .practice: milliseconds([100, 150, 100, 1150], repeats: true)
    case .heldAtBoot: milliseconds([1000, 250], repeats: true)
    case .ready: LampPattern(steps: [], repeats: true)
    }
  }

  /// A lamp that could show several shows the first of these.
  static let byImportance: [LampConfig.Receipt] = [
    .trouble, .storing, .counted, .sent, .heldAtBoot, .practice, .stored, .ready,
  ]
}

/// The lamps of one court.
package struct LampBoard: Hashable, Sendable {
  package struct Change: Hashable, Sendable {
    package var lamp: Int
    package var isLit: Bool

    package init(lamp: Int, isLit: Bool) {
      self.lamp = lamp
      self.isLit = isLit
    }
  }

  private let lamps: [[LampConfig.Receipt]]
  /// What is shown, and since when.
  private var shown: [LampConfig.Receipt: Instant] = [:]
  /// Presses whose commit has not come back, and when that becomes news.
  private var pending: [String: Instant] = [:]
  private var owesSent = false
  /// Phones were told before the disk was: the flash comes after `counted`.
  private var sentWaits = false
  private var lit: [Bool?]
  private var nextChange: Instant?

  /// No commit within this time is told as `storing`.
  package static let commitIsLate = Duration.milliseconds(50)

  package init(_ lamps: [[LampConfig.Receipt]]) {
    self.lamps = lamps
    lit = lamps.map { _ in nil }
  }

  // MARK: - What happened

  /// A press was taken, and its commit is under way.
  package mutating func pressed(_ id: String, reachesPhones: Bool = true, at now: Instant) {
    pending[id] = now + Self.commitIsLate
    if reachesPhones { owesSent = true }
  }

  /// Its commit has come back.
  package mutating func counted(_ id: String, at now: Instant) {
    pending[id] = nil
    shown[.counted] = now
    if sentWaits { shown[.sent] = now + LampConfig.Receipt.counted.pattern.length }
    sentWaits = false
  }

  /// The disk refused it; `trouble` is shown for as long as the disk does.
  package mutating func refused(_ id: String) { pending[id] = nil }

  /// Phones were told of what the latest presses did.
  package mutating func sent(at now: Instant) {
    guard owesSent else { return }
    owesSent = false
    if pending.isEmpty {
      let counted = shown[.counted].map { $0 + LampConfig.Receipt.counted.pattern.length }
      shown[.sent] = max(now, counted ?? now)
    } else {
      sentWaits = true
    }
  }

  /// What is true now of the conditions that last.
  package mutating func conditions(_ true: Set<LampConfig.Receipt>, at now: Instant) {
    for condition in [LampConfig.Receipt.trouble, .heldAtBoot, .practice, .stored, .ready] {
      if !`true`.contains(condition) {
        shown[condition] = nil
      } else if shown[condition] == nil {
        shown[condition] = now
      }
    }
  }

  /// A lamp's line was taken anew: whatever it showed, it is off.
  package mutating func opened(_ lamp: Int) { lit[lamp] = nil }

  // MARK: - Time

  package var nextDeadline: Instant? { nextChange }

  /// Which lamps change at `now`.
  package mutating func update(at now: Instant) -> [Change] {
    if let late = pending.values.min(), late <= now {
      if shown[.storing] == nil { shown[.storing] = late }
    } else {
      shown[.storing] = nil
    }
    var changes: [Change] = []
    var next = shown[.storing] == nil ? pending.values.min() : nil
    func consider(_ instant: Instant?) {
      guard let instant, next.map({ instant < $0 }) ?? true else { return }
      next = instant
    }
    for lamp in lamps.indices {
      let (isLit, changesAt) = level(of: lamp, at: now)
      consider(changesAt)
      if lit[lamp] != isLit { changes.append(Change(lamp: lamp, isLit: isLit)) }
      lit[lamp] = isLit
    }
    nextChange = next
    return changes
  }

  private func level(of lamp: Int, at now: Instant) -> (isLit: Bool, changesAt: Instant?) {
    var waits: Instant?
    let isReady = lamps[lamp].contains(.ready) && shown[.ready] != nil
    for receipt in LampConfig.Receipt.byImportance where lamps[lamp].contains(receipt) {
      guard let since = shown[receipt] else { continue }
      if since > now {
        waits = since
      } else if let level = receipt.pattern.level(after: now - since) {
        // On a lamp that is lit anyway, what happened is told by darkness.
        let isInverted = isReady && !receipt.pattern.repeats
        let changes = [level.changesIn.map { now + $0 }, waits].compactMap { $0 }.min()
        return (level.isLit != isInverted, changes)
      }
    }
    return (false, waits)
  }
}
