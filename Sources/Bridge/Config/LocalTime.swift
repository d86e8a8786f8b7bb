package import Document

/// A date and a time of day as the clock on the venue's wall shows them; which instant that is, its time zone says.
package struct LocalTime: Hashable, Sendable, CustomStringConvertible {
  package var year: Int
  package var month: Int
  package var day: Int
  package var hour: Int
  package var minute: Int

  /// `2026-12-05T19:00`; nil for anything else, a 30th of February included.
  package init?(_ text: String) {
    let bytes = Array(text.utf8)
    let mask = Array("0000-00-00T00:00".utf8)
    guard bytes.count == mask.count else { return nil }
    var numbers = [0]
    for (byte, wanted) in zip(bytes, mask) {
      if wanted != UInt8(ascii: "0") {
        guard byte == wanted else { return nil }
        numbers.append(0)
      } else {
        guard byte >= 48, byte <= 57 else { return nil }
        numbers[numbers.count - 1] = numbers[numbers.count - 1] * 10 + Int(byte - 48)
      }
    }
    (year, month, day, hour, minute) = (numbers[0], numbers[1], numbers[2], numbers[3], numbers[4])
    guard year >= 2000, year < 2100, (1...12).contains(month), hour < 24, minute < 60,
      (1...Self.days(in: month, of: year)).contains(day)
    else { return nil }
  }

  package var description: String {
    "\(year)-\(Self.two(month))-\(Self.two(day))T\(Self.two(hour)):\(Self.two(minute))"
  }

  /// Seconds since 1970 as if the wall clock showed UTC.
  package var secondsAsIfUTC: Int64 {
    // Counted from March, so that the leap day is the last day of its year.
    let shifted = month > 2 ? month - 3 : month + 9
    let years = Int64(month > 2 ? year : year - 1)
    let days = years * 365 + years / 4 - years / 100 + years / 400 + Int64((153 * shifted + 2) / 5 + day - 1) - 719_468
    return days * 86_400 + Int64(hour * 3600 + minute * 60)
  }

  private static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year % 4 == 0 && (year % 100 != 0 || year % 400 == 0) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
}

extension Schema where Value == LocalTime {
  package static var localTime: Schema {
    let shape = ScalarShape(
      name: "time", allowed: "a date and a time of day at the venue, such as 2026-12-05T19:00",
      form: .text(pattern: "^20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}$"))
    return .scalar(shape, write: \.description) { LocalTime($0) }
  }
}
