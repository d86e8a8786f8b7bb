import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("Stamps, numbers and what the clock is worth")
struct StampTests {
  private func second(_ value: Int64) -> WallTime { WallTime(milliseconds: value * 1000) }

  private func covered(_ unit: StampFloor.Unit = .seconds) -> StampFloor {
    var stamps = StampFloor(unit: unit)
    stamps.persisted(.max)
    return stamps
  }

  @Test("trap 16: a stamp is the time, or one more than the last; running ahead waits, a step back does not")
  func rules() {
    var stamps = covered()
    #expect(stamps.next(at: second(100), trust: .trusted) == .take(100))
    #expect(stamps.next(at: second(100), trust: .trusted) == .take(101))
    #expect(stamps.next(at: second(100), trust: .trusted) == .take(102))
    #expect(stamps.next(at: second(100), trust: .trusted) == .wait(.seconds(1)))
    #expect(stamps.next(at: second(101), trust: .trusted) == .take(103))
    #expect(stamps.next(at: second(50), trust: .trusted) == .take(104))
    #expect(stamps.next(at: second(50), trust: .trusted) == .take(105))
    #expect(stamps.next(at: second(200), trust: .trusted) == .take(200))
  }

  @Test("no stamp is given above the floor on the disk")
  func floor() {
    var stamps = StampFloor(unit: .seconds)
    let moment = Moment(instant: Instant(nanoseconds: 0), wall: second(100))
    #expect(stamps.next(at: second(100), trust: .trusted) == .uncovered)
    let floor = stamps.renew(at: moment, trust: .trusted)
    #expect(floor == 110)
    #expect(stamps.next(at: second(100), trust: .trusted) == .uncovered, "asked is not written")
    stamps.persisted(floor)
    #expect(stamps.next(at: second(100), trust: .trusted) == .take(100))
    #expect(stamps.next(at: second(111), trust: .trusted) == .uncovered)
    #expect(stamps.next(at: second(111), trust: .trusted, mayExceedFloor: true) == .take(111))
    #expect(stamps.renewal(at: moment.instant) == moment.instant + .seconds(5))
  }

  @Test("trap 38: a clock that nobody vouches for and that jumped to 2057 does not take the stamps along")
  func jumpAhead() {
    var stamps = covered()
    #expect(stamps.next(at: second(1_796_432_400), trust: .trusted) == .take(1_796_432_400))
    #expect(stamps.next(at: second(2_774_739_600), trust: .untrusted) == .take(1_796_432_401))
    #expect(stamps.next(at: second(1_796_432_402), trust: .trusted) == .take(1_796_432_402))
  }

  @Test("numbers come in blocks of 64, renewed at half; after a power cut they go on past the block")
  func numbers() {
    var numbers = SequenceFloor()
    #expect(numbers.next() == nil)
    #expect(numbers.renew() == 64)
    #expect(numbers.renew() == nil)
    numbers.persisted(64)
    for expected in 1...31 { #expect(numbers.next() == Int64(expected)) }
    #expect(numbers.renew() == nil)
    #expect(numbers.next() == 32)
    #expect(numbers.renew() == 96)
    var after = SequenceFloor(floor: 96)
    #expect(after.renew() == 160)
    after.persisted(160)
    #expect(after.next() == 97)
  }

  @Test("B32: an update, the clock an hour back, a score: the stamp is larger than the last", arguments: Sink.allCases)
  func stepBack(_ sink: Sink) throws {
    var story = Story.playing(sink)
    story.change(.basket, state(home: 2, status: .live))
    let first = try #require(story.sent.last?.facts.stamp)
    story.pass(.seconds(10))
    story.stepWall(.seconds(-3600))
    story.change(.basket, state(home: 4, status: .live))
    let second = try #require(story.sent.last?.facts.stamp)
    #expect(story.sent.last?.facts.state?.homeScore == 4)
    #expect(second > first)
    #expect(story.notices.contains { if case .clockBehindStamps = $0 { true } else { false } })
  }

  @Test("B81: a boot in 1970 goes on above the last stamp, counts presses, and says clock untrusted")
  func bootIn1970() throws {
    var story = Story.playing()
    story.change(.basket, state(home: 2, status: .live))
    let last = try #require(story.sent.last?.facts.stamp)
    story.powerCut(trust: .untrusted)
    story.stepWall(.milliseconds(-story.now.wall.milliseconds))
    story.change(.basket, state(home: 4, status: .live))
    let stamp = try #require(story.sent.last?.facts.stamp)
    #expect(stamp >= last + 1)
    #expect(try #require(story.sent.last?.facts.staleAt) >= stamp + 60)
    #expect(story.lane.report(at: story.now.instant).reason == "clock untrusted")
    #expect(!story.notices.contains { if case .stampsOutOfReach = $0 { true } else { false } }, "not judged")
  }

  @Test("untrusted time starts no tile; when time is known the window counts from the opening")
  func untrustedStart() {
    var story = Story(trust: .untrusted, at: 0)
    story.open()
    story.pass(.seconds(60))
    #expect(story.calls() == ["create"])
    story.stepWall(.seconds(1_796_432_400))
    story.tell(.trustChanged(.trusted))
    #expect(story.calls() == ["create", "start"])
    #expect((story.facts(1).stamp ?? 0) > 1_796_432_400)
  }

  @Test("trap 17: stamps more than seven hours ahead of trusted time end the activity, and nothing new is started")
  func outOfReach() {
    var story = Story.playing()
    let before = story.sent.count
    story.stepWall(.seconds(-8 * 3600))
    story.pass(.seconds(600))
    story.change(.basket, state(home: 9, status: .live))
    story.pass(.seconds(600))
    #expect(story.calls(from: before) == ["end"])
    #expect(story.notices.contains { if case .stampsOutOfReach = $0 { true } else { false } })
  }

  @Test("B85: seconds have ten digits, milliseconds thirteen")
  func units() throws {
    let ios = Story.playing(.ablyIOS)
    let android = Story.playing(.ablyAndroid)
    for sent in ios.sent {
      if let stamp = sent.facts.stamp { #expect(String(stamp).count == 10) }
      if let stale = sent.facts.staleAt { #expect(String(stale).count == 10) }
    }
    for sent in android.sent {
      #expect(String(try #require(sent.facts.stamp)).count == 13)
      #expect(String(try #require(sent.facts.staleAt)).count == 13)
    }
  }

  @Test("B86: across the hour that daylight saving repeats, UTC goes on: rising stamps and numbers, no key twice")
  func daylightSaving() {
    // 2026-10-25, Berlin: 03:00 summer time becomes 02:00; UTC passes 00:30 to 01:30.
    var story = Story(.ablyAndroid, at: 1_792_888_200_000)
    story.open()
    for minute in 1...60 {
      story.pass(.seconds(60))
      story.change(.basket, state(home: minute, status: .live))
    }
    let facts = story.sent.map(\.facts)
    #expect(facts.count >= 61)
    for (earlier, later) in zip(facts, facts.dropFirst()) {
      #expect((earlier.stamp ?? 0) < (later.stamp ?? 0))
      #expect((earlier.state?.seq ?? 0) + 1 == later.state?.seq)
    }
    #expect(Set(facts.map(\.id)).count == facts.count)
  }

  @Test("two Android games share one counter: a stamp of one is above every earlier stamp of the other")
  func sharedCounter() {
    var first = Story.playing(.ablyAndroid, game: "a")
    var second = Story(.ablyAndroid, game: "b")
    second.now = first.now
    second.androidStamps = first.androidStamps
    second.open()
    first.androidStamps = second.androidStamps
    first.change(.basket, state(home: 2, status: .live))
    second.androidStamps = first.androidStamps
    second.change(.basket, state(home: 1, status: .live))
    second.pass(.seconds(1))
    let stamps = [second.sent.first, first.sent.last, second.sent.last].compactMap { $0 }.compactMap(
      \.facts.stamp)
    #expect(stamps.count == 3)
    #expect(stamps == stamps.sorted() && Set(stamps).count == 3)
  }

  @Test("a press after a quiet hour waits for no disk", arguments: Sink.allCases)
  func quietHour(_ sink: Sink) {
    var story = Story.playing(sink)
    story.pass(.seconds(3600))
    story.diskAnswers = false
    let before = story.sent.count
    story.change(.basket, state(home: 2, status: .live))
    #expect(story.calls(from: before) == ["update"])
  }

  @Test("a stop on purpose gives the unused block back; a power cut does not")
  func cleanStop() throws {
    var clean = Story.playing(.ablyAndroid)
    let last = try #require(clean.sent.last?.facts.state?.seq)
    let cut = clean
    clean.tell(.stopping)
    #expect(clean.lane.nextDeadline == nil)
    for (expected, isClean) in [(last + 1, true), (65, false)] {
      var story = isClean ? clean : cut
      story.powerCut()
      story.change(.basket, state(home: 2, status: .live))
      #expect(story.sent.last?.facts.state?.seq == expected)
    }
  }
}
