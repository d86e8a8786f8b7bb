internal import Glibc

/// Bytes read one piece after the other: a recording, or standard input for `-`. Blocks, so it is for commands only.
package struct ByteFile: ~Copyable {
  private let file: FileDescriptor
  private let name: String
  private var buffer: [UInt8]

  /// The C functions are `open` and `dup`.
  package init(_ path: String) throws(PlatformError) {
    let name = path == "-" ? "standard input" : path
    let number = try systemCall("open", name) {
      path == "-" ? dup(STDIN_FILENO) : open(path, O_RDONLY | O_CLOEXEC)
    }
    // All at once: a value that cannot be copied is never half made when an error leaves.
    file = FileDescriptor(owning: number)
    self.name = name
    buffer = [UInt8](repeating: 0, count: 65_536)
  }

  /// The next bytes; nil at the end. Waits for a pipe's other end.
  package mutating func next() throws(PlatformError) -> ArraySlice<UInt8>? {
    let outcome = buffer.withUnsafeMutableBytes { file.read(into: $0) }
    switch outcome {
    case .bytes(let count): return buffer[..<count]
    case .end, .nothingYet: return nil
    case .failed(let code): throw PlatformError(operation: "read", subject: name, code: code)
    }
  }
}
