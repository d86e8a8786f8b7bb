/// What the clock does between two pushes, so that a phone can let it run by itself.
public enum ClockState: Hashable, Sendable {
  /// Standing, or there is none: the text as it was sent.
  case stopped(text: String)
  /// Runs down to zero at this instant, in Unix milliseconds.
  case runningDown(untilMs: Int)
  /// Runs up; it read zero at this instant, in Unix milliseconds.
  case runningUp(sinceMs: Int)

  /// A running clock without an anchor is a stopped one.
  public init(_ state: GameAttributes.ContentState) {
    switch state.clockDir {
    case .down where state.clockAnchorMs > 0: self = .runningDown(untilMs: state.clockAnchorMs)
    case .up where state.clockAnchorMs > 0: self = .runningUp(sinceMs: state.clockAnchorMs)
    case .stop, .down, .up: self = .stopped(text: state.clock)
    }
  }

  public var isRunning: Bool {
    switch self {
    case .stopped: false
    case .runningDown, .runningUp: true
    }
  }

  /// `M:SS` at an instant: rounded up while running down and down while running up, as scoreboards do. Never below zero:
  /// a phone whose time is off must not show a negative clock.
  public func text(atMs now: Int) -> String {
    switch self {
    case .stopped(let text): text
    case .runningDown(let until): Self.minutesAndSeconds((max(0, until - now) + 999) / 1000)
    case .runningUp(let since): Self.minutesAndSeconds(max(0, now - since) / 1000)
    }
  }

  private static func minutesAndSeconds(_ seconds: Int) -> String {
    let rest = seconds % 60
    return "\(seconds / 60):\(rest < 10 ? "0" : "")\(rest)"
  }
}
