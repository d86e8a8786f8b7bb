internal import GameCore
internal import Glibc

/// Connects to a box that offers a console's port on the network, and connects again whenever that breaks or falls silent.
package final class TCPDialer: ByteSource {
  package let name: String
  package private(set) var state = ByteSourceState.closed
  private let host: String
  private let port: UInt16
  /// A box that has said nothing for so long may hang; a new connection wakes it, and costs nothing if it does not.
  private let silenceLimit: Duration
  private let loop: EventLoop
  private let handler: ByteHandler
  private var lookup: NameLookup?
  /// What is left to try of a name's addresses.
  private var candidates: ArraySlice<SocketAddress> = []
  private var socket: FileDescriptor?
  private var lastHeard = Instant(nanoseconds: 0)
  private var reopening = Reopening()
  /// Begins an attempt.
  private var retry: LoopTimer?
  /// Ends one that takes too long, and a silence.
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
    self.loop = loop
    self.handler = handler
  }

  deinit { stop() }

  package func start() {
    guard retry == nil else { return }
    retry = loop.timer { [unowned self] in find() }
    patience = loop.timer { [unowned self] in runOut() }
    find()
  }

  package func stop() {
    retry?.cancel()
    patience?.cancel()
    retry = nil
    patience = nil
    close()
    state = .closed
    reopening = Reopening()
  }

  /// Digits are used as they are; a name is asked for each time, since the box may have moved.
  private func find() {
    if let address = SocketAddress(numeric: host, port: port) {
      candidates = [address]
      connectNext()
      return
    }
    do {
      lookup = try NameLookup(host, port: port, on: loop) { [unowned self] result in
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
      let socket = try TCPSocket.make(for: address, subject: name)
      let number = socket.number
      let answer = address.withPointer { connect(number, $0, $1) }
      guard answer == 0 || errno == EINPROGRESS || errno == EINTR else {
        throw PlatformError(operation: "connect to", subject: name, code: errno)
      }
      try loop.watch(number, for: .write) { [unowned self] _ in finishConnecting(to: address) }
      self.socket = consume socket
      patience?.set(after: Self.connectLimit)
    } catch {
      failAttempt(error)
    }
  }

  private func finishConnecting(to address: SocketAddress) {
    guard let number = FileDescriptor.number(of: socket) else { return }
    let code = TCPSocket.pendingError(number)
    guard code == 0 else {
      failAttempt(
        PlatformError(
          operation: "connect to", subject: name, code: code, hint: "check the address, the cable and the box's power"))
      return
    }
    loop.unwatch(number)
    TCPSocket.keepAlive(number)
    do {
      try loop.watch(number, for: .read) { [unowned self] _ in receive() }
    } catch {
      fail(error)
      return
    }
    candidates = []
    let now = SystemClock.now()
    lastHeard = now.instant
    patience?.set(to: now.instant + silenceLimit)
    reopening.opened(at: now.instant)
    state = .open(peer: "\(address)")
    handler(.up(peer: "\(address)"), now)
  }

  private func receive() {
    guard let number = FileDescriptor.number(of: socket) else { return }
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes):
      let now = SystemClock.now()
      lastHeard = now.instant
      handler(.bytes(bytes), now)
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
    guard case .open = state else {
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
    let now = SystemClock.now()
    state = .down(error)
    let failure = reopening.failed(at: now.instant)
    retry?.set(to: failure.retryAt)
    if failure.isNews { handler(.down(error), now) }
  }

  private func close(keepingCandidates: Bool = false) {
    if !keepingCandidates { candidates = [] }
    patience?.set(to: nil)
    lookup?.cancel()
    lookup = nil
    if let number = FileDescriptor.number(of: socket) { loop.unwatch(number) }
    socket = nil
  }
}
