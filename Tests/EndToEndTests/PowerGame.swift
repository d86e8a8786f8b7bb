import Foundation
import GameCore
import StandIn
import Testing

/// Presses, answers, kills and restarts of one rig, and what must not come of them.
struct PowerGame {
  private enum Failure: Error {
    case notOnline
    case noAnswer(String)
    case noScore(Int, wanted: Int)
    case notStarted, notEnded
  }

  /// What was counted and is gone, or is there twice.
  private(set) var faults: [String] = []
  private(set) var cuts = 0
  private let rig: Rig
  private let topics: Subscription
  private var random: SeededGenerator
  private var sent: [String] = []
  /// Of `sent`, those before this one have been asked for again since, and are there.
  private var settled = 0
  private var counted: Set<String> = []
  /// Counted in an earlier life: a second event of that name means that the first was lost.
  private var safe: Set<String> = []
  private var answeredInThisLife: Set<String> = []
  private var home = 0
  private var timesOnline = 0
  private var heard = 0

  init(_ rig: Rig, seed: UInt64) throws {
    self.rig = rig
    random = SeededGenerator(seed: seed)
    try FileManager.default.createDirectory(atPath: PowerLine.shadow(rig.folder), withIntermediateDirectories: true)
    topics = try #require(rig.broker).subscribe(
      "\(Rig.court)/reply", "\(Rig.court)/event", "\(Rig.court)/state", "\(Rig.topics)/availability")
  }

  /// The activity is started, with a cut while its create and start are under way.
  mutating func begin() throws {
    try start()
    try rig.command("activity", #"{"id":"open","action":"start"}"#)
    try cutSomeTime(within: 0.3)
    try rig.command("activity", #"{"id":"open-2","action":"start"}"#)
    let isStarted = rig.standIn.wait(within: .seconds(20)) { requests in
      requests.contains { Rig.isAndroid($0) && $0.processed }
    }
    if isStarted == nil { throw Failure.notStarted }
  }

  mutating func playUntilPowerCut() throws {
    flap()
    for _ in 0...Int(random.next() % 4) { try press() }
    try cutSomeTime(within: 0.06)
    try settle()
  }

  /// The game is ended, with cuts while its ends are under way.
  mutating func finish() throws {
    try press()
    try settle()
    try rig.command("activity", #"{"id":"close","action":"end"}"#)
    for _ in 1...2 {
      try cutSomeTime(within: 1.5)
      try rig.command("activity", #"{"id":"close","action":"end"}"#)
    }
    // A create that two cuts met is not tried a third time; then there is no tile to end.
    let isEnded = rig.standIn.wait(within: .seconds(30)) { requests in
      requests.contains { Rig.isAndroid($0) && $0.processed && $0.fcmData?["event"]?.string == "end" }
        && (requests.contains { $0.call == .end && $0.processed } || !requests.contains { $0.call == .broadcast })
    }
    if isEnded == nil { throw Failure.notEnded }
  }

  // MARK: - Parts

  private mutating func press() throws {
    let id = "press-\(sent.count + 1)"
    sent.append(id)
    try rig.score("home", 1, id: id)
  }

  private mutating func flap() {
    switch random.next() % 6 {
    case 0: rig.standIn.inject(.status(503))
    case 1: rig.standIn.inject(Fault(.stall))
    case 2: rig.standIn.inject(.status(429))
    case 3: rig.standIn.die()
    default: break
    }
  }

  /// Kills at a random moment within so many seconds, one time in eight a second time while it starts.
  private mutating func cutSomeTime(within seconds: Double) throws {
    try cut(after: seconds)
    while random.next() % 8 == 0 {
      try rig.start()
      try cut(after: 0.15)
    }
    rig.standIn.clearFaults()
    rig.standIn.comeBack()
    try start()
  }

  private mutating func cut(after seconds: Double) throws {
    Thread.sleep(forTimeInterval: seconds * Double(random.next() % 1_000_000) / 1_000_000)
    try rig.kill()
    cuts += 1
    listen()
    safe.formUnion(counted)
    answeredInThisLife = []
    try PowerLine.cut(rig)
  }

  private mutating func start() throws {
    let before = timesOnline
    try rig.start()
    try wait(orThrow: .notOnline) { $0.timesOnline > before }
  }

  /// Everything of the last life is asked for again under its id; then each is there, once.
  private mutating func settle() throws {
    for id in sent[settled...] {
      try rig.score("home", 1, id: id)
      try wait(orThrow: .noAnswer(id)) { $0.answeredInThisLife.contains(id) }
    }
    settled = sent.count
    try wait(orThrow: .noScore(home, wanted: sent.count)) { $0.home == $0.sent.count }
  }

  private mutating func wait(orThrow failure: Failure, until isDone: (PowerGame) -> Bool) throws {
    for _ in 1...400 {
      listen()
      if isDone(self) || !faults.isEmpty { return }
      Thread.sleep(forTimeInterval: 0.02)
    }
    faults.append("\(failure)")
    throw failure
  }

  /// Takes in what the daemon has told since the last time.
  private mutating func listen() {
    for message in topics.messages(from: &heard) {
      guard let json = message.json else {
        if message.payload == "online" { timesOnline += 1 }
        continue
      }
      switch message.topic {
      case "\(Rig.court)/reply":
        guard let id = json["id"]?.string, json["result"]?.string == "done" else { continue }
        counted.insert(id)
        answeredInThisLife.insert(id)
      case "\(Rig.court)/event":
        guard let id = json["id"]?.string, id.hasPrefix("mqtt-") else { continue }
        if safe.contains(String(id.dropFirst(5))) { faults.append("\(id) was counted, and is gone") }
      case "\(Rig.court)/state": home = json["home"]?["score"]?.integer.map(Int.init) ?? home
      default: break
      }
    }
  }
}
