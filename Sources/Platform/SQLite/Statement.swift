import CSQLite

/// One prepared statement; finalises itself. Indices of parameters begin at 1, those of columns at 0, as in SQLite.
struct Statement: ~Copyable {
  private let handle: OpaquePointer
  private let database: OpaquePointer
  private let sql: String

  /// The C function is `sqlite3_prepare_v3`.
  init(_ database: borrowing Database, _ sql: String) throws(DatabaseError) {
    var prepared: OpaquePointer?
    let code = sqlite3_prepare_v3(database.handle, sql, -1, UInt32(SQLITE_PREPARE_PERSISTENT), &prepared, nil)
    guard code == SQLITE_OK, let prepared else { throw database.failure(sql, code: code) }
    handle = prepared
    self.database = database.handle
    self.sql = sql
  }

  /// The C function is `sqlite3_finalize`.
  deinit { sqlite3_finalize(handle) }

  /// The C function is `sqlite3_bind_int64`.
  func bind(_ index: Int32, _ value: Int64) { sqlite3_bind_int64(handle, index, value) }

  /// The C function is `sqlite3_bind_text`.
  func bind(_ index: Int32, _ value: String) {
    var value = value
    value.withUTF8 { text in
      text.withMemoryRebound(to: CChar.self) {
        _ = bridge_sqlite_bind_text(handle, index, $0.baseAddress, Int32($0.count))
      }
    }
  }

  /// The C function is `sqlite3_bind_blob`.
  func bind(_ index: Int32, _ value: [UInt8]) {
    value.withUnsafeBytes { _ = bridge_sqlite_bind_blob(handle, index, $0.baseAddress, Int32($0.count)) }
  }

  /// True while there is a row. The C function is `sqlite3_step`.
  func step() throws(DatabaseError) -> Bool {
    let code = sqlite3_step(handle)
    switch code {
    case SQLITE_ROW: return true
    case SQLITE_DONE: return false
    default:
      throw DatabaseError(
        operation: sql, code: code, systemError: sqlite3_system_errno(database),
        message: String(cString: sqlite3_errstr(code)))
    }
  }

  /// Runs a statement that gives no rows, ready for the next time. The C function is `sqlite3_reset`.
  func run() throws(DatabaseError) {
    defer { sqlite3_reset(handle) }
    while try step() {}
  }

  /// The C function is `sqlite3_column_int64`.
  func integer(_ column: Int32) -> Int64 { sqlite3_column_int64(handle, column) }

  /// A text or a blob. The C function is `sqlite3_column_blob`.
  func bytes(_ column: Int32) -> [UInt8] {
    guard let start = sqlite3_column_blob(handle, column) else { return [] }
    return [UInt8](UnsafeRawBufferPointer(start: start, count: Int(sqlite3_column_bytes(handle, column))))
  }
}
