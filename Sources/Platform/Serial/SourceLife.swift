internal import GameCore

/// What all byte sources share: they open, break, say so once, and try again until they are stopped.
final class SourceLife {
  let loop: EventLoop
  private(set) var state = ByteSourceState.closed
  private let handler: ByteHandler
  private var reopening = Reopening()
  private var retry: LoopTimer?

  init(on loop: EventLoop, _ handler: @escaping ByteHandler) {
    self.loop = loop
    self.handler = handler
  }

  /// Calls `open` now and after each break; a second start does nothing.
  func start(_ open: @escaping () -> Void) {
    guard retry == nil else { return }
    retry = loop.timer(open)
    open()
  }

  func stop() {
    retry?.cancel()
    retry = nil
    state = .closed
    reopening = Reopening()
  }

  /// It listens, and nobody has come yet.
  func isWaiting() { state = .closed }

  func opened(peer: String) {
    let now = SystemClock.now()
    reopening.opened(at: now.instant)
    state = .open(peer: peer)
    handler(.up(peer: peer), now)
  }

  func received(_ bytes: [UInt8], at now: Moment = SystemClock.now()) { handler(.bytes(bytes), now) }

  /// Told when it is news. `triesAgain` is false where the door is still open and only the peer has left.
  func failed(_ error: PlatformError, triesAgain: Bool = true) {
    let now = SystemClock.now()
    state = .down(error)
    let failure = reopening.failed(at: now.instant)
    if triesAgain { retry?.set(to: failure.retryAt) }
    if failure.isNews { handler(.down(error), now) }
  }
}
