import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("What goes next, and what waits")
struct OutboxTests {
  @Test("the first change after a quiet time leaves in the same turn; the next merge by their rows")
  func spacing() {
    var story = Story.playing()
    let quiet = story.sent.count
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.sent.count == quiet + 1)
    story.change(.timeoutCalled, state(home: 2, status: .live, lastPlay: "Timeout"))
    story.pass(.milliseconds(4999))
    #expect(story.sent.count == quiet + 1)
    story.pass(.milliseconds(1))
    #expect(story.sent.count == quiet + 2)
    story.change(.timeoutCalled, state(home: 2, status: .live, lastPlay: "Timeout 2"))
    story.change(.basket, state(home: 4, status: .live))
    story.pass(.milliseconds(999))
    #expect(story.sent.count == quiet + 2)
    story.pass(.milliseconds(1))
    #expect(story.sent.count == quiet + 3, "the score's own wait is one second")
    story.pass(.seconds(1))
    #expect(story.disk.history.suffix(2) == ["timeoutCalled superseded", "basket accepted"])
  }

  @Test("no spacing on Android: every change leaves as soon as the one before is answered")
  func noSpacing() {
    var story = Story.playing(.ablyAndroid, settings: LaneSettings(spacing: .zero))
    let before = story.sent.count
    for score in 1...200 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.milliseconds(5))
    }
    #expect(story.calls(from: before).count == 200)
  }

  @Test("one request in flight: changes meanwhile are one message with the newest state")
  func oneInFlight() {
    var story = Story.playing()
    let before = story.sent.count
    story.providerAnswers = false
    for score in 1...50 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.milliseconds(100))
    }
    #expect(story.calls(from: before) == ["update"])
    story.answer(.accepted(.plain))
    story.pass(.seconds(1))
    #expect(story.calls(from: before) == ["update", "update"])
    #expect(story.sent.last?.facts.state?.homeScore == 50)
    #expect(story.lane.report(at: story.now.instant).counts.superseded == 48)
  }

  @Test("what phones have already is not told again", arguments: Sink.allCases)
  func nothingNew(_ sink: Sink) {
    var story = Story.playing(sink)
    story.change(.basket, state(home: 2, status: .live))
    let before = story.sent.count
    story.change(.basket, state(home: 4, status: .live))
    story.change(.correction, state(home: 2, status: .live))
    story.pass(.seconds(60))
    #expect(story.sent.count == before)
    #expect(story.disk.history.last == "correction dropped")
  }

  @Test("fouls and shots ride along and never leave alone")
  func details() {
    var story = Story.playing()
    let before = story.sent.count
    story.change(.detail, state(status: .live, lastPlay: "Foul 11"))
    story.pass(.seconds(20))
    #expect(story.sent.count == before)
    story.change(.clockSet, state(status: .live, clock: "11:20", lastPlay: "Foul 11"))
    #expect(story.sent.count == before + 1)
  }

  @Test("a clock that went on within a second of what phones count needs no message")
  func clockOnCourse() {
    var story = Story.playing()
    let anchor = Int(story.now.wall.milliseconds) + 600_000
    story.change(.clockStarted, state(status: .live, clock: "10:00", anchor: anchor))
    story.pass(.seconds(30))
    let before = story.sent.count
    story.change(.clockStarted, state(status: .live, clock: "9:30", anchor: anchor + 900))
    story.pass(.seconds(10))
    #expect(story.sent.count == before)
    story.change(.clockStarted, state(status: .live, clock: "9:20", anchor: anchor + 1900))
    #expect(story.sent.count == before + 1)
  }

  @Test("an anchor that will have passed on arrival, or that rests on a rough clock, is a stopped clock")
  func anchors() {
    var story = Story.playing()
    let now = Int(story.now.wall.milliseconds)
    story.change(.clockStarted, state(status: .live, clock: "0:01", anchor: now + 1400))
    #expect(story.sent.last?.facts.state?.clockDir == .stop)
    #expect(story.sent.last?.facts.state?.clockAnchorMs == 0)
    story.pass(.seconds(10))
    story.tell(.trustChanged(.rough))
    story.change(.clockStarted, state(status: .live, clock: "9:00", anchor: now + 600_000))
    #expect(story.sent.last?.facts.state?.clockDir == .stop)
  }

  @Test("B114: every update carries a stale date in its window; the heartbeat is not urgent")
  func staleDates() throws {
    var story = Story.playing(hasFeed: true)
    let before = story.sent.count
    for _ in 0..<600 {
      story.pass(.seconds(1))
      story.tell(.frameArrived)
    }
    let beats = story.sent.dropFirst(before)
    #expect((4...5).contains(beats.count))
    for beat in beats {
      let ahead = try #require(beat.facts.staleAt) - beat.at.wall.seconds
      #expect((410...420).contains(ahead))
      #expect(beat.facts.priority == "5")
    }
  }

  @Test("the stale date follows the scoreboard and not the send, and is never less than a minute ahead")
  func staleFollowsFrames() throws {
    var story = Story.playing(hasFeed: true)
    story.pass(.seconds(100))
    story.change(.basket, state(home: 2, status: .live))
    let facts = try #require(story.sent.last)
    #expect(try #require(facts.facts.staleAt) - facts.at.wall.seconds < 420 - 100)
    story.pass(.seconds(1000))
    story.change(.basket, state(home: 4, status: .live))
    let late = try #require(story.sent.last)
    #expect(try #require(late.facts.staleAt) - late.at.wall.seconds == 60)
  }

  @Test("a lost feed is told once with a minute to live, then there is silence until it returns")
  func feedLost() throws {
    var story = Story.playing(hasFeed: true)
    story.change(.feedLost, state(status: .live, lastPlay: "Scoreboard signal lost"))
    let told = try #require(story.sent.last)
    #expect(try #require(told.facts.staleAt) - told.at.wall.seconds == 60)
    let before = story.sent.count
    story.pass(.seconds(1800))
    #expect(story.sent.count == before)
    story.change(.feedRestored, state(home: 6, status: .live))
    #expect(story.sent.count == before + 1)
    story.pass(.seconds(121))
    #expect(story.sent.count == before + 2, "heartbeats again")
  }

  @Test("a long delay is renewed every fifteen minutes with a far stale date")
  func delay() throws {
    var story = Story.playing()
    story.change(.delayed, state(status: .live, period: "Delay"))
    let before = story.sent.count
    story.pass(.seconds(2 * 900 + 10))
    #expect(story.sent.count == before + 2)
    let beat = try #require(story.sent.last)
    #expect(try #require(beat.facts.staleAt) - beat.at.wall.seconds == 1800)
    #expect(beat.facts.priority == "5")
  }

  @Test("an expiration is what the channel's own policy says, the same for every update")
  func expirations() {
    for policy in StoragePolicy.allCases {
      var story = Story(settings: LaneSettings(storagePolicy: policy, spacing: .seconds(5)))
      story.open()
      story.pass(.seconds(3))
      story.change(.basket, state(home: 2, status: .live))
      story.pass(.seconds(10))
      story.change(.clockSet, state(home: 2, status: .live, clock: "9:00"))
      story.pass(.seconds(10))
      story.tell(.gameEnded)
      story.pass(.seconds(5))
      for sent in story.sent where ["update", "end"].contains(story.name(sent.call)) {
        let ahead: Int64 = policy == .nothing ? 0 : sent.at.wall.seconds + (sent.call.name == "end" ? 14_400 : 1800)
        #expect(sent.facts.expiration == ahead)
      }
    }
  }

  @Test(
    "B93: after ninety changes offline the first push is the newest state, and it is the only one",
    arguments: Sink.allCases)
  func backlog(_ sink: Sink) {
    var story = Story.playing(sink)
    story.answers = Array(repeating: notSent, count: 1)
    for score in 1...90 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.seconds(20))
    }
    let before = story.sent.count
    #expect(story.lane.waitsForProbe)
    story.tell(.providerReachable)
    story.pass(.seconds(60))
    #expect(story.calls(from: before) == ["update"])
    #expect(story.sent.last?.facts.state?.homeScore == 90)
    #expect(story.disk.history.filter { $0 == "basket superseded" }.count == 89)
  }

  @Test("B97: who met silence leaves in the turn in which the provider or the link is back", arguments: [true, false])
  func release(byLink: Bool) {
    var story = Story.playing()
    story.answers = [unavailable]
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(300))
    let before = story.sent.count
    #expect(story.lane.waitsForProbe)
    story.tell(byLink ? .linkCameUp : .providerReachable)
    #expect(story.calls(from: before) == ["update"])
    #expect(!story.lane.waitsForProbe)
  }

  @Test("B98: after 429 with Retry-After 7 nothing leaves for seven seconds, whatever else succeeds")
  func retryAfter() {
    var story = Story.playing()
    story.answers = [.refused(refusal(429, code: 42922, action: .retry, retryAfter: .seconds(7)))]
    story.change(.basket, state(home: 2, status: .live))
    let before = story.sent.count
    for _ in 0..<69 {
      story.pass(.milliseconds(100))
      story.tell(.providerReachable)
      story.tell(.linkCameUp)
    }
    #expect(story.sent.count == before)
    #expect(!story.lane.waitsForProbe)
    story.pass(.milliseconds(100))
    #expect(story.sent.count == before + 1)
  }

  @Test("a 5xx that names its time is waited out like a refusal")
  func retryAfter503() {
    var story = Story.playing()
    story.answers = [.ambiguous(.answered(refusal(503, action: .fallback, retryAfter: .seconds(20))))]
    story.change(.basket, state(home: 2, status: .live))
    let before = story.sent.count
    story.tell(.providerReachable)
    story.pass(.milliseconds(19_900))
    #expect(story.sent.count == before)
    story.pass(.milliseconds(200))
    #expect(story.sent.count == before + 1)
  }

  @Test("refusals wait 1, 2, 4 … 30 s, and a success starts over")
  func backoff() {
    var story = Story.playing()
    story.answers = Array(repeating: throttled, count: 7)
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(200))
    let times = story.sent.suffix(8).map(\.at.instant)
    let waits = zip(times, times.dropFirst()).map { ($1 - $0).milliseconds }
    #expect(waits == [1000, 2000, 4000, 8000, 16_000, 30_000, 30_000])
  }

  @Test("B101: what can never succeed is parked with a reason and blocks nothing", arguments: Sink.allCases)
  func parked(_ sink: Sink) {
    var story = Story.playing(sink)
    story.answers = [.refused(refusal(400, code: 40009, message: "too large"))]
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(600))
    #expect(story.disk.history.contains("basket parked"))
    #expect(story.sent.filter { $0.facts.state?.homeScore == 2 }.count == 1, "never the same bytes")
    story.change(.basket, state(home: 3, status: .live))
    #expect(story.sent.last?.facts.state?.homeScore == 3)
    story.pass(.seconds(1))
    #expect(story.disk.history.last == "basket accepted")
  }

  @Test("a refused key is tried once a minute, so that mending it is noticed")
  func locked() {
    var story = Story.playing()
    story.answers = Array(repeating: .refused(refusal(401, code: 40101, action: .stopAll)), count: 3)
    let before = story.sent.count
    story.change(.basket, state(home: 2, status: .live))
    story.pass(.seconds(170))
    #expect(story.sent.count == before + 3)
    #expect(story.lane.report(at: story.now.instant).reason?.contains("40101") == true)
    story.pass(.seconds(20))
    #expect(story.lane.report(at: story.now.instant).counts.accepted > 0)
    #expect(story.lane.report(at: story.now.instant).reason == nil)
  }

  @Test(
    "an Android message without an answer is sent again as the same bytes, but not for long and not past a newer state")
  func sameBytes() {
    var story = Story.playing(.ablyAndroid)
    story.answers = [noAnswer]
    story.change(.basket, state(home: 2, status: .live))
    let first = story.sent.count - 1
    story.pass(.seconds(30))
    story.tell(.providerReachable)
    #expect(story.call(first) == story.call(first + 1))
    story.pass(.seconds(30))
    story.answers = [noAnswer]
    story.change(.basket, state(home: 4, status: .live))
    story.pass(.seconds(111))
    story.tell(.providerReachable)
    #expect(story.facts(first + 2).id != story.facts(first + 3).id)
    #expect(story.facts(first + 3).state?.homeScore == 4)
    story.pass(.seconds(30))
    story.answers = [noAnswer]
    story.change(.basket, state(home: 6, status: .live))
    story.change(.basket, state(home: 8, status: .live))
    story.tell(.providerReachable)
    story.pass(.seconds(2))
    #expect(story.sent.last?.facts.state?.homeScore == 8)
    #expect(Set(story.sent.compactMap(\.facts.id)).count == story.sent.count - 1)
  }

  @Test("on iOS a repeat is the newest state with a new stamp, never old bytes")
  func newStamp() {
    var story = Story.playing()
    story.answers = [noAnswer]
    story.change(.basket, state(home: 2, status: .live))
    let first = story.sent.count - 1
    story.pass(.seconds(30))
    story.tell(.providerReachable)
    #expect(story.facts(first + 1).state?.homeScore == 2)
    #expect((story.facts(first + 1).stamp ?? 0) > (story.facts(first).stamp ?? 0))
  }
}
