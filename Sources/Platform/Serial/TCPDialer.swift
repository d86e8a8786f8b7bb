internal import CLinux
internal import GameCore
internal import Glibc

/// Connects to a box that offers a console's port on the network, and connects again whenever that breaks or falls silent.
package final class TCPDialer: ByteSource {
  package let name: String
  private let host: String
  private let port: UInt16
  /// A box that has said nothing for so long may hang; a new connection wakes it, and costs nothing if it does not.
  private let silenceLimit: Duration
  private let life: SourceLife
  private var lookup: NameLookup?
  /// What is left to try of a name's addresses.
  private var candidates: ArraySlice<SocketAddress> = []
  private var socket: WatchedDescriptor?
  private var isConnected = false
  private var lastHeard = Instant(nanoseconds: 0)
  /// Ends an attempt that takes too long, and a silence.
  private var patience: LoopTimer?

  private static let connectLimit = Duration.seconds(5)

  package init(
    host: String, port: UInt16, silenceLimit: Duration = .seconds(60), on loop: EventLoop,
    _ handler: @escaping ByteHandler
  ) {
    name = host.contains(":") ? "tcp [\(host)]:\(port)" : "tcp \(host):\(port)"
    self.host = host
    self.port = port
    self.silenceLimit = silenceLimit
    life = SourceLife(on: loop, handler)
  }

  deinit { stop() }

  package var state: ByteSourceState { life.state }

  package func start() {
    patience = patience ?? life.loop.timer { [unowned self] in runOut() }
    life.start { [unowned self] in find() }
  }

  package func stop() {
    patience?.cancel()
    patience = nil
    close()
    life.stop()
  }

  /// Digits are used as they are; a name is asked for each time, since the box may have moved.
  private func find() {
    if let address = SocketAddress(numeric: host, port: port) {
      candidates = [address]
      connectNext()
      return
    }
    do {
      lookup = try NameLookup(host, port: port, on: life.loop) { [unowned self] result in
        lookup = nil
        switch result {
        case .success(let addresses):
          candidates = addresses[...]
          connectNext()
        case .failure(let error): fail(error)
        }
      }
    } catch {
      fail(error)
    }
  }

  /// The C function is `connect`.
  private func connectNext() {
    guard let address = candidates.popFirst() else {
      fail(PlatformError(operation: "connect to", subject: name, reason: "the name has no address"))
      return
    }
    do throws(PlatformError) {
      let socket = try NetworkSocket.make(CLX_SOCK_STREAM, for: address, subject: name)
      let number = socket.number
      let answer = address.withPointer { connect(number, $0, $1) }
      guard answer == 0 || errno == EINPROGRESS || errno == EINTR else {
        throw PlatformError(operation: "connect to", subject: name, code: errno)
      }
      self.socket = try WatchedDescriptor(socket, for: .write, on: life.loop) { [unowned self] in
        isConnected ? receive() : finishConnecting(to: address)
      }
      patience?.set(after: Self.connectLimit)
    } catch {
      failAttempt(error)
    }
  }

  private func finishConnecting(to address: SocketAddress) {
    guard let number = WatchedDescriptor.number(of: socket) else { return }
    let code = NetworkSocket.pendingError(number)
    guard code == 0 else {
      failAttempt(
        PlatformError(
          operation: "connect to", subject: name, code: code, hint: "check the address, the cable and the box's power"))
      return
    }
    NetworkSocket.keepAlive(number)
    isConnected = true
    do throws(PlatformError) {
      try life.loop.change(number, to: .read)
    } catch {
      fail(error)
      return
    }
    candidates = []
    lastHeard = SystemClock.now().instant
    patience?.set(to: lastHeard + silenceLimit)
    life.opened(peer: "\(address)")
  }

  private func receive() {
    guard let number = WatchedDescriptor.number(of: socket) else { return }
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes):
      let now = SystemClock.now()
      lastHeard = now.instant
      life.received(bytes, at: now)
    case .nothingYet: break
    case .end:
      fail(
        PlatformError(
          operation: "read from", subject: name, reason: "the box has closed the connection",
          hint: "many boxes serve one program at a time; is another one connected?"))
    case .failed(let code):
      fail(
        PlatformError(
          operation: "read from", subject: name, code: code, hint: "check the network cable and the box's power"))
    }
  }

  /// The timer is not moved with each byte; when it fires, it looks how long the silence really is.
  private func runOut() {
    guard isConnected else {
      failAttempt(
        PlatformError(
          operation: "connect to", subject: name, code: ETIMEDOUT,
          hint: "check the address, the cable and the box's power"
        ))
      return
    }
    let now = SystemClock.now().instant
    if now - lastHeard < silenceLimit {
      patience?.set(to: lastHeard + silenceLimit)
      return
    }
    fail(
      PlatformError(
        operation: "read from", subject: name, reason: "silent for \(silenceLimit.nanoseconds / 1_000_000_000) s",
        hint: "is the console on, and its cable in the box?"))
  }

  /// One address did not answer; the name may have others.
  private func failAttempt(_ error: PlatformError) {
    if candidates.isEmpty {
      fail(error)
    } else {
      close(keepingCandidates: true)
      connectNext()
    }
  }

  private func fail(_ error: PlatformError) {
    close()
    life.failed(error)
  }

  private func close(keepingCandidates: Bool = false) {
    if !keepingCandidates { candidates = [] }
    patience?.set(to: nil)
    lookup?.cancel()
    lookup = nil
    isConnected = false
    socket = nil
  }
}
