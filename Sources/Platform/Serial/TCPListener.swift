internal import CLinux
internal import Glibc

// One console speaks at a time, and the newest connection is the console: one that lost power or its cable dials again
// without having said goodbye, and its old connection would hold the place until the kernel gives it up.

/// Waits for a console that connects to us (Bodet's do).
package final class TCPListener: ByteSource {
  package let name: String
  private let address: SocketAddress
  private let life: SourceLife
  private var listener: WatchedDescriptor?
  private var peer: WatchedDescriptor?

  package init(at address: SocketAddress, on loop: EventLoop, _ handler: @escaping ByteHandler) {
    name = "tcp \(address)"
    self.address = address
    life = SourceLife(on: loop, handler)
  }

  deinit { stop() }

  package var state: ByteSourceState { life.state }

  /// Where it listens; differs from what was asked for when that was port 0.
  package var boundPort: UInt16? {
    WatchedDescriptor.number(of: listener).flatMap { SocketAddress(ofSocket: $0)?.port }
  }

  package func start() { life.start { [unowned self] in listen() } }

  package func stop() {
    peer = nil
    listener = nil
    life.stop()
  }

  /// The C functions are `bind` and `listen`. Nothing is reported until a console comes, or until this fails.
  private func listen() {
    do throws(PlatformError) {
      let socket = try NetworkSocket.make(CLX_SOCK_STREAM, for: address, subject: name)
      let number = socket.number
      NetworkSocket.set(number, SOL_SOCKET, SO_REUSEADDR, 1)
      _ = try systemCall("listen at", name) { address.withPointer { bind(number, $0, $1) } }
      _ = try systemCall("listen at", name) { Glibc.listen(number, 4) }
      listener = try WatchedDescriptor(socket, on: life.loop) { [unowned self] in accept() }
      life.isWaiting()
    } catch {
      failListening(error)
    }
  }

  private func accept() {
    guard let number = WatchedDescriptor.number(of: listener) else { return }
    guard let (accepted, address) = SocketAddress.accept(from: number) else {
      switch errno {
      // It left again before we looked, or a signal came.
      case EAGAIN, ECONNABORTED, EINTR: return
      // Out of descriptors, most likely. The caller stays in the queue, and would keep the loop spinning.
      default: failListening(PlatformError(operation: "accept a console at", subject: name, code: errno))
      }
      return
    }
    peer = nil
    do throws(PlatformError) {
      let socket = FileDescriptor(owning: accepted)
      try socket.makeNonBlocking()
      NetworkSocket.keepAlive(accepted)
      peer = try WatchedDescriptor(socket, on: life.loop) { [unowned self] in receive() }
      life.opened(peer: "\(address)")
    } catch {
      failListening(error)
    }
  }

  private func receive() {
    guard let number = WatchedDescriptor.number(of: peer) else { return }
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes): life.received(bytes)
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
    peer = nil
    life.failed(error, triesAgain: false)
  }

  private func failListening(_ error: PlatformError) {
    peer = nil
    listener = nil
    life.failed(error)
  }
}
