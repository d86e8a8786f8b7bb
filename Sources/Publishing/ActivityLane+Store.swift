package import GameCore
import Outbox

// What is handed to the store, and what its answers allow.
extension ActivityLane {
  mutating func persisted(_ token: WriteToken, at moment: Moment) {
    let wasFailing = store.isFailing
    guard let floors = store.persisted(token) else { return ignore("a commit nobody waits for") }
    if let stamp = floors.stamp { stamps.persisted(stamp) }
    if let number = floors.sequence { sequence.persisted(number) }
    if wasFailing { notices.append(.storeRecovered) }
  }

  mutating func persistFailed(_ token: WriteToken, at moment: Moment) {
    let wasFailing = store.isFailing
    guard let floors = store.failed(token, at: moment.instant) else { return ignore("a commit nobody waits for") }
    if floors.stamp { stamps.renewalFailed(at: moment.instant) }
    if floors.sequence { sequence.renewalFailed() }
    withdrawIntent()
    if !wasFailing { notices.append(.storeFailing) }
  }

  /// Everything this turn has to say: first what is to be written, then what is to be known, then what leaves.
  mutating func flush(at moment: Moment) -> [LaneAction] {
    var actions: [LaneAction] = []
    let record = self.record
    let key = LaneRecord.key(game: game, sink: sink, round: round)
    if opening != nil || store.isKnown || finish != nil || lifecycle.broadcast != nil,
      let write = store.handOver(record: { record.json() }, key: key, lane: laneName, at: moment.instant)
    {
      actions.append(write)
    }
    actions += notices.map { .tell($0) }
    actions += calls
    notices.removeAll(keepingCapacity: true)
    calls.removeAll(keepingCapacity: true)
    return actions
  }

  /// What must be known after a power cut.
  package var record: LaneRecord {
    var record = LaneRecord(
      game: game, sink: sink, round: round, attributes: attributes,
      scheduled: opening?.scheduled ?? store.scheduled)
    lifecycle.write(into: &record)
    record.newest = lifecycle.endIntent == nil ? newest : endState
    record.accepted = accepted
    record.finish = finish
    return record
  }

  /// Where the activity stands, in the lifecycle's word.
  package var word: String { lifecycle.word }

  package var broadcast: Broadcast? { lifecycle.broadcast }

  package func report(at now: Instant) -> LaneReport {
    LaneReport(
      state: lifecycle.word, queued: (waiting == nil ? 0 : 1) + alerts.count, inFlight: inFlight?.call.name,
      counts: outbox.counts, oldestAge: oldestUntold.map { now - $0 }, unansweredCreates: lifecycle.unansweredCreates,
      leakedChannels: lifecycle.leakedChannels, urgentLeft: budget.left(at: now),
      isBroadcastStopped: isBroadcastStopped, reason: reason)
  }

  /// Something waits to be told.
  package var hasNews: Bool { waiting != nil || alerts.count > 0 }

  /// Whether a state is on its way to phones, or can leave without anybody's doing.
  package var isTelling: Bool {
    lifecycle.mayUpdate && (outbox.isInFlight || outbox.isFree && waiting != nil)
  }

  /// Whether a state waits that phones were not told.
  package var owesState: Bool { waiting != nil }

  /// What keeps news from phones; nil while nothing does.
  package var trouble: String? {
    guard hasNews || lifecycle.deadReason != nil || isBroadcastStopped else { return nil }
    return reason
  }

  private var reason: String? {
    if let dead = lifecycle.deadReason { return holdReason.map { "\(dead.rawValue), \($0)" } ?? dead.rawValue }
    if let stopReason { return stopReason }
    if trust == .untrusted { return "clock untrusted" }
    if store.isFailing { return "the store takes nothing" }
    if let holdReason { return holdReason }
    if case .skipped(let reason) = lifecycle.start { return reason }
    return nil
  }
}
