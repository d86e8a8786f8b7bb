import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("What is made before the first update: channel and start")
struct StartTests {
  @Test("two creates without an answer are the last: a third could leave a third channel")
  func createTwice() {
    var story = Story()
    story.answers = [noAnswer, noAnswer]
    story.open()
    story.tell(.providerReachable)
    story.tell(.providerReachable)
    story.pass(.seconds(100))
    #expect(story.calls() == ["create", "create"])
    #expect(story.lane.report(at: story.now.instant).reason?.hasPrefix(DeadReason.createUnanswered.rawValue) == true)
    #expect(story.notices.contains(.channelMayHaveLeaked(total: 2)))
  }

  @Test("a create of which one host was silent and the next one said later is one without an answer")
  func createHalfAnswered() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    for _ in 0..<2 {
      story.answer(throttled, unsureAttempts: 1)
      story.pass(.seconds(100))
    }
    #expect(story.calls() == ["create", "create"])
    #expect(story.lane.report(at: story.now.instant).reason?.hasPrefix(DeadReason.createUnanswered.rawValue) == true)
    #expect(story.notices.contains(.channelMayHaveLeaked(total: 2)))
  }

  @Test("a create that Apple has no channel left for is given up with an alarm")
  func channelLimit() {
    var story = Story()
    story.answers = [.refused(refusal(400, message: "CannotCreateChannelConfig"))]
    story.open()
    story.pass(.seconds(600))
    #expect(story.calls() == ["create"])
    #expect(story.lane.report(at: story.now.instant).reason?.hasPrefix(DeadReason.channelLimit.rawValue) == true)
  }

  @Test("nothing leaves for a channel whose name is not on the disk yet")
  func channelNameFirst() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.diskAnswers = false
    story.answer(story.accepted(story.call(0)))
    story.pass(.seconds(30))
    #expect(story.calls() == ["create"])
    story.commit()
    story.commit()
    #expect(story.calls() == ["create", "start"])
  }

  @Test("the first update keeps two seconds away from the answer to the start")
  func firstUpdate() {
    var story = Story()
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.milliseconds(1999))
    #expect(story.calls() == ["create", "start"])
    story.pass(.milliseconds(1))
    #expect(story.calls() == ["create", "start", "update"])
  }

  struct WindowCase: Sendable {
    var named: Bool
    /// Minutes from opening to the scheduled start.
    var scheduledIn: Int64
    /// When play begins, in seconds after opening; nil: never.
    var playAt: Int64?
    /// Seconds after opening at which the start leaves; nil: never.
    var startsAt: Int64?
  }

  @Test(
    "the start leaves inside its window: with the names, with the beginning of play, or at last call",
    arguments: [
      WindowCase(named: true, scheduledIn: 60, playAt: nil, startsAt: 50 * 60),
      WindowCase(named: true, scheduledIn: 5, playAt: nil, startsAt: 0),
      WindowCase(named: false, scheduledIn: 5, playAt: 400, startsAt: 400),
      WindowCase(named: false, scheduledIn: 0, playAt: nil, startsAt: 599),
      WindowCase(named: true, scheduledIn: 60, playAt: 100, startsAt: 100),
      WindowCase(named: true, scheduledIn: -11, playAt: 5, startsAt: nil),
    ])
  func window(_ row: WindowCase) {
    var story = Story()
    let opened = story.now
    story.open(named: row.named, scheduled: opened.wall.milliseconds + row.scheduledIn * 60_000)
    if let playAt = row.playAt {
      story.pass(.seconds(playAt))
      story.change(.playStarted, state(status: .live))
    }
    story.pass(.seconds(2 * 3600))
    let start = story.sent.first { $0.call.name == "start" }
    #expect(start.map { ($0.at.instant - opened.instant).components.seconds } == row.startsAt)
    if row.startsAt == nil {
      #expect(story.notices.contains(.startSkipped(reason: "start window missed")))
      #expect(story.calls().contains("update"), "whoever started the tile in the app still gets updates")
    }
  }

  @Test("names that come late are the ones in the start")
  func lateNames() {
    var story = Story()
    story.open(named: false)
    story.pass(.seconds(100))
    #expect(story.calls() == ["create"])
    story.tell(
      .named(GameAttributes(homeTeam: "Köln 🏒", awayTeam: "B"), startAlert: Alert(title: "B at Köln", body: "soon")))
    #expect(story.calls() == ["create", "start"])
    #expect(story.facts(1).alert?.title == "B at Köln")
  }

  @Test("a start refused with later is tried once more, not twice", arguments: [Sink.ablyIOS, .ablyAndroid])
  func startPostponed(_ sink: Sink) {
    var story = Story(sink)
    story.providerAnswers = false
    story.open()
    if sink == .ablyIOS { story.answer(story.accepted(story.call(0))) }
    story.answer(throttled)
    story.pass(.seconds(5))
    story.answer(throttled)
    story.pass(.seconds(500))
    #expect(story.calls().filter { $0 == "start" }.count == 2)
    #expect(story.notices.contains { if case .startSkipped = $0 { true } else { false } })
  }

  @Test("a start that certainly did not leave is repeated inside its window only")
  func startNotSent() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    story.answer(story.accepted(story.call(0)))
    story.answer(notSent)
    story.pass(.seconds(300))
    story.tell(.providerReachable)
    #expect(story.calls() == ["create", "start", "start"])
    story.answer(notSent)
    story.pass(.seconds(400))
    story.tell(.providerReachable)
    story.pass(.seconds(100))
    #expect(story.calls() == ["create", "start", "start"])
    #expect(story.notices.contains(.startSkipped(reason: "start window missed")))
  }

  @Test("called off before the start: the channel is removed, no start, no update")
  func calledOffEarly() {
    var story = Story()
    story.open(scheduled: story.now.wall.milliseconds + 3_600_000)
    story.change(.calledOff, state(status: .finished, period: "PPD"))
    story.pass(.seconds(10))
    #expect(story.calls() == ["create", "end"])
    #expect(story.lane.isOver)
  }

  @Test("B109: ten updates are no start")
  func noStartForUpdates() {
    var story = Story.playing()
    let before = story.sent.count
    for score in 1...10 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.seconds(6))
    }
    #expect(story.calls(from: before) == Array(repeating: "update", count: 10))
  }

  @Test("B108: a start without an answer and five changes are one start", arguments: [Sink.ablyIOS, .ablyAndroid])
  func oneStart(_ sink: Sink) {
    var story = Story(sink)
    story.providerAnswers = false
    story.open()
    if sink == .ablyIOS { story.answer(story.accepted(story.call(0))) }
    story.answer(noAnswer)
    story.providerAnswers = true
    for score in 1...5 {
      story.tell(.providerReachable)
      story.change(.basket, state(home: score, status: .live))
      story.pass(.seconds(6))
    }
    #expect(story.calls().filter { $0 == "start" }.count == 1)
    #expect(story.calls().last == "update")
    #expect(story.sent.last?.facts.state?.homeScore == 5)
  }

  @Test("B106: the connection closes after the body of the start: no second start, and status says so")
  func startUnknown() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    story.answer(story.accepted(story.call(0)))
    story.answer(.ambiguous(.unanswered(TransportFault(.connectionLost, detail: "after the body"))))
    #expect(story.lane.report(at: story.now.instant).state == "start-unknown")
    story.providerAnswers = true
    story.tell(.linkCameUp)
    story.pass(.seconds(3600))
    #expect(story.calls() == ["create", "start"])
  }

  @Test("B117: two games have starts under two keys")
  func startKeys() {
    let ids = ["a", "b"].map { game in
      var story = Story(.ablyAndroid, game: game)
      story.open()
      return story.facts(0).id
    }
    #expect(ids == ["a-1-start:0", "b-1-start:0"])
  }

  @Test("a broadcast of a replaced board is adopted: updated and ended, never created or started")
  func adopted() {
    var story = Story()
    story.tell(.adopted(Broadcast(id: "apb_9", apnsChannelID: "Y2g=", policy: .nothing), startedAt: nil))
    story.open()
    story.change(.basket, state(home: 40, status: .live))
    story.pass(.seconds(30))
    story.tell(.gameEnded)
    story.pass(.seconds(30))
    #expect(Set(story.calls()) == ["update", "end"])
    #expect(story.facts(0).expiration == 0, "the policy is the one it was made with")
  }

  @Test("a record that cannot be understood is a dead lane: nothing is created in its place")
  func unreadableRecord() {
    var story = Story.playing()
    let key = LaneRecord.key(game: story.lane.game, sink: .ablyIOS)
    story.disk.contents.marks[key] = Array("{\"version\":1,\"game\":".utf8)
    let before = story.sent.count
    story.powerCut()
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(60))
    #expect(story.sent.count == before)
    #expect(story.lane.report(at: story.now.instant).reason?.hasPrefix(DeadReason.recordUnreadable.rawValue) == true)
  }

  @Test("every attempt of a create that was not answered counts as a channel that may have leaked, in status too")
  func leakedChannels() {
    var story = Story()
    story.providerAnswers = false
    story.open()
    // Accepted in the end, by a fallback host, after one that did not answer.
    story.answer(story.accepted(story.call(0)), unsureAttempts: 1)
    #expect(story.lane.report(at: story.now.instant).leakedChannels == 1)
    #expect(story.lane.report(at: story.now.instant).unansweredCreates == 0)
    #expect(story.lane.report(at: story.now.instant).state != "dead")

    var other = Story()
    other.providerAnswers = false
    other.open()
    other.answer(noAnswer, unsureAttempts: 2)
    #expect(other.lane.report(at: other.now.instant).leakedChannels == 2)
    #expect(other.lane.report(at: other.now.instant).unansweredCreates == 1, "one more call is allowed")
    #expect(other.lane.report(at: other.now.instant).state == "create-unknown")
  }

  @Test("traps 22 and 23: a start names one channel, of iPhones alone; Android's is another", arguments: Sink.allCases)
  func oneChannelEach(_ sink: Sink) {
    var story = Story(sink)
    story.open()
    let start = story.call(sink == .ablyIOS ? 1 : 0)
    switch start {
    case .start(_, .channels(let names), _): #expect(names == ["live-ios:\(story.lane.game)"])
    case .publish(let name, let messages):
      #expect(name == "live-android:\(story.lane.game)" && messages.count == 1)
    case .create, .start, .update, .end, .publishToDevice, .publishToDevices, .time, .pushLog, .requestToken:
      Issue.record("\(start.name) is no start on a channel")
    }
  }
}
