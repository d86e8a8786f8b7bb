import Glibc

/// Whole files at once: read, replaced so that after a power cut either the old or the new content is there, renamed.
enum SmallFile {
  /// Nil when there is no such file or it cannot be read. The C functions are `open` and `read`.
  static func read(_ path: String) -> [UInt8]? {
    let number = open(path, O_RDONLY | O_CLOEXEC)
    guard number >= 0 else { return nil }
    let file = FileDescriptor(owning: number)
    var bytes: [UInt8] = []
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 65536, alignment: 1)
    defer { buffer.deallocate() }
    while true {
      switch file.read(into: buffer) {
      case .bytes(let count): bytes.append(contentsOf: buffer[..<count])
      case .end: return bytes
      case .nothingYet, .failed: return nil
      }
    }
  }

  /// Writes beside the file, syncs, renames over it and syncs the folder.
  /// The C functions are `write`, `fsync` and `rename`.
  static func replace(_ path: String, with bytes: [UInt8]) throws(PlatformError) {
    let beside = path + ".new"
    try write(bytes, to: beside)
    try move(beside, to: path)
  }

  /// The bytes are on the disk when it returns, unless nobody needs them there; the file's name may not be.
  static func write(_ bytes: [UInt8], to path: String, isSynced: Bool = true) throws(PlatformError) {
    let file = FileDescriptor(
      owning: try systemCall("create", path) { open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600) })
    var written = 0
    while written < bytes.count {
      written += Int(
        try systemCall("write", path) {
          bytes[written...].withUnsafeBytes { Int32(Glibc.write(file.number, $0.baseAddress, min($0.count, 1 << 20))) }
        })
    }
    if isSynced { _ = try systemCall("sync", path) { fsync(file.number) } }
  }

  static func move(_ path: String, to other: String) throws(PlatformError) {
    _ = try systemCall("rename", path) { rename(path, other) }
    syncFolder(of: other)
  }

  static func exists(_ path: String) -> Bool { access(path, F_OK) == 0 }

  static func remove(_ path: String) { _ = unlink(path) }

  /// Best effort: some file systems cannot sync a folder, and then the name is as safe as they make it.
  private static func syncFolder(of path: String) {
    let folder = path.lastIndex(of: "/").map { String(path[...$0]) } ?? "."
    let number = open(folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard number >= 0 else { return }
    _ = fsync(number)
    _ = close(number)
  }
}
