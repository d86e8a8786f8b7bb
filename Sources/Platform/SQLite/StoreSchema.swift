/// What the store's file looks like, and how older files become like it.
enum StoreSchema {
  /// SQLite's own default, said here because the rescue of a damaged file counts in pages.
  static let pageSize = 4096

  /// Each step brings a file from the version that is its index to the next one. Steps that have been released never
  /// change; a new shape is a new step at the end.
  static let steps = [
    """
    CREATE TABLE events (
      game TEXT NOT NULL, sequence INTEGER NOT NULL, body BLOB NOT NULL, checksum INTEGER NOT NULL,
      PRIMARY KEY (game, sequence)) WITHOUT ROWID;
    CREATE TABLE entries (
      lane TEXT NOT NULL, sequence INTEGER NOT NULL, body BLOB NOT NULL, checksum INTEGER NOT NULL,
      PRIMARY KEY (lane, sequence)) WITHOUT ROWID;
    CREATE TABLE marks (
      key TEXT NOT NULL PRIMARY KEY, value BLOB NOT NULL, checksum INTEGER NOT NULL) WITHOUT ROWID;
    """
  ]

  /// Durable at every commit, small in memory. One connection owns the file: it needs no shared-memory file, which a
  /// full or read-only disk could refuse, and a second daemon is kept out. The log is folded in every 256 pages and
  /// cut back to 1 MiB, so that it stays bounded.
  static func configure(_ database: borrowing Database) throws(DatabaseError) {
    try database.execute("PRAGMA page_size = \(pageSize)")
    try database.execute("PRAGMA locking_mode = EXCLUSIVE")
    _ = try database.text("PRAGMA journal_mode = WAL")
    try database.execute(
      """
      PRAGMA synchronous = FULL; PRAGMA cache_size = -256; PRAGMA temp_store = MEMORY;
      PRAGMA wal_autocheckpoint = 256; PRAGMA journal_size_limit = 1048576;
      """)
  }

  /// Brings the file to the newest version, all steps or none. A file from a newer program is an error: what it means
  /// is not known here.
  static func migrate(_ database: borrowing Database, steps: [String] = Self.steps) throws(DatabaseError) {
    let version = Int(try database.integer("PRAGMA user_version") ?? 0)
    if version == steps.count { return }
    guard (0..<steps.count).contains(version) else { throw DatabaseError.newer(version: version) }
    try database.execute("BEGIN IMMEDIATE")
    do {
      for step in steps[version...] { try database.execute(step) }
      try database.execute("PRAGMA user_version = \(steps.count); COMMIT")
    } catch {
      try? database.execute("ROLLBACK")
      throw error
    }
  }
}
