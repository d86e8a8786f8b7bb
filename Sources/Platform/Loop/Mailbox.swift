internal import CLinux
internal import Glibc

/// Messages from one thread to another: the only way anything crosses a thread in this daemon.
///
/// Bounded: when it is full, the new message is refused and counted, because what is already queued came first and
/// may be what the new one builds on. A sender whose messages must not be lost keeps fewer in flight than fit.
package final class Mailbox<Message: Sendable>: Sendable {
  /// What was waiting, in the order of posting.
  package struct Delivery: Sendable {
    package var messages: [Message] = []
    /// How many were refused since the last delivery.
    package var refused = 0
    package var isClosed = false
    fileprivate var isRung = false
  }

  private let inbox = Locked(Delivery())
  private let wake: FileDescriptor
  private let capacity: Int

  /// The C function is `eventfd`.
  package init(capacity: Int) throws(PlatformError) {
    precondition(capacity > 0, "A mailbox that holds nothing delivers nothing.")
    self.capacity = capacity
    wake = FileDescriptor(
      owning: try systemCall("create", "a mailbox") {
        eventfd(0, Int32(EFD_NONBLOCK | EFD_CLOEXEC))
      })
  }

  /// Puts a message in, from any thread; false when it was refused. Never waits. One that is not urgent comes with the
  /// next that is, or when many wait.
  @discardableResult package func post(_ message: Message, isUrgent: Bool = true) -> Bool {
    let (accepted, rings) = inbox.withLock { inbox in
      let hasRoom = inbox.messages.count < capacity && !inbox.isClosed
      if hasRoom { inbox.messages.append(message) } else { inbox.refused += 1 }
      // Only the first of a batch wakes the reader: it takes all of them.
      let rings = !inbox.isRung && (isUrgent || !hasRoom || inbox.messages.count > capacity / 4)
      if rings { inbox.isRung = true }
      return (hasRoom, rings)
    }
    if rings { ring() }
    return accepted
  }

  /// Tells the reader that nothing more will come; later posts are refused.
  package func close() {
    inbox.withLock { $0.isClosed = true }
    ring()
  }

  /// Takes all that waits, at once; may be nothing.
  package func collect() -> Delivery {
    var count: UInt64 = 0
    // The bell is silenced before the box is emptied, so that a message posted in between rings again.
    _ = read(wake.number, &count, 8)
    return inbox.withLock { inbox in
      defer { inbox = Delivery(isClosed: inbox.isClosed) }
      return inbox
    }
  }

  /// Sleeps until something waits, then takes all of it: for a thread that has no loop. The C function is `poll`.
  package func wait() -> Delivery {
    while true {
      let delivery = collect()
      if !delivery.messages.isEmpty || delivery.isClosed || delivery.refused > 0 { return delivery }
      var bell = pollfd(fd: wake.number, events: Int16(POLLIN), revents: 0)
      _ = poll(&bell, 1, -1)
    }
  }

  /// Delivers to `handler` on the loop's thread, a batch at a time.
  package func deliver(on loop: EventLoop, to handler: @escaping (Delivery) -> Void) throws(PlatformError) {
    try loop.watch(wake.number, for: .read) { [unowned self] _ in
      let delivery = collect()
      if !delivery.messages.isEmpty || delivery.refused > 0 || delivery.isClosed { handler(delivery) }
    }
  }

  /// Ends what `deliver` began; to be called on the loop's thread before the mailbox goes.
  package func endDelivery(on loop: EventLoop) { loop.unwatch(wake.number) }

  private func ring() {
    var one: UInt64 = 1
    // Can only fail when the bell is ringing already.
    _ = write(wake.number, &one, 8)
  }
}
