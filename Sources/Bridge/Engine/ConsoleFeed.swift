package import GameCore
package import Input

/// One console as the engine sees it: its decoder, what it said last, and whether it can be believed.
struct ConsoleFeed {
  let name: String
  var decoder: any FrameDecoder
  var health: FeedHealth
  private(set) var isOpen = false
  /// Why the port is closed; nil while it is open.
  private(set) var trouble: String? = "not open yet"
  private var lastReport: Report?

  init(name: String, decoder: any FrameDecoder, health: FeedHealth) {
    self.name = name
    self.decoder = decoder
    self.health = health
  }

  mutating func opened() {
    isOpen = true
    trouble = nil
    decoder.dropPartialFrame()
    health.reopened()
  }

  mutating func closed(reason: String) {
    isOpen = false
    trouble = reason
  }

  /// What these bytes changed in what the console shows; nil when it is nothing, as with a frame that says the same again.
  mutating func received(_ bytes: [UInt8], at now: Instant) -> (report: Report?, health: [FeedHealth.Action]) {
    let hasFrame = decoder.feed(bytes)
    var changed: Report?
    var isResting = false
    if hasFrame {
      let report = decoder.image().report()
      isResting = report?.clock?.running == false
      if report != lastReport {
        lastReport = report
        changed = report
      }
    }
    return (changed, health.received(bytes: bytes.count, counts: decoder.counts, isResting: isResting, at: now))
  }
}
