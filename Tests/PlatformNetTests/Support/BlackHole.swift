import Foundation
import Testing

@testable import Platform

/// An address of this machine that swallows connections, as a firewall does that drops: nobody accepts, and the queue of
/// those who wait is full.
final class BlackHole {
  private let sockets: [FileDescriptorBox]

  private final class FileDescriptorBox {
    let descriptor: FileDescriptor
    init(_ number: Int32) { descriptor = FileDescriptor(owning: number) }
  }

  /// Nil where this machine has no such address, or refuses what it cannot queue.
  init?(_ host: String, port: Int) {
    guard let address = SocketAddress(numeric: host, port: UInt16(port)) else { return nil }
    let kind = Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue)
    let listener = FileDescriptorBox(socket(address.family, kind, 0))
    guard address.withPointer({ bind(listener.descriptor.number, $0, $1) }) == 0,
      listen(listener.descriptor.number, 0) == 0
    else { return nil }
    var sockets = [listener]
    for _ in 0..<16 {
      let client = FileDescriptorBox(socket(address.family, kind, 0))
      _ = address.withPointer { connect(client.descriptor.number, $0, $1) }
      sockets.append(client)
      var watched = pollfd(fd: client.descriptor.number, events: Int16(POLLOUT), revents: 0)
      if poll(&watched, 1, 300) == 0 {
        self.sockets = sockets
        return
      }
    }
    return nil
  }
}
