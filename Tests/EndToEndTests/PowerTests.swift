import Foundation
import GameCore
import StandIn
import Testing

/// Power, not only process: what the disk had not synced is gone. *Counted* is an answer `done` that the harness saw.
@Suite(
  "The built daemon and the power line", .enabled(if: Needs.daemon), .enabled(if: Needs.broker),
  .enabled(if: PowerLine.isBuildable), .serialized)
struct PowerTests {
  @Test("killed at random moments without its unsynced writes: nothing counted is gone, nothing is there twice")
  func cuts() throws {
    let environment = ProcessInfo.processInfo.environment
    let kills = environment["SCOREBOARD_POWER_KILLS"].flatMap { Int($0) } ?? 50
    try withRig(PowerLine.options(isOff: false)) { rig throws in
      var game = try PowerGame(rig, seed: environment["SCOREBOARD_POWER_SEED"].flatMap { UInt64($0) } ?? 1)
      for kill in 1...kills {
        try game.playUntilPowerCut()
        try #require(game.missing == [], "after cut \(kill)")
      }
      try game.finish()
      #expect(game.home == game.sent.count)
      expectSoundness(rig)
    }
  }

  @Test("the same with a disk that is never waited for: this test can see what is lost")
  func off() throws {
    try withRig(PowerLine.options(isOff: true)) { rig throws in
      var game = try PowerGame(rig, seed: 1)
      var isLost = false
      for _ in 1...5 where !isLost {
        try game.playUntilPowerCut()
        isLost = game.missing != []
      }
      #expect(isLost)
    }
  }

  private func expectSoundness(_ rig: Rig) {
    let requests = rig.standIn.requests
    #expect(requests.count { $0.call == .start } <= 1)
    #expect(rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.count ?? 0 } <= 1)
    var bodies: [String: [UInt8]] = [:]
    for message in requests.filter(Rig.isAndroid) {
      let id = message.message?["id"]?.string ?? ""
      #expect(bodies[id] == nil || bodies[id] == message.body, "\(id) carries two states")
      bodies[id] = message.body
    }
    let lanes = rig.lanes()
    for pushes in [lanes.ios, lanes.android] {
      // The same bytes again, after silence, are the same push.
      var last: Seen?
      for push in pushes where push.stamp != nil {
        if let last, last.body != push.body, push.fcmData?["event"]?.string != "end" {
          #expect(push.stamp! > last.stamp!, "stamp \(push.stamp!) after \(last.stamp!)")
        }
        last = push
      }
    }
    let android = requests.filter { Rig.isAndroid($0) && $0.processed }
    let starts = Set(
      android.filter { $0.fcmData?["event"]?.string == "start" }.compactMap { $0.message?["id"]?.string })
    let ends = Set(android.filter { $0.fcmData?["event"]?.string == "end" }.compactMap { $0.message?["id"]?.string })
    #expect(starts.count <= 1)
    #expect(ends.count == 1)
  }
}

/// Presses, answers, kills and restarts of one rig.
private struct PowerGame {
  let rig: Rig
  let topics: Subscription
  private(set) var sent: [String] = []
  private(set) var counted: Set<String> = []
  /// The home score that the daemon told last.
  private(set) var home = 0
  private var random: SplitMix

  init(_ rig: Rig, seed: UInt64) throws {
    self.rig = rig
    random = SplitMix(seed: seed)
    try FileManager.default.createDirectory(
      atPath: PowerLine.shadow(rig.folder), withIntermediateDirectories: true)
    topics = try #require(rig.broker).subscribe(
      "\(Rig.court)/reply", "\(Rig.court)/state", "\(Rig.topics)/availability")
    try start()
    try rig.command("activity", #"{"id":"open","action":"start"}"#)
    _ = try #require(rig.standIn.wait(1, .start, within: .seconds(10)), "no activity was started")
  }

  /// What was counted and is not there; the score may hold more, as an answer may be lost on its way.
  var missing: [String] {
    home < counted.count
      ? ["\(counted.count) were counted, the score is \(home)"]
      : home > sent.count ? ["\(sent.count) were sent, the score is \(home)"] : []
  }

  private func start() throws {
    let before = topics.messages.count
    try rig.start()
    for _ in 1...200 {
      if topics.messages.dropFirst(before).contains(where: { $0.payload == "online" }) { return }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw PowerFault.notOnline
  }

  private enum PowerFault: Error { case notOnline, noState, noAnswer }

  mutating func playUntilPowerCut() throws {
    flap()
    let presses = 1 + Int(random.next() % 4)
    for _ in 0..<presses {
      let id = "press-\(sent.count + 1)"
      sent.append(id)
      try rig.score("home", 1, id: id)
    }
    Thread.sleep(forTimeInterval: Double(random.next() % 60_000) / 1_000_000)
    try rig.kill()
    noteAnswers()
    try PowerLine.cut(rig)
    rig.standIn.clearFaults()
    try start()
    try readScore()
  }

  private mutating func flap() {
    switch random.next() % 5 {
    case 0: rig.standIn.inject(.status(503))
    case 1: rig.standIn.inject(Fault(.stall))
    case 2: rig.standIn.inject(.status(429))
    default: break
    }
  }

  private mutating func noteAnswers() {
    for message in topics.messages where message.topic.hasSuffix("/reply") && message.payload.contains(#""done""#) {
      for id in sent where message.payload.contains("\"\(id)\"") { counted.insert(id) }
    }
  }

  /// The score after one more press that was counted: states come before answers.
  private mutating func readScore() throws {
    let id = "press-\(sent.count + 1)"
    sent.append(id)
    try rig.score("home", 1, id: id)
    try waitFor(id)
    let states = topics.messages.filter { $0.topic.hasSuffix("/state") }
    guard let payload = states.last?.payload, let score = Self.homeScore(payload) else { throw PowerFault.noState }
    home = score
  }

  private mutating func waitFor(_ id: String) throws {
    for turn in 1...200 {
      noteAnswers()
      if counted.contains(id) { return }
      // A broker may hand a command out before we listen; a repeat counts once.
      if turn % 40 == 0 { try rig.score("home", 1, id: id) }
      Thread.sleep(forTimeInterval: 0.05)
    }
    throw PowerFault.noAnswer
  }

  private static func homeScore(_ payload: String) -> Int? {
    let object = try? JSONSerialization.jsonObject(with: Data(payload.utf8)) as? [String: Any]
    return (object?["home"] as? [String: Any])?["score"] as? Int
  }

  /// Everything without an answer is sent again under its id, and the game is ended.
  mutating func finish() throws {
    for id in sent where !counted.contains(id) {
      try rig.score("home", 1, id: id)
      try waitFor(id)
    }
    try readScore()
    try rig.command("activity", #"{"id":"close","action":"end"}"#)
    let ended = rig.standIn.wait(within: .seconds(20)) { requests in
      requests.contains { Rig.isAndroid($0) && $0.fcmData?["event"]?.string == "end" }
    }
    #expect(ended != nil, "no end was sent")
  }
}

/// Whole numbers from a seed.
private struct SplitMix {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }
}
