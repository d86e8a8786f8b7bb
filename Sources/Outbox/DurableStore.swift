/// One thing that must be on disk: part of an all-or-nothing batch. Bodies are opaque bytes (JSON of the room that wrote them).
package enum StoreOperation: Hashable, Sendable {
  /// An accepted event at its place in the game's log. The same place twice is the same event: the first stays.
  case event(game: String, sequence: Int64, body: [UInt8])
  /// An outbox entry, written anew as a whole whenever its fate changes.
  case entry(lane: String, sequence: Int64, body: [UInt8])
  /// A named value: lifecycle records, floors, which game a court plays. Nil removes it.
  case mark(key: String, value: [UInt8]?)
  /// Removes a game's events, and the entries, records and floors of the lanes whose name begins with the game's id and
  /// a slash.
  case forgetGame(String)
  /// Removes the entries of a lane below a sequence.
  case forgetEntries(lane: String, below: Int64)
}

extension StoreOperation {
  /// What the keys of a game's marks begin with.
  package static func markPrefixes(ofGame game: String) -> [String] { ["lane/\(game)/", "floor/\(game)/"] }
}

/// What is committed together. The number comes back with the answer, `persisted` or `failed`.
package struct StoreBatch: Hashable, Sendable {
  package var number: UInt64
  package var operations: [StoreOperation]

  package init(number: UInt64, operations: [StoreOperation]) {
    self.number = number
    self.operations = operations
  }
}

/// The answer of the store to batches, in the order in which they were handed over.
package enum StoreOutcome: Hashable, Sendable {
  /// On the disk, up to and including this batch.
  case persisted(through: UInt64)
  /// Nothing of these batches is on the disk. The reason is for people (`disk full`).
  case failed(from: UInt64, through: UInt64, reason: String)
}

/// All that a store gives back at start.
package struct StoreContents: Hashable, Sendable {
  package struct Event: Hashable, Sendable {
    package var game: String
    package var sequence: Int64
    package var body: [UInt8]

    package init(game: String, sequence: Int64, body: [UInt8]) {
      self.game = game
      self.sequence = sequence
      self.body = body
    }
  }

  package struct Entry: Hashable, Sendable {
    package var lane: String
    package var sequence: Int64
    package var body: [UInt8]

    package init(lane: String, sequence: Int64, body: [UInt8]) {
      self.lane = lane
      self.sequence = sequence
      self.body = body
    }
  }

  /// By game, then sequence.
  package var events: [Event] = []
  /// By lane, then sequence.
  package var entries: [Entry] = []
  package var marks: [String: [UInt8]] = [:]
  /// Records that could not be read, each with what was wrong, for the alarm.
  package var setAside: [String] = []

  package init() {}
}
