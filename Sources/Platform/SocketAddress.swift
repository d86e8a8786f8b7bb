internal import CLinux
internal import Glibc

/// An IP address with a port, as sockets want it.
package struct SocketAddress: Sendable, CustomStringConvertible {
  private var storage = sockaddr_storage()
  private var length: socklen_t = 0

  /// From digits alone; nil for anything that would have to be looked up, so this never waits.
  package init?(numeric host: String, port: UInt16) {
    guard case .success(let found) = Self.lookUp(host, port: port, flags: AI_NUMERICHOST), let first = found.first
    else { return nil }
    self = first
  }

  private init(_ address: UnsafePointer<sockaddr>, length: socklen_t) {
    self.length = min(length, socklen_t(MemoryLayout<sockaddr_storage>.size))
    withUnsafeMutableBytes(of: &storage) { bytes in
      bytes.copyMemory(from: UnsafeRawBufferPointer(start: address, count: Int(self.length)))
    }
  }

  /// The address a socket has got, its port chosen by the kernel perhaps. The C function is `getsockname`.
  init?(ofSocket number: Int32) {
    length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let result = withUnsafeMutablePointer(to: &storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(number, $0, &length) }
    }
    if result != 0 { return nil }
  }

  /// The next peer of a listening socket, with its address, or nil and `errno`. The C function is `accept`.
  static func accept(from number: Int32) -> (descriptor: Int32, peer: SocketAddress)? {
    var peer = SocketAddress()
    peer.length = socklen_t(MemoryLayout<sockaddr_storage>.size)
    let accepted = withUnsafeMutablePointer(to: &peer.storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { Glibc.accept(number, $0, &peer.length) }
    }
    return accepted >= 0 ? (accepted, peer) : nil
  }

  private init() {}

  /// All addresses of a name; may take as long as the name servers do. The C function is `getaddrinfo`.
  static func lookUp(_ host: String, port: UInt16, flags: Int32 = 0) -> Result<[SocketAddress], PlatformError> {
    var hints = addrinfo()
    hints.ai_flags = flags | AI_NUMERICSERV
    hints.ai_socktype = CLX_SOCK_STREAM
    var list: UnsafeMutablePointer<addrinfo>?
    let code = getaddrinfo(host, String(port), &hints, &list)
    guard code == 0 else {
      return .failure(
        PlatformError(
          operation: "look up", subject: host, reason: String(cString: gai_strerror(code)),
          hint: "check the name, and whether this machine has a name server"))
    }
    defer { freeaddrinfo(list) }
    var addresses: [SocketAddress] = []
    var entry = list
    while let current = entry {
      if let address = current.pointee.ai_addr {
        addresses.append(SocketAddress(address, length: current.pointee.ai_addrlen))
      }
      entry = current.pointee.ai_next
    }
    return .success(addresses)
  }

  var family: Int32 { Int32(storage.ss_family) }

  /// What the C functions take.
  func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
    withUnsafePointer(to: storage) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
    }
  }

  /// The 4 or 16 bytes of the address itself.
  var rawAddress: [UInt8] {
    withUnsafeBytes(of: storage) { bytes in
      family == AF_INET6 ? Array(bytes[8..<24]) : Array(bytes[4..<8])
    }
  }

  package var port: UInt16 {
    withUnsafeBytes(of: storage) { UInt16($0[2]) << 8 | UInt16($0[3]) }
  }

  package var isMulticast: Bool {
    family == AF_INET6 ? rawAddress[0] == 0xFF : rawAddress[0] & 0xF0 == 0xE0
  }

  /// In digits, without the port; nil for what is no IP address. The C function is `getnameinfo`.
  var host: String? {
    var host = [CChar](repeating: 0, count: 64)
    let code = withPointer { getnameinfo($0, $1, &host, socklen_t(host.count), nil, 0, NI_NUMERICHOST) }
    guard code == 0 else { return nil }
    return String(decoding: host.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
  }

  /// "192.0.2.7:4001", "[2001:db8::7]:4001".
  package var description: String {
    guard let host else { return "an unknown address" }
    return family == AF_INET6 ? "[\(host)]:\(port)" : "\(host):\(port)"
  }
}
