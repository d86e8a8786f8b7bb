import GameCore
import Glibc
import Platform
import PlatformTestSupport
import Testing

/// Two ends of a pipe for tests; both close with it.
final class Pipe {
  let reading: Int32
  let writing: Int32

  init() {
    var ends: [Int32] = [0, 0]
    precondition(pipe(&ends) == 0)
    (reading, writing) = (ends[0], ends[1])
  }

  deinit {
    close(reading)
    close(writing)
  }

  func fill() { precondition(write(writing, [1], 1) == 1) }

  func drain() {
    var byte: UInt8 = 0
    _ = read(reading, &byte, 1)
  }
}

@Suite struct EventLoopTests {
  @Test("a ready descriptor calls its handler, and goes on calling while something is left")
  func levelTriggered() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var calls: [EventLoop.Readiness] = []
    try loop.watch(pipe.reading, for: .read) { readiness in
      calls.append(readiness)
      pipe.drain()
    }
    pipe.fill()
    pipe.fill()
    try loop.turnOnce()
    try loop.turnOnce()
    #expect(calls == [.readable, .readable])
    loop.unwatch(pipe.reading)
  }

  @Test("a handler that removes another one silences it, even when its event was already fetched")
  func removalDuringDispatch() throws {
    let loop = try EventLoop()
    let pipes = [Pipe(), Pipe(), Pipe()]
    var called: [Int] = []
    for (index, pipe) in pipes.enumerated() {
      try loop.watch(pipe.reading, for: .read) { _ in
        called.append(index)
        for other in pipes { loop.unwatch(other.reading) }
      }
      pipe.fill()
    }
    try loop.turnOnce()
    #expect(called.count == 1)
    try loop.turn(until: SystemClock.now().instant)
    #expect(called.count == 1)
  }

  @Test("a descriptor number that is used again within a turn does not inherit the old one's event")
  func reuseDuringDispatch() throws {
    let loop = try EventLoop()
    let first = Pipe()
    let second = Pipe()
    let quiet = Pipe()
    var removed: Int32 = -1
    var quietWasCalled = false
    let replace: (Int32) throws -> Void = { other in
      guard removed == -1 else { return }
      loop.unwatch(other)
      // The other number now means the quiet pipe, which has nothing to read.
      dup2(quiet.reading, other)
      try loop.watch(other, for: .read) { _ in quietWasCalled = true }
      removed = other
    }
    try loop.watch(first.reading, for: .read) { _ in
      first.drain()
      try? replace(second.reading)
    }
    try loop.watch(second.reading, for: .read) { _ in
      second.drain()
      try? replace(first.reading)
    }
    first.fill()
    second.fill()
    try loop.turnOnce()
    #expect(removed != -1)
    #expect(!quietWasCalled)
    loop.unwatch(removed)
  }

  @Test("a peer that writes and leaves is readable and hung up at once")
  func hangUp() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var seen: EventLoop.Readiness = []
    try loop.watch(ends[0], for: .read) { seen = $0 }
    _ = write(ends[1], [7], 1)
    close(ends[1])
    try loop.turnOnce()
    #expect(seen.isSuperset(of: [.readable, .hungUp]))
    loop.unwatch(ends[0])
    close(ends[0])
  }

  @Test("interest can change to writing and back")
  func changeOfInterest() throws {
    let loop = try EventLoop()
    var ends: [Int32] = [0, 0]
    #expect(socketpair(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0, &ends) == 0)
    var seen: [EventLoop.Readiness] = []
    try loop.watch(ends[0], for: .read) { seen.append($0) }
    try loop.change(ends[0], to: [.read, .write])
    try loop.turnOnce()
    try loop.change(ends[0], to: .read)
    try loop.turn(until: SystemClock.now().instant)
    #expect(seen == [.writable])
    loop.unwatch(ends[0])
    close(ends[0])
    close(ends[1])
  }

  @Test("a file that cannot be waited for is an error that says so, not a trap")
  func unwatchable() throws {
    let loop = try EventLoop()
    let folder = open("/", O_RDONLY)
    #expect(throws: PlatformError.self) { try loop.watch(folder, for: .read) { _ in } }
    close(folder)
  }

  @Test("stop() from a handler ends run() after that turn")
  func stopping() throws {
    let loop = try EventLoop()
    let timer = loop.timer { loop.stop() }
    timer.set(after: .zero)
    try loop.run()
    #expect(timer.deadline == nil)
  }

  @Test("timers fire by deadline, equal ones by age, and never before it")
  func timerOrder() throws {
    let loop = try EventLoop()
    let start = SystemClock.now().instant
    var fired: [String] = []
    var early = false
    func timer(_ name: String, after delay: Duration) -> LoopTimer {
      let timer = loop.timer {
        fired.append(name)
        early = early || SystemClock.now().instant < start + delay
      }
      timer.set(to: start + delay)
      return timer
    }
    let timers = [
      timer("third", after: .milliseconds(9)), timer("first", after: .milliseconds(3)),
      timer("second", after: .milliseconds(6)), timer("second, younger", after: .milliseconds(6)),
    ]
    #expect(try loop.turn { fired.count == timers.count })
    #expect(fired == ["first", "second", "second, younger", "third"])
    #expect(!early)
  }

  @Test("a timer that is cancelled, moved or unset by another one's handler does not fire in that turn")
  func timersTouchEachOther() throws {
    let loop = try EventLoop()
    let past = SystemClock.now().instant - .seconds(1)
    var fired: [String] = []
    let cancelled = loop.timer { fired.append("cancelled") }
    let moved = loop.timer { fired.append("moved") }
    let unset = loop.timer { fired.append("unset") }
    let first = loop.timer {
      fired.append("first")
      cancelled.cancel()
      moved.set(after: .seconds(3600))
      unset.set(to: nil)
    }
    first.set(to: past - .seconds(1))
    for timer in [cancelled, moved, unset] { timer.set(to: past) }
    try loop.turnOnce()
    #expect(fired == ["first"])
    cancelled.set(to: past)
    try loop.turn(until: SystemClock.now().instant)
    #expect(fired == ["first"])
  }

  @Test("a timer that sets itself to now does not starve a descriptor")
  func noStarving() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    var heard = false
    var timer: LoopTimer?
    timer = loop.timer { timer?.set(after: .zero) }
    timer?.set(after: .zero)
    try loop.watch(pipe.reading, for: .read) { _ in
      heard = true
      pipe.drain()
    }
    pipe.fill()
    #expect(try loop.turn { heard })
    timer?.cancel()
    timer = nil
    loop.unwatch(pipe.reading)
  }

  @Test("an idle loop does not wake: one sleep spans the whole wait, whatever is watched")
  func idle() throws {
    let loop = try EventLoop()
    let pipe = Pipe()
    try loop.watch(pipe.reading, for: .read) { _ in }
    let far = loop.timer {}
    far.set(after: .seconds(3600))
    let mailbox = try Mailbox<Int>(capacity: 4)
    try mailbox.deliver(on: loop) { _ in }
    let before = loop.wakeUps
    try loop.turn(until: SystemClock.now().instant + .milliseconds(50))
    #expect(loop.wakeUps - before == 1)
    mailbox.endDelivery(on: loop)
    loop.unwatch(pipe.reading)
  }
}
