package import GameCore

/// Whether a line is noisy: many glitches within some seconds, and for a while after.
package struct NoiseWatch: Hashable, Sendable {
  private var windowStart: Instant?
  private var glitchesAtStart = 0
  private var noisyUntil: Instant?

  package static let window = Duration.seconds(10)
  package static let limit = 20
  package static let memory = Duration.seconds(60)

  package init() {}

  /// True when the line has just become noisy. `glitches` is the line's count so far.
  package mutating func seen(glitches: Int, at now: Instant) -> Bool {
    if let start = windowStart, now - start > Self.window { windowStart = nil }
    if windowStart == nil {
      windowStart = now
      glitchesAtStart = glitches
    }
    guard glitches - glitchesAtStart >= Self.limit else { return false }
    let isNews = !isNoisy(at: now)
    noisyUntil = now + Self.memory
    return isNews
  }

  package func isNoisy(at now: Instant) -> Bool { noisyUntil.map { now < $0 } ?? false }
}
