import Foundation

/// A program that a test started: spawned without a shell, with an environment of the test's choosing, its output read
/// line by line, ended by its own process id and no other way. It stays in the test's process group, so that Ctrl-C at
/// the terminal reaches it as well.
/// All that changes is inside `output`, one lock, hence the promise to the compiler.
package final class Child: @unchecked Sendable {
  package enum Stream: Sendable { case out, error }

  package struct Line: Sendable {
    package var stream: Stream
    package var text: String
  }

  package struct Failure: Error, CustomStringConvertible {
    package var description: String
  }

  private struct Output {
    var lines: [Line] = []
    var openStreams = 2
    /// As `waitpid` gave it; nil while the process runs.
    var status: Int32?
  }

  package let pid: Int32
  private let output = Monitor(Output())

  /// With a terminal the child reads from it and writes its standard output to it, and `out` stays empty; without one it
  /// reads nothing.
  package init(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    terminal: PseudoTerminal? = nil
  ) throws {
    var out: [Int32] = [0, 0]
    var error: [Int32] = [0, 0]
    guard Child.pipe(&out), Child.pipe(&error) else { throw Failure(description: "no pipe: errno \(errno)") }
    pid = try Child.spawn(program, arguments, environment, terminal?.childEnd, terminal?.childEnd ?? out[1], error[1])
    close(out[1])
    close(error[1])
    read(out[0], .out)
    read(error[0], .error)
    let pid = pid
    let output = output
    Thread.detachNewThread {
      // Waited for without reaping first: the process id cannot be another's while a signal is on its way.
      var information = siginfo_t()
      while waitid(P_PID, id_t(pid), &information, WEXITED | WNOWAIT) == -1, errno == EINTR {}
      output.with {
        var status: Int32 = 0
        waitpid(pid, &status, 0)
        $0.status = status
      }
    }
  }

  deinit { signal(SIGKILL) }

  // MARK: - Output

  package var lines: [Line] { output.with { $0.lines } }
  package func text(_ stream: Stream) -> String {
    lines.filter { $0.stream == stream }.map(\.text).joined(separator: "\n")
  }

  /// Waits for the first line that satisfies the predicate, from the given line number on.
  package func line(
    within limit: Duration = .seconds(10), from first: Int = 0, where predicate: (String) -> Bool
  ) -> String? {
    output.wait(within: limit) { output -> String?? in
      if let found = output.lines.dropFirst(first).first(where: { predicate($0.text) }) { return .some(found.text) }
      return output.status != nil && output.openStreams == 0 ? .some(nil) : nil
    } ?? nil
  }

  // MARK: - Life

  package var isRunning: Bool { output.with { $0.status == nil } }

  /// Sends a signal while the process is ours to signal.
  package func signal(_ signal: Int32) { output.with { if $0.status == nil { kill(pid, signal) } } }

  /// Waits for the end and for the last of the output; the exit code, or 128 and the signal's number.
  package func exitCode(within limit: Duration = .seconds(10)) -> Int32? {
    output.wait(within: limit) { output in
      guard let status = output.status, output.openStreams == 0 else { return nil }
      return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
    }
  }

  /// Asks it to end, and insists after the limit; the exit code.
  @discardableResult
  package func terminate(within limit: Duration = .seconds(5)) -> Int32? {
    signal(SIGTERM)
    if let code = exitCode(within: limit) { return code }
    signal(SIGKILL)
    return exitCode(within: .seconds(5))
  }

  /// The whole run of a short program.
  package static func run(
    _ program: String, _ arguments: [String] = [], environment: [String: String] = [:],
    within limit: Duration = .seconds(20)
  ) throws -> (code: Int32, out: String, error: String) {
    let child = try Child(program, arguments, environment: environment)
    guard let code = child.exitCode(within: limit) else {
      child.signal(SIGKILL)
      throw Failure(description: "\(program) did not end within \(limit)")
    }
    return (code, child.text(.out), child.text(.error))
  }

  /// Where a program lies, in the usual folders.
  package static func find(_ name: String) -> String? {
    let folders = ["/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"]
    return folders.map { "\($0)/\(name)" }.first { access($0, X_OK) == 0 }
  }

  private func read(_ fd: Int32, _ stream: Stream) {
    let output = output
    Thread.detachNewThread {
      var pending: [UInt8] = []
      var buffer = [UInt8](repeating: 0, count: 4_096)
      while true {
        let count = Foundation.read(fd, &buffer, buffer.count)
        if count < 0, errno == EINTR { continue }
        if count <= 0 { break }
        pending += buffer[..<count]
        var lines = pending.split(separator: 10, omittingEmptySubsequences: false)
        pending = Array(lines.removeLast())
        let texts = lines.map { Line(stream: stream, text: String(decoding: $0, as: UTF8.self)) }
        output.with { $0.lines += texts }
      }
      close(fd)
      let rest = pending
      output.with {
        if !rest.isEmpty { $0.lines.append(Line(stream: stream, text: String(decoding: rest, as: UTF8.self))) }
        $0.openStreams -= 1
      }
    }
  }

  private static func pipe(_ ends: inout [Int32]) -> Bool {
    guard Foundation.pipe(&ends) == 0 else { return false }
    for fd in ends { _ = fcntl(fd, F_SETFD, FD_CLOEXEC) }
    return true
  }

  private static func spawn(
    _ program: String, _ arguments: [String], _ environment: [String: String], _ input: Int32?,
    _ out: Int32, _ error: Int32
  ) throws -> Int32 {
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    if let input {
      posix_spawn_file_actions_adddup2(&actions, input, 0)
    } else {
      posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    }
    posix_spawn_file_actions_adddup2(&actions, out, 1)
    posix_spawn_file_actions_adddup2(&actions, error, 2)

    // The test ignores SIGPIPE; whoever it starts begins with every signal as usual.
    var attributes = posix_spawnattr_t()
    posix_spawnattr_init(&attributes)
    defer { posix_spawnattr_destroy(&attributes) }
    var all = sigset_t()
    var none = sigset_t()
    sigfillset(&all)
    sigemptyset(&none)
    posix_spawnattr_setsigdefault(&attributes, &all)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setflags(&attributes, Int16(POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK))

    var pid: pid_t = 0
    let words = ([program] + arguments).map { strdup($0) } + [nil]
    let settings = environment.map { strdup("\($0.key)=\($0.value)") } + [nil]
    defer { for text in words + settings { free(text) } }
    let code = posix_spawn(&pid, program, &actions, &attributes, words, settings)
    guard code == 0 else { throw Failure(description: "\(program) cannot be started: errno \(code)") }
    return pid
  }
}
