import Foundation
import StandIn
import Testing

/// One thread through the whole product: three kinds of input, one push per lane for each, an outage, a power cut.
@Suite("The built daemon, from a press to a push", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct HouseTests {
  /// Longer than both lanes' spacing, so that each input has its own push.
  static let apart: TimeInterval = 1.6

  @Test("each input is one push per lane; an outage ends with the newest state; a kill loses and doubles nothing")
  func house() throws {
    try withRig { rig throws in
      try rig.start()
      let broker = try #require(rig.broker)
      let topics = try broker.subscribe("\(Rig.topics)/#")
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
      try begin(rig)

      // A line, a command, a key: each on its own.
      try expectOnePush(rig, [2, 0]) { rig.line(home: 2, away: 0) }
      try expectOnePush(rig, [2, 3]) { try rig.score("away", 3, id: "first") }
      try expectOnePush(rig, [3, 3]) { rig.press("h") }
      // The same command once more is not another basket.
      try rig.score("away", 3, id: "first")

      // The service dies, three more presses, it returns: the newest state once, and nothing in between.
      rig.standIn.die()
      let before = rig.standIn.requests.count
      for press in 1...3 {
        rig.press("h")
        try #require(state(topics, home: 3 + press, away: 3))
        Thread.sleep(forTimeInterval: HouseTests.apart)
      }
      rig.standIn.comeBack()
      try #require(pushes(rig, from: before, showing: [6, 3]))
      Thread.sleep(forTimeInterval: HouseTests.apart)
      let returned = rig.lanes(from: before)
      #expect(returned.ios.map(\.score) == [[6, 3]])
      #expect(returned.android.map(\.score) == [[6, 3]])

      // SIGKILL and restart: state, undo and stamps continue.
      let last = rig.lanes()
      try rig.kill()
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "lost" } != nil)
      let killed = rig.standIn.requests.count
      try rig.start()
      Thread.sleep(forTimeInterval: HouseTests.apart)
      try expectOnePush(rig, [5, 3]) { rig.press("u") }
      let after = rig.lanes(from: killed)
      #expect(try #require(after.ios.first?.stamp) > #require(last.ios.last?.stamp))
      #expect(try #require(after.android.first?.stamp) > #require(last.android.last?.stamp))
      #expect(try #require(after.android.first?.sequence) > #require(last.android.last?.sequence))

      expectSoundness(rig)
      let ending = rig.standIn.requests.count
      #expect(rig.daemon?.terminate() == 0)
      let farewell = rig.lanes(from: ending)
      #expect(farewell.ios.map { $0.aps?["content-state"]?["lastPlay"]?.string } == ["Scoreboard signal lost"])
      #expect(farewell.android.map { $0.fcmData?["lastPlay"]?.string } == ["Scoreboard signal lost"])
      #expect(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "offline" } != nil)
    }
  }

  @Test("ends within five seconds of SIGTERM while the service hangs")
  func hangingService() throws {
    try withRig { rig throws in
      try rig.start()
      try begin(rig)
      rig.standIn.inject(Fault(.stall))
      rig.press("h")
      _ = try #require(rig.standIn.wait(within: .seconds(5)) { $0.last?.answer == nil })
      rig.daemon?.signal(SIGTERM)
      #expect(rig.daemon?.exitCode(within: .seconds(5)) == 0)
    }
  }

  /// Waits until the game is on both phones: created, started, and quiet.
  private func begin(_ rig: Rig) throws {
    try rig.openGame()
    // The first update keeps two seconds away from the start.
    Thread.sleep(forTimeInterval: 2.5)
  }

  /// After the input both lanes push exactly once, with this score, and then keep still.
  private func expectOnePush(_ rig: Rig, _ score: [Int], after input: () throws -> Void) throws {
    let before = rig.standIn.requests.count
    try input()
    try #require(pushes(rig, from: before, showing: score), "no push with \(score)")
    Thread.sleep(forTimeInterval: HouseTests.apart)
    let lanes = rig.lanes(from: before)
    #expect(lanes.ios.map(\.score) == [score])
    #expect(lanes.android.map(\.score) == [score])
  }

  /// Waits until both lanes have told this score.
  private func pushes(_ rig: Rig, from number: Int, showing score: [Int]) -> Bool {
    rig.standIn.wait(within: .seconds(15)) { requests in
      let new = requests.filter { $0.number >= number && $0.score == score && $0.answer?.status ?? 0 < 300 }
      return new.contains { $0.call == .broadcast } && new.contains(where: Rig.isAndroid)
    } != nil
  }

  private func state(_ topics: Subscription, home: Int, away: Int) -> Bool {
    topics.message(on: "\(Rig.court)/state") {
      $0.payload.contains("\(home)") && $0.payload.contains("\(away)") && !$0.retained
    } != nil
  }

  /// What must hold whatever happened.
  private func expectSoundness(_ rig: Rig) {
    let requests = rig.standIn.requests
    #expect(requests.count { $0.call == .create } == 1)
    #expect(requests.count { $0.call == .start } == 1)
    #expect(rig.standIn.refusals.map { "\($0.target) \($0.ownAnswer?.body ?? "")" } == [])
    let lanes = rig.lanes()
    for stamps in [lanes.ios.compactMap(\.stamp), lanes.android.compactMap(\.stamp)] {
      #expect(zip(stamps, stamps.dropFirst()).allSatisfy { $0 < $1 }, "stamps must rise: \(stamps)")
    }
    rig.standIn.phones { phones in
      #expect(phones[iPhone: "iphone"]?.tiles.count == 1)
      #expect(phones[iPhone: "iphone"]?.tiles.first?.state.homeScore == 5)
      #expect(phones[iPhone: "iphone"]?.drops == [])
      #expect(phones[android: "android"]?.card?.homeScore == 5)
      #expect(phones[android: "android"]?.drops == [])
    }
    let key = rig.options.ablyKey ?? ""
    #expect(!rig.log.contains(key) && !rig.log.contains(key.split(separator: ":").last.map(String.init) ?? key))
  }
}
