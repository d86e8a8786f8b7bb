internal import CLinux
package import GameCore
internal import Glibc

/// Lines for the person who looks after the daemon: an event name and `key=value` pairs, one `write` each, on standard
/// error. Lives on the loop's thread, like all that has something to say.
package final class Log {
  /// From worst to wordiest; the raw values are those of syslog and of journald's `<n>` prefixes.
  package enum Level: Int, Comparable, Sendable, CaseIterable {
    /// Something is lost or stays broken until a person acts.
    case error = 3
    /// Something is wrong, and the daemon works around it or tries again.
    case warning = 4
    /// Rare and worth knowing: started, connected, a new game.
    case notice = 5
    /// What happens in a normal game.
    case info = 6
    /// For finding faults.
    case debug = 7

    /// Worse is smaller.
    package static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

    fileprivate var word: String {
      switch self {
      case .error: "ERROR  "
      case .warning: "WARNING"
      case .notice: "notice "
      case .info: "info   "
      case .debug: "debug  "
      }
    }
  }

  /// Who reads.
  package enum Style: Hashable, Sendable {
    /// journald adds the time itself and reads the level from the prefix.
    case journal
    /// A person at a terminal, or a file: time of day (UTC) and the level in words.
    case plain
  }

  package typealias Field = (key: String, value: String)

  private let style: Style
  private let leastLevel: Level
  private let clock: () -> Moment
  /// Says whether the line went out.
  private let write: ([UInt8]) -> Bool
  private var throttle = LogThrottle()
  /// Lines that nobody took since the last one that somebody did.
  private var lost = 0

  /// Writes to standard error, in the style that whoever listens there reads.
  package convenience init(leastLevel: Level = .info) {
    self.init(
      style: Log.journalListens() ? .journal : .plain, leastLevel: leastLevel, clock: SystemClock.now,
      write: { Log.write($0, to: 2) })
  }

  package init(
    style: Style, leastLevel: Level, clock: @escaping () -> Moment, write: @escaping ([UInt8]) -> Bool
  ) {
    self.style = style
    self.leastLevel = leastLevel
    self.clock = clock
    self.write = write
  }

  package func error(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.error, event, fields) }
  package func warning(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.warning, event, fields) }
  package func notice(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.notice, event, fields) }
  package func info(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.info, event, fields) }
  package func debug(_ event: String, _ fields: KeyValuePairs<String, String> = [:]) { log(.debug, event, fields) }

  /// One line, unless it is below the level or one too many of its kind.
  package func log(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, String>) {
    log(level, event, fields.map { ($0.key, $0.value) })
  }

  /// The same for fields that are put together at run time.
  package func log(_ level: Level, _ event: String, _ fields: [Field]) {
    guard level <= leastLevel else { return }
    let moment = clock()
    var text = event
    for field in fields { text += " \(field.key)=\(Log.quoted(field.value))" }
    switch throttle.admit(text, event: event, level: level, at: moment.instant) {
    case .suppress: return
    case .write(let unsaid):
      if unsaid > 0 { text += " unsaid=\(unsaid)" }
      if lost > 0 { text += " lost=\(lost)" }
      lost = write(line(level, text, at: moment.wall)) ? 0 : lost + 1
    }
  }

  /// One line out, or not at all: where nobody reads (a full pipe, a terminal held with Ctrl-S), the line is lost and the
  /// game goes on. A pipe that has room has room for a page, so a line within that never waits.
  package static func write(_ line: [UInt8], to number: Int32) -> Bool {
    var reader = pollfd(fd: number, events: Int16(POLLOUT), revents: 0)
    guard poll(&reader, 1, 0) == 1, reader.revents & Int16(POLLOUT) != 0 else { return false }
    while true {
      let count = Glibc.write(number, line, line.count)
      if count == -1 && errno == EINTR { continue }
      return count == line.count
    }
  }

  private func line(_ level: Level, _ text: String, at time: WallTime) -> [UInt8] {
    let start =
      switch style {
      case .journal: "<\(level.rawValue)>"
      case .plain: "\(Log.timeOfDay(time)) \(level.word) "
      }
    // Decoded once more, so that a character that the cut has split does not make the line unreadable for the journal.
    let cut = String(decoding: (start + text).utf8.prefix(Log.longestLine), as: UTF8.self)
    return Array(cut.utf8) + [UInt8(ascii: "\n")]
  }

  private static let longestLine = 4000

  /// A value that could be taken for something else stands in quotes; what could break the line is written out. Long
  /// values are cut: a line must stay a line.
  private static func quoted(_ value: String) -> String {
    let plain =
      !value.isEmpty && value.utf8.count <= 256
      && value.unicodeScalars.allSatisfy {
        $0.value > 0x20 && !(0x7F...0x9F).contains($0.value) && $0 != "\"" && $0 != "=" && $0 != "\\"
      }
    if plain { return value }
    var text = "\""
    for (count, scalar) in value.unicodeScalars.enumerated() {
      if count == 256 {
        text += "…"
        break
      }
      switch scalar {
      case "\"": text += "\\\""
      case "\\": text += "\\\\"
      case "\n": text += "\\n"
      case "\r": text += "\\r"
      case "\t": text += "\\t"
      case let other where other.value < 0x20 || (0x7F...0x9F).contains(other.value):
        text += "\\u{\(String(other.value, radix: 16))}"
      default: text.unicodeScalars.append(scalar)
      }
    }
    return text + "\""
  }

  private static func timeOfDay(_ time: WallTime) -> String {
    let ofDay = time.milliseconds - time.milliseconds.quotientRoundedDown(by: 86_400_000) * 86_400_000
    func digits(_ value: Int64, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: max(0, width - text.count)) + text
    }
    return "\(digits(ofDay / 3_600_000, 2)):\(digits(ofDay / 60_000 % 60, 2)):\(digits(ofDay / 1000 % 60, 2))"
      + ".\(digits(ofDay % 1000, 3))"
  }

  /// systemd names the stream it gave us by device and inode; a redirected standard error is another one.
  package static func journalListens(
    environment value: String? = environmentVariable("JOURNAL_STREAM"), descriptor: Int32 = 2
  ) -> Bool {
    guard let value else { return false }
    var status = stat()
    guard fstat(descriptor, &status) == 0 else { return false }
    return value == "\(status.st_dev):\(status.st_ino)"
  }
}

/// The value of an environment variable; nil when it is not set. The C function is `getenv`.
package func environmentVariable(_ name: String) -> String? {
  getenv(name).map { String(cString: $0) }
}
