import GameCore
package import Platform

extension EventLoop {
  /// One turn for something that is ready already; a fault then fails the test instead of holding it for ever.
  package func turnOnce() throws { try turn(until: SystemClock.now().instant + .seconds(10)) }

  /// Turns until the condition holds, or the limit has passed; says which. Waits for what the kernel delivers, never for
  /// time to pass.
  @discardableResult
  package func turn(within limit: Duration = .seconds(10), until condition: () -> Bool) throws -> Bool {
    let end = SystemClock.now().instant + limit
    while !condition() {
      if SystemClock.now().instant >= end { return false }
      try turn(until: end)
    }
    return true
  }
}
