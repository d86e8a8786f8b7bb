package import Bridge
internal import GameCore
internal import Input
internal import Outbox
internal import Publishing

/// The engine's whole outside from one seed: people who press, a push service with phones behind it, a disk, a broker, a
/// power line and a clock, each of which may fail. The engine is the real one; what must always hold is looked at after
/// every step.
package struct World {
  let court: SimulatedCourt
  let ports: EnginePorts
  let faults: FaultPlan
  let script: GameScript
  package let seed: UInt64
  package internal(set) var clock = VirtualClock()
  package internal(set) var disk = FakeDisk()
  package internal(set) var ably: FakeAbly
  /// Nil while the power is off.
  package internal(set) var engine: Engine?
  package internal(set) var tally = Tally()
  var random: SeededGenerator
  var weather = Weather()
  var transfers: [Transfer] = []
  var people = People()
  var isCalm: Bool
  var powerOnAt: Duration?
  var syncAt: Duration?
  var breakAt: Duration?
  var checkAt: Duration = .seconds(60)
  var peaceAt: Duration?
  /// Stamps may stand ahead of the true time since then.
  var clockWasWrong = false
  /// The power went while numbers were out of which the disk knew nothing; the clock of the next life decides how bad
  /// that is.
  var owesNumbers = false
  /// The disk has taken nothing yet in the life that began so: a clock that is set now moves stamps below those.
  var lifeOwesNumbers = false
  /// How many broadcasts there were when all was over; the daemon is started once more then.
  var channelsAtTheEnd: Int?
  /// The daemon was told to end, and is about to.
  var isAskedToEnd = false
  /// When the daemon that runs was started.
  var lifeBegan: Duration = .zero
  var broken: [String] = []
  var receipts: Set<String> = []
  var alertsSent: [String: Int] = [:]
  /// Counts moments at which nothing moves on.
  var idleTurns = 0

  /// What happened, in numbers.
  package struct Tally: Hashable, Sendable {
    package var steps = 0
    package var presses = 0
    package var counted = 0
    package var requests = 0
    package var powerCuts = 0
    package var restarts = 0
    package var troubles = 0
    package var diskFailures = 0
    /// Of everything that left the board and was shown, in order.
    package var digest: UInt64 = 0xcbf2_9ce4_8422_2325
  }

  /// A request on its way.
  struct Transfer {
    var call: UInt64
    var push: SeenPush
    var arrivesAt: Duration?
    /// Nil once the board that waited is gone.
    var answersAt: Duration?
    /// What the sender hears, unless it is what the service says.
    var result: TransportResult?
    var response: HTTPResponse?
  }

  /// Those who press: which step is next, and what became of the ones before.
  struct People {
    var next = 0
    var due: Duration = .seconds(2)
    /// The event's id of each step so far; nil where the game took none.
    var ids: [String?] = []
    var endingAt: Duration?
  }

  package init(court: SimulatedCourt, seed: UInt64, faults: FaultPlan, ports: EnginePorts, haste: Int = 1) {
    self.court = court
    self.ports = ports
    self.faults = faults
    self.seed = seed
    script = GameScript(rules: court.rules, seed: seed, haste: haste)
    ably = FakeAbly(json: ports.json)
    random = SeededGenerator(seed: seed ^ 0x5eed)
    isCalm = faults == .none
    breakAt = faults.breakEvery
  }

  /// Plays to the end of the game and of its activities. `watch` hears of every request that arrives.
  package mutating func play(watch: (SeenPush, Duration) -> Void = { _, _ in }) -> [String] {
    boot()
    while tally.steps < Self.mostSteps, broken.isEmpty, ably.broken.isEmpty {
      guard let next = nextTime else { break }
      idleTurns = next > clock.elapsed ? 0 : idleTurns + 1
      if idleTurns > 1_000 {
        broken.append("nothing moves on at \(clock.elapsed); \(whatIsDue)")
        break
      }
      clock.pass(to: next)
      tally.steps += 1
      happen(watch)
      check()
      guard isOver else { continue }
      if channelsAtTheEnd != nil { break }
      restartAfterTheEnd()
    }
    if broken.isEmpty, ably.broken.isEmpty { checkEnd() }
    return broken + ably.broken
  }

  private static let mostSteps = 400_000

  // MARK: - Time

  private var nextTime: Duration? {
    var times = [breakAt, weather.nextEnd, syncAt, transfers.compactMap(\.arrivesAt).min()]
    if engine != nil {
      times.append(engine!.nextDeadline.map { clock.time(of: $0) })
      times += [disk.nextAnswer, transfers.compactMap(\.answersAt).min(), checkAt, people.endingAt, peaceAt]
      if people.next < script.steps.count { times.append(people.due) }
    } else {
      times.append(powerOnAt)
    }
    return times.compactMap { $0 }.min()
  }

  /// For whoever has to find out why nothing moves on.
  private var whatIsDue: String {
    let now = clock.moment.instant
    let lanes = engine?.laneViews(at: now).map { "\($0.sink.rawValue) \($0.report.state)" } ?? []
    let game = engine?.game(onCourt: 0)
    return
      "the daemon: \(engine?.nextDeadline.map { $0 - now }.map(String.init(describing:)) ?? "nothing"), the game: "
      + "\(game?.nextDeadline.map { $0 - now }.map(String.init(describing:)) ?? "nothing") in "
      + "\(game.map { "\($0.state.phase)" } ?? ""), lanes \(lanes), disk \(disk.nextAnswer.map { "\($0)" } ?? "idle")"
  }

  private mutating func happen(_ watch: (SeenPush, Duration) -> Void) {
    let now = clock.elapsed
    arrive(by: now, watch)
    if let breakAt, breakAt <= now { breakSomething() }
    for trouble in weather.ended(by: now) { recovered(from: trouble) }
    if let syncAt, syncAt <= now { synchronise() }
    if engine == nil {
      if let powerOnAt, powerOnAt <= now { boot() }
      return
    }
    if let outcome = disk.answer(by: now) {
      if case .failed = outcome { tally.diskFailures += 1 } else { lifeOwesNumbers = false }
      take(.stored(outcome))
    }
    answer(by: now)
    if people.next < script.steps.count {
      if people.due <= now { press() }
    } else if let endingAt = people.endingAt {
      if endingAt <= now { pressTowardsTheEnd() }
    } else {
      calmDown()
    }
    if checkAt <= now {
      checkAt = now + .seconds(60)
      take(.clockChecked(isSynchronised: syncAt == nil))
    }
    if let deadline = engine?.nextDeadline, clock.time(of: deadline) <= now { take(.deadline) }
  }

  // MARK: - The engine

  mutating func take(_ stimulus: Stimulus) {
    guard engine != nil else { return }
    perform(engine!.handle(stimulus, at: clock.moment))
    endTurn()
  }

  /// The power may have gone meanwhile.
  mutating func endTurn() {
    guard engine != nil else { return }
    perform(engine!.endTurn(at: clock.moment))
  }

  /// Does what the engine wants, unless the power goes in between.
  mutating func perform(_ actions: [Action]) {
    for action in actions {
      if !isCalm, faults.actionsPerPowerCut > 0, random.below(faults.actionsPerPowerCut) == 0 { return cutPower() }
      switch action {
      case .send(let attempt): send(attempt)
      case .persist(let batch):
        let slow: Duration = weather.has(.diskSlow) ? random.milliseconds(200...4_000) : random.milliseconds(1...8)
        disk.write(batch, doneAt: clock.elapsed + slow, fails: weather.has(.diskFull))
      case .publish(let publication):
        if weather.has(.brokerGone) { broken.append("told a broker that is gone: \(publication.topic)") }
        tally.note(Array(publication.topic.utf8))
        tally.note(publication.payload)
      case .log(let line): note(line)
      case .show(let line): tally.note(Array(line.text.utf8))
      // The simulated rig has a console, keys and commands, and no lines of its own.
      case .readLine, .light: break
      case .stop:
        if !isAskedToEnd { broken.append("the daemon ended by itself") }
        return ended()
      }
    }
  }

  private mutating func note(_ line: LogLine) {
    let fields = Dictionary(line.fields.map { ($0.key, $0.value) }, uniquingKeysWith: { $1 })
    switch line.event {
    case "counted":
      tally.counted += 1
      if let id = fields["id"] { receipts.insert(id) }
    case "alert sent":
      let key = "\(fields["sink"] ?? "") \(fields["event"] ?? "")"
      alertsSent[key, default: 0] += 1
      if alertsSent[key] == 2 { broken.append("alert \(key) was sent twice") }
    default: break
    }
  }

}

extension World.Tally {
  /// Eight bytes at a time.
  mutating func note(_ bytes: [UInt8]) {
    bytes.withUnsafeBytes { bytes in
      var place = 0
      while place + 8 <= bytes.count {
        digest =
          (digest ^ UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt64.self)))
          &* 0x100_0000_01b3
        place += 8
      }
      for byte in bytes[place...] { digest = (digest ^ UInt64(byte)) &* 0x100_0000_01b3 }
    }
  }
}
