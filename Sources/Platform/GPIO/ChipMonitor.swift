internal import CLinux
internal import Glibc

/// Tells when a GPIO chip comes or goes, by the kernel's own announcements: old kernels never tell the reader of a line
/// that its chip is gone.
package final class ChipMonitor {
  package enum Change: Hashable, Sendable {
    case added(path: String)
    case removed(path: String)
    /// News was lost; anything may have changed.
    case uncertain
  }

  private let loop: EventLoop
  private let socket: FileDescriptor

  /// The C functions are `socket` and `bind`, of the family `AF_NETLINK`.
  package init(on loop: EventLoop, _ handler: @escaping (Change) -> Void) throws(PlatformError) {
    self.loop = loop
    let kind = CLX_SOCK_RAW | CLX_SOCK_CLOEXEC | CLX_SOCK_NONBLOCK
    socket = FileDescriptor(
      owning: try systemCall("listen for", "chips") { Glibc.socket(AF_NETLINK, kind, NETLINK_KOBJECT_UEVENT) })
    var address = sockaddr_nl()
    address.nl_family = sa_family_t(AF_NETLINK)
    address.nl_groups = Self.kernelGroup
    let number = socket.number
    _ = try systemCall("listen for", "chips") {
      withUnsafePointer(to: &address) { pointer in
        pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
          bind(number, generic, socklen_t(MemoryLayout<sockaddr_nl>.size))
        }
      }
    }
    try loop.watch(number, for: .read) { [unowned self] _ in receive(handler) }
  }

  deinit { loop.unwatch(socket.number) }

  private func receive(_ handler: (Change) -> Void) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    // One message each; whatever else is plugged in at the same time is passed over.
    for _ in 0..<64 {
      switch buffer.withUnsafeMutableBytes({ socket.read(into: $0) }) {
      case .bytes(let count): if let change = Self.change(in: buffer[..<count]) { handler(change) }
      case .failed(ENOBUFS): handler(.uncertain)
      case .end, .nothingYet, .failed: return
      }
    }
  }

  /// Fields end with a zero byte each: `ACTION=add`, `SUBSYSTEM=gpio`, `DEVNAME=gpiochip0`. Nil for what is no chip.
  package static func change(in message: ArraySlice<UInt8>) -> Change? {
    var fields: [Substring: Substring] = [:]
    for field in message.split(separator: 0) {
      let parts = Substring(decoding: field, as: UTF8.self).split(separator: "=", maxSplits: 1)
      if parts.count == 2 { fields[parts[0]] = parts[1] }
    }
    guard fields["SUBSYSTEM"] == "gpio", let name = fields["DEVNAME"], name.hasPrefix("gpiochip") else { return nil }
    switch fields["ACTION"] {
    case "add": return .added(path: "/dev/\(name)")
    case "remove": return .removed(path: "/dev/\(name)")
    default: return nil
    }
  }

  /// What the kernel itself says; the other group is what udev passes on.
  private static let kernelGroup: UInt32 = 1
}
