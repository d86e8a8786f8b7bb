import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("The life of an activity")
struct LifecycleTests {
  @Test("trap 18: a whole game on iOS: create, start, updates, the final as an update, a hold, the identical end")
  func wholeGame() throws {
    var story = Story()
    story.open()
    #expect(story.calls() == ["create", "start"])
    story.pass(.seconds(3))
    story.change(.playStarted, state(status: .live))
    story.pass(.seconds(10))
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(10))
    story.change(.final, state(home: 2, status: .finished, period: "Final"))
    story.pass(.seconds(119))
    #expect(story.calls() == ["create", "start", "update", "update", "update"])
    #expect(story.lane.report(at: story.now.instant).state == "settling")
    story.pass(.seconds(2))
    #expect(story.calls().last == "end")
    #expect(story.lane.isOver)
    let rehearsal = story.facts(4)
    let end = story.facts(5)
    #expect(end.state == rehearsal.state)
    #expect(end.dismissal == story.at(5).wall.seconds + 1800)
    #expect(try #require(end.stamp) > (try #require(rehearsal.stamp)))
  }

  @Test("a whole game on Android has no create, and its end shares the number but not the id of its rehearsal")
  func wholeGameAndroid() throws {
    var story = Story(.ablyAndroid)
    story.open()
    story.pass(.seconds(3))
    story.change(.playStarted, state(status: .live))
    story.pass(.seconds(10))
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(130))
    #expect(story.calls() == ["start", "update", "update", "end"])
    let ids = story.sent.compactMap(\.facts.id)
    #expect(Set(ids).count == ids.count)
    #expect(story.facts(3).state == story.facts(2).state)
    #expect(try #require(story.facts(3).stamp) > (try #require(story.facts(2).stamp)))
  }

  @Test("each correction restarts the hold, but ten minutes after the final it ends")
  func hold() {
    var story = Story.playing()
    story.change(.final, state(home: 2, status: .finished))
    for minute in 1...12 {
      story.pass(.seconds(60))
      if !story.lane.isOver { story.change(.finalCorrection, state(home: 2 + minute, status: .finished)) }
    }
    #expect(story.lane.isOver)
    let end = story.sent.last?.facts
    #expect(end?.event == "end")
    #expect(end?.state?.homeScore == story.facts(story.sent.count - 2).state?.homeScore)
    #expect(end?.state?.homeScore == 11)
  }

  @Test("trap 20: a final taken back while settling lets the game go on")
  func finalWithdrawn() {
    var story = Story.playing()
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(60))
    story.change(.overtimeStarted, state(home: 2, away: 2, status: .live, period: "OT"))
    story.pass(.seconds(600))
    #expect(!story.calls().contains("end"))
    #expect(story.lane.report(at: story.now.instant).state == "updating")
  }

  @Test(
    "the intent of a create, a start and an end is on the disk before the request leaves, and an update is not held")
  func durability() {
    var story = Story()
    story.diskAnswers = false
    story.open()
    story.pass(.seconds(30))
    #expect(story.calls().isEmpty)
    story.commit()
    #expect(story.calls() == ["create"])
    story.commit()
    #expect(story.calls() == ["create"], "the names of the channel are written, then the intent of the start")
    story.commit()
    #expect(story.calls() == ["create", "start"])
    story.commit()
    story.pass(.seconds(3))
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.calls().last == "update", "an update leaves in the same turn")
    story.commit()
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(2))
    story.commit()
    story.pass(.seconds(4))
    story.commit()
    story.pass(.seconds(120))
    #expect(story.calls().last == "update")
    story.commit()
    story.pass(.seconds(1))
    story.commit()
    #expect(story.calls().last == "end")
  }

  @Test(
    "an intent without an outcome after a power cut is a call whose fate nobody knows",
    arguments: ["create", "start", "end"])
  func powerCut(during name: String) {
    var story = Story()
    story.open()
    if name != "end" {
      story = Story()
      story.providerAnswers = false
      story.open()
      if name == "start" { story.answer(story.accepted(story.call(0))) }
    } else {
      story.pass(.seconds(3))
      story.change(.final, state(home: 2, status: .finished))
      story.pass(.seconds(115))
      story.providerAnswers = false
      story.pass(.seconds(10))
    }
    #expect(story.calls().last == name)
    let before = story.sent.count
    let last = story.sent.last?.call
    story.powerCut(for: .seconds(2))
    story.providerAnswers = true
    story.open()
    story.pass(.seconds(30))
    switch name {
    case "create":
      // One further create at most; then the game goes on.
      #expect(story.calls(from: before) == ["create", "start"])
    case "start":
      #expect(!story.calls(from: before).contains("start"))
      #expect(story.lane.report(at: story.now.instant).state == "start-unknown")
    default:
      #expect(story.calls(from: before) == ["end"])
      #expect(story.sent.last?.call == last, "the very same bytes")
    }
  }

  @Test("a card that an update made is ended, although no start was ever sent", arguments: [true, false])
  func endWithoutStart(cutBefore: Bool) {
    var story = Story(.ablyAndroid, trust: .untrusted)
    story.open()
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(5))
    if cutBefore { story.powerCut(trust: .untrusted) }
    story.change(.final, state(home: 4, status: .finished))
    story.pass(.seconds(200))
    #expect(story.calls() == ["update", "update", "end"])
  }

  @Test("called off during the game: told with the state, then ended without a hold")
  func calledOff() {
    var story = Story.playing()
    let before = story.sent.count
    story.change(.calledOff, state(home: 2, status: .finished, period: "ABD"))
    story.pass(.seconds(3))
    #expect(story.calls(from: before) == ["update", "end"])
    #expect(story.facts(before).staleAt == nil)
  }

  @Test("B31: the old game is ended with its own last state before anything else")
  func newGame() {
    var story = Story.playing()
    story.change(.basket, state(home: 80, away: 75, status: .live))
    story.pass(.milliseconds(100))
    story.tell(.gameEnded)
    story.pass(.seconds(5))
    #expect(story.calls().last == "end")
    #expect(story.sent.last?.facts.state?.homeScore == 80)
  }

  @Test("B124: after the end a score is refused with a reason, and a second end is none")
  func afterTheEnd() {
    var story = Story.playing()
    story.tell(.gameEnded)
    story.pass(.seconds(5))
    let before = story.sent.count
    story.tell(.gameEnded)
    story.change(.basket, state(home: 99, status: .live))
    story.pass(.seconds(600))
    #expect(story.sent.count == before)
    #expect(story.notices.contains(.ignored(reason: "the activity has ended: basket")))
  }

  @Test("an end without an answer is repeated byte for byte, later with new figures, until it is gone")
  func endRepeated() {
    var story = Story.playing()
    story.providerAnswers = true
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(60))
    story.providerAnswers = false
    story.pass(.seconds(61))
    let first = story.sent.count - 1
    #expect(story.calls(from: first) == ["end"])
    story.answer(noAnswer)
    story.pass(.seconds(5))
    story.tell(.providerReachable)
    #expect(story.call(first) == story.call(first + 1))
    story.answer(noAnswer)
    story.pass(.seconds(120))
    story.tell(.providerReachable)
    #expect(story.calls(from: first) == ["end", "end", "end"])
    #expect(story.facts(first + 2).state == story.facts(first).state)
    #expect((story.facts(first + 2).stamp ?? 0) > (story.facts(first).stamp ?? 0))
    story.answer(.refused(refusal(404, code: 40400)))
    #expect(story.lane.report(at: story.now.instant).state == "ended")
  }

  @Test(
    "an end that is refused as it is goes once more without its dismissal; refused again, its channel may be left behind",
    arguments: [400, 413])
  func endRefused(status: Int) {
    var story = Story.playing()
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(60))
    let first = story.sent.count
    story.answers = [.refused(refusal(status, code: 40000)), .refused(refusal(status, code: 40000))]
    story.pass(.seconds(600))
    #expect(story.calls(from: first) == ["end", "end"])
    #expect(story.facts(first).dismissal != nil)
    #expect(story.facts(first + 1).dismissal == nil)
    #expect(story.facts(first + 1).state == story.facts(first).state)
    let report = story.lane.report(at: story.now.instant)
    #expect(report.reason?.hasPrefix(DeadReason.endRefused.rawValue) == true)
    #expect(report.leakedChannels == 1)
  }

  @Test("an update for a broadcast that is gone ends this sink's part, once")
  func gone() {
    var story = Story.playing()
    story.answers = [.refused(refusal(404, code: 40400))]
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(3600))
    #expect(story.lane.report(at: story.now.instant).reason?.hasPrefix(DeadReason.gone.rawValue) == true)
    #expect(story.notices.filter { if case .died = $0 { true } else { false } }.count == 1)
  }

  @Test(
    "forgotten broadcasts are swept away after a restart: nine hours after the start, a day after an unused schedule",
    arguments: [(true, 9), (false, 25)])
  func sweeper(started: Bool, hours: Int64) {
    var story = Story()
    story.open(scheduled: started ? nil : story.now.wall.milliseconds + 3_600_000)
    let before = story.sent.count
    story.powerCut(for: .seconds(hours * 3600 + 60))
    story.pass(.seconds(10))
    #expect(story.calls(from: before) == ["end"])
    #expect((story.sent.last?.facts.dismissal ?? .max) < story.now.wall.seconds)
    #expect(story.lane.isOver)
  }

  @Test("a channel that was made days ahead waits for its game, also through a power cut")
  func daysAhead() {
    var story = Story()
    story.open(scheduled: story.now.wall.milliseconds + 72 * 3_600_000)
    story.pass(.seconds(30 * 3600))
    story.powerCut()
    story.open()
    story.pass(.seconds(43 * 3600))
    #expect(story.calls() == ["create", "start"])
  }

  @Test(
    "a game that is over ends its tile, though what phones show is not what would be told now",
    arguments: ["start unanswered", "clock run out", "clock doubted", "restart"])
  func endsWithoutNews(_ why: String) {
    var story = why == "start unanswered" ? Story() : Story.playing()
    switch why {
    case "start unanswered":
      story.providerAnswers = false
      story.open()
      story.answer(story.accepted(story.call(0)))
      story.answer(noAnswer)
      story.providerAnswers = true
      story.tell(.providerReachable)
    case "restart": story.powerCut()
    default:
      let anchor = Int(story.now.wall.milliseconds) + 60_000
      story.change(.clockStarted, state(home: 2, status: .live, anchor: anchor))
      story.pass(.seconds(why == "clock run out" ? 90 : 10))
      if why == "clock doubted" { story.tell(.trustChanged(.rough)) }
    }
    let before = story.sent.count
    story.tell(.gameEnded)
    story.pass(.seconds(10))
    #expect(story.calls(from: before) == ["update", "end"])
    #expect(story.facts(before + 1).state == story.facts(before).state)
  }

  @Test("an Android game of more than nine hours outlives a restart")
  func longGame() {
    var story = Story.playing(.ablyAndroid)
    for hour in 1...10 {
      story.pass(.seconds(3500))
      story.change(.basket, state(home: hour, status: .live))
    }
    story.powerCut()
    story.open(hasFeed: true)
    story.pass(.seconds(5))
    story.change(.basket, state(home: 11, status: .live))
    story.pass(.seconds(10))
    #expect(!story.calls().contains("end"))
    #expect(story.sent.last?.facts.state?.homeScore == 11)
  }

  @Test("a final taken back and declared again before phones heard of it settles anew, and ends")
  func finalAgain() {
    var story = Story.playing()
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.milliseconds(300))
    story.change(.correction, state(home: 2, status: .live))
    story.pass(.milliseconds(300))
    story.change(.final, state(home: 2, status: .finished))
    story.pass(.seconds(150))
    #expect(story.lane.isOver)
  }
}
