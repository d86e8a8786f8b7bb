import GameCore
import LiveContract
import Outbox
import Publishing
import Testing

/// 7 h 30 min after the start, half an hour before the system would end the tile.
@Suite("A tile near its limit") struct TileLimitTests {
  private static let limit: Duration = .seconds(7 * 3600 + 1800)

  private func nearTheLimit(renews: Bool) -> (story: Story, started: Instant) {
    var settings = LaneSettings.standard(.ablyIOS)
    settings.renews = renews
    var story = Story.playing(settings: settings)
    let started = story.at(1).instant
    story.pass(started + Self.limit - .milliseconds(1) - story.now.instant)
    return (story, started)
  }

  @Test("B111: seven and a half hours after the start one last update and the end, though the game is on")
  func planned() {
    var (story, started) = nearTheLimit(renews: false)
    #expect(!story.calls().contains("end"))
    story.pass(.seconds(200))
    let last = story.sent.suffix(2)
    #expect(last.map { story.name($0.call) } == ["update", "end"])
    #expect(last.first?.facts.state?.lastPlay == story.settings.followInApp)
    #expect((last.last?.at.instant ?? started) - started < Self.limit + .seconds(10))
    #expect(last.last?.facts.dismissal.map { $0 - (last.last?.at.wall.seconds ?? 0) } == 1800)
  }

  @Test("B111: a lane that is renewed asks for another one once, goes on until that is there, and then makes room")
  func succeeded() throws {
    var (story, _) = nearTheLimit(renews: true)
    story.pass(.seconds(5))
    #expect(story.notices.filter { $0 == .successorWanted }.count == 1)
    story.change(.basket, state(home: 40, status: .live))
    #expect(story.calls().last == "update")
    story.pass(.seconds(60))
    #expect(!story.calls().contains("end"))
    story.tell(.succeeded)
    story.pass(.seconds(1))
    #expect(story.calls().last == "end")
    let end = try #require(story.sent.last?.facts)
    #expect(end.state?.homeScore == 40)
    #expect(try #require(end.dismissal) < story.now.wall.seconds, "its tile vanishes")
    story.change(.basket, state(home: 42, status: .live))
    story.pass(.seconds(600))
    #expect(story.calls().last == "end")
    #expect(story.notices.filter { $0 == .successorWanted }.count == 1)
  }

  @Test("B111: without a successor within ten minutes it ends as if none had been wanted")
  func alone() {
    var (story, started) = nearTheLimit(renews: true)
    story.pass(.seconds(599))
    #expect(!story.calls().contains("end"))
    story.pass(.seconds(20))
    #expect(story.calls().suffix(2) == ["update", "end"])
    #expect(story.facts(story.sent.count - 2).state?.lastPlay == story.settings.followInApp)
    #expect(story.at(story.sent.count - 1).instant - started < .seconds(8 * 3600))
  }

  @Test("an activity and the one that follows it have records, floors and history of their own")
  func places() {
    let first = LaneRecord.key(game: "g", sink: .ablyIOS)
    let second = LaneRecord.key(game: "g", sink: .ablyIOS, round: 2)
    #expect(first == "lane/g/ably-ios" && second == "lane/g/ably-ios-2")
    var disk = Disk()
    for round in 1...2 {
      var record = LaneRecord(
        game: "g", sink: .ablyIOS, round: round, attributes: GameAttributes(homeTeam: "a", awayTeam: "b"),
        scheduled: WallTime(milliseconds: 5))
      record.state = "none"
      disk.take([
        .mark(key: LaneRecord.key(game: "g", sink: .ablyIOS, round: round), value: record.json()),
        .mark(key: "floor/g/ably-ios\(round == 1 ? "" : "-2")/seq", value: Array("\(64 * round)".utf8)),
      ])
    }
    let moment = Moment(instant: Instant(nanoseconds: 1), wall: WallTime(milliseconds: 1_796_432_400_000))
    let restored = RestoredLanes(disk.contents, at: moment, settings: { LaneSettings.standard($1) }, parse: node)
    #expect(restored.unreadable == [])
    #expect(restored.lanes.map(\.round) == [1, 2])
  }

  @Test(
    "floors without a record, where something was lost: that activity may have a tile, so none is made in its place")
  func lostRecord() {
    var contents = StoreContents()
    contents.marks = ["floor/g/ably-ios/seq": Array("64".utf8), "floor/g/ably-ios/stamp": Array("1796432400".utf8)]
    let moment = Moment(instant: Instant(nanoseconds: 1), wall: WallTime(milliseconds: 1_796_432_400_000))
    func restored() -> RestoredLanes {
      RestoredLanes(contents, at: moment, settings: { LaneSettings.standard($1) }, parse: node)
    }
    // Floors are written first: a cut between the two is no loss.
    #expect(restored().lanes.isEmpty)
    contents.setAside = ["the store's file is gone"]
    let reason = restored().lanes.first?.report(at: moment.instant).reason
    #expect(reason?.hasPrefix(DeadReason.recordUnreadable.rawValue) == true)
    #expect(restored().unreadable == ["lane/g/ably-ios"])
  }
}
