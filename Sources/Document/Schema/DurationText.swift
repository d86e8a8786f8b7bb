/// Durations as people write them: `25ms`, `3s`, `1.5s`, `10m`, `7h30m`.
package enum DurationText {
  private static let units: [(name: String, nanoseconds: Int64)] = [
    ("h", 3_600_000_000_000), ("m", 60_000_000_000), ("s", 1_000_000_000), ("ms", 1_000_000), ("us", 1_000),
  ]

  /// Nil for anything without a unit, below zero, finer than a nanosecond or longer than some 290 years.
  package static func parse(_ text: String) -> Duration? {
    var rest = text.utf8[...]
    var total: Int64 = 0
    var lastUnit = Int64.max
    guard !rest.isEmpty else { return nil }
    while !rest.isEmpty {
      guard let (number, decimals) = takeNumber(&rest) else { return nil }
      let letters = rest.prefix { $0 >= 97 && $0 <= 122 }
      rest = rest.dropFirst(letters.count)
      guard let unit = units.first(where: { $0.name.utf8.elementsEqual(letters) })?.nanoseconds, unit < lastUnit
      else { return nil }
      lastUnit = unit
      let (whole, overflow) = number.multipliedReportingOverflow(by: unit)
      let (sum, overflowSum) = total.addingReportingOverflow(whole / decimals)
      guard !overflow, !overflowSum, whole % decimals == 0 else { return nil }
      total = sum
    }
    return .nanoseconds(total)
  }

  /// The shortest text that `parse` reads back as the same duration.
  package static func write(_ duration: Duration) -> String {
    var rest = duration.components.seconds * 1_000_000_000 + duration.components.attoseconds / 1_000_000_000
    var text = ""
    for unit in units where rest >= unit.nanoseconds {
      text += "\(rest / unit.nanoseconds)\(unit.name)"
      rest %= unit.nanoseconds
    }
    return text.isEmpty ? "0s" : text
  }

  /// `1.5` is 15 and 10.
  private static func takeNumber(_ rest: inout Substring.UTF8View) -> (number: Int64, decimals: Int64)? {
    let whole = rest.prefix { $0 >= 48 && $0 <= 57 }
    rest = rest.dropFirst(whole.count)
    guard !whole.isEmpty, whole.count <= 12 else { return nil }
    guard rest.first == UInt8(ascii: ".") else { return Int64(Substring(whole)).map { ($0, 1) } }
    let part = rest.dropFirst().prefix { $0 >= 48 && $0 <= 57 }
    rest = rest.dropFirst(part.count + 1)
    guard !part.isEmpty, part.count <= 6 else { return nil }
    let scale = (0..<part.count).reduce(Int64(1)) { scale, _ in scale * 10 }
    return Int64(String(Substring(whole)) + String(Substring(part))).map { ($0, scale) }
  }
}
