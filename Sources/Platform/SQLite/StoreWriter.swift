import CSQLite
import GameCore
import Outbox

/// The only writer of the store's file, on one thread at a time: a group of operations in, on the disk or not at all.
final class StoreWriter {
  private let path: String
  private var connection: Connection?
  private var floors: [String: [UInt8]]

  /// Nothing is opened before the first commit.
  init(path: String) {
    self.path = path
    floors = FloorsFile.read(path + ".floors").floors
  }

  /// Nil when all of it is on the disk; else nothing of it is, and the reason for people. Floors go to their second
  /// place first: a floor that is too high costs nothing, one that is too low repeats a stamp.
  func commit(_ operations: [StoreOperation]) -> String? {
    do {
      try writeFloors(of: operations)
      if connection == nil { connection = try Connection(path: path) }
      try connection!.commit(operations)
      return nil
    } catch let error as DatabaseError {
      // What a failed disk leaves of a connection is not worth trusting; the next commit opens anew.
      if !error.leavesConnectionUsable { connection = nil }
      return error.reason
    } catch let error as PlatformError {
      return error.reason
    } catch {
      return "\(error)"
    }
  }

  /// Folds the log into the database and closes it.
  func close() {
    connection?.foldLog()
    connection = nil
  }

  private func writeFloors(of operations: [StoreOperation]) throws(PlatformError) {
    var changed = floors
    for operation in operations {
      switch operation {
      case .mark(let key, let value): if FloorsFile.isFloor(key) { changed[key] = value }
      case .forgetGame(let game):
        for prefix in StoreOperation.markPrefixes(ofGame: game) {
          changed = changed.filter { !$0.key.utf8.starts(with: prefix.utf8) }
        }
      case .event, .entry, .forgetEntries: break
      }
    }
    guard changed != floors else { return }
    try FloorsFile.write(changed, to: path + ".floors")
    floors = changed
  }
}

/// The open file with its statements, prepared once.
private struct Connection: ~Copyable {
  private let database: Database
  private let event: Statement
  private let entry: Statement
  private let mark: Statement
  private let unmark: Statement
  private let forgetEvents: Statement
  private let forgetLanes: Statement
  private let forgetMarks: Statement
  private let forgetEntries: Statement
  private let begin: Statement
  private let end: Statement
  private let undo: Statement

  /// All of it is made before any of it is kept, as the compiler wants it of what frees itself.
  init(path: String) throws(DatabaseError) {
    let database = try Database(path: path)
    try StoreSchema.configure(database)
    try StoreSchema.migrate(database)
    let event = try Statement(database, "INSERT OR IGNORE INTO events VALUES (?1, ?2, ?3, ?4)")
    let entry = try Statement(database, "INSERT OR REPLACE INTO entries VALUES (?1, ?2, ?3, ?4)")
    let mark = try Statement(database, "INSERT OR REPLACE INTO marks VALUES (?1, ?2, ?3)")
    let unmark = try Statement(database, "DELETE FROM marks WHERE key = ?1")
    let forgetEvents = try Statement(database, "DELETE FROM events WHERE game = ?1")
    // The character after the slash bounds the names that begin with what ends in a slash.
    let forgetLanes = try Statement(database, "DELETE FROM entries WHERE lane >= ?1 || '/' AND lane < ?1 || '0'")
    let forgetMarks = try Statement(
      database, "DELETE FROM marks WHERE key >= ?1 AND key < substr(?1, 1, length(?1) - 1) || '0'")
    let forgetEntries = try Statement(database, "DELETE FROM entries WHERE lane = ?1 AND sequence < ?2")
    let begin = try Statement(database, "BEGIN IMMEDIATE")
    let end = try Statement(database, "COMMIT")
    let undo = try Statement(database, "ROLLBACK")
    self.database = database
    self.event = event
    self.entry = entry
    self.mark = mark
    self.unmark = unmark
    self.forgetEvents = forgetEvents
    self.forgetLanes = forgetLanes
    self.forgetMarks = forgetMarks
    self.forgetEntries = forgetEntries
    self.begin = begin
    self.end = end
    self.undo = undo
  }

  func commit(_ operations: [StoreOperation]) throws(DatabaseError) {
    try begin.run()
    do {
      for operation in operations { try apply(operation) }
      try end.run()
    } catch {
      // SQLite may have rolled back by itself, and then this has nothing to do.
      try? undo.run()
      throw error
    }
  }

  func foldLog() { try? database.execute("PRAGMA wal_checkpoint(TRUNCATE)") }

  private func apply(_ operation: StoreOperation) throws(DatabaseError) {
    switch operation {
    case .event(let game, let sequence, let body):
      try write(event, kind: .event, key: game, sequence: sequence, body: body)
    case .entry(let lane, let sequence, let body):
      try write(entry, kind: .entry, key: lane, sequence: sequence, body: body)
    case .mark(let key, let value?):
      mark.bind(1, key)
      mark.bind(2, value)
      mark.bind(3, Int64(Checksum.record(kind: .mark, key: key.utf8, sequence: 0, body: value)))
      try mark.run()
    case .mark(let key, nil):
      unmark.bind(1, key)
      try unmark.run()
    case .forgetGame(let game):
      forgetEvents.bind(1, game)
      try forgetEvents.run()
      forgetLanes.bind(1, game)
      try forgetLanes.run()
      for prefix in StoreOperation.markPrefixes(ofGame: game) {
        forgetMarks.bind(1, prefix)
        try forgetMarks.run()
      }
    case .forgetEntries(let lane, let below):
      forgetEntries.bind(1, lane)
      forgetEntries.bind(2, below)
      try forgetEntries.run()
    }
  }

  private func write(
    _ statement: borrowing Statement, kind: Checksum.Kind, key: String, sequence: Int64, body: [UInt8]
  ) throws(DatabaseError) {
    statement.bind(1, key)
    statement.bind(2, sequence)
    statement.bind(3, body)
    statement.bind(4, Int64(Checksum.record(kind: kind, key: key.utf8, sequence: sequence, body: body)))
    try statement.run()
  }
}
