package import GameCore

/// One console, from its bytes to what the court is told: decoder, image, report and the feed's health together.
package struct ConsoleFeed {
  package enum Action: Hashable, Sendable {
    /// What the board shows has changed.
    case report(Report)
    case health(FeedHealth.Action)
  }

  package let console: ConsoleProtocol
  private var decoder: any FrameDecoder
  private var health: FeedHealth
  private var image = ConsoleImage()
  private var reported: Report?

  package init(_ settings: DecoderSettings, lostAfter: Duration = .seconds(20)) throws(DecoderRefusal) {
    console = settings.console
    decoder = try settings.makeDecoder().get()
    health = FeedHealth(settings.console, lostAfter: lostAfter)
  }

  package var counts: FrameCounts { decoder.counts }
  package var lastGood: Instant? { health.lastGood }
  package var isFresh: Bool { health.isFresh }
  package var nextDeadline: Instant? { health.nextDeadline }

  /// One word for the status page, `waiting for score` among them.
  package var word: String {
    health.isFresh && ConsoleReport.isWaitingForScores(image) ? "waiting for score" : health.word
  }

  /// What the board shows, for the status page.
  package var shown: ConsoleImage { image }

  /// The newest line that no pattern matched; nil for other protocols.
  package var lastUnmatched: String? { (decoder as? GenericLine)?.lastUnmatched }

  package mutating func received(_ bytes: ArraySlice<UInt8>, at now: Instant) -> [Action] {
    var actions: [Action] = []
    if decoder.feed(bytes) {
      image = decoder.image()
      if let report = ConsoleReport.of(image), report != reported {
        reported = report
        actions.append(.report(report))
      }
    }
    let told = health.received(
      bytes: bytes.count, counts: decoder.evidence, isResting: image["clock_running"].truth == false, at: now)
    // Who was told that the feed is away hears first that it is back.
    return told.map { .health($0) } + actions
  }

  /// The port was closed and opened again: what had begun is gone.
  package mutating func reopened() {
    decoder.dropPartialFrame()
    health.reopened()
  }

  package mutating func timePassed(at now: Instant) -> [Action] {
    health.timePassed(at: now).map { .health($0) }
  }
}
