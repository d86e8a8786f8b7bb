import CGNU
import Foundation

/// A terminal or a serial line without hardware: the test holds one end, the daemon opens the other by its path.
package final class PseudoTerminal: Sendable {
  /// What the daemon opens as a device, or gets as its stdin.
  package let path: String
  private let ours: Int32
  /// Kept open so that the line stays up while the daemon is away.
  private let theirs: Int32
  private let screen = Monitor(Screen())

  private struct Screen {
    var bytes: [UInt8] = []
    var isOver = false
  }

  /// `isWatched` collects what the other side writes; without it nobody reads that, as on a line that only sends.
  package init(isWatched: Bool = false) throws {
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
    if isWatched { watch() }
  }

  deinit {
    screen.with { $0.isOver = true }
    close(theirs)
    close(ours)
  }

  /// All that was written on the terminal.
  package var text: String { String(decoding: screen.with { $0.bytes }, as: UTF8.self) }

  /// Waits until this stands on the screen.
  package func shows(_ text: String, within limit: Duration = .seconds(5)) -> Bool {
    screen.wait(within: limit) { String(decoding: $0.bytes, as: UTF8.self).contains(text) ? true : nil } ?? false
  }

  /// Reads a copy of our end, so that the thread may outlive this object by a moment.
  private func watch() {
    let fd = fcntl(ours, F_DUPFD_CLOEXEC, 0)
    let screen = screen
    Thread.detachNewThread {
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while !screen.with({ $0.isOver }) {
        var poll = pollfd(fd: fd, events: Int16(POLLIN), revents: 0)
        guard Foundation.poll(&poll, 1, 200) > 0 else { continue }
        let count = read(fd, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        guard count > 0 else { break }
        let bytes = buffer[..<count]
        screen.with { $0.bytes += bytes }
      }
      close(fd)
    }
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
