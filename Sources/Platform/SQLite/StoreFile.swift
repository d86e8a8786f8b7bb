import GameCore
import Glibc
import Outbox

/// The store's file at start: read whatever is there, and when something is damaged put the file aside as it is and
/// begin a new one with all that could be read.
struct StoreFile {
  let path: String

  private var floorsPath: String { path + ".floors" }
  private var logPath: String { path + "-wal" }
  /// A rescued file that is whole but not yet in its place.
  private var rescuedPath: String { path + ".rescued" }

  /// Never fails. What the disk refuses is told among the records set aside, and whatever can be read is there.
  func load() -> StoreContents {
    finishRescue()
    let isNew = !SmallFile.exists(path)
    var notes = WriteAheadLog.mend(logPath)
    var contents = StoreContents()
    do {
      let reading = try read(path)
      contents = reading.contents
      if !reading.damage.isEmpty { notes += reading.damage + rescue(contents) }
    } catch {
      if error.isDamage {
        let reading = readMended()
        contents = reading.contents
        notes += ["the store's file: \(error.reason)"] + reading.damage + rescue(contents)
      } else {
        contents = readMended().contents
        notes.append("the store cannot be written: \(error.reason)")
      }
    }
    contents.setAside = notes
    addFloors(to: &contents)
    // Floors are only ever written beside a file that is there.
    if isNew, contents.marks.keys.contains(where: FloorsFile.isFloor) {
      contents.setAside.append("the store's file is gone: only its floors are left")
    }
    return contents
  }

  /// The file's check covers its pages, the checksums its records.
  private func read(_ path: String) throws(DatabaseError) -> StoreReading {
    let database = try Database(path: path)
    try StoreSchema.configure(database)
    try StoreSchema.migrate(database)
    let verdict = try database.text("PRAGMA quick_check(1)")
    var reading = try StoreReader.read(database)
    if verdict != "ok", reading.damage.isEmpty { reading.damage = ["the store's file fails its check"] }
    return reading
  }

  /// A rescue that the power cut between its last two steps.
  private func finishRescue() {
    guard !SmallFile.exists(path), SmallFile.exists(rescuedPath) else { return }
    SmallFile.remove(logPath)
    try? SmallFile.move(rescuedPath, to: path)
  }

  /// Writes the contents to a new file, puts the damaged one aside and the new one in its place. What went wrong is
  /// said; then the damaged file stays where it is.
  private func rescue(_ contents: StoreContents) -> [String] {
    do {
      SmallFile.remove(rescuedPath)
      try writeRescued(contents)
      let aside = nameForDamaged()
      try SmallFile.move(path, to: aside)
      if SmallFile.exists(logPath) { try SmallFile.move(logPath, to: aside + "-wal") }
      try SmallFile.move(rescuedPath, to: path)
      return ["the damaged file was set aside as \(aside)"]
    } catch let error as DatabaseError {
      return ["the damaged file could not be replaced: \(error.reason)"]
    } catch let error as PlatformError {
      return ["the damaged file could not be replaced: \(error.reason)"]
    } catch {
      return ["the damaged file could not be replaced: \(error)"]
    }
  }

  private func writeRescued(_ contents: StoreContents) throws {
    let writer = StoreWriter(path: rescuedPath)
    let operations =
      contents.events.map { StoreOperation.event(game: $0.game, sequence: $0.sequence, body: $0.body) }
      + contents.entries.map { StoreOperation.entry(lane: $0.lane, sequence: $0.sequence, body: $0.body) }
      + contents.marks.map { StoreOperation.mark(key: $0.key, value: $0.value) }
    if let failure = writer.commit(operations) {
      throw PlatformError(operation: "write", subject: rescuedPath, reason: failure)
    }
    writer.close()
    SmallFile.remove(rescuedPath + ".floors")
  }

  /// The last three damaged files are kept; the newest has the highest free number, or takes the third one's place.
  private func nameForDamaged() -> String {
    let names = (1...3).map { "\(path).damaged-\($0)" }
    return names.first { !SmallFile.exists($0) } ?? names[2]
  }

  /// Reads a copy whose first page is that of a healthy file: our tables are always made in the same order on an empty
  /// file, so their roots are where a new file has them, and a damaged header or schema costs nothing. The copy is made
  /// where temporary files go, as the store's own disk may be full or read-only.
  private func readMended() -> StoreReading {
    guard let bytes = SmallFile.read(path), let folder = temporaryFolder() else { return StoreReading() }
    defer { _ = rmdir(folder) }
    let copy = folder + "/copy"
    defer { for suffix in ["", "-wal", "-journal"] { SmallFile.remove(copy + suffix) } }
    do {
      let template = try firstPageOfNewFile(folder + "/template")
      try SmallFile.write(Self.mended(bytes, firstPage: template), to: copy, isSynced: false)
      if let log = SmallFile.read(logPath) { try SmallFile.write(log, to: copy + "-wal", isSynced: false) }
      let database = try Database(path: copy)
      try database.execute("PRAGMA locking_mode = EXCLUSIVE")
      return try StoreReader.read(database)
    } catch {
      return StoreReading()
    }
  }

  private func firstPageOfNewFile(_ path: String) throws -> [UInt8] {
    defer { SmallFile.remove(path) }
    do {
      let database = try Database(path: path)
      try StoreSchema.configure(database)
      try database.execute("PRAGMA synchronous = OFF")
      try StoreSchema.migrate(database)
    }
    return (SmallFile.read(path) ?? []).prefix(StoreSchema.pageSize).map { $0 }
  }

  /// The C functions are `getenv` and `mkdtemp`.
  private func temporaryFolder() -> String? {
    let place = getenv("TMPDIR").map { String(cString: $0) } ?? ""
    var template = Array("\(place.isEmpty ? "/tmp" : place)/store-XXXXXX".utf8CString)
    return mkdtemp(&template).map { String(cString: $0) }
  }

  private static func mended(_ bytes: [UInt8], firstPage: [UInt8]) -> [UInt8] {
    let pages = UInt32(bytes.count / StoreSchema.pageSize)
    var mended = firstPage + bytes.dropFirst(StoreSchema.pageSize)
    // The header tells how many pages there are, big-endian at byte 28.
    for index in 0..<4 where mended.count >= StoreSchema.pageSize {
      mended[28 + index] = UInt8(truncatingIfNeeded: pages >> (24 - 8 * UInt32(index)))
    }
    return mended
  }

  /// The higher of the two places counts, and the second place is made to know all of them: the writer goes on from it.
  private func addFloors(to contents: inout StoreContents) {
    let second = FloorsFile.read(floorsPath)
    contents.setAside += second.damage
    for (key, value) in second.floors {
      contents.marks[key] = contents.marks[key].map { FloorsFile.higher($0, value) } ?? value
    }
    let floors = contents.marks.filter { FloorsFile.isFloor($0.key) }
    guard floors != second.floors || !second.damage.isEmpty else { return }
    do {
      try FloorsFile.write(floors, to: floorsPath)
    } catch {
      contents.setAside.append("the floors cannot be written: \(error.reason)")
    }
  }
}
