internal import CCrypto
internal import CLinux
internal import Glibc

/// What is signed, and what nobody may guess.
package enum Crypto {
  /// 32 bytes. The C function is `HMAC`.
  package static func hmacSHA256(_ message: [UInt8], key: [UInt8]) -> [UInt8] {
    var digest = [UInt8](repeating: 0, count: 32)
    var count: UInt32 = 0
    let result = HMAC(EVP_sha256(), key, Int32(key.count), message, message.count, &digest, &count)
    precondition(result != nil && count == 32, "SHA-256 is part of every libcrypto.")
    return digest
  }

  /// The C function is `getrandom`.
  package static func randomBytes(_ count: Int) -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes { clx_random($0.baseAddress! + filled, count - filled) }
      if got > 0 { filled += got }
      precondition(got > 0 || errno == EINTR, "The kernel always has randomness once it has booted.")
    }
    return bytes
  }
}
