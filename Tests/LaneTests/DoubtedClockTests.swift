import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

/// A board without a battery for its clock, whose power goes before anybody has told it the time.
@Suite("What was noted by a clock that nobody vouched for")
struct DoubtedClockTests {
  private static let years: Duration = .seconds(56 * 31_557_600)

  /// The power goes, and the clock begins in 1970.
  private func cut(_ story: inout Story) {
    story.stepWall(.zero - Self.years)
    story.powerCut(trust: .untrusted)
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(10))
  }

  private func learnTime(_ story: inout Story) {
    story.stepWall(Self.years)
    story.tell(.trustChanged(.trusted))
    story.pass(.seconds(60))
  }

  @Test("a start that the power cut left open is as old as its intent, not as the clock's error")
  func start() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    story.answer(story.accepted(story.call(0)))
    #expect(story.calls() == ["create", "start"])
    story.providerAnswers = true
    cut(&story)
    learnTime(&story)
    #expect(!story.calls().contains("end"))
    #expect(!story.lane.isOver)
    story.change(.basket, state(home: 4, status: .live))
    story.pass(.seconds(7 * 3600 + 1800))
    #expect(story.calls().last == "end", "before the system's own end")
  }

  @Test(
    "a channel that was made or adopted before the time was known is not taken for a forgotten one",
    arguments: [true, false])
  func channel(isAdopted: Bool) {
    var story = Story(trust: .untrusted, at: 1_796_432_400_000 - 1000 * Self.years.components.seconds)
    if isAdopted {
      story.tell(.adopted(Broadcast(id: "apb_9", apnsChannelID: "Y2g=", policy: .newest), startedAt: nil))
    }
    story.open()
    story.change(.playStarted, state(status: .live))
    story.pass(.seconds(5))
    story.powerCut(trust: .untrusted)
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    learnTime(&story)
    #expect(!story.calls().contains("end"))
    #expect(!story.lane.isOver)
  }

  @Test("a game that was opened before the time was known still gets its start after a power cut")
  func window() {
    var story = Story(trust: .untrusted, at: 1_796_432_400_000 - 1000 * Self.years.components.seconds)
    story.open()
    story.pass(.seconds(5))
    story.powerCut(trust: .untrusted)
    story.open()
    learnTime(&story)
    #expect(story.calls() == ["create", "start"])
  }

  @Test("a clock that a restart finds in another zone's time does not carry the stamps out of reach", arguments: 7...12)
  func otherZone(hours: Int64) {
    var story = Story.playing()
    story.stepWall(.seconds(hours * 3600))
    story.powerCut(trust: .untrusted)
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(30))
    story.stepWall(.seconds(-hours * 3600))
    story.tell(.trustChanged(.trusted))
    story.change(.basket, state(home: 4, status: .live))
    story.pass(.seconds(30))
    #expect(!story.lane.isOver)
    #expect(story.sent.last?.facts.state?.homeScore == 4)
  }
}
