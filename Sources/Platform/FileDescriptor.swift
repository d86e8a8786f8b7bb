internal import Glibc

/// One open file, socket or other kernel object. Owned by exactly one variable; closed when that ends.
package struct FileDescriptor: ~Copyable, Sendable {
  /// The kernel's number, for calls that borrow it.
  package let number: Int32

  /// Takes over an open descriptor that nobody else will close.
  package init(owning number: Int32) {
    precondition(number >= 0, "A descriptor that was never opened cannot be owned.")
    self.number = number
  }

  /// The C function is `close`. Linux frees the number even when it reports an interruption, so it is never repeated.
  deinit { _ = close(number) }

  /// The kernel's number, if there is a descriptor at all.
  static func number(of descriptor: borrowing FileDescriptor?) -> Int32? {
    switch descriptor {
    case .some(let open): open.number
    case .none: nil
    }
  }

  /// Reads and writes return at once from now on. The C function is `fcntl`.
  package borrowing func makeNonBlocking() throws(PlatformError) {
    let flags = try systemCall("read the flags of", "a descriptor") { [number] in fcntl(number, F_GETFL) }
    _ = try systemCall("set the flags of", "a descriptor") { [number] in fcntl(number, F_SETFL, flags | O_NONBLOCK) }
  }

  /// What is there, up to the buffer's size, put at the start of the buffer. The C function is `read`.
  package borrowing func read(into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    Self.read(number, into: buffer)
  }

  /// The same for a descriptor that is only known by its number.
  static func read(_ number: Int32, into buffer: UnsafeMutableRawBufferPointer) -> ReadOutcome {
    while true {
      let count = Glibc.read(number, buffer.baseAddress, buffer.count)
      if count > 0 { return .bytes(count) }
      if count == 0 { return .end }
      switch errno {
      case EINTR: continue
      case EAGAIN: return .nothingYet
      case let code: return .failed(code)
      }
    }
  }
}

/// What a read from a non-blocking descriptor brought.
package enum ReadOutcome: Hashable, Sendable {
  /// So many bytes are in the buffer.
  case bytes(Int)
  /// The other side has closed; nothing more will come.
  case end
  case nothingYet
  /// The error number.
  case failed(Int32)
}

/// Makes one system call that answers -1 on failure, repeating it when a signal cut it short. EBADF and EFAULT are
/// our own bugs and trap.
package func systemCall(
  _ operation: String, _ subject: String, hint: String? = nil, _ call: () -> Int32
) throws(PlatformError) -> Int32 {
  while true {
    let result = call()
    if result != -1 { return result }
    let code = errno
    if code == EINTR { continue }
    precondition(
      code != EBADF && code != EFAULT, "cannot \(operation) \(subject): a descriptor or address of ours is bad")
    throw PlatformError(operation: operation, subject: subject, code: code, hint: hint)
  }
}
