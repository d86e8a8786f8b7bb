/// A day of the Gregorian calendar.
package struct CalendarDay: Hashable, Sendable {
  package var year: Int
  /// 1 to 12.
  package var month: Int
  /// 1 to 31.
  package var day: Int

  package init(year: Int, month: Int, day: Int) {
    self.year = year
    self.month = month
    self.day = day
  }

  /// Counted from 1970-01-01. The year is taken to begin in March, so that the leap day is its last.
  package var daysSince1970: Int64 {
    let shifted = Int64(month <= 2 ? year - 1 : year)
    let era = shifted.quotientRoundedDown(by: 400)
    let yearOfEra = shifted - era * 400
    let dayOfYear = Int64((153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1)
    return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
  }

  package init(daysSince1970 days: Int64) {
    let shifted = days + 719_468
    let era = shifted.quotientRoundedDown(by: 146_097)
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let fromMarch = (5 * dayOfYear + 2) / 153
    day = Int(dayOfYear - (153 * fromMarch + 2) / 5 + 1)
    month = Int(fromMarch < 10 ? fromMarch + 3 : fromMarch - 9)
    year = Int(yearOfEra + era * 400) + (month <= 2 ? 1 : 0)
  }
}

extension WallTime {
  /// UTC with milliseconds, `2026-12-05T19:00:00.250Z`: how every time leaves the daemon for people and machines.
  package var iso8601: String {
    let days = milliseconds.quotientRoundedDown(by: 86_400_000)
    let day = CalendarDay(daysSince1970: days)
    let ofDay = milliseconds - days * 86_400_000
    return "\(digits(Int64(day.year), 4))-\(digits(Int64(day.month), 2))-\(digits(Int64(day.day), 2))"
      + "T\(digits(ofDay / 3_600_000, 2)):\(digits(ofDay / 60_000 % 60, 2)):\(digits(ofDay / 1000 % 60, 2))"
      + ".\(digits(ofDay % 1000, 3))Z"
  }

  /// Reads `2026-12-05T19:00:00Z` with or without a fraction of a second, with `Z` or an offset such as `+01:00`.
  package init?(iso8601 text: String) {
    let bytes = Array(text.utf8)
    guard bytes.count >= 20, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
      bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: " "),
      bytes[13] == UInt8(ascii: ":"), bytes[16] == UInt8(ascii: ":"),
      let year = number(bytes[0..<4]), let month = number(bytes[5..<7]), let day = number(bytes[8..<10]),
      let hour = number(bytes[11..<13]), let minute = number(bytes[14..<16]), let second = number(bytes[17..<19]),
      (1...12).contains(month), (1...31).contains(day), hour < 24, minute < 60, second < 61
    else { return nil }
    let calendarDay = CalendarDay(year: year, month: month, day: day)
    guard CalendarDay(daysSince1970: calendarDay.daysSince1970) == calendarDay else { return nil }
    var rest = bytes[19...]
    var fraction: Int64 = 0
    if rest.first == UInt8(ascii: ".") {
      let figures = rest.dropFirst().prefix { $0 >= 48 && $0 <= 57 }
      guard !figures.isEmpty, let value = number((figures + [48, 48, 48]).prefix(3)[...]) else { return nil }
      fraction = Int64(value)
      rest = rest.dropFirst(1 + figures.count)
    }
    guard let offset = offsetMinutes(rest) else { return nil }
    let seconds = calendarDay.daysSince1970 * 86_400 + Int64(hour * 3600 + (minute - offset) * 60 + second)
    self.init(milliseconds: seconds * 1000 + fraction)
  }
}

private func digits(_ value: Int64, _ width: Int) -> String {
  let text = String(value)
  return String(repeating: "0", count: max(0, width - text.count)) + text
}

private func number(_ figures: ArraySlice<UInt8>) -> Int? {
  guard figures.allSatisfy({ $0 >= 48 && $0 <= 57 }) else { return nil }
  return figures.reduce(0) { $0 * 10 + Int($1) - 48 }
}

private func offsetMinutes(_ text: ArraySlice<UInt8>) -> Int? {
  let bytes = Array(text)
  if bytes == [UInt8(ascii: "Z")] { return 0 }
  guard bytes.count == 6, bytes[0] == UInt8(ascii: "+") || bytes[0] == UInt8(ascii: "-"), bytes[3] == UInt8(ascii: ":"),
    let hours = number(bytes[1..<3]), let minutes = number(bytes[4..<6]), hours < 24, minutes < 60
  else { return nil }
  return (bytes[0] == UInt8(ascii: "-") ? -1 : 1) * (hours * 60 + minutes)
}
