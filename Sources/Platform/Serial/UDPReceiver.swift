internal import CLinux
internal import GameCore
internal import Glibc

/// Takes what a console sends to this machine, or to a group, by UDP. Each datagram is one batch of bytes; whoever sends to
/// the port is heard.
package final class UDPReceiver: ByteSource {
  package let name: String
  package private(set) var state = ByteSourceState.closed
  private let address: SocketAddress
  private let interface: String?
  private let loop: EventLoop
  private let handler: ByteHandler
  private var socket: FileDescriptor?
  private var reopening = Reopening()
  private var retry: LoopTimer?
  private var buffer = [UInt8](repeating: 0, count: 65_536)

  /// A multicast address is joined, on the interface with that name or on the one the kernel's routes choose.
  package init(
    at address: SocketAddress, interface: String? = nil, on loop: EventLoop, _ handler: @escaping ByteHandler
  ) {
    name = "udp \(address)"
    self.address = address
    self.interface = interface
    self.loop = loop
    self.handler = handler
  }

  deinit { stop() }

  package var boundPort: UInt16? { FileDescriptor.number(of: socket).flatMap { SocketAddress(ofSocket: $0)?.port } }

  package func start() {
    guard retry == nil else { return }
    retry = loop.timer { [unowned self] in open() }
    open()
  }

  package func stop() {
    retry?.cancel()
    retry = nil
    close()
    state = .closed
    reopening = Reopening()
  }

  /// Binding to the group itself keeps other groups' datagrams out. The C functions are `bind` and `setsockopt`.
  private func open() {
    let now = SystemClock.now()
    do {
      let kind = Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue | SOCK_CLOEXEC.rawValue)
      let socket = FileDescriptor(
        owning: try systemCall("open a socket for", name) { Glibc.socket(address.family, kind, 0) })
      let number = socket.number
      if address.isMulticast { TCPSocket.set(number, SOL_SOCKET, SO_REUSEADDR, 1) }
      _ = try systemCall("listen at", name) { address.withPointer { bind(number, $0, $1) } }
      if address.isMulticast { try join(number) }
      try loop.watch(number, for: .read) { [unowned self] _ in receive() }
      self.socket = consume socket
    } catch {
      fail(error)
      return
    }
    reopening.opened(at: now.instant)
    state = .open(peer: name)
    handler(.up(peer: name), now)
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
    guard let number = FileDescriptor.number(of: socket) else { return }
    let count = recv(number, &buffer, buffer.count, 0)
    if count > 0 { handler(.bytes(Array(buffer.prefix(count))), SystemClock.now()) }
    if count == -1 && errno != EAGAIN && errno != EINTR {
      fail(PlatformError(operation: "read from", subject: name, code: errno))
    }
  }

  private func fail(_ error: PlatformError) {
    close()
    let now = SystemClock.now()
    state = .down(error)
    let failure = reopening.failed(at: now.instant)
    retry?.set(to: failure.retryAt)
    if failure.isNews { handler(.down(error), now) }
  }

  private func close() {
    if let number = FileDescriptor.number(of: socket) { loop.unwatch(number) }
    socket = nil
  }
}
