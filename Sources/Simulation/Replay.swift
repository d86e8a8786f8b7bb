package import Bridge
package import GameCore
package import Publishing

/// One recorded run of the daemon, played again: the real engine, with the recording as its outside and a disk that takes
/// everything at once. What falls due falls due at its own instant, and every input comes when it came, so that the same
/// recording gives the same actions however fast it is played.
package struct Replay {
  /// What the engine wants done, and when that is on the recording's clocks.
  package typealias Step = (actions: [Action], at: Moment)

  private var engine: Engine
  private var wallOffset: Duration
  private var input: (stimulus: Stimulus, at: Moment)?
  private let next: () -> (Stimulus, at: Moment)?
  /// How far the recording has been played.
  package private(set) var now: Instant
  package private(set) var inputs = 0

  /// `next` gives the run's inputs one after the other. The engine is to be made with the header's seed, boot and moment.
  package init(_ header: RecordingHeader, engine: Engine, next: @escaping () -> (Stimulus, at: Moment)?) {
    self.engine = engine
    self.next = next
    wallOffset = header.began.wallOffset
    now = header.began.instant
    input = next()
  }

  /// When the next thing happens by itself. Nil once the inputs are over: nothing is made up after them.
  package var nextTime: Instant? {
    guard let input else { return nil }
    return max(now, min(input.at.instant, engine.nextDeadline ?? input.at.instant))
  }

  /// Does that next thing.
  package mutating func advance() -> Step? {
    guard let time = nextTime, let input else { return nil }
    if let deadline = engine.nextDeadline, deadline <= time, deadline < input.at.instant {
      return handle(.deadline, at: Moment(at: time, wallOffset: wallOffset))
    }
    inputs += 1
    wallOffset = input.at.wallOffset
    self.input = next()
    return handle(input.stimulus, at: Moment(at: time, wallOffset: wallOffset))
  }

  /// What the service answered to a call of this run.
  package mutating func answered(call: UInt64, _ result: TransportResult, at instant: Instant) -> Step {
    let instant = min(max(instant, now), nextTime ?? instant)
    return handle(.answered(call: call, result), at: Moment(at: max(instant, now), wallOffset: wallOffset))
  }

  private mutating func handle(_ stimulus: Stimulus, at moment: Moment) -> Step {
    now = moment.instant
    var actions = engine.handle(stimulus, at: moment) + engine.endTurn(at: moment)
    var place = 0
    // What an answer of the disk brings may be written again.
    while place < actions.count {
      if case .persist(let batch) = actions[place] {
        actions += engine.handle(.stored(.persisted(through: batch.number)), at: moment) + engine.endTurn(at: moment)
      }
      place += 1
    }
    return (actions, moment)
  }
}
