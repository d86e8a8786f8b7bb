package import GameCore
internal import Glibc

/// The venue's time zone, out of the system's own data base. The C library keeps one zone per process, which is enough:
/// a daemon serves one venue.
package enum VenueTimeZone {
  /// Whether this machine has the zone's data. UTC needs none.
  package static func isKnown(_ name: String) -> Bool {
    if name == "UTC" { return true }
    guard let file = try? FileContents.read("/usr/share/zoneinfo/\(name)", atMost: 262_144) else { return false }
    return file.bytes.starts(with: Array("TZif".utf8))
  }

  /// From now on local means this zone. Changes the environment, so it belongs before the first thread.
  /// The C functions are `setenv` and `tzset`.
  package static func adopt(_ name: String) {
    setenv("TZ", name == "UTC" ? "UTC0" : ":\(name)", 1)
    tzset()
  }

  /// The instant at which the venue's wall clock shows this, given in seconds since 1970 as if it showed UTC. Nil for a
  /// time that the clock skips in spring; of a time shown twice in autumn, one of the two.
  /// The C functions are `gmtime_r`, `mktime` and `localtime_r`.
  package static func wallTime(ofLocal secondsAsIfUTC: Int64) -> WallTime? {
    var asIfUTC = time_t(secondsAsIfUTC)
    var fields = tm()
    guard gmtime_r(&asIfUTC, &fields) != nil else { return nil }
    fields.tm_isdst = -1
    var seconds = mktime(&fields)
    var shown = tm()
    guard localtime_r(&seconds, &shown) != nil, timegm(&shown) == asIfUTC else { return nil }
    return WallTime(milliseconds: Int64(seconds) * 1000)
  }

  /// The day at the venue. The C function is `localtime_r`.
  package static func day(of time: WallTime) -> CalendarDay {
    var seconds = time_t(time.seconds)
    var fields = tm()
    guard localtime_r(&seconds, &fields) != nil else { return CalendarDay(daysSince1970: time.seconds / 86_400) }
    return CalendarDay(year: Int(fields.tm_year) + 1900, month: Int(fields.tm_mon) + 1, day: Int(fields.tm_mday))
  }
}
