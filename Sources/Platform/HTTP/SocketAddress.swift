import Glibc

/// An address and a port as the system's calls want them.
struct SocketAddress {
  private var storage = sockaddr_storage()
  let isIPv6: Bool

  /// Nil when the text is not an address in digits. The C function is `inet_pton`.
  init?(_ address: String, port: Int) {
    guard let port = UInt16(exactly: port) else { return nil }
    isIPv6 = address.contains(":")
    let isParsed = withUnsafeMutableBytes(of: &storage) { bytes in
      if address.contains(":") {
        var whole = sockaddr_in6()
        whole.sin6_family = sa_family_t(AF_INET6)
        whole.sin6_port = port.bigEndian
        guard inet_pton(AF_INET6, address, &whole.sin6_addr) == 1 else { return false }
        bytes.storeBytes(of: whole, as: sockaddr_in6.self)
      } else {
        var whole = sockaddr_in()
        whole.sin_family = sa_family_t(AF_INET)
        whole.sin_port = port.bigEndian
        guard inet_pton(AF_INET, address, &whole.sin_addr) == 1 else { return false }
        bytes.storeBytes(of: whole, as: sockaddr_in.self)
      }
      return true
    }
    guard isParsed else { return nil }
  }

  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>) -> Result) -> Result {
    withUnsafePointer(to: storage) { $0.withMemoryRebound(to: sockaddr.self, capacity: 1, body) }
  }
}
