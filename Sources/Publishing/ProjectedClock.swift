package import GameCore
package import LiveContract

/// The three clock keys of the contract. A countdown rounds up (2:00.0 shows 2:00), a count-up rounds down, and an
/// anchor is told only when a phone can still count towards it.
package struct ProjectedClock: Hashable, Sendable {
  package var text: String
  package var direction: GameAttributes.ClockDirection
  package var anchor: Int

  /// An anchor nearer than this would have passed before the phone sees it.
  static let nearestAnchor = Duration.milliseconds(1500)

  package init(_ state: GameState, rules: Rules, in context: ProjectionContext) {
    self.init(stoppedShowing: "")
    let now = context.moment.instant
    switch state.phase {
    case .scheduled:
      if let clock = state.clock { self.init(stoppedShowing: Self.opening(clock, rules)) }
    case .live(let period):
      if case .shown(let shown) = state.play, !shown.clock.isEmpty {
        self.init(stoppedShowing: shown.clock)
      } else if let clock = state.clock, period != .shootout {
        let text = rules.addedTime(clock.reading(at: now), in: period) ?? clock.text(at: now)
        self.init(clock, text: text, in: context)
      }
    case .intermission(let rest), .halftime(let rest):
      if let clock = rest.clock, clock.reading(at: now) > .zero {
        self.init(clock, text: clock.text(at: now), in: context)
      }
    case .review, .delayed, .finished, .cancelled: break
    }
  }

  private init(stoppedShowing text: String) {
    self.text = text
    direction = .stop
    anchor = 0
  }

  private init(_ clock: GameClock, text: String, in context: ProjectionContext) {
    self.init(stoppedShowing: text)
    guard clock.isRunning, context.timeIsTrusted else { return }
    let reading = clock.reading(at: context.moment.instant)
    switch clock.direction {
    case .down:
      guard reading >= Self.nearestAnchor else { return }
      direction = .down
      anchor = Int((context.moment.wall + reading).milliseconds)
    case .up:
      direction = .up
      anchor = Int((context.moment.wall + (.zero - reading)).milliseconds)
    }
  }

  /// Before play the clock shows the length of the period, whichever way it will count.
  private static func opening(_ clock: GameClock, _ rules: Rules) -> String {
    clock.direction == .down || clock.shown > .zero
      ? clock.direction.text(of: clock.shown) : GameClock.Direction.down.text(of: rules.periods.length ?? .zero)
  }
}

extension GameClock {
  /// `M:SS`, as phones and the hall show it alike.
  package func text(at now: Instant) -> String { direction.text(of: reading(at: now)) }
}

extension GameClock.Direction {
  /// Whole seconds: a countdown rounds up, a count-up rounds down.
  package func text(of reading: Duration) -> String {
    let nanoseconds = reading.nanoseconds
    let second: Int64 = 1_000_000_000
    let seconds = self == .down ? (nanoseconds + second - 1) / second : nanoseconds / second
    let rest = seconds % 60
    return "\(seconds / 60):" + (rest < 10 ? "0\(rest)" : "\(rest)")
  }
}

extension GameState {
  /// The game clock as the hall's own displays, MQTT and the dashboard show it: with tenths where the sport has them.
  /// A countdown rounds up in either form, so that zero is shown only at zero.
  package func hallClock(_ rules: Rules, at now: Instant) -> String? {
    guard let clock else { return nil }
    let reading = clock.reading(at: now)
    let tenths = (reading.nanoseconds + 99_999_999) / 100_000_000
    guard clock.direction == .down, let below = rules.clock?.tenthsBelow, tenths < below.milliseconds / 100 else {
      return clock.text(at: now)
    }
    return "\(tenths / 10).\(tenths % 10)"
  }
}

extension Rules {
  /// `45+2`: the second minute past the end of the first half, where the sport tells it so.
  func addedTime(_ reading: Duration, in period: Period) -> String? {
    guard clock?.showsAddedTime == true, let closing = closingReading(of: period), reading >= closing else {
      return nil
    }
    let past = (reading - closing).components.seconds / 60 + 1
    return "\(closing.components.seconds / 60)+\(past)"
  }
}
