import CSQLite
import Glibc

/// What SQLite refused: the operation, its code and, where the system was the cause, the system's errno.
struct DatabaseError: Error, Hashable {
  var operation: String
  /// The extended result code.
  var code: Int32
  var systemError: Int32
  var message: String

  /// A file that a newer version of this program has written.
  static func newer(version: Int) -> DatabaseError {
    DatabaseError(
      operation: "migrate", code: SQLITE_FORMAT, systemError: 0, message: "written by a newer version (\(version))")
  }

  private var primary: Int32 { code & 0xFF }

  /// The file's content is wrong, as opposed to the disk or the rights.
  var isDamage: Bool {
    switch primary {
    case SQLITE_CORRUPT, SQLITE_NOTADB, SQLITE_FORMAT: true
    case SQLITE_ERROR, SQLITE_SCHEMA: true
    default: code == SQLITE_IOERR | (2 << 8)
    }
  }

  /// The connection is as good as before, only this write did not fit or did not get its turn.
  var leavesConnectionUsable: Bool { primary == SQLITE_FULL || primary == SQLITE_BUSY }

  /// For people.
  var reason: String {
    if systemError == EROFS { return "read-only file system" }
    if systemError == EACCES || systemError == EPERM { return "no permission" }
    return switch primary {
    case SQLITE_FULL: "disk full"
    case SQLITE_READONLY: "read-only"
    case SQLITE_BUSY, SQLITE_LOCKED: "in use by another process"
    case SQLITE_CORRUPT, SQLITE_NOTADB: "damaged file"
    case SQLITE_CANTOPEN: "cannot be opened"
    case SQLITE_IOERR: "disk error (\(operation), errno \(systemError))"
    default: "\(operation): \(message)"
    }
  }
}
