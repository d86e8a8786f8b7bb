import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

@Suite("A lane and its store")
struct LaneStoreTests {
  @Test("a store that takes nothing holds back create, start and end, but no update; and it heals alone")
  func diskFull() {
    var story = Story.playing()
    story.diskFails = true
    let before = story.sent.count
    for score in 1...20 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.seconds(30))
    }
    #expect(story.calls(from: before).count == 20)
    #expect(story.notices.filter { $0 == .storeFailing }.count == 1)
    story.tell(.gameEnded)
    story.pass(.seconds(60))
    #expect(!story.calls().contains("end"))
    story.diskFails = false
    story.pass(.seconds(10))
    #expect(story.calls().last == "end")
    #expect(story.notices.contains(.storeRecovered))
  }

  @Test("a failing disk at the beginning: no create until it is well, and no rush meanwhile")
  func diskFullFirst() {
    var story = Story()
    story.diskFails = true
    story.open()
    story.pass(.seconds(60))
    #expect(story.calls().isEmpty)
    story.diskFails = false
    story.pass(.seconds(5))
    #expect(story.calls() == ["create", "start"])
  }

  @Test(
    "after a power cut the newest state is told once, without alert, when the game is known again",
    arguments: Sink.allCases)
  func afterPowerCut(_ sink: Sink) {
    var story = Story.playing(sink)
    story.change(.basket, state(home: 2, status: .live))
    let before = story.sent.count
    story.powerCut()
    story.pass(.seconds(300))
    #expect(story.sent.count == before, "no zeros from an empty memory")
    story.change(.detail, state(home: 4, status: .live))
    story.pass(.seconds(60))
    #expect(story.calls(from: before) == ["update"])
    #expect(story.sent.last?.facts.state?.homeScore == 4)
    #expect(story.sent.last?.facts.alert == nil)
  }

  @Test("a power cut while settling ends by itself, with a state that was told before")
  func powerCutWhileSettling() {
    var story = Story.playing()
    story.change(.final, state(home: 7, status: .finished))
    story.pass(.seconds(60))
    let before = story.sent.count
    story.powerCut()
    story.pass(.seconds(200))
    #expect(story.calls(from: before) == ["update", "end"])
    #expect(story.sent.last?.facts.state?.homeScore == 7)
    #expect(story.sent.last?.facts.state == story.facts(before).state)
  }

  @Test("the history is pruned: a long game keeps a bounded number of entries")
  func pruning() {
    var story = Story.playing(.ablyAndroid, settings: LaneSettings(spacing: .zero))
    for score in 1...1500 {
      story.change(.basket, state(home: score, status: .live))
      story.pass(.milliseconds(10))
    }
    #expect(story.disk.contents.entries.count <= 512 + 64)
  }

  @Test("games are forgotten by age and by number, and never the newest")
  func forgetting() {
    let now = WallTime(milliseconds: 1_796_432_400_000)
    let games = (0..<60).map {
      HistoryRule.PastGame(game: "g\($0)", endedAt: now + .seconds(-Int64($0) * 86_400))
    }
    let forgotten = HistoryRule.forgets(games, at: now).map(\.game)
    #expect(forgotten == (31..<60).map { "g\($0)" })
  }
}
