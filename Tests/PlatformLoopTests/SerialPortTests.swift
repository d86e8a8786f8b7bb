import CLinux
import Foundation
import GameCore
import Glibc
import Platform
import PlatformTestSupport
import Testing

/// What a byte source has told, in order.
final class Heard {
  var events: [ByteSourceEvent] = []
  var moments: [Moment] = []

  var handler: ByteHandler {
    { [unowned self] event, moment in
      events.append(event)
      moments.append(moment)
    }
  }

  var bytes: [UInt8] {
    events.flatMap { event -> [UInt8] in
      if case .bytes(let bytes) = event { bytes } else { [] }
    }
  }

  var text: String { String(decoding: bytes, as: UTF8.self) }

  var ups: [String] {
    events.compactMap { event in
      if case .up(let peer) = event { peer } else { nil }
    }
  }

  var downs: [PlatformError] {
    events.compactMap { event in
      if case .down(let error) = event { error } else { nil }
    }
  }
}

@Suite struct SerialPortTests {
  private let loop: EventLoop
  private let heard = Heard()

  init() throws { loop = try EventLoop() }

  private func port(_ path: String, _ settings: SerialSettings = SerialSettings()) -> SerialPort {
    SerialPort(path: path, settings: settings, on: loop, heard.handler)
  }

  @Test("every byte value arrives as it was sent, stamped, and nothing is ever sent back")
  func raw() throws {
    let console = PseudoTerminal()
    let port = port(console.path)
    port.start()
    #expect(port.state == .open(peer: console.path))
    let before = SystemClock.now().instant
    let all = (0...255).map { UInt8($0) }
    console.send(all)
    #expect(try loop.turn { heard.bytes.count == 256 })
    #expect(heard.bytes == all)
    #expect(heard.moments.last.map { $0.instant >= before && $0.instant <= SystemClock.now().instant } == true)
    port.stop()
    #expect(console.received().isEmpty)
    #expect(heard.ups == [console.path])
    #expect(heard.downs.isEmpty)
  }

  @Test("B54: frames that one read joins, or that reads cut, arrive as one stream in order")
  func joinedAndCut() throws {
    let console = PseudoTerminal()
    let port = port(console.path)
    port.start()
    console.send("\u{2}FRAME1\u{3}")
    console.send("\u{2}FRAME2\u{3}\u{2}FRA")
    #expect(try loop.turn { heard.bytes.count == 20 })
    console.send("ME3\u{3}")
    #expect(try loop.turn { heard.bytes.count == 24 })
    #expect(heard.text == "\u{2}FRAME1\u{3}\u{2}FRAME2\u{3}\u{2}FRAME3\u{3}")
    port.stop()
  }

  @Test("B50: an adaptor that comes back under another number is found by its stable name within five seconds")
  func replugged() throws {
    let folder = TemporaryFolder()
    let stable = folder.file("usb-console-if00-port0")
    let old = PseudoTerminal()
    symlink(old.path, stable)
    let port = port(stable)
    port.start()
    old.send("before")
    #expect(try loop.turn { heard.text == "before" })

    old.unplug()
    unlink(stable)
    #expect(try loop.turn { heard.downs.count == 1 })
    // Some failed attempts lie between, as with a cable that is out for a while.
    let attempts = loop.wakeUps + 3
    #expect(try loop.turn { loop.wakeUps >= attempts })
    let placeholder = PseudoTerminal()
    let new = PseudoTerminal()
    #expect(new.path != old.path || placeholder.path != old.path)
    symlink(new.path, stable)
    let back = SystemClock.now().instant
    #expect(try loop.turn { heard.ups.count == 2 })
    #expect(SystemClock.now().instant - back < .seconds(5))
    new.send("after")
    #expect(try loop.turn { heard.text == "beforeafter" })
    #expect(heard.downs.count == 1)
    port.stop()
  }

  @Test("B56: a hang-up closes once and is told once, however many attempts fail after it")
  func hangUp() throws {
    let console = PseudoTerminal()
    // Keeps the terminal's number from being given to another test's terminal.
    let keeper = open(console.path, O_RDONLY | O_NOCTTY)
    defer { close(keeper) }
    let port = port(console.path)
    port.start()
    #expect(descriptorsInUse(of: console.path) == 2)
    console.unplug()
    #expect(try loop.turn { !heard.downs.isEmpty })
    #expect(descriptorsInUse(of: console.path) == 1)
    let attempts = loop.wakeUps + 3
    #expect(try loop.turn { loop.wakeUps >= attempts })
    #expect(heard.downs.count == 1)
    #expect(heard.downs.first?.hint.contains("cable") == true)
    guard case .down = port.state else {
      Issue.record("The port is not down: \(port.state)")
      return
    }
    port.stop()
  }

  @Test("a second reader of the same port is told so, and the first keeps its bytes")
  func exclusive() throws {
    let console = PseudoTerminal()
    let port = port(console.path)
    port.start()
    let other = Heard()
    let second = SerialPort(path: console.path, settings: SerialSettings(), on: loop, other.handler)
    second.start()
    #expect(other.downs.count == 1)
    #expect(other.ups.isEmpty)
    console.send("mine")
    #expect(try loop.turn { heard.text == "mine" })
    port.stop()
    #expect(try loop.turn { !other.ups.isEmpty })
    second.stop()
  }

  @Test("a port that is not there, or is no port, is told once with what to do", arguments: ["missing", "file"])
  func unusable(kind: String) throws {
    let folder = TemporaryFolder()
    let path = folder.file("console")
    if kind == "file" { close(creat(path, 0o644)) }
    let port = port(path)
    port.start()
    let attempts = loop.wakeUps + 3
    #expect(try loop.turn { loop.wakeUps >= attempts })
    #expect(heard.events.count == 1)
    #expect(heard.downs.first?.hint.contains("/dev/serial/by-id") == true)
    port.stop()
    #expect(port.state == .closed)
    port.start()
    #expect(heard.events.count == 2, "A new start reports anew.")
    port.stop()
  }

  @Test("odd speeds and stop bits are set as asked", arguments: [UInt32(9600), 19_200, 12_345, 115_200, 250_000])
  func speeds(baudRate: UInt32) throws {
    let console = PseudoTerminal()
    let port = port(console.path, SerialSettings(baudRate: baudRate, stopBits: .two))
    port.start()
    #expect(heard.ups.count == 1)
    var mode = clx_termios2()
    #expect(clx_ioctl(console.console, CLX_TCGETS2, &mode) == 0)
    #expect(mode.c_ospeed == baudRate)
    #expect(mode.c_cflag & UInt32(CSTOPB) != 0)
    #expect(mode.c_lflag & UInt32(ICANON | ECHO | ISIG) == 0)
    port.stop()
  }

  @Test("a stopped port says nothing more and can be started again, also from its own handler")
  func stopping() throws {
    let console = PseudoTerminal()
    let loop = loop
    let heard = Heard()
    var port: SerialPort?
    port = SerialPort(path: console.path, settings: SerialSettings(), on: loop) { event, moment in
      heard.handler(event, moment)
      if case .bytes = event { port?.stop() }
    }
    port?.start()
    console.send("a")
    #expect(try loop.turn { heard.text == "a" })
    console.send("b")
    try loop.turn(until: SystemClock.now().instant)
    #expect(heard.text == "a")
    port?.start()
    console.send("c")
    #expect(try loop.turn { heard.text.hasSuffix("c") })
    port = nil
  }

  @Test("settings read as people write them")
  func summary() {
    #expect(SerialSettings().summary == "9600 8N1")
    #expect(
      SerialSettings(baudRate: 4800, dataBits: .seven, parity: .even, stopBits: .two).summary == "4800 7E2")
  }

  /// How many of this process's descriptors are this terminal, gone or not.
  private func descriptorsInUse(of path: String) -> Int {
    let folder = "/proc/self/fd"
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
    return names.filter { name in
      let target = try? FileManager.default.destinationOfSymbolicLink(atPath: folder + "/" + name)
      return target == path || target == path + " (deleted)"
    }.count
  }
}

@Suite struct ReopeningTests {
  @Test("failures in a row are one piece of news, and are tried again ever later, up to a bound")
  func backoff() {
    var reopening = Reopening()
    var now = Instant(nanoseconds: 0)
    var delays: [Int64] = []
    var news = 0
    for _ in 0..<8 {
      let failure = reopening.failed(at: now)
      delays.append((failure.retryAt - now).milliseconds)
      news += failure.isNews ? 1 : 0
      now = failure.retryAt
    }
    #expect(delays == [100, 200, 400, 800, 1600, 2000, 2000, 2000])
    #expect(news == 1)
  }

  @Test("a port that opens and breaks at once waits as long as one that does not open")
  func flapping() {
    var reopening = Reopening()
    var now = Instant(nanoseconds: 0)
    var delay = Duration.zero
    for _ in 0..<8 {
      reopening.opened(at: now)
      let failure = reopening.failed(at: now)
      #expect(failure.isNews)
      delay = failure.retryAt - now
      now = failure.retryAt
    }
    #expect(delay == Reopening.longestDelay)
    reopening.opened(at: now)
    let failure = reopening.failed(at: now + Reopening.healthyAfter)
    #expect(failure.retryAt == now + Reopening.healthyAfter + Reopening.firstDelay)
  }
}
