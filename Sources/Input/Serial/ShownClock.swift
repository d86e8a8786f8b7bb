/// A clock as a console shows it, and the moment it stands for. The same moment has many faces: `:16`, `0:16`, `16.0`.
package struct ShownClock: Hashable, Sendable {
  package var text: String
  package var tenths: Int

  package init(text: String, tenths: Int) {
    self.text = text
    self.tenths = tenths
  }

  /// Reads `H:MM:SS`, `M:SS`, `MM:SS`, `SS.t`, `:SS`, `M:SS.t`, `SS`; nil for anything else, blank among it.
  package init?(reading text: String) {
    guard let tenths = ShownClock.hundredths(of: text).map({ $0 / 10 }) else { return nil }
    self.init(text: text, tenths: tenths)
  }

  /// Minutes and seconds, shown as `M:SS`.
  package init(minutes: Int, seconds: Int) {
    self.init(text: "\(minutes):\(twoDigits(seconds))", tenths: (minutes * 60 + seconds) * 10)
  }

  /// A clock in its last minute, shown as `SS.t`.
  package init(tenths: Int) {
    self.init(text: "\(tenths / 10).\(tenths % 10)", tenths: tenths)
  }

  /// Four digits `MMSS` as consoles send them; blanks in front count as nothing, all blank is no clock.
  package init?(minutesAndSeconds digits: some Collection<UInt8>) {
    guard digits.count == 4, let number = decimal(digits) else { return nil }
    self.init(minutes: number / 100, seconds: number % 100)
  }

  /// Hundredths of a second in a time of up to three parts, the last of which may have a fraction.
  package static func hundredths(of text: String) -> Int? {
    let fraction = text.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    let parts = fraction[0].split(separator: ":", maxSplits: 3, omittingEmptySubsequences: false)
    guard parts.count <= 3, let last = parts.last, !last.isEmpty || fraction.count == 2 else { return nil }
    var total = 0
    for part in parts {
      guard part.utf8.count <= 4, part.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
      total = total * 60 + (Int(part) ?? 0)
    }
    guard fraction.count == 2 else { return total * 100 }
    let digits = fraction[1].utf8
    guard digits.count <= 2, digits.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
    return total * 100 + (Int(fraction[1]) ?? 0) * (digits.count == 1 ? 10 : 1)
  }
}

package func twoDigits(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }

/// Digits with blanks around them; nil when blank, or when anything else is among them or blanks part them.
package func decimal(_ bytes: some Collection<UInt8>) -> Int? {
  var value: Int?
  var ended = false
  for byte in bytes {
    if byte == 0x20 {
      ended = value != nil
    } else if byte >= 48, byte <= 57, !ended, (value ?? 0) < 100_000_000 {
      value = (value ?? 0) * 10 + Int(byte - 48)
    } else {
      return nil
    }
  }
  return value
}

/// Latin-1 text without control characters, trimmed on both sides; nil when nothing is left.
package func trimmedText(_ bytes: some Collection<UInt8>) -> String? {
  var text = ""
  var blanks = 0
  for byte in bytes where byte >= 0x20 && !(0x7F...0x9F).contains(byte) {
    if byte == 0x20 || byte == 0xA0 {
      blanks += text.isEmpty ? 0 : 1
    } else {
      for _ in 0..<blanks { text.append(" ") }
      blanks = 0
      text.unicodeScalars.append(Unicode.Scalar(byte))
    }
  }
  return text.isEmpty ? nil : text
}

/// A digit or a blank: what most number columns may hold.
package func isDigitOrBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 48 && byte <= 57) }

/// A byte that text may hold: no control character.
package func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }
