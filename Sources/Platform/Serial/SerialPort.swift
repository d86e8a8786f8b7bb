internal import GameCore
internal import Glibc

/// A console on a serial port, by its path; a stable one (`/dev/serial/by-id/…`) also finds an adaptor that came back
/// under another number. Closed at the first error or hang-up and opened again when it can be.
package final class SerialPort: ByteSource {
  package let name: String
  package private(set) var state = ByteSourceState.closed
  private let settings: SerialSettings
  private let loop: EventLoop
  private let handler: ByteHandler
  private var line: SerialLine?
  private var watched: Int32?
  private var reopening = Reopening()
  private var retry: LoopTimer?

  package init(path: String, settings: SerialSettings, on loop: EventLoop, _ handler: @escaping ByteHandler) {
    name = path
    self.settings = settings
    self.loop = loop
    self.handler = handler
  }

  deinit { stop() }

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

  private func open() {
    let now = SystemClock.now()
    do {
      let line = try SerialLine.open(name, settings)
      let number = line.file.number
      self.line = consume line
      try loop.watch(number, for: .read) { [unowned self] _ in receive() }
      watched = number
    } catch {
      fail(error, at: now)
      return
    }
    reopening.opened(at: now.instant)
    state = .open(peer: name)
    handler(.up(peer: name), now)
  }

  private func receive() {
    guard let number = watched else { return }
    let now = SystemClock.now()
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes): handler(.bytes(bytes), now)
    case .nothingYet: break
    case .end:
      fail(
        PlatformError(
          operation: "read", subject: name, reason: "the port has gone",
          hint: "check the adaptor and its cable; it is opened again when it is back"), at: now)
    case .failed(let code):
      fail(
        PlatformError(
          operation: "read", subject: name, code: code,
          hint: "check the adaptor and its cable; it is opened again when it is back"), at: now)
    }
  }

  private func fail(_ error: PlatformError, at now: Moment) {
    close()
    state = .down(error)
    let failure = reopening.failed(at: now.instant)
    retry?.set(to: failure.retryAt)
    if failure.isNews { handler(.down(error), now) }
  }

  private func close() {
    if let number = watched { loop.unwatch(number) }
    watched = nil
    line = nil
  }
}
