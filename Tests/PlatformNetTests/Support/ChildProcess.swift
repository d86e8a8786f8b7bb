import Foundation
import Testing

@testable import Platform

/// A program that the test has started, known by its number and ended with the test. Its output goes to a file.
final class ChildProcess {
  let pid: pid_t
  private let outputPath: String
  private var status: Int32?
  private let input: FileDescriptor
  private let inputEnd: FileDescriptor

  /// All that it has written to standard output and standard error.
  var output: String { String(decoding: bytes(of: outputPath), as: UTF8.self) }

  init(_ name: String, _ arguments: [String], output: String = "/dev/null") throws {
    let path = try #require(program(name))
    outputPath = output
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    defer { posix_spawn_file_actions_destroy(&actions) }
    // Input that never ends; it comes from `write`.
    var ends: [Int32] = [-1, -1]
    try #require(pipe(&ends) == 0)
    input = FileDescriptor(owning: ends[0])
    inputEnd = FileDescriptor(owning: ends[1])
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    posix_spawn_file_actions_adddup2(&actions, ends[0], 0)
    posix_spawn_file_actions_addopen(&actions, 1, output, O_WRONLY | O_CREAT | O_TRUNC, 0o600)
    posix_spawn_file_actions_adddup2(&actions, 1, 2)
    var arguments: [UnsafeMutablePointer<CChar>?] = ([path] + arguments).map { strdup($0) } + [nil]
    defer { for argument in arguments { free(argument) } }
    var pid = pid_t()
    try #require(posix_spawn(&pid, path, &actions, nil, &arguments, environ) == 0)
    self.pid = pid
  }

  deinit {
    signal(SIGCONT)
    signal(SIGKILL)
    _ = wait()
  }

  func signal(_ number: Int32) {
    if status == nil { kill(pid, number) }
  }

  func write(_ text: String) { _ = Glibc.write(inputEnd.number, text, text.utf8.count) }

  /// Waits for its end; its exit status.
  func wait() -> Int32 {
    if let status { return status }
    var word: Int32 = 0
    while waitpid(pid, &word, 0) == -1, errno == EINTR {}
    let result = word & 0x7F == 0 ? (word >> 8) & 0xFF : -1
    status = result
    return result
  }

  /// Until its output holds a text, for five seconds at most.
  func waitFor(_ text: String) {
    for _ in 0..<500 where !output.contains(text) { usleep(10_000) }
  }
}

/// Runs a program to its end; its exit status.
@discardableResult func run(_ name: String, _ arguments: [String]) throws -> Int32 {
  try ChildProcess(name, arguments).wait()
}
