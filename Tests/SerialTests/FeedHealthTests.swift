import GameCore
import Input
import Platform
import Testing

@Suite struct FeedHealthTests {
  private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }

  @Test("B51: ten seconds of garbage are one warning and no change", arguments: ConsoleProtocol.allCases)
  func garbage(_ console: ConsoleProtocol) throws {
    var random = SeededGenerator(seed: 51)
    var feed = try ConsoleFeed(
      DecoderSettings(
        console: console, options: console == .genericLine ? [("pattern", #"^H(?P<home_score>\d+)$"#)] : [],
        compile: Pattern.compile))
    var reports = 0
    var warnings: [String] = []
    for tick in 0...300 {
      let bytes = (0..<96).map { _ in UInt8.random(in: 0...255, using: &random) }
      for action in feed.received(bytes[...], at: at(Double(tick) / 10)) {
        switch action {
        case .report: reports += 1
        case .health(.adviseSettings(let text)): warnings.append(text)
        case .health: break
        }
      }
    }
    #expect(warnings.count == 1)
    #expect(warnings.first?.contains("check speed") == true)
    // The swimming stream has no check at all; what garbage shows there is not counted as frames, and has no score.
    if console != .ctsGen6 { #expect(reports == 0) }
    #expect(feed.shown["home_score"] == .unknown)
  }

  @Test("silence is stale after 3 s and lost after 20 s, each told once")
  func silence() {
    var health = FeedHealth(.daktronicsRTD)
    #expect(health.nextDeadline == nil)
    #expect(health.received(bytes: 56, counts: FrameCounts(good: 1), isResting: true, at: at(10)) == [])
    #expect(health.nextDeadline == at(13))
    #expect(health.timePassed(at: at(12.9)) == [])
    #expect(health.timePassed(at: at(13)) == [.wentStale])
    #expect(health.nextDeadline == at(30))
    #expect(health.timePassed(at: at(29)) == [])
    #expect(health.timePassed(at: at(30)) == [.wentLost])
    #expect(health.nextDeadline == nil)
    #expect(health.received(bytes: 9, counts: FrameCounts(good: 1, bad: 1), isResting: true, at: at(31)) == [])
    #expect(health.word == "lost")
    #expect(
      health.received(bytes: 56, counts: FrameCounts(good: 2, bad: 1), isResting: true, at: at(32)) == [.cameBack])
    #expect(health.lastGood == at(32))
  }

  @Test("a Bodet console at rest may be silent for 10 s, and not while its clock runs")
  func bodetAtRest() {
    var health = FeedHealth(.bodetScorepad)
    _ = health.received(bytes: 20, counts: FrameCounts(good: 1), isResting: true, at: at(0))
    #expect(health.nextDeadline == at(10))
    _ = health.received(bytes: 20, counts: FrameCounts(good: 2), isResting: false, at: at(1))
    #expect(health.nextDeadline == at(4))
  }

  @Test("the time to lost is configured, and a jump in time tells both stages")
  func configured() {
    var health = FeedHealth(.daktronicsRTD, lostAfter: .seconds(60))
    _ = health.received(bytes: 20, counts: FrameCounts(good: 1), isResting: false, at: at(0))
    #expect(health.timePassed(at: at(59)) == [.wentStale])
    #expect(health.timePassed(at: at(60)) == [.wentLost])
  }

  @Test("good frames after a warning let it be given again")
  func warningAgain() {
    var health = FeedHealth(.stramatelTV)
    var told = 0
    var counts = FrameCounts()
    for second in 0..<60 {
      if (20..<35).contains(second) { counts.good += 20 } else { counts.bad += 20 }
      for case .adviseSettings(let text) in health.received(
        bytes: 100, counts: counts, isResting: false, at: at(Double(second)))
      {
        #expect(text.contains("swap A and B"))
        told += 1
      }
    }
    #expect(told == 2)
  }

  @Test("foreign frames with a right sum prove the line, and are no reason to warn")
  func foreignFrames() {
    var health = FeedHealth(.daktronicsRTD)
    for second in 0..<30 {
      let told = health.received(
        bytes: 50, counts: FrameCounts(other: second), isResting: false, at: at(Double(second)))
      #expect(told.isEmpty)
    }
  }
}
