import Document
import GameCore
package import Outbox

/// The floors of one lane as the store kept them.
package struct LaneFloors: Hashable, Sendable {
  package var stamp: Int64?
  package var sequence: Int64?

  package init(stamp: Int64? = nil, sequence: Int64? = nil) {
    self.stamp = stamp
    self.sequence = sequence
  }

  /// Out of the store's marks; the stamp of an Android lane is the app's, not the game's.
  package init(marks: [String: [UInt8]], game: String, sink: Sink, round: Int) {
    let keys = FloorKeys(game: game, sink: sink, round: round)
    stamp = marks[keys.stamp].flatMap(Self.number)
    sequence = marks[keys.sequence].flatMap(Self.number)
  }

  /// The counter of everything sent to the Android app.
  package static func androidStamps(marks: [String: [UInt8]]) -> StampFloor {
    StampFloor(unit: .milliseconds, floor: marks[FloorKeys.androidStamp].flatMap(number))
  }

  private static func number(_ bytes: [UInt8]) -> Int64? { Int64(String(decoding: bytes, as: UTF8.self)) }
}

/// Where the floors lie in the store.
struct FloorKeys: Hashable, Sendable {
  static let androidStamp = "floor/ably-android/stamp"

  let stamp: String
  let sequence: String

  init(game: String, sink: Sink, round: Int) {
    let place = "floor/\(game)/\(sink.place(round: round))"
    stamp = sink == .ablyAndroid ? Self.androidStamp : "\(place)/stamp"
    sequence = "\(place)/seq"
  }
}

/// A lane's dealings with the store: what has changed since the last hand-over, and what each answer makes durable.
struct StoreSide: Hashable, Sendable {
  private struct Write: Hashable, Sendable {
    var record: Int?
    var stamp: Int64?
    var sequence: Int64?
  }

  var scheduled: WallTime?
  var nextEntry: Int64 = 1
  /// There is a record of this lane in the store.
  var isKnown = false
  private var failingSince: Instant?
  private var version = 0
  private var writtenVersion = 0
  private var durableVersion = 0
  private var updatesFromVersion = 0
  private var writes: [WriteToken: Write] = [:]
  private var lastToken: UInt64 = 0
  private var entries: [Int64: OutboxEntry] = [:]
  private var changedEntries: [Int64] = []
  private var floorOperations: [StoreOperation] = []
  private var floors = Write()
  private(set) var retryAt: Instant?
  /// Something that waits for company changed at this instant, and nothing else since.
  private var patientSince: Instant?
  private var isUrgent = false

  var isFailing: Bool { failingSince != nil }

  /// The disk is not just slow: fans are told on past the floors, although a power cut could then repeat a number.
  func isBroken(at now: Instant) -> Bool { failingSince.map { now - $0 >= Self.patience } ?? false }

  // MARK: Record

  mutating func recordChanged() {
    version += 1
    isUrgent = true
  }

  /// An accepted answer goes with the next commit, which a busy game brings at once. After a power cut before that, the
  /// same state is told again under the same id, as after one before the answer came.
  mutating func recordChanged(patientlySince now: Instant) {
    version += 1
    patientSince = patientSince ?? now
  }

  /// When what waits for company has waited long enough.
  var handOverDue: Instant? { patientSince.map { $0 + Self.company } }

  /// The record as it stands now, with the names of the channel in it, must be on the disk before an update leaves.
  mutating func holdUpdatesUntilDurable() { updatesFromVersion = version }

  var updatesAllowed: Bool { durableVersion >= updatesFromVersion }
  private var intentVersion = 0

  mutating func intentNoted() {
    recordChanged()
    intentVersion = version
  }
  var isIntentDurable: Bool { durableVersion >= intentVersion }

  // MARK: Entries

  mutating func open(_ entry: OutboxEntry) {
    isUrgent = true
    entries[entry.sequence] = entry
    changedEntries.append(entry.sequence)
    nextEntry = entry.sequence + 1
  }

  mutating func set(_ sequence: Int64, _ fate: OutboxEntry.Fate) {
    guard entries[sequence] != nil, entries[sequence]?.fate != fate else { return }
    entries[sequence]?.fate = fate
    if fate == .sent { entries[sequence]?.attempts += 1 }
    if fate != .accepted { isUrgent = true }
    if !changedEntries.contains(sequence) { changedEntries.append(sequence) }
  }

  func wantedAt(_ sequence: Int64) -> WallTime? { entries[sequence]?.wantedAt }

  // MARK: Floors

  mutating func renew(stamp: Int64?, sequence: Int64?, keys: FloorKeys) {
    if stamp != nil || sequence != nil { isUrgent = true }
    if let stamp {
      floorOperations.append(.mark(key: keys.stamp, value: Array(String(stamp).utf8)))
      floors.stamp = stamp
    }
    if let sequence {
      floorOperations.append(.mark(key: keys.sequence, value: Array(String(sequence).utf8)))
      floors.sequence = sequence
    }
  }

  mutating func writeExactFloors(stamps: StampFloor, sequence: SequenceFloor, keys: FloorKeys) {
    floorOperations = []
    renew(stamp: stamps.last, sequence: sequence.last, keys: keys)
  }

  // MARK: Hand-over and answers

  /// One commit with all that changed; nil when nothing did. `force` writes the record again after a failure.
  mutating func handOver(record: () -> [UInt8], key: String, lane: String, at now: Instant) -> LaneAction? {
    guard isUrgent || handOverDue.map({ $0 <= now }) ?? false else { return nil }
    isUrgent = false
    patientSince = nil
    var operations = floorOperations
    var write = floors
    for sequence in changedEntries {
      guard let entry = entries[sequence] else { continue }
      operations.append(.entry(lane: lane, sequence: sequence, body: entry.json()))
      if entry.isSettled { entries[sequence] = nil }
      if sequence % Self.pruneEvery == 0, sequence > HistoryRule.entriesKept {
        operations.append(.forgetEntries(lane: lane, below: sequence - HistoryRule.entriesKept))
      }
    }
    if version > writtenVersion, retryAt == nil {
      operations.append(.mark(key: key, value: record()))
      write.record = version
      writtenVersion = version
      isKnown = true
    }
    floorOperations = []
    floors = Write()
    changedEntries = []
    guard !operations.isEmpty else { return nil }
    lastToken += 1
    let token = WriteToken(number: lastToken)
    writes[token] = write
    return .persist(operations, token)
  }

  /// What this answer makes durable of the floors.
  mutating func persisted(_ token: WriteToken) -> (stamp: Int64?, sequence: Int64?)? {
    guard let write = writes.removeValue(forKey: token) else { return nil }
    if let record = write.record { durableVersion = max(durableVersion, record) }
    failingSince = nil
    retryAt = nil
    return (write.stamp, write.sequence)
  }

  mutating func failed(_ token: WriteToken, at now: Instant) -> (stamp: Bool, sequence: Bool)? {
    guard let write = writes.removeValue(forKey: token) else { return nil }
    failingSince = failingSince ?? now
    retryAt = now + Self.retryAfter
    isUrgent = true
    if write.record != nil { writtenVersion = min(writtenVersion, durableVersion) }
    return (write.stamp != nil, write.sequence != nil)
  }

  mutating func retry(at now: Instant) {
    guard let at = retryAt, at <= now else { return }
    retryAt = nil
    isUrgent = true
  }

  private static let company: Duration = .seconds(1)
  private static let pruneEvery: Int64 = 64
  private static let patience: Duration = .seconds(10)
  private static let retryAfter: Duration = .seconds(1)
}

extension OutboxEntry {
  /// Whether its fate can still change.
  var isSettled: Bool {
    switch fate {
    case .waiting, .sent: false
    case .accepted, .superseded, .unknown, .parked, .dropped: true
    }
  }

  package func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("kind", key)
      json.member("wantedAtMs", wantedAt.milliseconds)
      json.member("notAfterMs", notAfter?.milliseconds)
      json.member("attempts", attempts)
      json.member("fate", fate.word)
      switch fate {
      case .superseded(let by): json.member("by", by)
      case .unknown(let reason), .parked(let reason), .dropped(let reason): json.member("reason", reason)
      case .waiting, .sent, .accepted: break
      }
      json.key("state")
      json.raw(body)
    }
    return writer.bytes
  }
}
