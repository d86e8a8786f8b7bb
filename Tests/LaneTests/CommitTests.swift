import GameCore
import Outbox
import Publishing
import Testing

@Suite("When a lane writes")
struct CommitTests {
  @Test(
    "an accepted update is written a second later, in one commit with whatever comes first", arguments: Sink.allCases)
  func patience(sink: Sink) {
    var story = Story.playing(sink)
    story.pass(.seconds(60))
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.disk.history.last == "basket sent")
    story.pass(.milliseconds(999))
    #expect(story.disk.history.last == "basket sent")
    story.pass(.milliseconds(1))
    #expect(story.disk.history.last == "basket accepted")

    story.pass(.seconds(60))
    story.change(.basket, state(home: 4, status: .live))
    story.change(.basket, state(home: 5, status: .live))
    #expect(story.disk.history.suffix(2).first == "basket accepted")
  }

  @Test("a refusal is written at once, and so is the answer to a final score", arguments: Sink.allCases)
  func urgent(sink: Sink) {
    var story = Story.playing(sink)
    story.pass(.seconds(60))
    story.answers = [.refused(refusal(400))]
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.disk.history.last == "basket parked")
    story.pass(.seconds(60))
    story.change(.final, state(home: 2, status: .finished))
    #expect(story.disk.history.last == "final accepted")
  }
}
