package import GameCore

/// What may be believed of the wall clock. `TimeTrust` in the engine decides it; the lanes obey.
package enum ClockTrust: String, Hashable, Sendable, CaseIterable {
  /// Good to half a second: anchors may be told to phones.
  case trusted
  /// Good to a minute: stamps, stale dates and a start may be told, anchors may not.
  case rough
  /// Anything is possible, 1970 too: only what has to be sent is sent, one above the last stamp.
  case untrusted
}

/// The stamps of one counter: `max(now, last + 1)`, also after a reboot and with a clock that steps back.
///
/// Phones drop whatever is older than what they show, so a stamp never falls. A floor above every stamp that may be given
/// is on the disk *before* the stamp is used; it is renewed ahead of time, so no push waits for the disk. After a restart
/// the counter goes on past the floor, because nobody knows how much of the block was used.
///
/// Seconds for one iOS activity; milliseconds for everything sent to one Android app, because that app compares across
/// games.
package struct StampFloor: Hashable, Sendable {
  /// The unit is part of the counter, so that seconds and milliseconds cannot be mixed up.
  package enum Unit: String, Hashable, Sendable {
    case seconds, milliseconds

    fileprivate func value(of time: WallTime) -> Int64 {
      switch self {
      case .seconds: time.seconds
      case .milliseconds: time.milliseconds
      }
    }

    fileprivate func count(_ duration: Duration) -> Int64 {
      switch self {
      case .seconds: duration.components.seconds
      case .milliseconds: duration.milliseconds
      }
    }
  }

  /// What `next` says.
  package enum Next: Hashable, Sendable {
    /// The stamp, taken.
    case take(Int64)
    /// Too many messages for the time that has passed: merge, and ask again this much later.
    case wait(Duration)
    /// The floor on the disk lies below it: ask again when it has been renewed.
    case uncovered
  }

  package let unit: Unit
  /// The last stamp given, or the floor taken over from before the restart; nil before the first.
  package private(set) var last: Int64?
  /// Stamps up to this one are safe from a power cut.
  package private(set) var durable: Int64
  /// The highest floor handed to the store.
  private var asked: Int64
  private var renewedAt: Instant?
  /// The last stamp lies ahead for a reason that time alone mends.
  private var hasLostTheClock: Bool

  /// `floor` is what the store kept, nil for a counter that never was.
  package init(unit: Unit, floor: Int64? = nil) {
    self.unit = unit
    last = floor
    durable = floor ?? Int64.min
    asked = durable
    hasLostTheClock = floor != nil
  }

  /// The stamp for a message built now. `mayExceedFloor` while the store fails: a game is told on, although a power cut
  /// could then repeat a stamp.
  package mutating func next(at wall: WallTime, trust: ClockTrust, mayExceedFloor: Bool = false) -> Next {
    let now = plausible(wall, trust)
    var wanted = max(now, last.map { $0 + 1 } ?? now)
    // Ahead of the clock by its own speed, the counter waits. Ahead because the clock stepped back, or because a floor was
    // taken over, it goes on: waiting would not help.
    if now > (last ?? .min) { hasLostTheClock = false }
    if wanted > now + unit.count(Self.ahead) + 1 { hasLostTheClock = true }
    if wanted > now + unit.count(Self.ahead), !hasLostTheClock { return .wait(.seconds(1)) }
    if wanted > durable {
      guard mayExceedFloor else { return .uncovered }
      // Nothing on the disk would tell the next life how far a doubted clock has carried the stamps away.
      if trust == .untrusted, let last { wanted = last + 1 }
    }
    last = wanted
    return .take(wanted)
  }

  /// How far the last stamp lies ahead of the clock.
  package func gap(at wall: WallTime) -> Duration {
    guard let last, last > unit.value(of: wall) else { return .zero }
    let units = last - unit.value(of: wall)
    return unit == .seconds ? .seconds(units) : .milliseconds(units)
  }

  /// The best guess at the true time for stale and dismissal dates: a clock behind the last stamp is behind the truth.
  package func floorTime(at wall: WallTime) -> WallTime {
    guard let last else { return wall }
    return max(wall, WallTime(milliseconds: unit == .seconds ? last.multipliedReportingOverflow(by: 1000).0 : last))
  }

  /// When the floor has to be renewed; at once before the first time.
  package func renewal(at now: Instant) -> Instant { renewedAt.map { $0 + Self.renewEvery } ?? now }

  /// The floor to write now. It counts when `persisted` says so.
  package mutating func renew(at moment: Moment, trust: ClockTrust) -> Int64 {
    renewedAt = moment.instant
    let now = plausible(moment.wall, trust)
    asked = max(now, last ?? now) + unit.count(Self.reserve)
    return asked
  }

  /// A floor for a stamp that none covers, because the clock has jumped ahead; nil while one is on its way.
  package mutating func renewIfShort(at moment: Moment, trust: ClockTrust) -> Int64? {
    let now = plausible(moment.wall, trust)
    return max(now, last.map { $0 + 1 } ?? now) > asked ? renew(at: moment, trust: trust) : nil
  }

  package mutating func persisted(_ floor: Int64) { durable = max(durable, floor) }

  /// The floor could not be written: try again soon.
  package mutating func renewalFailed(at now: Instant) {
    asked = durable
    renewedAt = now - Self.renewEvery + .seconds(1)
  }

  /// A clock that nobody vouches for and that ran six hours past the last stamp has jumped, as one does that was kept
  /// in another zone's time: following it puts phones out of reach, and there is no way back from a stamp too high.
  private func plausible(_ wall: WallTime, _ trust: ClockTrust) -> Int64 {
    let now = unit.value(of: wall)
    guard trust == .untrusted, let last, now - last > unit.count(Self.farthest) else { return now }
    return last + 1
  }

  private static let ahead: Duration = .seconds(2)
  private static let reserve: Duration = .seconds(10)
  private static let renewEvery: Duration = .seconds(5)
  private static let farthest: Duration = .seconds(6 * 3600)
}

/// The revision numbers of one game on one sink: +1 for every message with a new stamp. Android message ids are made of
/// them, and the service drops an id it knows, so a number is never used for two states, not even across a power cut.
package struct SequenceFloor: Hashable, Sendable {
  /// The last number given, or the end of the block taken over.
  package private(set) var last: Int64
  private var durable: Int64
  private var asked: Int64

  package init(floor: Int64 = 0) {
    last = floor
    durable = floor
    asked = floor
  }

  /// Whether a durable block holds another.
  package var hasNext: Bool { last < durable }

  /// The next number, taken; nil while no durable block holds one. `pastFloor` is given while the disk refuses and fans
  /// are told on all the same: the clock's second, so that the number is none that the next life will give, although
  /// nothing on the disk says so.
  package mutating func next(pastFloor second: Int64? = nil) -> Int64? {
    if last < durable {
      last += 1
    } else if let second {
      last = max(last + 1, second)
    } else {
      return nil
    }
    return last
  }

  /// The end of a new block, to be written now, when half of the block is used.
  package mutating func renew() -> Int64? {
    guard asked - last <= Self.block / 2 else { return nil }
    asked = last + Self.block
    return asked
  }

  /// The highest number handed to the store or given.
  package var ceiling: Int64 { max(asked, last) }

  package mutating func persisted(_ floor: Int64) { durable = max(durable, floor) }
  package mutating func renewalFailed() { asked = durable }

  private static let block: Int64 = 64
}
