import Glibc

/// A pair of terminal ends: the test plays the console at one, the code under test opens the other by its path.
package final class PseudoTerminal {
  package private(set) var console: Int32
  /// Where the other end is, until this one is closed.
  package let path: String

  /// The requests that `posix_openpt`, `unlockpt` and `ptsname` are made of; Swift's Glibc has none of the three.
  package init() {
    console = open("/dev/ptmx", O_RDWR | O_NOCTTY | O_CLOEXEC)
    precondition(console >= 0, "This machine has no pseudo-terminals.")
    var unlocked: Int32 = 0
    var number: Int32 = 0
    precondition(ioctl(console, 0x4004_5431, &unlocked) == 0 && ioctl(console, 0x8004_5430, &number) == 0)
    path = "/dev/pts/\(number)"
  }

  deinit { unplug() }

  package func send(_ text: String) { send(Array(text.utf8)) }

  package func send(_ bytes: [UInt8]) {
    let count = write(console, bytes, bytes.count)
    precondition(count == bytes.count, "The terminal did not take what the console sent.")
  }

  /// What the other end has sent, without waiting.
  package func received() -> [UInt8] {
    _ = fcntl(console, F_SETFL, O_NONBLOCK)
    var buffer = [UInt8](repeating: 0, count: 4096)
    let count = read(console, &buffer, buffer.count)
    return Array(buffer.prefix(max(0, count)))
  }

  /// Pulls the cable: the other end hangs up.
  package func unplug() {
    if console >= 0 { close(console) }
    console = -1
  }
}
