internal import Glibc

/// The keyboard of a person who started the daemon by hand: single keys, at once, without echo. Ctrl-C still ends the
/// daemon.
package final class Terminal {
  private let loop: EventLoop
  private let number: Int32
  private let original: termios
  private var decoder = KeyDecoder()
  private var isListening = false

  /// Nil when there is no terminal at this descriptor, or when the daemon runs in its background: there the first change
  /// to the terminal would stop the whole process.
  package init?(
    on loop: EventLoop, descriptor number: Int32 = 0, keys: @escaping (Character) -> Void
  ) throws(PlatformError) {
    var settings = termios()
    guard tcgetattr(number, &settings) == 0 else { return nil }
    // A terminal that does not control this process (-1) cannot stop it either.
    let foreground = tcgetpgrp(number)
    guard foreground == -1 || foreground == getpgrp() else { return nil }
    self.loop = loop
    self.number = number
    original = settings
    listen()
    try loop.watch(number, for: .read) { [unowned self] readiness in
      if readiness.contains(.readable) { read(keys) }
      if readiness.contains(.hungUp) || readiness.contains(.failed) { loop.unwatch(number) }
    }
    isListening = true
  }

  deinit { restore() }

  /// Sets the keyboard up again after a Ctrl-Z and `fg`: the shell has put its own settings back meanwhile.
  package func resume() {
    if isListening { listen() }
  }

  /// Gives the terminal back as it was found; also when the daemon ends. The C function is `tcsetattr`.
  package func restore() {
    guard isListening else { return }
    isListening = false
    loop.unwatch(number)
    var settings = original
    tcsetattr(number, TCSANOW, &settings)
  }

  /// Line editing and echo off; signals from keys stay. A read returns at once with what is there, without making the
  /// descriptor non-blocking: standard error may share its open file and would lose log lines.
  private func listen() {
    var settings = original
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    tcsetattr(number, TCSANOW, &settings)
  }

  private func read(_ handler: (Character) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(number, &buffer, buffer.count)
    guard count > 0 else { return }
    for key in decoder.keys(in: buffer.prefix(count)) { handler(key) }
  }
}
