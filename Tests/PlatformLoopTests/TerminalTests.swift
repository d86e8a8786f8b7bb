import GameCore
import Glibc
import Platform
import PlatformTestSupport
import Testing

@Suite struct KeyDecoderTests {
  @Test(
    "single keys count; arrows, function keys, Alt and letters outside ASCII vanish whole",
    arguments: [
      (["h"], "h"), (["ha1 "], "ha1 "), (["\u{1B}[A"], ""), (["\u{1B}[1;5Dh"], "h"), (["\u{1B}OPh"], "h"),
      (["\u{1B}[15~x"], "x"), (["\u{1B}h"], ""), (["\u{1B}", "h"], "h"), (["\u{1B}", "[A", "h"], "h"),
      (["\u{1B}[", "A", "h"], "h"), (["ä", "h"], "h"), (["🏀h"], "h"), (["\r\n\t\u{7F}\u{4}"], ""),
      (["\u{1B}\u{1B}[Ah"], "h"),
    ])
  func keys(reads: [String], keys: String) {
    var decoder = KeyDecoder()
    let found = reads.flatMap { decoder.keys(in: Array($0.utf8)) }
    #expect(String(found) == keys)
  }
}

@Suite struct TerminalTests {
  @Test("keys arrive at once and without echo, and the terminal is given back as it was found")
  func keyboard() throws {
    let loop = try EventLoop()
    let pair = PseudoTerminal()
    let descriptor = open(pair.path, O_RDWR | O_NOCTTY)
    defer { close(descriptor) }
    let before = settings(descriptor)
    var keys: [Character] = []
    let terminal = try #require(try Terminal(on: loop, descriptor: descriptor) { keys.append($0) })
    pair.send("hw")
    #expect(try loop.turn { keys == ["h", "w"] })
    #expect(pair.received().isEmpty)
    #expect(settings(descriptor).c_lflag & tcflag_t(ISIG) != 0)

    var shells = before
    tcsetattr(descriptor, TCSANOW, &shells)
    try terminal.resume()
    pair.send("q")
    #expect(try loop.turn { keys.last == "q" })
    #expect(pair.received().isEmpty)

    terminal.restore()
    #expect(settings(descriptor).c_lflag == before.c_lflag)
    try terminal.resume()
    #expect(settings(descriptor).c_lflag == before.c_lflag)
  }

  @Test("a terminal that closes ends the keys and nothing else")
  func closing() throws {
    let loop = try EventLoop()
    let pair = PseudoTerminal()
    let descriptor = open(pair.path, O_RDWR | O_NOCTTY)
    defer { close(descriptor) }
    let terminal = try #require(try Terminal(on: loop, descriptor: descriptor) { _ in })
    pair.unplug()
    try loop.turn(until: SystemClock.now().instant + .seconds(5))
    let before = loop.wakeUps
    try loop.turn(until: SystemClock.now().instant + .milliseconds(20))
    #expect(loop.wakeUps - before == 1)
    terminal.restore()
  }

  @Test("what is no terminal has no keys")
  func noTerminal() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    #expect(try Terminal(on: loop, descriptor: pipe.reading) { _ in } == nil)
  }

  private func settings(_ descriptor: Int32) -> termios {
    var settings = termios()
    tcgetattr(descriptor, &settings)
    return settings
  }
}
