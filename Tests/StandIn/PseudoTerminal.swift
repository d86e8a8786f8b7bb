import CGNU
import Foundation

/// A terminal or a serial line without hardware: the test holds one end, the daemon opens the other by its path.
package final class PseudoTerminal: Sendable {
  /// What the daemon opens as a device, or gets as its stdin.
  package let path: String
  private let ours: Int32
  /// Kept open so that the line stays up while the daemon is away.
  private let theirs: Int32

  package init() throws {
    var name = [CChar](repeating: 0, count: 128)
    ours = standin_open_terminal(&name, name.count)
    guard ours >= 0 else {
      throw Child.Failure(description: "no pseudo-terminal: errno \(errno)")
    }
    path = name.withUnsafeBufferPointer { String(cString: $0.baseAddress!) }
    theirs = open(path, O_RDWR | O_NOCTTY)
    guard theirs >= 0 else { throw Child.Failure(description: "\(path) cannot be opened: errno \(errno)") }
    for fd in [ours, theirs] { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }
    var settings = termios()
    tcgetattr(theirs, &settings)
    cfmakeraw(&settings)
    tcsetattr(theirs, TCSANOW, &settings)
  }

  deinit {
    close(ours)
    close(theirs)
  }

  /// The daemon's end as a descriptor, for a child's stdin.
  package var childEnd: Int32 { theirs }

  /// Bytes as the console or the keyboard would send them.
  package func send(_ bytes: some Sequence<UInt8>) {
    var bytes = Array(bytes)
    while !bytes.isEmpty {
      let count = write(ours, bytes, bytes.count)
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes.removeFirst(count)
    }
  }

  package func send(_ text: String) { send(text.utf8) }
}
