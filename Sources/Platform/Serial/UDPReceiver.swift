internal import CLinux
internal import Glibc

/// Takes what a console sends to this machine, or to a group, by UDP. Each datagram is one batch of bytes; whoever sends to
/// the port is heard.
package final class UDPReceiver: ByteSource {
  package let name: String
  private let address: SocketAddress
  private let interface: String?
  private let life: SourceLife
  private var socket: WatchedDescriptor?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A multicast address is joined, on the interface with that name or on the one the kernel's routes choose.
  package init(
    at address: SocketAddress, interface: String? = nil, on loop: EventLoop, _ handler: @escaping ByteHandler
  ) {
    name = "udp \(address)"
    self.address = address
    self.interface = interface
    life = SourceLife(on: loop, handler)
  }

  deinit { stop() }

  package var state: ByteSourceState { life.state }

  package var boundPort: UInt16? { WatchedDescriptor.number(of: socket).flatMap { SocketAddress(ofSocket: $0)?.port } }

  package func start() { life.start { [unowned self] in open() } }

  package func stop() {
    socket = nil
    life.stop()
  }

  /// Binding to the group itself keeps other groups' datagrams out. The C functions are `bind` and `setsockopt`.
  private func open() {
    do throws(PlatformError) {
      let socket = try NetworkSocket.make(CLX_SOCK_DGRAM, for: address, subject: name)
      let number = socket.number
      if address.isMulticast { NetworkSocket.set(number, SOL_SOCKET, SO_REUSEADDR, 1) }
      _ = try systemCall("listen at", name) { address.withPointer { bind(number, $0, $1) } }
      if address.isMulticast { try join(number) }
      self.socket = try WatchedDescriptor(socket, on: life.loop) { [unowned self] in receive() }
      life.opened(peer: name)
    } catch {
      fail(error)
    }
  }

  private func join(_ number: Int32) throws(PlatformError) {
    var index: UInt32 = 0
    if let interface {
      index = if_nametoindex(interface)
      if index == 0 {
        throw PlatformError(
          operation: "join", subject: name, code: errno, hint: "ip link lists this machine's interfaces")
      }
    }
    let hint = "is the network up? name the interface if there are several"
    let group = address.rawAddress
    _ = try systemCall("join", name, hint: hint) {
      group.withUnsafeBytes { clx_join_group(number, address.family, $0.baseAddress, index) }
    }
  }

  private func receive() {
    guard let number = WatchedDescriptor.number(of: socket) else { return }
    let count = recv(number, &buffer, buffer.count, 0)
    if count > 0 { life.received(Array(buffer.prefix(count))) }
    if count == -1 && errno != EAGAIN && errno != EINTR {
      fail(PlatformError(operation: "read from", subject: name, code: errno))
    }
  }

  private func fail(_ error: PlatformError) {
    socket = nil
    life.failed(error)
  }
}
