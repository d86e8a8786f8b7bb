package import GameCore

extension GameState {
  /// The last two minutes of the last period or of an overtime: what happens now decides, and phones are told at once.
  package func isInLastMinutes(_ rules: Rules, at now: Instant) -> Bool {
    guard case .live(let period) = phase else { return false }
    guard period.isOvertime || period == .shootout || rules.isLastRegular(period) else { return false }
    guard let clock, let closing = rules.closingReading(of: period) else { return period == .shootout }
    let reading = clock.reading(at: now)
    let left = clock.direction == .down ? reading - closing : closing - reading
    return left <= .seconds(120)
  }

  /// What is left of the break that is on; nil when none is, or nobody says how long it lasts.
  package func breakLeft(at now: Instant) -> Duration? {
    switch phase {
    case .intermission(let rest), .halftime(let rest): rest.clock.map { max($0.reading(at: now), .zero) }
    case .scheduled, .live, .review, .delayed, .finished, .cancelled: nil
    }
  }
}
