import GameCore
import Testing

@testable import Platform

extension EventLoop {
  /// Turns until `isDone`; a test that would wait for ever fails here instead.
  func turn(
    for limit: Duration = .seconds(20), untilTrue isDone: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = SystemClock.now().instant + limit
    // One handler that blocks for longer than the limit is as bad as what never happens.
    defer {
      if SystemClock.now().instant > end { Issue.record("the loop stood still", sourceLocation: sourceLocation) }
    }
    while !isDone() {
      guard SystemClock.now().instant < end else {
        Issue.record("what was waited for did not happen within \(limit)", sourceLocation: sourceLocation)
        throw WaitedInVain()
      }
      // What a server's thread does wakes nobody here, so the condition is looked at now and then in any case.
      try turn(until: min(end, SystemClock.now().instant + .milliseconds(50)))
    }
  }
}

struct WaitedInVain: Error {}

/// What callbacks gathered, kept outside of the closures that gather.
final class Gathered<Item> {
  var items: [Item] = []
}
