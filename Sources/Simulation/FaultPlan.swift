internal import GameCore

/// How badly the world behaves, as one value: how often a request meets which fate, how often the power goes, and how
/// often something breaks for a while.
package struct FaultPlan: Hashable, Sendable {
  /// What happens to a request in so many cases of a hundred; the rest is answered well.
  package var notSent = 0
  /// It never arrives, and nobody says so.
  package var lost = 0
  /// It arrives, and the answer does not come back.
  package var answerLost = 0
  /// It arrives after the sender has given up.
  package var late = 0
  package var throttled = 0
  /// 503, processed or not.
  package var unavailable = 0
  /// A captive portal's page with status 200.
  package var portal = 0
  /// An answer that is no answer: success, and nothing in it that anybody can read; processed or not.
  package var garbled = 0
  /// The longest way of a request there and back.
  package var slowest: Duration = .milliseconds(180)
  /// The power goes between two actions, once in so many; 0 is never.
  package var actionsPerPowerCut = 0
  /// Something breaks for a while, once in this time on average; nil is never.
  package var breakEvery: Duration?

  package init() {}

  /// Nothing fails.
  package static let none = FaultPlan()

  /// Everything fails now and then.
  package static let rough: FaultPlan = {
    var plan = FaultPlan()
    plan.notSent = 4
    plan.lost = 3
    plan.answerLost = 4
    plan.late = 1
    plan.throttled = 3
    plan.unavailable = 4
    plan.portal = 2
    plan.garbled = 1
    plan.slowest = .seconds(3)
    plan.actionsPerPowerCut = 1500
    plan.breakEvery = .seconds(400)
    return plan
  }()

  /// What a request meets.
  package enum Fate: Hashable, Sendable {
    case answered, notSent, lost, answerLost, late, throttled, portal
    case unavailable(processed: Bool)
    case garbled(processed: Bool)
  }

  func fate(_ random: inout SeededGenerator) -> Fate {
    var dice = random.below(100)
    func falls(in share: Int) -> Bool {
      dice -= share
      return dice < 0
    }
    if falls(in: notSent) { return .notSent }
    if falls(in: lost) { return .lost }
    if falls(in: answerLost) { return .answerLost }
    if falls(in: late) { return .late }
    if falls(in: throttled) { return .throttled }
    if falls(in: unavailable) { return .unavailable(processed: random.happens(percent: 50)) }
    if falls(in: portal) { return .portal }
    if falls(in: garbled) { return .garbled(processed: random.happens(percent: 50)) }
    return .answered
  }
}

/// What is broken at the moment, each until its time.
struct Weather: Hashable, Sendable {
  enum Trouble: Int, Hashable, Sendable, CaseIterable {
    /// Every request meets a closed door.
    case uplinkGone
    /// Every request meets silence.
    case uplinkSilent
    /// The first host is dead; the others work.
    case hostDead
    /// The disk takes nothing.
    case diskFull
    /// The disk takes its time.
    case diskSlow
    case brokerGone
  }

  private var until: [Trouble: Duration] = [:]

  func has(_ trouble: Trouble) -> Bool { until[trouble] != nil }

  mutating func began(_ trouble: Trouble, until end: Duration) { until[trouble] = end }

  var nextEnd: Duration? { until.values.min() }

  /// What has ended by now, in a fixed order.
  mutating func ended(by now: Duration) -> [Trouble] {
    let over = Trouble.allCases.filter { until[$0].map { $0 <= now } ?? false }
    for trouble in over { until[trouble] = nil }
    return over
  }

  /// All of it at once.
  mutating func clear() -> [Trouble] {
    let over = Trouble.allCases.filter { until[$0] != nil }
    until = [:]
    return over
  }
}
