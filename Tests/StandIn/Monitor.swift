import Foundation
package import GameCore

/// A lock with a condition that waits on the monotonic clock, so that a step of the wall clock cannot lengthen a test.
/// The value is only touched under the lock, hence the promise to the compiler.
final class Monitor<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private let condition: UnsafeMutablePointer<pthread_cond_t>
  private var value: Value

  init(_ value: Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    condition = .allocate(capacity: 1)
    pthread_mutex_init(mutex, nil)
    var attributes = pthread_condattr_t()
    pthread_condattr_init(&attributes)
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC)
    pthread_cond_init(condition, &attributes)
  }

  deinit {
    pthread_cond_destroy(condition)
    pthread_mutex_destroy(mutex)
    condition.deallocate()
    mutex.deallocate()
  }

  /// Reads or changes the value and wakes whoever waits for it.
  func with<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer {
      pthread_cond_broadcast(condition)
      pthread_mutex_unlock(mutex)
    }
    return try body(&value)
  }

  /// Waits until `body` gives something, at most `limit`; nil when it never did.
  func wait<Result>(within limit: Duration, for body: (inout Value) -> Result?) -> Result? {
    let end = (Clock.now().instant + limit).nanoseconds
    var deadline = timespec(tv_sec: Int(end / 1_000_000_000), tv_nsec: Int(end % 1_000_000_000))
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    while true {
      if let result = body(&value) { return result }
      if pthread_cond_timedwait(condition, mutex, &deadline) == ETIMEDOUT { return body(&value) }
    }
  }
}

/// The machine's two clocks, the same that the daemon reads.
package enum Clock {
  package static func now() -> Moment {
    Moment(
      instant: Instant(nanoseconds: read(CLOCK_MONOTONIC)),
      wall: WallTime(milliseconds: read(CLOCK_REALTIME) / 1_000_000))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    clock_gettime(clock, &time)
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
