import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("A broadcast that the service refuses again and again")
struct StoppedBroadcastTests {
  private let no = Verdict.refused(refusal(400, code: 40099, message: "no such thing"))

  /// Scores one by one, each told and answered.
  private func score(_ story: inout Story, _ answers: [Verdict], from first: Int = 1) {
    story.answers = answers
    for number in 0..<answers.count {
      story.change(.basket, state(home: first + number, status: .live))
      story.pass(.seconds(40))
    }
  }

  private func isStopped(_ story: Story) -> Bool { story.lane.report(at: story.now.instant).isBroadcastStopped }
  private func alarms(_ story: Story) -> Int {
    story.notices.count { if case .broadcastStopped = $0 { true } else { false } }
  }

  @Test(
    "the third refusal running stops it: said with a remedy, tried every 5 minutes, nothing created, and then ended")
  func stops() throws {
    var story = Story.playing()
    score(&story, [no, no])
    #expect(!isStopped(story) && alarms(story) == 0)
    score(&story, [no], from: 3)
    let reason = try #require(story.lane.report(at: story.now.instant).reason)
    #expect(isStopped(story) && alarms(story) == 1)
    for words in [
      "broadcast stopped, 3 updates running were refused", "every 5 minutes", "end the activity and open a new game",
      "second tile", "40099, status 400: no such thing",
    ] { #expect(reason.contains(words), "\(words): \(reason)") }

    let before = story.sent.count
    let third = try #require(story.sent.last).at.instant
    story.answers = [no]
    story.change(.basket, state(home: 4, status: .live))
    story.change(.basket, state(home: 5, status: .live))
    story.pass(.seconds(600))
    #expect(story.calls(from: before) == ["update"])
    #expect(try #require(story.sent.last).at.instant - third == .seconds(300))
    #expect(story.sent.last?.facts.state?.homeScore == 5)
    #expect(isStopped(story) && alarms(story) == 1, "the alarm is raised once")

    story.answers = [no]
    story.change(.final, state(home: 5, status: .finished))
    story.pass(.seconds(1000))
    #expect(story.calls().last == "end" && story.lane.isOver && !isStopped(story))
    #expect(story.calls().filter { $0 == "create" || $0 == "start" } == ["create", "start"])
  }

  @Test("a success starts the count over, and heals what was stopped")
  func success() {
    var story = Story.playing()
    score(&story, [no, no, .accepted(.plain), no, no])
    #expect(!isStopped(story))
    score(&story, [no], from: 6)
    #expect(isStopped(story))
    story.change(.basket, state(home: 7, status: .live))
    story.pass(.seconds(300))
    #expect(!isStopped(story) && story.lane.report(at: story.now.instant).reason == nil)
    let before = story.sent.count
    story.change(.basket, state(home: 8, status: .live))
    #expect(story.calls(from: before) == ["update"], "and waits for nothing")
    score(&story, [no, no, no], from: 9)
    #expect(alarms(story) == 2)
  }

  @Test(
    "what has a rule of its own neither counts nor starts the count over",
    arguments: [
      throttled, unavailable, noAnswer, notSent, .refused(refusal(401, code: 40101, action: .stopAll)),
      .refused(refusal(401, code: 40162, action: .bug)), .refused(refusal(403, action: .stopAll)),
      .refused(LocalRefusal(code: 40009, status: 400, message: "too large").refusal),
    ])
  func ownRules(_ other: Verdict) {
    var story = Story.playing()
    score(&story, [no, no])
    story.answers = [other, no]
    story.change(.basket, state(home: 3, status: .live))
    #expect(!isStopped(story), "it does not count")
    story.change(.basket, state(home: 4, status: .live))
    story.tell(.providerReachable)
    story.pass(.seconds(61))
    #expect(isStopped(story) && story.answers.isEmpty, "nor does the count start over")
  }

  @Test("a broadcast that is gone is given up at once", arguments: [404, 410, 400])
  func gone(_ status: Int) {
    var story = Story.playing()
    score(&story, [.refused(refusal(status, code: status == 400 ? 40400 : nil, action: .stopChannel))])
    #expect(story.lane.report(at: story.now.instant).state == "dead" && alarms(story) == 0)
  }

  @Test("an Android channel is no broadcast: each message is parked by itself and blocks nothing")
  func android() {
    var story = Story.playing(.ablyAndroid)
    let before = story.sent.count
    score(&story, [no, no, no, no])
    #expect(story.calls(from: before).count == 4 && !isStopped(story))
  }
}
