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
    var (total, part, digits, colons) = (0, 0, 0, 0)
    var fraction: (value: Int, digits: Int)?
    for byte in text.utf8 {
      switch byte {
      case 48...57:
        let digit = Int(byte - 48)
        if let (value, count) = fraction {
          guard count < 2 else { return nil }
          fraction = (value * 10 + digit, count + 1)
        } else {
          guard digits < 4 else { return nil }
          (part, digits) = (part * 10 + digit, digits + 1)
        }
      case UInt8(ascii: ":"):
        // Only what stands before the first colon may be left out.
        guard fraction == nil, colons < 2, digits > 0 || colons == 0 else { return nil }
        (total, part, digits, colons) = ((total + part) * 60, 0, 0, colons + 1)
      case UInt8(ascii: "."):
        guard fraction == nil else { return nil }
        fraction = (0, 0)
      case _: return nil
      }
    }
    guard digits > 0 || fraction.map({ $0.digits > 0 }) ?? false else { return nil }
    let seconds = (total + part) * 100
    return fraction.map { seconds + $0.value * ($0.digits == 1 ? 10 : 1) } ?? seconds
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
  var text: [UInt8] = []
  var blanks = 0
  for byte in bytes where byte >= 0x20 && !(0x7F...0x9F).contains(byte) {
    if byte == 0x20 || byte == 0xA0 {
      blanks += text.isEmpty ? 0 : 1
      continue
    }
    for _ in 0..<blanks { text.append(0x20) }
    blanks = 0
    if byte < 0x80 {
      text.append(byte)
    } else {
      // The first 256 characters of Unicode are Latin-1; from 128 on they take two bytes.
      text.append(0xC0 | byte >> 6)
      text.append(0x80 | byte & 0x3F)
    }
  }
  return text.isEmpty ? nil : String(decoding: text, as: UTF8.self)
}

/// A digit or a blank: what most number columns may hold.
package func isDigitOrBlank(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 48 && byte <= 57) }

/// A byte that text may hold: no control character.
package func isPrintable(_ byte: UInt8) -> Bool { byte >= 0x20 && byte != 0x7F }
