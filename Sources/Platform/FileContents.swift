internal import Glibc

/// A small file read whole: config, secrets. Blocks, so it belongs to start and reload, never to the running loop.
package struct FileContents: Sendable {
  package var bytes: [UInt8]
  /// Somebody who is neither the owner nor in the group may read it.
  package var isWorldReadable: Bool

  /// The C functions are `open`, `fstat` and `read`. Never waits for a pipe's other end.
  package static func read(_ path: String, atMost limit: Int) throws(PlatformError) -> FileContents {
    let file = FileDescriptor(
      owning: try systemCall("open", path) { open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK) })
    var status = stat()
    _ = try systemCall("look at", path) { [number = file.number] in fstat(number, &status) }
    guard status.st_mode & S_IFMT == S_IFREG else {
      throw PlatformError(
        operation: "read", subject: path, reason: "it is not a regular file", hint: "name the file itself")
    }
    guard Int(status.st_size) <= limit else {
      throw PlatformError(
        operation: "read", subject: path, reason: "it has \(status.st_size) bytes, more than \(limit)",
        hint: "is it the right file?")
    }
    return FileContents(bytes: try all(of: file, path, atMost: limit), isWorldReadable: status.st_mode & S_IROTH != 0)
  }

  /// Whether this process may read the file. The C function is `access`.
  package static func isReadable(_ path: String) -> Bool { access(path, R_OK) == 0 }

  private static func all(
    of file: borrowing FileDescriptor, _ path: String, atMost limit: Int
  ) throws(PlatformError) -> [UInt8] {
    var bytes: [UInt8] = []
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // A file may grow while it is read; past the limit it is no longer the file that was looked at.
    while bytes.count <= limit {
      let outcome = buffer.withUnsafeMutableBytes { file.read(into: $0) }
      switch outcome {
      case .bytes(let count): bytes.append(contentsOf: buffer[..<count])
      case .end: return bytes
      case .nothingYet: return bytes
      case .failed(let code): throw PlatformError(operation: "read", subject: path, code: code)
      }
    }
    throw PlatformError(operation: "read", subject: path, reason: "it grew while it was read")
  }
}
