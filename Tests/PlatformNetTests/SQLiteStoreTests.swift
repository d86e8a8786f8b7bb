import Foundation
import GameCore
import Outbox
import Testing

@testable import Platform

/// A store on a loop, with what it told.
final class RunningStore {
  let loop: EventLoop
  let store: SQLiteStore
  private let gathered = Gathered<StoreOutcome>()

  var outcomes: [StoreOutcome] { gathered.items }

  init(path: String) throws {
    loop = try EventLoop()
    let gathered = gathered
    store = try SQLiteStore(path: path, loop: loop) { gathered.items.append($0) }
    _ = store.load()
    try store.start()
  }

  func submit(_ numbers: ClosedRange<UInt64>) {
    for number in numbers {
      store.submit(
        StoreBatch(number: number, operations: [.event(game: "g", sequence: Int64(number), body: [UInt8(number)])]))
    }
  }

  /// The outcome that the next turns bring.
  func next() throws -> StoreOutcome? {
    let count = outcomes.count
    try loop.turn { self.outcomes.count > count }
    return outcomes.last
  }

  func close() throws {
    let closed = Gathered<Bool>()
    store.close { closed.items.append(true) }
    try loop.turn { !closed.items.isEmpty }
  }
}

@Suite("The store on its thread") struct SQLiteStoreTests {
  @Test("what waits while the disk works becomes one commit, answered in order")
  func groupCommit() throws {
    let folder = try TemporaryFolder()
    let running = try RunningStore(path: folder.file("s.db"))
    running.submit(1...50)
    try running.loop.turn { running.outcomes.count == 2 }
    #expect(running.outcomes == [.persisted(through: 1), .persisted(through: 50)])
    try running.close()
    #expect(StoreFile(path: folder.file("s.db")).load().events.map(\.sequence) == (1...50).map(Int64.init))
  }

  @Test("B96: what was told as persisted is there after a kill that nobody announced")
  func survivesKill() throws {
    let folder = try TemporaryFolder()
    let running = try RunningStore(path: folder.file("s.db"))
    running.submit(1...5)
    try running.loop.turn { running.outcomes.last == .persisted(through: 5) }
    // The files as they lie there now are what a kill would leave.
    for suffix in ["", "-wal"] { try write(bytes(of: folder.file("s.db" + suffix)), to: folder.file("k.db" + suffix)) }
    #expect(StoreFile(path: folder.file("k.db")).load().events.count == 5)
    try running.close()
  }

  @Test("a clean close leaves one file, its log folded in")
  func cleanClose() throws {
    let folder = try TemporaryFolder()
    let running = try RunningStore(path: folder.file("s.db"))
    running.submit(1...3)
    try running.close()
    #expect(running.outcomes.last == .persisted(through: 3))
    #expect(bytes(of: folder.file("s.db-wal")) == [])
    #expect(StoreFile(path: folder.file("s.db")).load().events.count == 3)
  }

  @Test("a failed commit fails what waited behind it, says why, and mends without a restart")
  func failsInOrder() throws {
    let folder = try TemporaryFolder()
    let place = folder.file("later")
    let running = try RunningStore(path: "\(place)/s.db")
    running.submit(7...9)
    #expect(try running.next() == .failed(from: 7, through: 9, reason: "cannot be opened"))
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    running.submit(10...12)
    try running.loop.turn { running.outcomes.last == .persisted(through: 12) }
    try running.close()
    #expect(StoreFile(path: "\(place)/s.db").load().events.map(\.sequence) == [10, 11, 12])
  }

  @Test("a second process is kept out with a reason")
  func inUse() throws {
    let folder = try TemporaryFolder()
    let first = try RunningStore(path: folder.file("s.db"))
    first.submit(1...1)
    try first.loop.turn { first.outcomes.count == 1 }
    let second = StoreWriter(path: folder.file("s.db"))
    #expect(second.commit([.mark(key: "a", value: [1])]) == "in use by another process")
    try first.close()
    #expect(second.commit([.mark(key: "a", value: [1])]) == nil)
  }

  @Test(
    "B102: a full disk says so, and when there is room again everything is stored without a restart",
    .enabled(if: geteuid() == 0, "needs root for a small file system of its own"))
  func fullDisk() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: folder.file("disk"))
    let running = try RunningStore(path: disk.file("s.db"))
    running.submit(1...1)
    #expect(try running.next() == .persisted(through: 1))
    try disk.fill()
    let body = [UInt8](repeating: 1, count: 30_000)
    func press(_ number: UInt64) {
      running.store.submit(
        StoreBatch(number: number, operations: [.event(game: "h", sequence: Int64(number), body: body)]))
    }
    press(2)
    #expect(try running.next() == .failed(from: 2, through: 2, reason: "disk full"))
    press(3)
    #expect(try running.next() == .failed(from: 3, through: 3, reason: "disk full"))
    try disk.free()
    for number: UInt64 in 2...4 { press(number) }
    try running.loop.turn { running.outcomes.last == .persisted(through: 4) }
    try running.close()
    let contents = StoreFile(path: disk.file("s.db")).load()
    #expect(contents.events.map(\.sequence) == [1, 2, 3, 4] && contents.setAside == [])
  }

  @Test(
    "a full disk keeps nobody from reading what is stored",
    .enabled(if: geteuid() == 0, "needs root for a small file system of its own"))
  func fullDiskAtStart() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: folder.file("disk"))
    let writer = StoreWriter(path: disk.file("s.db"))
    #expect(writer.commit([.event(game: "g", sequence: 1, body: [1])]) == nil)
    try disk.fill()
    // As after a kill: the log is not folded in.
    try disk.leaveUnclosed(writer, "s.db")
    #expect(StoreFile(path: disk.file("k.db")).load().events.count == 1)
  }

  @Test(
    "a read-only file system is named, read from, and written to when it has recovered",
    .enabled(if: geteuid() == 0, "needs root for a small file system of its own"))
  func readOnlyDisk() throws {
    let folder = try TemporaryFolder()
    let disk = try SmallDisk(at: folder.file("disk"))
    do {
      let before = try RunningStore(path: disk.file("s.db"))
      before.submit(1...2)
      try before.close()
    }
    try disk.remount("ro")
    let contents = StoreFile(path: disk.file("s.db")).load()
    #expect(contents.events.count == 2)
    #expect(contents.setAside.count == 1 && contents.setAside[0].contains("cannot be written"))
    let running = try RunningStore(path: disk.file("s.db"))
    running.submit(3...3)
    guard case .failed(3, 3, let reason)? = try running.next() else { throw WaitedInVain() }
    #expect(reason.contains("read-only"))
    try disk.remount("rw")
    running.submit(4...4)
    #expect(try running.next() == .persisted(through: 4))
    try running.close()
    #expect(StoreFile(path: disk.file("s.db")).load().events.map(\.sequence) == [1, 2, 4])
  }

  @Test("a file of an older version is brought up step by step, all or nothing")
  func migration() throws {
    let folder = try TemporaryFolder()
    let writer = StoreWriter(path: folder.file("s.db"))
    #expect(writer.commit([.event(game: "g", sequence: 1, body: [9])]) == nil)
    writer.close()
    let database = try Database(path: folder.file("s.db"))
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(throws: DatabaseError.self) {
      try StoreSchema.migrate(database, steps: StoreSchema.steps + ["CREATE TABLE later (a)", "nonsense"])
    }
    #expect(try database.integer("PRAGMA user_version") == 1)
    #expect(try database.integer("SELECT count(*) FROM sqlite_schema WHERE name = 'later'") == 0)
    try StoreSchema.migrate(database, steps: StoreSchema.steps + ["ALTER TABLE events ADD COLUMN note TEXT"])
    #expect(try database.integer("PRAGMA user_version") == 2)
    #expect(try database.integer("SELECT count(*) FROM events WHERE note IS NULL") == 1)
  }

  @Test("a file of a newer version is set aside, and what is known of it is read")
  func newerVersion() throws {
    let folder = try TemporaryFolder()
    let writer = StoreWriter(path: folder.file("s.db"))
    #expect(writer.commit([.event(game: "g", sequence: 1, body: [9]), .mark(key: "floor/g", value: [49])]) == nil)
    writer.close()
    do { try Database(path: folder.file("s.db")).execute("PRAGMA user_version = 7") }
    let contents = StoreFile(path: folder.file("s.db")).load()
    #expect(contents.events.count == 1 && contents.marks == ["floor/g": [49]])
    #expect(contents.setAside.contains { $0.contains("newer version (7)") })
    #expect(FileManager.default.fileExists(atPath: folder.file("s.db.damaged-1")))
  }
}

/// A file system of 1 MB, in memory.
final class SmallDisk {
  private let place: String

  init(at place: String) throws {
    self.place = place
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    try #require(run("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", place]) == 0)
  }

  deinit { _ = try? run("umount", ["-l", place]) }

  func file(_ name: String) -> String { "\(place)/\(name)" }

  func remount(_ mode: String) throws { try #require(run("mount", ["-o", "remount,\(mode)", place]) == 0) }

  func fill() throws {
    _ = FileManager.default.createFile(atPath: file("ballast"), contents: nil)
    let handle = try #require(FileHandle(forWritingAtPath: file("ballast")))
    for size in [65536, 4096, 512] { while (try? handle.write(contentsOf: Data(count: size))) != nil {} }
    try? handle.close()
  }

  func free() throws { try FileManager.default.removeItem(atPath: file("ballast")) }

  /// The store's files as they lie there, under another name, and the disk as full as before.
  func leaveUnclosed(_ writer: StoreWriter, _ name: String) throws {
    let files = [("", bytes(of: file(name))), ("-wal", bytes(of: file(name + "-wal")))]
    try free()
    for (suffix, content) in files { try write(content, to: file("k.db" + suffix)) }
    try fill()
  }
}
