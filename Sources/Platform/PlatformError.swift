internal import Glibc

/// A failed call to the system or to a C library: what was tried, on what, why it failed and what a person can do.
package struct PlatformError: Error, Hashable, Sendable, CustomStringConvertible {
  /// What was tried, in words: "open", "set the speed of".
  package var operation: String
  /// On what: a path, an address, a name. Never a secret.
  package var subject: String
  /// The system's error number; 0 where a library gave only words.
  package var code: Int32
  /// Why, in the system's words.
  package var reason: String
  /// What the operator can do about it; empty where nobody can.
  package var hint: String

  package init(operation: String, subject: String, code: Int32 = 0, reason: String, hint: String = "") {
    self.operation = operation
    self.subject = subject
    self.code = code
    self.reason = reason
    self.hint = hint
  }

  /// From an error number, with the system's words for it and, for the common ones, a hint.
  package init(operation: String, subject: String, code: Int32, hint: String? = nil) {
    self.init(
      operation: operation, subject: subject, code: code, reason: Self.words(for: code),
      hint: hint ?? Self.commonHint(for: code))
  }

  package var description: String {
    let sentence = subject.isEmpty ? "cannot \(operation): \(reason)" : "cannot \(operation) \(subject): \(reason)"
    return hint.isEmpty ? sentence : "\(sentence) (\(hint))"
  }

  private static func words(for code: Int32) -> String {
    var buffer = [CChar](repeating: 0, count: 128)
    guard strerror_r(code, &buffer, buffer.count) == 0 else { return "error \(code)" }
    return String(decoding: buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  private static func commonHint(for code: Int32) -> String {
    switch code {
    case EACCES, EPERM: "check the owner, the group and the mode; the service's user needs access"
    case ENOSPC: "free some space on this disk"
    case EROFS: "this file system is read-only; name another directory"
    case EMFILE, ENFILE: "too many open files; raise LimitNOFILE"
    case EADDRINUSE: "another program uses this port; stop it or choose another port"
    case EADDRNOTAVAIL: "this address is not one of this machine's"
    default: ""
    }
  }
}
