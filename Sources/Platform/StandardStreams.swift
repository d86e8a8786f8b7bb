internal import Glibc

/// What a command tells the person or the script that started it.
package enum StandardStreams {
  package static func out(_ text: String) { write(text, to: STDOUT_FILENO) }
  package static func error(_ text: String) { write(text, to: STDERR_FILENO) }

  /// Somebody watches: standard output is a terminal. The C function is `isatty`.
  package static var isTerminal: Bool { isatty(STDOUT_FILENO) == 1 && isatty(STDIN_FILENO) == 1 }

  /// Ends the process with this exit code. The C function is `exit`.
  package static func leave(_ code: Int32) -> Never { exit(code) }

  /// The C function is `write`. A reader that went away (`check | head`) is no fault of ours.
  private static func write(_ text: String, to descriptor: Int32) {
    var bytes = Array(text.utf8)[...]
    while !bytes.isEmpty {
      let count = bytes.withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
      if count < 0, errno == EINTR { continue }
      guard count > 0 else { return }
      bytes = bytes.dropFirst(count)
    }
  }
}
