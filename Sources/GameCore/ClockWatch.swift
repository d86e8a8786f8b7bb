/// Finds out whether a console's clock runs where the console does not say: a reading that moves as time does is
/// running, one that has stood for longer than a second is not. Without this every second would be a clock that was set.
package struct ClockWatch: Sendable {
  private enum State: Hashable, Sendable {
    /// Nothing was seen, or the console says itself whether its clock runs.
    case idle
    /// This reading has been shown since then; `isMoving` as the readings before it moved.
    case watching(reading: Duration, since: Instant, isMoving: Bool)
  }

  private var state = State.idle
  private let direction: GameClock.Direction

  /// Whole seconds are shown by many boards; a reading that stands longer than this has stopped.
  private static let patience = Duration.milliseconds(1500)

  package init(rules: Rules) { direction = rules.clock?.direction ?? .down }

  package var nextDeadline: Instant? {
    guard case .watching(_, let since, true) = state else { return nil }
    return since + Self.patience
  }

  /// The reading with what is known of its motion.
  package mutating func reported(_ clock: Report.Clock, at now: Instant) -> Report.Clock {
    guard clock.running == nil else {
      state = .idle
      return clock
    }
    guard case .watching(let old, let since, let wasMoving) = state else {
      state = .watching(reading: clock.reading, since: now, isMoving: false)
      return clock
    }
    if clock.reading == old {
      let isMoving = wasMoving && now - since < Self.patience
      state = .watching(reading: old, since: since, isMoving: isMoving)
      return Report.Clock(reading: old, running: isMoving)
    }
    let moved = direction == .down ? old - clock.reading : clock.reading - old
    let isMoving = moved > .zero && moved <= now - since + Self.patience
    state = .watching(reading: clock.reading, since: now, isMoving: isMoving)
    return Report.Clock(reading: clock.reading, running: isMoving)
  }

  /// The reading at which the clock has stopped, once it has stood for long enough.
  package mutating func timePassed(at now: Instant) -> Report.Clock? {
    guard let deadline = nextDeadline, now >= deadline, case .watching(let reading, let since, true) = state else {
      return nil
    }
    state = .watching(reading: reading, since: since, isMoving: false)
    return Report.Clock(reading: reading, running: false)
  }
}
