import GameCore
import Outbox

/// What was read from a store's file, and what of it could not be.
struct StoreReading {
  var contents = StoreContents()

  /// One sentence for each record, or run of records, that is lost.
  var damage: [String] = []
}

/// Reads a whole file, however much of it is damaged: a bad checksum costs its record, a page that cannot be read costs
/// what is on it.
enum StoreReader {
  /// A row as it lies there, before its checksum is believed.
  private struct Row: Hashable {
    var key: [UInt8]
    var sequence: Int64
    var body: [UInt8]
    var checksum: Int64
  }

  static func read(_ database: borrowing Database) throws(DatabaseError) -> StoreReading {
    var reading = StoreReading()
    for row in try rows(database, "events", "game, sequence", .event, &reading.damage) {
      reading.contents.events.append(
        .init(game: String(decoding: row.key, as: UTF8.self), sequence: row.sequence, body: row.body))
    }
    for row in try rows(database, "entries", "lane, sequence", .entry, &reading.damage) {
      reading.contents.entries.append(
        .init(lane: String(decoding: row.key, as: UTF8.self), sequence: row.sequence, body: row.body))
    }
    for row in try rows(database, "marks", "key", .mark, &reading.damage) {
      reading.contents.marks[String(decoding: row.key, as: UTF8.self)] = row.body
    }
    return reading
  }

  /// The good rows of a table in order. A scan that breaks off is continued from the other end, so that one bad page
  /// in the middle costs neither side of it.
  private static func rows(
    _ database: borrowing Database, _ table: String, _ order: String, _ kind: Checksum.Kind, _ damage: inout [String]
  ) throws(DatabaseError) -> [Row] {
    let columns = kind == .mark ? "key, 0, value, checksum" : "\(order), body, checksum"
    let descending = order.split(separator: ",").map { "\($0) DESC" }.joined(separator: ",")
    var found: [Row] = []
    let forward = try Statement(database, "SELECT \(columns) FROM \(table) ORDER BY \(order)")
    if let broken = scan(forward, into: &found) {
      damage.append("\(table): part of the table cannot be read (\(broken.reason))")
      var rest: [Row] = []
      let backward = try Statement(database, "SELECT \(columns) FROM \(table) ORDER BY \(descending)")
      _ = scan(backward, into: &rest)
      let known = Set(found)
      found += rest.filter { !known.contains($0) }
      found.sort { one, other in
        one.key == other.key ? one.sequence < other.sequence : one.key.lexicographicallyPrecedes(other.key)
      }
    }
    return found.filter { row in
      let right = Checksum.record(kind: kind, key: row.key, sequence: row.sequence, body: row.body)
      if Int64(right) == row.checksum { return true }
      damage.append("\(table): record \(row.sequence) of \(printable(row.key)) has a wrong checksum")
      return false
    }
  }

  private static func scan(_ statement: borrowing Statement, into rows: inout [Row]) -> DatabaseError? {
    do {
      while try statement.step() {
        rows.append(
          Row(
            key: statement.bytes(0), sequence: statement.integer(1), body: statement.bytes(2),
            checksum: statement.integer(3)))
      }
      return nil
    } catch {
      return error
    }
  }

  private static func printable(_ key: [UInt8]) -> String {
    String(decoding: key.prefix(80).map { (0x20..<0x7F).contains($0) ? $0 : UInt8(ascii: "?") }, as: UTF8.self)
  }
}
