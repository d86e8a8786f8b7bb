import CSQLite

/// One connection to a database file, used by one thread at a time; closes itself.
struct Database: ~Copyable {
  let handle: OpaquePointer

  /// Opens or creates. The connection is in no shared state: whoever holds it is alone on it.
  /// The C functions are `sqlite3_open_v2` and `sqlite3_db_readonly`.
  init(path: String) throws(DatabaseError) {
    var opened: OpaquePointer?
    let flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE
    let code = sqlite3_open_v2(path, &opened, flags, nil)
    guard code == SQLITE_OK, let opened else {
      let error = Self.failure(opened, operation: "open", code: code)
      sqlite3_close_v2(opened)
      throw error
    }
    // SQLite opens what it may not write for reading only, and then fails in ways that hide why.
    guard sqlite3_db_readonly(opened, "main") != 1 else {
      let error = Self.failure(opened, operation: "open", code: SQLITE_READONLY)
      sqlite3_close_v2(opened)
      throw error
    }
    handle = opened
    sqlite3_busy_timeout(handle, 2000)
  }

  /// The second form of the C function waits for statements that are still alive.
  /// The C function is `sqlite3_close_v2`.
  deinit { sqlite3_close_v2(handle) }

  /// The C function is `sqlite3_exec`.
  func execute(_ sql: String) throws(DatabaseError) {
    let code = sqlite3_exec(handle, sql, nil, nil, nil)
    if code != SQLITE_OK { throw failure(sql, code: code) }
  }

  /// The first column of the first row as a number, nil where there is no row.
  func integer(_ sql: String) throws(DatabaseError) -> Int64? {
    let statement = try Statement(self, sql)
    return try statement.step() ? statement.integer(0) : nil
  }

  /// The first column of the first row as text, nil where there is no row.
  func text(_ sql: String) throws(DatabaseError) -> String? {
    let statement = try Statement(self, sql)
    return try statement.step() ? String(decoding: statement.bytes(0), as: UTF8.self) : nil
  }

  func failure(_ operation: String, code: Int32) -> DatabaseError {
    Self.failure(handle, operation: operation, code: code)
  }

  /// Values are bound, never written into the text, so the operation carries nothing of them.
  private static func failure(_ handle: OpaquePointer?, operation: String, code: Int32) -> DatabaseError {
    DatabaseError(
      operation: operation, code: code,
      systemError: handle.map { sqlite3_system_errno($0) } ?? 0,
      message: String(cString: sqlite3_errstr(code)))
  }
}
