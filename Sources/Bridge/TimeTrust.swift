package import GameCore
package import Publishing

/// Whether wall time may be told to phones yet, and why not.
///
/// Two witnesses are heard: the kernel, which says whether something keeps its clock in step, and the servers, whose
/// `Date` and `/time` say how far off it is. A clock that stands behind the last stamp that was given, or that jumps, is
/// doubted until a witness speaks for it again. Presses count in every state; what else is allowed:
///
/// | state | anchors | stamps and stale dates | start | windows and ages |
/// | --- | --- | --- | --- | --- |
/// | trusted | yes | the clock's | yes | judged |
/// | rough | no, the clock's text only | the clock's | yes | judged |
/// | untrusted | no | one above the last | no | not judged |
package struct TimeTrust: Sendable {
  private enum State: Hashable, Sendable {
    /// A witness spoke for the clock, and it was right to half a second.
    case good
    /// Right to a minute, or right by a server's word alone.
    case fair(Doubt)
    /// Nobody may be told what time it is.
    case bad(Doubt)
  }

  /// Why the clock is not believed.
  package enum Doubt: Hashable, Sendable {
    /// Nothing keeps it in step, and no server has spoken yet.
    case notSynchronised
    /// So far from a server's time; positive when it is ahead.
    case offBy(Duration)
    /// Earlier than a stamp that was given before: the battery is empty, or there is none.
    case behindLastStamp(Duration)
    /// It was set by this much while running.
    case jumped(Duration)

    /// For status and logs.
    package var words: String {
      switch self {
      case .notSynchronised: "the clock is not synchronised"
      case .offBy(let offset): "clock \(TimeTrust.spoken(offset)) \(offset > .zero ? "ahead" : "behind")"
      case .behindLastStamp(let gap): "clock \(TimeTrust.spoken(gap)) behind the last stamp"
      case .jumped(let jump): "the clock jumped by \(TimeTrust.spoken(jump))"
      }
    }
  }

  private var state = State.bad(.notSynchronised)
  private var isSynchronised = false
  /// Our time minus a server's, when it was last heard.
  private var offset: Duration?
  private var offsetHeardAt: Instant?
  private var lastStamp: WallTime?
  private var reference: Moment?
  /// The last jump that no witness has judged yet.
  private var jump: Duration?

  package init() {}

  /// What the kernel says of its clock.
  package mutating func kernelSaid(isSynchronised: Bool, at moment: Moment) -> ClockTrust? {
    watch(moment)
    if isSynchronised { jump = nil }
    self.isSynchronised = isSynchronised
    return judge(at: moment)
  }

  /// A server told its time. `roundTrip` is how long the answer took; a slow one says too little.
  package mutating func serverSaid(_ time: WallTime, roundTrip: Duration, at moment: Moment) -> ClockTrust? {
    watch(moment)
    guard roundTrip <= Self.slowestAnswer else { return nil }
    offset = (moment.wall - time) - roundTrip / 2
    offsetHeardAt = moment.instant
    jump = nil
    return judge(at: moment)
  }

  /// The newest stamp that any phone was given, also in an earlier life.
  package mutating func stampGiven(_ time: WallTime, at moment: Moment) -> ClockTrust? {
    lastStamp = max(lastStamp ?? time, time)
    return judge(at: moment)
  }

  /// Time passed; notices a clock that was set.
  package mutating func looked(at moment: Moment) -> ClockTrust? {
    watch(moment)
    return judge(at: moment)
  }

  package var trust: ClockTrust {
    switch state {
    case .good: .trusted
    case .fair: .rough
    case .bad: .untrusted
    }
  }

  /// Why the clock is not fully trusted; nil when it is.
  package var doubt: Doubt? {
    switch state {
    case .good: nil
    case .fair(let doubt), .bad(let doubt): doubt
    }
  }

  /// For status: `clock untrusted`, and why.
  package var reason: String? {
    switch state {
    case .good: nil
    case .fair(let doubt): "clock not exact: \(doubt.words)"
    case .bad(let doubt): "clock untrusted: \(doubt.words)"
    }
  }

  /// Names a refused certificate for what it most likely is: certificates that seem to start in the future, or to have
  /// ended, while the clock is in doubt are the clock's fault. It is tried again like any other connection, and at once
  /// when the time is known.
  package func reasonForRefusedCertificate(at moment: Moment) -> String {
    guard trust == .untrusted else { return "certificate refused" }
    if let offset { return "clock wrong by \(Self.spoken(offset))" }
    let earliest = max(lastStamp ?? Self.oldestSensible, Self.oldestSensible)
    guard moment.wall < earliest else { return "certificate refused, or the clock is wrong" }
    return "clock wrong by \(Self.spoken(earliest - moment.wall)) or more"
  }

  /// How long until `looked` is worth asking for; jumps are also noticed with everything else that happens.
  package var nextDeadline: Instant? { reference.map { $0.instant + Self.watchEvery } }

  // MARK: Judging

  /// Both clocks read together must have moved together; a correction of a few hundred milliseconds is ordinary.
  private mutating func watch(_ moment: Moment) {
    defer { reference = moment }
    guard let reference else { return }
    let drift = (moment.wall - reference.wall) - (moment.instant - reference.instant)
    guard Self.size(drift) > Self.exact else { return }
    jump = (jump ?? .zero) + drift
    // What was measured holds on: the clock moved, the server did not.
    if let before = offset { offset = before + drift }
  }

  /// Nil when nothing changed.
  private mutating func judge(at moment: Moment) -> ClockTrust? {
    let before = trust
    state = judgement(at: moment)
    return trust == before ? nil : trust
  }

  private func judgement(at moment: Moment) -> State {
    if let offset, let heardAt = offsetHeardAt, moment.instant - heardAt <= Self.offsetHolds {
      if Self.size(offset) > Self.usable { return .bad(.offBy(offset)) }
      if Self.size(offset) > Self.exact { return .fair(.offBy(offset)) }
      return isSynchronised ? .good : .fair(.notSynchronised)
    }
    // Without a server's word, a clock behind a stamp of ours is wrong, whatever the kernel believes.
    if let lastStamp, lastStamp - moment.wall > Self.usable { return .bad(.behindLastStamp(lastStamp - moment.wall)) }
    if let jump, !isSynchronised { return .bad(.jumped(jump)) }
    return isSynchronised ? .good : .bad(.notSynchronised)
  }

  private static func size(_ duration: Duration) -> Duration { duration < .zero ? .zero - duration : duration }

  /// A duration as a person says it: the largest unit that fits.
  static func spoken(_ duration: Duration) -> String {
    let seconds = size(duration).components.seconds
    let units: [(Int64, String)] = [(31_557_600, "year"), (86_400, "day"), (3600, "hour"), (60, "minute")]
    for (length, name) in units where seconds >= length {
      let count = seconds / length
      return "\(count) \(name)\(count == 1 ? "" : "s")"
    }
    return seconds == 0 ? "\(size(duration).milliseconds) ms" : "\(seconds) second\(seconds == 1 ? "" : "s")"
  }

  /// 2026-01-01: nothing of this project ran before it.
  private static let oldestSensible = WallTime(milliseconds: 1_767_225_600_000)
  private static let exact: Duration = .milliseconds(500)
  private static let usable: Duration = .seconds(60)
  private static let slowestAnswer: Duration = .seconds(2)
  /// A quartz drifts some seconds in a day.
  private static let offsetHolds: Duration = .seconds(6 * 3600)
  private static let watchEvery: Duration = .seconds(60)
}
