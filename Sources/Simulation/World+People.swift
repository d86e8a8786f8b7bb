internal import Bridge
internal import GameCore
internal import Input

// The table and the caretaker: who presses, who cuts the power, and what they do when the board is back.
extension World {
  mutating func press() {
    // Nobody presses on a board that says goodbye.
    guard !isAskedToEnd else {
      people.due = clock.elapsed + .seconds(1)
      return
    }
    let step = script.steps[people.next]
    people.next += 1
    people.due += people.next < script.steps.count ? script.steps[people.next].delay : .zero
    people.ids.append(give(step.kind, from: step.source))
  }

  /// The id under which the game took it; nil when it did not.
  @discardableResult
  private mutating func give(_ kind: GameEvent.Kind, from source: Source) -> String? {
    guard engine != nil else { return nil }
    tally.presses += 1
    let before = engine!.game(onCourt: 0).log.events.count
    let actions = engine!.handle(.input(kind, word: "press", from: source, court: 0), at: clock.moment)
    let taken = engine!.game(onCourt: 0).log.events.dropFirst(before)
    let id = taken.last { $0.source == source && $0.moment == clock.moment }?.id
    perform(actions)
    endTurn()
    return id
  }

  /// Everything works again, and stays so; what is not final yet is brought to its end.
  mutating func calmDown() {
    let now = clock.elapsed
    if !isCalm {
      isCalm = true
      for trouble in weather.clear() { recovered(from: trouble) }
      breakAt = nil
      if syncAt != nil { synchronise() }
    }
    peaceAt = now + Self.peace
    people.endingAt = now + Self.peace + script.settles
  }

  mutating func pressTowardsTheEnd() {
    people.endingAt = clock.elapsed + .seconds(10)
    guard let engine else { return }
    let source = Source(.button, "ending")
    switch engine.game(onCourt: 0).state.life {
    case .announced, .open: give(.calledOff(.cancelled, armed: true), from: source)
    case .playing: give(.finalDeclared(armed: true), from: source)
    case .settling: people.endingAt = clock.elapsed + .seconds(60)
    case .ended: people.endingAt = clock.elapsed + .seconds(60)
    }
  }

  // MARK: - Power

  mutating func boot() {
    powerOnAt = nil
    if owesNumbers {
      // A clock that nobody vouches for yet moves no stamp while the disk refuses, right or wrong.
      ably.forgiveNumbers(stampsToo: clock.wallError != .zero || clockWasWrong || syncAt != nil)
    }
    lifeOwesNumbers = owesNumbers
    owesNumbers = false
    engine = Engine(
      config: court.config, courts: [court.settings], provider: SimulatedCourt.provider(ports), ports: ports,
      identity: Identity(version: "simulated", boot: "boot-\(clock.boots)"), seed: random.next(), at: clock.moment)
    lifeBegan = clock.elapsed
    take(.clockChecked(isSynchronised: syncAt == nil))
    take(.started(disk.contents))
    guard engine != nil else { return }
    checkMemory()
    if !weather.has(.brokerGone) { take(.broker(.connected(broker: "simulated", maximumPacketSize: nil))) }
    pressAgain()
  }

  /// People look at the board and press what it has not counted; nobody presses what stands there.
  private mutating func pressAgain() {
    guard let engine else { return }
    let known = Set(engine.game(onCourt: 0).log.events.map(\.id))
    if let lost = people.ids.firstIndex(where: { $0.map { !known.contains($0) } ?? false }) {
      people.ids.removeSubrange(lost...)
      people.next = lost
    }
    people.due = max(people.due, clock.elapsed + .seconds(2))
  }

  /// The daemon is done, and is started again a little later.
  mutating func ended() {
    tally.restarts += 1
    goDark()
  }

  /// Nothing of the daemon is left but what the disk holds, until it is started again.
  private mutating func goDark() {
    isAskedToEnd = false
    engine = nil
    owesNumbers = owesNumbers || weather.has(.diskFull) || disk.owesFloors
    disk.powerCut(&random)
    for index in transfers.indices { transfers[index].answersAt = nil }
    transfers.removeAll { $0.arrivesAt == nil }
    powerOnAt = clock.elapsed + random.milliseconds(100...20_000)
  }

  /// Somebody switches the board on again next morning, and nothing must come of it.
  mutating func restartAfterTheEnd() {
    channelsAtTheEnd = ably.broadcasts
    ended()
    peaceAt = clock.elapsed + Self.peace
  }

  mutating func cutPower() {
    tally.powerCuts += 1
    goDark()
    // Half the time only the process died: the kernel's clock runs on.
    guard random.happens(percent: 50) else { return }
    clock.boot()
    switch random.below(4) {
    case 0:
      // A board without a battery begins in 1970.
      clock.wallError = .milliseconds(-clock.trueWall.milliseconds + 3_000)
      syncAt = clock.elapsed + random.milliseconds(5_000...120_000)
    case 1:
      clock.wallError = .seconds(random.one(of: [-7200, -30, 5]))
      syncAt = clock.elapsed + random.milliseconds(5_000...120_000)
    default: break
    }
  }

  private static let peace: Duration = .seconds(240)
}
