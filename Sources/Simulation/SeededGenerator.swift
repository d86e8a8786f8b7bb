/// Numbers that look random and are the same for the same seed on every machine (SplitMix64). Nothing else in the
/// simulation may choose, so a seed in a failure message runs the failure again.
package struct SeededGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64

  package init(seed: UInt64) { state = seed }

  package mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// Below a bound that is above zero.
  package mutating func below(_ bound: Int) -> Int { Int(next() % UInt64(bound)) }

  /// True so many times in a hundred.
  package mutating func happens(percent: Int) -> Bool { below(100) < percent }

  package mutating func one<Element>(of choices: [Element]) -> Element { choices[below(choices.count)] }

  package mutating func milliseconds(_ range: ClosedRange<Int>) -> Duration {
    .milliseconds(range.lowerBound + below(range.upperBound - range.lowerBound + 1))
  }
}
