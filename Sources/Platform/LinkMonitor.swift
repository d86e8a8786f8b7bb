internal import CLinux
internal import Glibc

/// Tells when a network interface comes or goes, so that what waits for the network need not wait for its next attempt.
package final class LinkMonitor {
  private let loop: EventLoop
  private let socket: FileDescriptor
  private var messages = LinkMessages()

  /// The C functions are `socket` and `bind`, of the family `AF_NETLINK`.
  package init(on loop: EventLoop, _ handler: @escaping (LinkChange) -> Void) throws(PlatformError) {
    self.loop = loop
    let kind = CLX_SOCK_RAW | CLX_SOCK_CLOEXEC | CLX_SOCK_NONBLOCK
    socket = FileDescriptor(
      owning: try systemCall("listen for", "network changes") { Glibc.socket(AF_NETLINK, kind, NETLINK_ROUTE) })
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = UInt32(RTMGRP_LINK | RTMGRP_IPV4_IFADDR | RTMGRP_IPV6_IFADDR)
    let number = socket.number
    _ = try systemCall("listen for", "network changes") {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          bind(number, generic, socklen_t(MemoryLayout<sockaddr_nl>.size))
        }
      }
    }
    try loop.watch(number, for: .read) { [unowned self] _ in receive(handler) }
  }

  deinit { loop.unwatch(socket.number) }

  private func receive(_ handler: (LinkChange) -> Void) {
    // The kernel asks for room for a page of messages.
    var buffer = [UInt8](repeating: 0, count: 16_384)
    let outcome = buffer.withUnsafeMutableBytes { socket.read(into: $0) }
    switch outcome {
    case .bytes(let count):
      for change in messages.changes(in: buffer[..<count]) { handler(change) }
    case .failed(ENOBUFS):
      // The kernel had more to say than its queue holds; whoever waits for the network should look for himself.
      messages = LinkMessages()
      handler(.uncertain)
    case .end, .nothingYet, .failed: break
    }
  }
}

/// A change of the machine's network interfaces, by the kernel's number of the interface.
package enum LinkChange: Hashable, Sendable {
  /// The interface can carry packets now.
  case up(interface: Int32)
  case down(interface: Int32)
  case addressGained(interface: Int32)
  case addressLost(interface: Int32)
  /// News was lost; anything may have changed.
  case uncertain
}
