internal import Glibc

/// A name for this machine that stays the same across restarts and says nothing about it elsewhere: the machine id itself
/// is confidential, so only a keyed hash of it leaves this file.
package enum MachineIdentity {
  /// Sets our hash apart from every other program's hash of the same id.
  private static let purpose = Array("scoreboard-bridge machine identity 1".utf8)

  /// 32 hexadecimal digits; nil where the system has no id yet (a first boot, a container).
  package static func read(path: String = "/etc/machine-id") -> String? {
    guard let number = try? systemCall("open", path, { open(path, O_RDONLY | O_CLOEXEC) }) else { return nil }
    let file = FileDescriptor(owning: number)
    var buffer = [UInt8](repeating: 0, count: 64)
    let outcome = buffer.withUnsafeMutableBytes { file.read(into: $0) }
    guard case .bytes(let count) = outcome else { return nil }
    return derive(from: Array(buffer.prefix(count)))
  }

  package static func derive(from text: [UInt8]) -> String? {
    let digits = text.prefix { $0 != UInt8(ascii: "\n") }
    let isHex = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
    guard digits.count == 32, isHex, digits.contains(where: { $0 != UInt8(ascii: "0") }) else { return nil }
    return Crypto.hmacSHA256(purpose, key: Array(digits)).prefix(16)
      .map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }
}
