import Glibc

/// A plain blocking socket on 127.0.0.1, for the side of a conversation that is not under test.
package final class LoopbackSocket {
  package private(set) var descriptor: Int32

  private init(_ descriptor: Int32) {
    precondition(descriptor >= 0, "No socket could be made on loopback.")
    self.descriptor = descriptor
  }

  deinit { close() }

  package static func listening(port: UInt16 = 0) -> LoopbackSocket {
    let made = LoopbackSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    var yes: Int32 = 1
    setsockopt(made.descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, 4)
    precondition(made.with(port) { bind(made.descriptor, $0, $1) } == 0 && listen(made.descriptor, 4) == 0)
    return made
  }

  package static func connected(to port: UInt16) -> LoopbackSocket {
    let made = LoopbackSocket(socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
    precondition(made.with(port) { connect(made.descriptor, $0, $1) } == 0)
    return made
  }

  package static func datagrams() -> LoopbackSocket { LoopbackSocket(socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)) }

  package var port: UInt16 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    _ = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(descriptor, $0, &size) }
    }
    return UInt16(bigEndian: address.sin_port)
  }

  /// The next caller, if one is waiting.
  package func accepted() -> LoopbackSocket? {
    var ready = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 0) == 1 else { return nil }
    return LoopbackSocket(accept(descriptor, nil, nil))
  }

  package func send(_ text: String) { _ = Glibc.send(descriptor, text, text.utf8.count, Int32(MSG_NOSIGNAL)) }

  package func send(_ text: String, to port: UInt16, group: String = "127.0.0.1") {
    let bytes = Array(text.utf8)
    _ = with(port, host: group) { sendto(descriptor, bytes, bytes.count, 0, $0, $1) }
  }

  /// Multicast leaves by the loopback interface and no other.
  package func keepToLoopback() {
    var address = in_addr(s_addr: inet_addr("127.0.0.1"))
    setsockopt(descriptor, Int32(IPPROTO_IP), IP_MULTICAST_IF, &address, socklen_t(MemoryLayout<in_addr>.size))
  }

  /// True once the other side has closed.
  package var otherSideHasClosed: Bool {
    var byte: UInt8 = 0
    return recv(descriptor, &byte, 1, Int32(MSG_DONTWAIT)) == 0
  }

  package func close() {
    if descriptor >= 0 { Glibc.close(descriptor) }
    descriptor = -1
  }

  private func with<Result>(
    _ port: UInt16, host: String = "127.0.0.1", _ body: (UnsafePointer<sockaddr>, socklen_t) -> Result
  ) -> Result {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    address.sin_addr.s_addr = inet_addr(host)
    return withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        body($0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
  }
}
