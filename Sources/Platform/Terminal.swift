internal import Glibc

/// The keyboard of a person who started the daemon by hand: single keys, at once, without echo. Ctrl-C still ends the
/// daemon.
package final class Terminal {
  private let loop: EventLoop
  private let number: Int32
  private let original: termios
  private let handler: (Character) -> Void
  private var decoder = KeyDecoder()
  /// Between the first set-up and `restore()`.
  private var isInUse = false

  /// Nil when there is no terminal at this descriptor, or when the daemon runs in its background.
  package init?(
    on loop: EventLoop, descriptor number: Int32 = 0, keys handler: @escaping (Character) -> Void
  ) throws(PlatformError) {
    var settings = termios()
    guard tcgetattr(number, &settings) == 0, Terminal.isOurs(number) else { return nil }
    self.loop = loop
    self.number = number
    self.handler = handler
    original = settings
    try listen()
    isInUse = true
  }

  deinit { restore() }

  /// To be called when the daemon goes on after a stop (Ctrl-Z): after `fg` the keyboard is set up anew, since the shell
  /// has put its own settings back; after `bg` it is left alone until the next time.
  package func resume() throws(PlatformError) {
    guard isInUse else { return }
    loop.unwatch(number)
    if Terminal.isOurs(number) { try listen() }
  }

  /// Gives the terminal back as it was found; also when the daemon ends. The C function is `tcsetattr`.
  package func restore() {
    guard isInUse else { return }
    isInUse = false
    loop.unwatch(number)
    if Terminal.isOurs(number) {
      var settings = original
      tcsetattr(number, TCSANOW, &settings)
    }
  }

  /// In the background, the first read or change of settings would stop the whole process. A terminal that does not
  /// control this process (-1) cannot do that.
  private static func isOurs(_ number: Int32) -> Bool {
    let foreground = tcgetpgrp(number)
    return foreground == -1 || foreground == getpgrp()
  }

  /// Line editing and echo off; signals from keys stay. A read returns at once with what is there, without making the
  /// descriptor non-blocking: standard error may share its open file and would lose log lines.
  private func listen() throws(PlatformError) {
    try loop.watch(number, for: .read) { [unowned self] readiness in
      if readiness.contains(.readable) { read() }
      if readiness.contains(.hungUp) || readiness.contains(.failed) { loop.unwatch(number) }
    }
    var settings = original
    settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
    withUnsafeMutableBytes(of: &settings.c_cc) { characters in
      characters[Int(VMIN)] = 0
      characters[Int(VTIME)] = 0
    }
    tcsetattr(number, TCSANOW, &settings)
  }

  private func read() {
    var buffer = [UInt8](repeating: 0, count: 64)
    let count = Glibc.read(number, &buffer, buffer.count)
    guard count > 0 else { return }
    for key in decoder.keys(in: buffer.prefix(count)) { handler(key) }
  }
}
