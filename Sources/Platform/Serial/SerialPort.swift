/// A console on a serial port, by its path; a stable one (`/dev/serial/by-id/…`) also finds an adaptor that came back
/// under another number. Closed at the first error or hang-up and opened again when it can be.
package final class SerialPort: ByteSource {
  package let name: String
  private let settings: SerialSettings
  private let life: SourceLife
  private var line: WatchedDescriptor?

  package init(path: String, settings: SerialSettings, on loop: EventLoop, _ handler: @escaping ByteHandler) {
    name = path
    self.settings = settings
    life = SourceLife(on: loop, handler)
  }

  deinit { stop() }

  package var state: ByteSourceState { life.state }

  package func start() { life.start { [unowned self] in open() } }

  package func stop() {
    line = nil
    life.stop()
  }

  private func open() {
    do throws(PlatformError) {
      line = try WatchedDescriptor(
        try SerialLine.open(name, settings), on: life.loop, farewell: SerialLine.release
      ) { [unowned self] in receive() }
      life.opened(peer: name)
    } catch {
      fail(error)
    }
  }

  private func receive() {
    guard let number = WatchedDescriptor.number(of: line) else { return }
    let now = SystemClock.now()
    let hint = "check the adaptor and its cable; it is opened again when it is back"
    switch ReceiveBuffer.read(number) {
    case .bytes(let bytes): life.received(bytes, at: now)
    case .nothingYet: break
    case .end: fail(PlatformError(operation: "read", subject: name, reason: "the port has gone", hint: hint))
    case .failed(let code): fail(PlatformError(operation: "read", subject: name, code: code, hint: hint))
    }
  }

  private func fail(_ error: PlatformError) {
    line = nil
    life.failed(error)
  }
}
