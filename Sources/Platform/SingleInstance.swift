internal import CLinux
internal import Glibc

/// The right to be the one daemon that works in a state directory. The kernel takes it back when the process ends, however
/// it ends; the file stays, because removing it would let two starters lock two different files of the same name.
package struct SingleInstance: ~Copyable {
  /// Why this process may not start here.
  package enum Refusal: Error, Hashable, Sendable, CustomStringConvertible {
    /// Another one is at work; its process id, where the file tells it.
    case heldBy(process: Int32?, path: String)
    case failed(PlatformError)

    package var description: String {
      switch self {
      case .heldBy(let process?, let path):
        "already running as process \(process) (it holds \(path)); stop that one first, or give this one another "
          + "state_directory"
      case .heldBy(nil, let path):
        "already running: another process holds \(path); stop that one first, or give this one another state_directory"
      case .failed(let error): error.description
      }
    }
  }

  package static let fileName = "lock"
  private let file: FileDescriptor

  private init(holding file: consuming FileDescriptor) { self.file = file }

  /// Takes the right, or says who has it, without waiting. The C function is `flock`.
  package static func claim(in directory: String) throws(Refusal) -> SingleInstance {
    let path = directory + "/" + fileName
    let instance = SingleInstance(holding: try openFile(path, in: directory))
    try instance.claim(path)
    return instance
  }

  /// What is there of a file system that has become read-only is locked all the same: the file, or the directory.
  private static func openFile(_ path: String, in directory: String) throws(Refusal) -> FileDescriptor {
    do {
      return try openFile(path, O_RDWR | O_CREAT)
    } catch {
      guard error.code == EROFS else { throw .failed(error) }
      if let file = try? openFile(path, O_RDONLY) { return file }
      do { return try openFile(directory, O_RDONLY) } catch { throw .failed(error) }
    }
  }

  private static func openFile(_ path: String, _ mode: Int32) throws(PlatformError) -> FileDescriptor {
    FileDescriptor(owning: try systemCall("open", path) { open(path, mode | O_CLOEXEC | O_NOFOLLOW, 0o644) })
  }

  private borrowing func claim(_ path: String) throws(Refusal) {
    guard flock(file.number, LOCK_EX | LOCK_NB) == 0 else {
      if errno == EWOULDBLOCK { throw .heldBy(process: Self.holder(file.number), path: path) }
      throw .failed(PlatformError(operation: "lock", subject: path, code: errno))
    }
    // A disk that takes no number keeps nobody from starting: only the name of the holder is missing then.
    let text = Array("\(getpid())\n".utf8)
    if ftruncate(file.number, 0) == 0 { _ = pwrite(file.number, text, text.count, 0) }
  }

  private static func holder(_ number: Int32) -> Int32? {
    var buffer = [UInt8](repeating: 0, count: 16)
    let count = pread(number, &buffer, buffer.count, 0)
    guard count > 0 else { return nil }
    return Int32(String(decoding: buffer.prefix(count).prefix { $0 != UInt8(ascii: "\n") }, as: UTF8.self))
  }
}
