internal import Glibc

/// One read of what a descriptor holds, as bytes of its own.
enum ReceiveBuffer {
  enum Outcome {
    case bytes([UInt8])
    case end
    case nothingYet
    case failed(Int32)
  }

  /// More than any console sends between two turns; what is left over is the next turn's.
  private static let capacity = 4096

  /// The C function is `read`.
  static func read(_ number: Int32) -> Outcome {
    var outcome = Outcome.nothingYet
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      while true {
        let count = Glibc.read(number, buffer.baseAddress, capacity)
        if count == -1 && errno == EINTR { continue }
        filled = max(0, count)
        if count == 0 { outcome = .end }
        if count == -1 && errno != EAGAIN { outcome = .failed(errno) }
        return
      }
    }
    return bytes.isEmpty ? outcome : .bytes(bytes)
  }
}
