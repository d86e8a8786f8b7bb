package import GameCore

/// The date of an HTTP header, in any of the three forms that the standard lets a server write.
package enum HTTPDate {
  /// Nil for anything that is not such a date.
  package static func parse(_ text: String) -> WallTime? {
    let words = text.split(whereSeparator: { $0 == " " || $0 == "," }).map(String.init)
    switch words.count {
    case 6 where words[5] == "GMT":
      return date(day: words[1], month: words[2], year: words[3], clock: words[4])
    case 4 where words[3] == "GMT":
      let parts = words[1].split(separator: "-").map(String.init)
      guard parts.count == 3, let short = Int(parts[2]), (0...99).contains(short) else { return nil }
      return date(
        day: parts[0], month: parts[1], year: String(short < 70 ? 2000 + short : 1900 + short), clock: words[2])
    case 5:
      return date(day: words[2], month: words[1], year: words[4], clock: words[3])
    default: return nil
    }
  }

  private static func date(day: String, month: String, year: String, clock: String) -> WallTime? {
    let parts = clock.split(separator: ":", omittingEmptySubsequences: false).map { Int($0) }
    guard let day = Int(day), let year = Int(year), let index = months.firstIndex(of: month), parts.count == 3,
      let hour = parts[0], let minute = parts[1], let second = parts[2], (1...31).contains(day),
      (1970...9999).contains(year), (0...23).contains(hour), (0...59).contains(minute), (0...60).contains(second)
    else { return nil }
    let days = daysSince1970(year: year, month: index + 1, day: day)
    return WallTime(milliseconds: Int64(((days * 24 + hour) * 60 + minute) * 60 + second) * 1000)
  }

  /// The Gregorian calendar counted in eras of 400 years that begin on the first of March.
  private static func daysSince1970(year: Int, month: Int, day: Int) -> Int {
    let shifted = month <= 2 ? year - 1 : year
    let era = shifted / 400
    let yearOfEra = shifted - era * 400
    let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    return era * 146_097 + dayOfEra - 719_468
  }

  private static let months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"]
}

/// What a `Retry-After` header asks for.
package enum RetryAfter {
  /// Seconds or a date, brought between one second and five minutes. A date is measured against the answer's own
  /// `Date`, so that a wrong clock here does no harm. Nil when there is no such header or nobody can read it.
  package static func wait(_ response: HTTPResponse, now: WallTime) -> Duration? {
    guard let text = response.header("Retry-After") else { return nil }
    let wanted: Duration
    if !text.isEmpty, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }) {
      wanted = .seconds(min(Int64(text) ?? .max, 86_400))
    } else if let date = HTTPDate.parse(text) {
      wanted = date - (response.header("Date").flatMap(HTTPDate.parse) ?? now)
    } else {
      return nil
    }
    return min(max(wanted, .seconds(1)), .seconds(300))
  }
}
