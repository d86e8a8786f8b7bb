/// The addresses behind a name, looked up on a thread of its own: a dead name server takes seconds, and the loop has none
/// to spare.
final class NameLookup {
  private let loop: EventLoop
  private let mailbox: Mailbox<Result<[SocketAddress], PlatformError>>

  /// Calls `handler` once, on the loop's thread, unless `cancel()` comes first.
  init(
    _ host: String, port: UInt16, on loop: EventLoop,
    _ handler: @escaping (Result<[SocketAddress], PlatformError>) -> Void
  ) throws(PlatformError) {
    self.loop = loop
    let mailbox = try Mailbox<Result<[SocketAddress], PlatformError>>(capacity: 1)
    self.mailbox = mailbox
    try mailbox.deliver(on: loop) { [unowned self] delivery in
      cancel()
      for result in delivery.messages { handler(result) }
    }
    try WorkerThread(named: "name-lookup") { mailbox.post(SocketAddress.lookUp(host, port: port)) }.detach()
  }

  deinit { cancel() }

  /// The thread ends by itself; what it finds goes nowhere.
  func cancel() { mailbox.endDelivery(on: loop) }
}
