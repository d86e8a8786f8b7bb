internal import CLinux
package import GameCore
internal import Glibc

// One thread turns this loop, and everything it calls lives on that thread: handlers, timers, the engine. The loop
// sleeps in epoll until a descriptor is ready, the earliest timer is due or `stop()` was called from a handler.
// Nothing polls, so an idle daemon does not wake at all.

/// Waits for descriptors and timers and calls their handlers, one after another, on the thread that calls `run()`.
package final class EventLoop {
  /// What a descriptor's owner wants to hear about. Errors and hang-ups are always told.
  package struct Interest: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let read = Interest(rawValue: 1)
    package static let write = Interest(rawValue: 2)
  }

  /// What is so now. Several may be: a peer that wrote and left is readable and hung up.
  package struct Readiness: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }
    package static let readable = Readiness(rawValue: 1)
    package static let writable = Readiness(rawValue: 2)
    /// The other side is gone for good.
    package static let hungUp = Readiness(rawValue: 4)
    /// The kernel has an error waiting; a read or `SO_ERROR` says which.
    package static let failed = Readiness(rawValue: 8)
  }

  private struct Watch {
    var number: Int32
    var handler: (Readiness) -> Void
  }

  private let epoll: FileDescriptor
  private let timerDescriptor: FileDescriptor
  /// Each registration gets a token of its own, never used again: an event that was fetched before its handler was
  /// removed finds nothing, even when the kernel has given the descriptor's number to a newcomer in between.
  private var watches: [UInt64: Watch] = [:]
  private var tokens: [Int32: UInt64] = [:]
  private var nextToken: UInt64 = 1
  private var events = [epoll_event](repeating: epoll_event(), count: EventLoop.eventsPerTurn)
  private var timers = TimerQueue()
  private var armed: Instant?
  private var stopping = false
  private var thread: pthread_t?
  /// Called after the handlers of each turn, and before the first: whatever is put off to the end of a turn.
  package var beforeSleep: (() -> Void)?
  /// How often the loop has come back from sleep.
  package private(set) var wakeUps = 0

  private static let timerToken: UInt64 = 0
  private static let eventsPerTurn = 64

  /// The C functions are `epoll_create1` and `timerfd_create`.
  package init() throws(PlatformError) {
    epoll = FileDescriptor(owning: try systemCall("create", "an event queue") { epoll_create1(Int32(EPOLL_CLOEXEC)) })
    timerDescriptor = FileDescriptor(
      owning: try systemCall("create", "a timer") {
        timerfd_create(CLOCK_MONOTONIC, Int32(TFD_NONBLOCK | TFD_CLOEXEC))
      })
    // Edge-triggered, so that an expiry need not be read away: setting the timer anew is what resets it.
    try control(EPOLL_CTL_ADD, timerDescriptor.number, EPOLLIN.rawValue | EPOLLET.rawValue, Self.timerToken)
  }

  /// Calls `handler` whenever the descriptor is ready, until `unwatch`. The descriptor stays the caller's; it must be
  /// unwatched before it is closed. The C function is `epoll_ctl`.
  package func watch(
    _ number: Int32, for interest: Interest, handler: @escaping (Readiness) -> Void
  ) throws(PlatformError) {
    assertOwnThread()
    precondition(tokens[number] == nil, "A descriptor has one handler; change its interest instead.")
    let token = nextToken
    nextToken += 1
    try control(EPOLL_CTL_ADD, number, Self.mask(interest), token)
    tokens[number] = token
    watches[token] = Watch(number: number, handler: handler)
  }

  /// From now on other things wake the same handler. The C function is `epoll_ctl`.
  package func change(_ number: Int32, to interest: Interest) throws(PlatformError) {
    assertOwnThread()
    guard let token = tokens[number] else { preconditionFailure("Only a watched descriptor's interest can change.") }
    try control(EPOLL_CTL_MOD, number, Self.mask(interest), token)
  }

  /// Forgets a descriptor; its handler is not called again, not even for events that are already fetched. Unknown
  /// numbers are fine. The C function is `epoll_ctl`.
  package func unwatch(_ number: Int32) {
    assertOwnThread()
    guard let token = tokens.removeValue(forKey: number) else { return }
    watches[token] = nil
    // A library may have closed the descriptor first, and then the kernel has forgotten it by itself.
    _ = epoll_ctl(epoll.number, EPOLL_CTL_DEL, number, nil)
  }

  /// A timer that is not set yet. It lives until `cancel()`, set or not.
  package func timer(_ handler: @escaping () -> Void) -> LoopTimer {
    LoopTimer(loop: self, id: timers.add(handler))
  }

  /// Turns until `stop()`.
  package func run() throws(PlatformError) {
    stopping = false
    while !stopping { try turn() }
  }

  /// Ends `run()` after the handlers of this turn. To be called from a handler; another thread posts to a `Mailbox`.
  package func stop() {
    assertOwnThread()
    stopping = true
  }

  /// Sleeps until something is ready or due, or until `limit`, and calls its handlers. The C function is `epoll_wait`.
  package func turn(until limit: Instant? = nil) throws(PlatformError) {
    thread = pthread_self()
    defer { thread = nil }
    beforeSleep?()
    try arm(for: [timers.next, limit].compactMap { $0 }.min())
    let count = try systemCall("wait for", "events") {
      epoll_wait(epoll.number, &events, Int32(Self.eventsPerTurn), -1)
    }
    wakeUps += 1
    for index in 0..<Int(count) {
      let token = clx_epoll_token(&events[index])
      if token == Self.timerToken {
        armed = nil
      } else if let watch = watches[token] {
        watch.handler(Self.readiness(events[index].events))
      }
    }
    fireDueTimers()
  }

  fileprivate func set(_ id: Int, to deadline: Instant?) {
    assertOwnThread()
    timers.set(id, to: deadline)
  }

  fileprivate func cancel(_ id: Int) {
    assertOwnThread()
    timers.remove(id)
  }

  fileprivate func deadline(of id: Int) -> Instant? { timers.deadline(of: id) }

  /// Each timer that was due when the turn began fires once; one that sets itself to "now" waits for the next turn,
  /// so that descriptors are never starved.
  private func fireDueTimers() {
    guard let next = timers.next else { return }
    let now = SystemClock.now().instant
    guard next <= now else { return }
    for id in timers.due(at: now) {
      if let handler = timers.take(id, dueAt: now) { handler() }
    }
  }

  /// One kernel timer stands for the earliest deadline; it is only touched when that changes.
  private func arm(for deadline: Instant?) throws(PlatformError) {
    guard deadline != armed else { return }
    var setting = itimerspec()
    if let deadline {
      // Zero would disarm it; a deadline in the past fires at once all the same.
      let nanoseconds = max(deadline.nanoseconds, 1)
      setting.it_value.tv_sec = Int(nanoseconds / 1_000_000_000)
      setting.it_value.tv_nsec = Int(nanoseconds % 1_000_000_000)
    }
    _ = try systemCall("set", "a timer") {
      timerfd_settime(timerDescriptor.number, Int32(TFD_TIMER_ABSTIME), &setting, nil)
    }
    armed = deadline
  }

  private func control(_ operation: Int32, _ number: Int32, _ mask: UInt32, _ token: UInt64) throws(PlatformError) {
    var event = clx_epoll_event(mask, token)
    _ = try systemCall("watch", "descriptor \(number)") { epoll_ctl(epoll.number, operation, number, &event) }
  }

  private func assertOwnThread() {
    assert(
      thread == nil || pthread_equal(thread!, pthread_self()) != 0, "The loop belongs to the thread that turns it.")
  }

  private static func mask(_ interest: Interest) -> UInt32 {
    var mask: UInt32 = 0
    if interest.contains(.read) { mask |= EPOLLIN.rawValue }
    if interest.contains(.write) { mask |= EPOLLOUT.rawValue }
    return mask
  }

  private static func readiness(_ mask: UInt32) -> Readiness {
    var readiness: Readiness = []
    if mask & EPOLLIN.rawValue != 0 { readiness.insert(.readable) }
    if mask & EPOLLOUT.rawValue != 0 { readiness.insert(.writable) }
    if mask & EPOLLHUP.rawValue != 0 { readiness.insert(.hungUp) }
    if mask & EPOLLERR.rawValue != 0 { readiness.insert(.failed) }
    return readiness
  }
}

/// One alarm on the loop: set it, set it anew, unset it. Its handler runs once per setting.
package final class LoopTimer {
  private let loop: EventLoop
  private let id: Int

  fileprivate init(loop: EventLoop, id: Int) {
    self.loop = loop
    self.id = id
  }

  /// When it will fire; nil while it is not set.
  package var deadline: Instant? { loop.deadline(of: id) }

  /// Fires once at this instant (at once when it has passed); nil unsets it.
  package func set(to deadline: Instant?) { loop.set(id, to: deadline) }

  package func set(after delay: Duration) { set(to: SystemClock.now().instant + delay) }

  /// Ends the timer and lets its handler go.
  package func cancel() { loop.cancel(id) }
}
