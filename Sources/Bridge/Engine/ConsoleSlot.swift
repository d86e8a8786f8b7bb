internal import GameCore
internal import Input

/// One console of the config: its feed, and whether its port is open.
struct ConsoleSlot {
  let name: String
  var feed: ConsoleFeed
  /// Why the port is closed; nil while it is open.
  private(set) var trouble: String? = "not open yet"

  init(name: String, feed: ConsoleFeed) {
    self.name = name
    self.feed = feed
  }

  mutating func opened() {
    trouble = nil
    feed.reopened()
  }

  mutating func closed(reason: String) { trouble = reason }

  /// One word or two for status.
  var word: String { trouble == nil ? feed.word : "closed" }
}
