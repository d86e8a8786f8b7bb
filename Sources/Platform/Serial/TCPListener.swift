internal import GameCore
internal import Glibc

// One console speaks at a time, and the newest connection is the console: one that lost power or its cable dials again
// without having said goodbye, and its old connection would hold the place until the kernel gives it up.

/// Waits for a console that connects to us (Bodet's do).
package final class TCPListener: ByteSource {
  package let name: String
  package private(set) var state = ByteSourceState.closed
  private let address: SocketAddress
  private let loop: EventLoop
  private let handler: ByteHandler
  private var listener: FileDescriptor?
  private var peer: FileDescriptor?
  private var reopening = Reopening()
  private var retry: LoopTimer?

  package init(at address: SocketAddress, on loop: EventLoop, _ handler: @escaping ByteHandler) {
    name = "tcp \(address)"
    self.address = address
    self.loop = loop
    self.handler = handler
  }

  deinit { stop() }

  /// Where it listens; differs from what was asked for when that was port 0.
  package var boundPort: UInt16? { FileDescriptor.number(of: listener).flatMap { SocketAddress(ofSocket: $0)?.port } }

  package func start() {
    guard retry == nil else { return }
    retry = loop.timer { [unowned self] in listen() }
    listen()
  }

  package func stop() {
    retry?.cancel()
    retry = nil
    closePeer()
    closeListener()
    state = .closed
    reopening = Reopening()
  }

  /// The C functions are `bind` and `listen`. Nothing is reported until a console comes, or until this fails.
  private func listen() {
    do {
      let socket = try TCPSocket.make(for: address, subject: name)
      let number = socket.number
      TCPSocket.set(number, SOL_SOCKET, SO_REUSEADDR, 1)
      _ = try systemCall("listen at", name) { address.withPointer { bind(number, $0, $1) } }
      _ = try systemCall("listen at", name) { Glibc.listen(number, 4) }
      try loop.watch(number, for: .read) { [unowned self] _ in accept() }
      listener = consume socket
      state = .closed
    } catch {
      failListening(error)
    }
  }

  private func accept() {
    guard let number = FileDescriptor.number(of: listener) else { return }
    guard let (accepted, address) = SocketAddress.accept(from: number) else {
      switch errno {
      // It left again before we looked, or a signal came.
      case EAGAIN, ECONNABORTED, EINTR: return
      // Out of descriptors, most likely. The caller stays in the queue, and would keep the loop spinning.
      default: failListening(PlatformError(operation: "accept a console at", subject: name, code: errno))
      }
      return
    }
    closePeer()
    let socket = FileDescriptor(owning: accepted)
    do {
      try socket.makeNonBlocking()
      TCPSocket.keepAlive(accepted)
      try loop.watch(accepted, for: .read) { [unowned self] _ in receive() }
    } catch {
      failListening(error)
      return
    }
    peer = consume socket
    let now = SystemClock.now()
    reopening.opened(at: now.instant)
    state = .open(peer: "\(address)")
    handler(.up(peer: "\(address)"), now)
  }

  private func receive() {
    guard let number = FileDescriptor.number(of: peer) else { return }
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes): handler(.bytes(bytes), SystemClock.now())
    case .nothingYet: break
    case .end:
      lose(
        PlatformError(
          operation: "read from", subject: name, reason: "the console has closed the connection",
          hint: "it connects again by itself"))
    case .failed(let code):
      lose(
        PlatformError(
          operation: "read from", subject: name, code: code, hint: "check the network cable and the console's power"))
    }
  }

  /// The console has left; the door stays open, so there is nothing to try again.
  private func lose(_ error: PlatformError) {
    closePeer()
    let now = SystemClock.now()
    state = .down(error)
    if reopening.failed(at: now.instant).isNews { handler(.down(error), now) }
  }

  private func failListening(_ error: PlatformError) {
    closePeer()
    closeListener()
    let now = SystemClock.now()
    state = .down(error)
    let failure = reopening.failed(at: now.instant)
    retry?.set(to: failure.retryAt)
    if failure.isNews { handler(.down(error), now) }
  }

  private func closePeer() {
    if let number = FileDescriptor.number(of: peer) { loop.unwatch(number) }
    peer = nil
  }

  private func closeListener() {
    if let number = FileDescriptor.number(of: listener) { loop.unwatch(number) }
    listener = nil
  }
}
