import GameCore
package import Platform

extension EventLoop {
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
