internal import Glibc

/// Lines added to the end of a file that never grows past a bound. Each is handed to the kernel at once, so that a process
/// that dies loses none; a power cut may tear the last.
package final class RecordFile {
  private let file: FileDescriptor
  private let path: String
  private let bound: Int
  private var size: Int

  /// Goes on behind what is there already; only its owner may read it. The C function is `open`.
  package init(_ path: String, bound: Int = 256 << 20) throws(PlatformError) {
    self.path = path
    self.bound = bound
    let hint = "give a path in a folder that this user may write to"
    file = FileDescriptor(
      owning: try systemCall("record to", path, hint: hint) {
        open(path, O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK, 0o600)
      })
    var facts = stat()
    let number = file.number
    _ = try systemCall("look at", path) { fstat(number, &facts) }
    guard facts.st_mode & S_IFMT == S_IFREG else {
      throw PlatformError(operation: "record to", subject: path, reason: "this is not a file", hint: hint)
    }
    size = Int(facts.st_size)
    var last: UInt8 = 0x0A
    if size > 0, pread(number, &last, 1, off_t(size - 1)) == 1, last != 0x0A { try add([0x0A]) }
  }

  /// Adds the line, its end included. Refuses once the file is full. The C function is `write`.
  package func add(_ line: [UInt8]) throws(PlatformError) {
    guard size + line.count <= bound else {
      throw PlatformError(
        operation: "record to", subject: path, reason: "it has reached \(bound >> 20) MB",
        hint: "move it away and start again")
    }
    var rest = line[...]
    while !rest.isEmpty {
      let (number, piece) = (file.number, rest)
      let count = try systemCall("record to", path) {
        Int32(piece.withUnsafeBytes { write(number, $0.baseAddress, $0.count) })
      }
      size += Int(count)
      rest = rest.dropFirst(Int(count))
    }
  }
}
