/// Something that leagues vary: its key in the config, what may be written there, and what it changes.
package struct RuleSetting: Sendable {
  package enum Kind: Hashable, Sendable {
    /// Seconds from and to.
    case duration(ClosedRange<Int>)
    case count(ClosedRange<Int>)
    case choice([String])
    case truth
    /// Counts separated by commas, so many of them at most.
    case counts(ClosedRange<Int>, most: Int)
  }

  package enum Value: Hashable, Sendable {
    case duration(Duration)
    case count(Int)
    case word(String)
    case truth(Bool)
    case counts([Int])
    /// `off`, where a setting may be absent.
    case off
  }

  package let key: String
  package let kind: Kind
  /// As it would be written in the config; `off` when the sport has none.
  package let usual: String
  package let summary: String
  /// `off` may be written too.
  package let mayBeOff: Bool
  let write: @Sendable (inout Rules, Value) -> Void

  init(
    _ key: String, _ kind: Kind, _ usual: String, _ summary: String, mayBeOff: Bool = false,
    write: @escaping @Sendable (inout Rules, Value) -> Void
  ) {
    self.key = key
    self.kind = kind
    self.usual = usual
    self.summary = summary
    self.mayBeOff = mayBeOff
    self.write = write
  }

  /// What may be written, for the person who wrote something else.
  package var possible: String {
    let words: String
    switch kind {
    case .duration(let range):
      words = "a duration from \(Self.text(seconds: range.lowerBound)) to \(Self.text(seconds: range.upperBound))"
    case .count(let range): words = "a number from \(range.lowerBound) to \(range.upperBound)"
    case .choice(let names): words = "one of " + names.joined(separator: ", ")
    case .truth: words = "true or false"
    case .counts(let range, let most):
      words = "1 to \(most) numbers from \(range.lowerBound) to \(range.upperBound), separated by commas"
    }
    return mayBeOff ? words + ", or off" : words
  }

  private static func text(seconds: Int) -> String {
    seconds >= 60 && seconds % 60 == 0 ? "\(seconds / 60)m" : "\(seconds)s"
  }

  /// The value a text spells; nil when it is none of the possible ones.
  package func value(of text: String) -> Value? {
    let word = text.lowercased().filter { $0 != " " }
    if mayBeOff, word == "off" { return .off }
    switch kind {
    case .duration(let range):
      guard let duration = Duration(spelled: word) else { return nil }
      return duration >= .seconds(range.lowerBound) && duration <= .seconds(range.upperBound)
        ? .duration(duration) : nil
    case .count(let range):
      guard let number = Int(word), range.contains(number) else { return nil }
      return .count(number)
    case .choice(let names): return names.contains(word) ? .word(word) : nil
    case .truth: return word == "true" ? .truth(true) : word == "false" ? .truth(false) : nil
    case .counts(let range, let most):
      let parts = word.split(separator: ",", omittingEmptySubsequences: false)
      let numbers = parts.compactMap { Int($0) }.filter { range.contains($0) }
      return numbers.count == parts.count && numbers.count <= most && !numbers.isEmpty ? .counts(numbers) : nil
    }
  }
}

extension Duration {
  /// `10m`, `90s`, `1h30m`, `500ms`, `12:30`; a bare number is refused, as its unit is anybody's guess.
  package init?(spelled text: String) {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    if parts.count == 2 {
      guard let minutes = Self.digits(parts[0]), let seconds = Self.digits(parts[1]), seconds < 60,
        parts[1].utf8.count == 2
      else { return nil }
      self = .seconds(minutes * 60 + seconds)
      return
    }
    var total = Duration.zero
    var rest = Substring(text)
    while !rest.isEmpty {
      let number = rest.prefix { $0.isASCII && $0.isNumber }
      rest = rest.dropFirst(number.count)
      let unit = rest.prefix { $0.isASCII && $0.isLetter }
      rest = rest.dropFirst(unit.count)
      guard let amount = Self.digits(number), let one = Self.unit(unit) else { return nil }
      total += one * amount
    }
    guard !text.isEmpty else { return nil }
    self = total
  }

  private static func digits(_ text: Substring) -> Int? {
    guard !text.isEmpty, text.utf8.count <= 9, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return Int(text)
  }

  private static func unit(_ name: Substring) -> Duration? {
    switch name {
    case "ms": .milliseconds(1)
    case "s": .seconds(1)
    case "m", "min": .seconds(60)
    case "h": .seconds(3600)
    default: nil
    }
  }
}
