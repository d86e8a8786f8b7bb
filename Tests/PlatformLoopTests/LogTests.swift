import GameCore
import Glibc
import Platform
import PlatformTestSupport
import Testing

/// A log whose lines and clock the test holds.
private final class LogProbe {
  var lines: [String] = []
  var now = Moment(instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 45_296_789))
  var bytes = 0
  var isReading = true
  private(set) var log: Log!

  init(style: Log.Style = .journal, leastLevel: Log.Level = .info) {
    log = Log(
      style: style, leastLevel: leastLevel, clock: { [unowned self] in now }, write: { [unowned self] in take($0) })
  }

  private func take(_ line: [UInt8]) -> Bool {
    if !isReading { return false }
    lines.append(String(decoding: line.dropLast(), as: UTF8.self))
    bytes += line.count
    return true
  }

  func pass(_ duration: Duration) { now.instant = now.instant + duration }
}

@Suite struct LogTests {
  @Test(
    "the journal gets its level as a prefix, a person gets the time and a word",
    arguments: [
      (Log.Style.journal, Log.Level.error, "<3>serial.down port=a"),
      (.journal, .debug, "<7>serial.down port=a"),
      (.plain, .error, "12:34:56.789 ERROR   serial.down port=a"),
      (.plain, .info, "12:34:56.789 info    serial.down port=a"),
    ])
  func styles(style: Log.Style, level: Log.Level, line: String) {
    let probe = LogProbe(style: style, leastLevel: .debug)
    probe.log.log(level, "serial.down", ["port": "a"])
    #expect(probe.lines == [line])
  }

  @Test(
    "a value can neither break its line nor be taken for another field",
    arguments: [
      ("plain", "plain"), ("", "\"\""), ("two words", "\"two words\""), ("a=b", "\"a=b\""),
      ("say \"hi\"", "\"say \\\"hi\\\"\""), ("a\n<3>forged", "\"a\\n<3>forged\""), ("back\\slash", "\"back\\\\slash\""),
      ("\u{1B}[31m", "\"\\u{1b}[31m\""), ("Zürich", "Zürich"), ("\u{9B}", "\"\\u{9b}\""),
      (String(repeating: "x", count: 300), "\"" + String(repeating: "x", count: 256) + "…\""),
    ])
  func quoting(value: String, written: String) {
    let probe = LogProbe()
    probe.log.info("event", ["value": value])
    #expect(probe.lines == ["<6>event value=\(written)"])
  }

  @Test("lines below the level are not written")
  func levels() {
    let probe = LogProbe(leastLevel: .warning)
    probe.log.info("quiet")
    probe.log.warning("loud")
    probe.log.error("louder")
    #expect(probe.lines == ["<4>loud", "<3>louder"])
  }

  @Test("B104: a broker that is down for a day, tried every five seconds, costs less than 1 MB of log")
  func boundedVolume() {
    let probe = LogProbe()
    for attempt in 0..<17_280 {
      probe.log.warning(
        "mqtt.down",
        ["broker": "127.0.0.1:1883", "attempt": "\(attempt)", "reason": "Connection refused", "retry": "5s"])
      probe.log.warning("mqtt.waiting", ["broker": "127.0.0.1:1883"])
      probe.pass(.seconds(5))
    }
    #expect(probe.bytes < 1_000_000)
    #expect(probe.bytes > 10_000)
    #expect(probe.lines.last { $0.contains("mqtt.down") }?.contains("unsaid=") == true)
  }

  @Test("B104: a thousand events with texts of their own, for a day, stay bounded in memory and volume")
  func boundedVariety() {
    let probe = LogProbe()
    for round in 0..<500 {
      for name in 0..<20 { probe.log.error("fault", ["n": "\(round * 20 + name)"]) }
      probe.pass(.seconds(172))
    }
    #expect(probe.bytes < 1_000_000)
  }

  @Test("the same line is said at once, then after silences that double, with the number of those left unsaid")
  func echoes() {
    let probe = LogProbe()
    var saidAt: [Int] = []
    for second in 0..<160 {
      let before = probe.lines.count
      probe.log.warning("store.slow")
      if probe.lines.count > before { saidAt.append(second) }
      probe.pass(.seconds(1))
    }
    #expect(saidAt == [0, 10, 30, 70, 150])
    #expect(probe.lines[1] == "<4>store.slow unsaid=9")
  }

  @Test("what people do is not taken for an echo: forty equal presses are forty lines")
  func presses() {
    let probe = LogProbe()
    for _ in 0..<40 { probe.log.info("press", ["button": "home+1"]) }
    #expect(probe.lines.count == 40)
  }

  @Test("a flood of one event does not silence another")
  func accounts() {
    let probe = LogProbe()
    for number in 0..<1_000 { probe.log.warning("flood", ["n": "\(number)"]) }
    probe.log.warning("other")
    #expect(probe.lines.last == "<4>other")
    #expect(probe.lines.count == 21)
  }

  @Test("a reader that does not read costs lines, which the next line counts, and never time")
  func fullPipe() {
    let pipe = Pipe()
    let line = [UInt8](repeating: UInt8(ascii: "x"), count: 4000)
    var written = 0
    while Log.write(line, to: pipe.writing), written < 1_000 { written += 1 }
    #expect(written > 0 && written < 1_000)

    let probe = LogProbe()
    probe.isReading = false
    for number in 0..<3 { probe.log.info("press", ["n": "\(number)"]) }
    probe.isReading = true
    probe.log.info("press", ["n": "3"])
    probe.log.info("press", ["n": "4"])
    #expect(probe.lines == ["<6>press n=3 lost=3", "<6>press n=4"])
  }

  @Test("a line stays a line, however much is said")
  func longestLine() {
    let probe = LogProbe()
    probe.log.log(.info, "long", (0..<100).map { ("key\($0)", String(repeating: "v", count: 200)) })
    #expect(probe.bytes == 4001)
  }

  @Test("the journal listens only when our standard error is the stream it names")
  func journalStream() {
    let pipe = Pipe()
    var status = stat()
    fstat(pipe.writing, &status)
    let name = "\(status.st_dev):\(status.st_ino)"
    #expect(Log.journalListens(environment: name, descriptor: pipe.writing))
    #expect(!Log.journalListens(environment: "8:1", descriptor: pipe.writing))
    #expect(!Log.journalListens(environment: nil, descriptor: pipe.writing))
  }
}

@Suite struct PlatformErrorTests {
  @Test("an error says what was tried, on what, why it failed and what to do")
  func words() throws {
    do throws(PlatformError) {
      _ = try systemCall("open", "/nowhere/file") { open("/nowhere/file", O_RDONLY) }
      Issue.record("a file that is not there was opened")
    } catch {
      #expect(error.code == ENOENT)
      #expect(error.description == "cannot open /nowhere/file: No such file or directory")
    }
    let denied = PlatformError(operation: "open", subject: "/dev/ttyUSB0", code: EACCES, hint: "join dialout")
    #expect(denied.description == "cannot open /dev/ttyUSB0: Permission denied (join dialout)")
  }

  @Test("a call that a signal cut short is made again")
  func interrupted() throws {
    var calls = 0
    let result = try systemCall("wait", "") {
      calls += 1
      errno = EINTR
      return calls < 3 ? -1 : 7
    }
    #expect(result == 7)
    #expect(calls == 3)
  }
}

@Suite struct SystemClockTests {
  @Test(
    "the kernel's answer decides whether wall time may be believed",
    arguments: [
      (Int32(0), Int32(0), SystemClock.Synchronisation.synchronised(maximumError: .microseconds(1500))),
      (0, 0x40, .unsynchronised), (5, 0, .unsynchronised), (-1, 0, .unknown),
    ])
  func synchronisation(answer: Int32, status: Int32, expected: SystemClock.Synchronisation) {
    #expect(
      SystemClock.synchronisation(answer: answer, status: status, maximumErrorMicroseconds: 1500) == expected)
  }

  @Test("the monotonic clock does not go back, and the wall clock is this century's")
  func now() {
    let first = SystemClock.now()
    let second = SystemClock.now()
    #expect(second.instant >= first.instant)
    #expect(first.wall.seconds > 1_700_000_000)
    _ = SystemClock.synchronisation()
  }
}
