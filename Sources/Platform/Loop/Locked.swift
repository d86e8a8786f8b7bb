internal import CLinux
internal import Synchronization

/// The project's one lock: a value that threads share, reachable only while it is held.
package final class Locked<Value: Sendable>: Sendable {
  private let mutex = Mutex(())
  /// Beside the mutex and not inside, as Swift 6.0 cannot compile a mutex around a value of any type.
  nonisolated(unsafe) private var value: Value

  package init(_ value: Value) { self.value = value }

  /// Holds the lock for as long as `body` runs; `body` must neither wait nor call back into the lock.
  package func withLock<Result: Sendable>(_ body: (inout Value) -> Result) -> Result {
    mutex.withLock { _ in
      let address = Unmanaged.passUnretained(self).toOpaque()
      clx_tsan_acquire(address)
      defer { clx_tsan_release(address) }
      return body(&value)
    }
  }
}
