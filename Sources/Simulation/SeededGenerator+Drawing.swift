package import GameCore

/// Nothing else in the simulation may choose, so a seed in a failure message runs the failure again.
extension SeededGenerator {
  /// Below a bound that is above zero.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so many times in a hundred.
  package mutating func happens(percent: Int) -> Bool { below(100) < percent }

  package mutating func one<Element>(of choices: [Element]) -> Element { choices[below(choices.count)] }

  package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(range.lowerBound + below(range.upperBound - range.lowerBound + 1))
  }
}
