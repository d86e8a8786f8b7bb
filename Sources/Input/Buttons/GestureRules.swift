/// What one button's presses may mean, as far as it decides how long to wait. What nobody bound is never waited for.
package struct GestureRules: Hashable, Sendable {
  package var hasRelease = false
  package var hasHold = false
  package var hasDouble = false
  package var repeats = false
  package var holdAfter = Duration.milliseconds(1500)
  package var doubleWithin = Duration.milliseconds(300)
  package var repeatEvery = Duration.milliseconds(500)

  package init() {}
}

/// Two buttons that mean something together when they are pressed within that time of each other.
package struct ChordRules: Hashable, Sendable {
  package var first: Int
  package var second: Int
  package var within: Duration

  package init(first: Int, second: Int, within: Duration = .milliseconds(100)) {
    self.first = first
    self.second = second
    self.within = within
  }

  /// The other button of the two; nil for a button of neither.
  func partner(of button: Int) -> Int? {
    button == first ? second : button == second ? first : nil
  }
}

/// What a hand did with a button.
package enum Gesture: Hashable, Sendable {
  case press
  /// Let go after a plain press.
  case release
  case hold
  /// Pressed twice, quickly.
  case double
  /// Again, while it stays down.
  case repeated
  /// By the chord's place; told for the button that completed it.
  case chord(Int)

  /// As the config and people call it.
  package var word: String {
    switch self {
    case .press: "press"
    case .release: "release"
    case .hold: "hold"
    case .double: "double"
    case .repeated: "repeat"
    case .chord: "chord"
    }
  }
}
