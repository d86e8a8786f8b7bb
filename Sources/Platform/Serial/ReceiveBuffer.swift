/// One read of what a console's descriptor holds, as bytes of its own.
enum ReceiveBuffer {
  enum Outcome {
    case bytes([UInt8])
    /// The other side has closed.
    case end
    case nothingYet
    /// The error number.
    case failed(Int32)
  }

  /// More than any console sends between two turns; what is left over is the next turn's.
  private static let capacity = 4096

  static func read(_ number: Int32) -> Outcome {
    var outcome = ReadOutcome.nothingYet
    let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, filled in
      outcome = FileDescriptor.read(number, into: UnsafeMutableRawBufferPointer(buffer))
      if case .bytes(let count) = outcome { filled = count }
    }
    switch outcome {
    case .bytes: return .bytes(bytes)
    case .end: return .end
    case .nothingYet: return .nothingYet
    case .failed(let code): return .failed(code)
    }
  }
}
