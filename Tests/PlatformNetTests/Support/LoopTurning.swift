import GameCore
import Testing

@testable import Platform

extension EventLoop {
  /// Turns until `isDone`; a test that would wait for ever fails here instead.
  func turn(
    for limit: Duration = .seconds(20), untilTrue isDone: () -> Bool, sourceLocation: SourceLocation = #_sourceLocation
  ) throws {
    let end = SystemClock.now().instant + limit
    while !isDone() {
      guard SystemClock.now().instant < end else {
        Issue.record("what was waited for did not happen within \(limit)", sourceLocation: sourceLocation)
        throw WaitedInVain()
      }
      try turn(until: end)
    }
  }
}

struct WaitedInVain: Error {}

/// What callbacks gathered, kept outside of the closures that gather.
final class Gathered<Item> {
  var items: [Item] = []
}
