import Foundation
import GameCore
import Outbox
import Testing

@testable import Platform

/// A file with five events, one entry and two marks, as a clean stop or a kill leaves it.
struct StoreFixture {
  let folder: TemporaryFolder
  let path: String
  let whole: StoreContents

  /// With `isClosed` everything is in the database itself; without, in its log, as after `SIGKILL`.
  init(isClosed: Bool, events: Int = 5) throws {
    folder = try TemporaryFolder()
    let living = folder.file("living.db")
    path = folder.file("store.db")
    let writer = StoreWriter(path: living)
    var model = MemoryStore()
    for number in 1...events {
      let batch: [StoreOperation] = [
        .event(game: "g", sequence: Int64(number), body: StoreFixture.body(number)),
        .entry(lane: "g/ios", sequence: 1, body: StoreFixture.body(number + 50)),
        .mark(key: "floor/g", value: [UInt8]("\(100 * number)".utf8)),
      ]
      #expect(writer.commit(batch) == nil)
      model.commit(batch)
    }
    if isClosed { writer.close() }
    whole = model.contents
    for suffix in ["", "-wal", ".floors"] where FileManager.default.fileExists(atPath: living + suffix) {
      try write(bytes(of: living + suffix), to: path + suffix)
    }
    writer.close()
  }

  /// Recognisable in the raw file.
  static func body(_ number: Int) -> [UInt8] {
    [UInt8]("body number \(number) ".utf8) + [UInt8](repeating: 0x55, count: 60)
  }

  /// Loads a changed copy of the file and puts everything back.
  func load(changing suffix: String, _ change: (inout [UInt8]) -> Void) throws -> StoreContents {
    let place = folder.file("try")
    try FileManager.default.createDirectory(atPath: place, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: place) }
    for part in ["", "-wal", ".floors"] {
      var content = bytes(of: path + part)
      if part == suffix { change(&content) }
      if !content.isEmpty || part == suffix { try write(content, to: "\(place)/store.db\(part)") }
    }
    let contents = StoreFile(path: "\(place)/store.db").load()
    // What was rescued must also be there the next time, and nothing to complain about any more.
    let again = StoreFile(path: "\(place)/store.db").load()
    #expect(again.events == contents.events && again.marks == contents.marks && again.entries == contents.entries)
    #expect(again.setAside == [])
    return contents
  }
}

@Suite("A damaged store") struct StoreDamageTests {
  @Test("B89: one flipped byte in a record sets aside that record only", arguments: [false, true])
  func flippedRecord(isClosed: Bool) throws {
    let fixture = try StoreFixture(isClosed: isClosed)
    let middle = StoreFixture.body(3)
    let contents = try fixture.load(changing: isClosed ? "" : "-wal") { file in
      // In the log the record lies in each page that was written after it; the later ones are good.
      file[places(of: middle, in: file)[0] + 5] ^= 1
    }
    #expect(contents.events.map(\.sequence) == (isClosed ? [1, 2, 4, 5] : [1, 2, 3, 4, 5]))
    #expect(contents.entries == fixture.whole.entries && contents.marks == fixture.whole.marks)
    #expect(contents.setAside.contains { $0.contains(isClosed ? "record 3 of g has a wrong checksum" : "was mended") })
  }

  @Test("B89: a byte flipped anywhere in the log costs at most the last commit")
  func flippedLog() throws {
    let fixture = try StoreFixture(isClosed: false)
    let size = bytes(of: fixture.path + "-wal").count
    var worst = 5
    for place in interesting(size) {
      let contents = try fixture.load(changing: "-wal") { $0[place] ^= 0x10 }
      expectTrue(contents, fixture)
      worst = min(worst, contents.events.count)
    }
    #expect(worst >= 4)
  }

  @Test("B89: a byte flipped anywhere in the database never stops the start, and never invents a record")
  func flippedDatabase() throws {
    let fixture = try StoreFixture(isClosed: true)
    for place in interesting(bytes(of: fixture.path).count) {
      expectTrue(try fixture.load(changing: "") { $0[place] ^= 0x10 }, fixture)
    }
  }

  @Test("a damaged first page costs nothing: header and schema are known", arguments: [0, 5, 17, 30, 50, 100, 3900])
  func damagedHeader(place: Int) throws {
    let fixture = try StoreFixture(isClosed: true)
    let contents = try fixture.load(changing: "") { file in
      for index in place..<(place + 8) { file[index] = 0xEE }
    }
    #expect(contents.events == fixture.whole.events && contents.marks == fixture.whole.marks)
  }

  @Test("B90: a file cut off at any offset starts every time, and the floors stay", arguments: ["", "-wal", ".floors"])
  func truncated(suffix: String) throws {
    let fixture = try StoreFixture(isClosed: suffix != "-wal")
    for size in interesting(bytes(of: fixture.path + suffix).count) {
      expectTrue(try fixture.load(changing: suffix) { $0.removeSubrange(size...) }, fixture)
    }
  }

  @Test("damage in one of many pages costs what is on that page")
  func damagedPage() throws {
    let fixture = try StoreFixture(isClosed: true, events: 200)
    let contents = try fixture.load(changing: "") { file in
      let page = places(of: StoreFixture.body(100), in: file)[0] / 4096
      for index in (page * 4096)..<(page * 4096 + 4096) { file[index] = 0xA5 }
    }
    #expect(contents.events.count > 120 && contents.events.count < 200)
    #expect(contents.events.first?.sequence == 1 && contents.events.last?.sequence == 200)
  }

  @Test("the damaged file is kept as it was, and at most three of them")
  func keptAside() throws {
    let fixture = try StoreFixture(isClosed: true)
    for _ in 1...5 {
      var file = bytes(of: fixture.path)
      file[3] ^= 0xFF
      try write(file, to: fixture.path)
      #expect(StoreFile(path: fixture.path).load().events == fixture.whole.events)
    }
    let names = try FileManager.default.contentsOfDirectory(atPath: fixture.folder.path)
    #expect(names.filter { $0.contains("damaged") }.sorted() == (1...3).map { "store.db.damaged-\($0)" })
  }

  @Test("a rescue that the power cut between its renames is finished at the next start")
  func cutRescue() throws {
    let fixture = try StoreFixture(isClosed: true)
    try FileManager.default.moveItem(atPath: fixture.path, toPath: fixture.path + ".rescued")
    try write([UInt8]("an old log".utf8), to: fixture.path + "-wal")
    #expect(StoreFile(path: fixture.path).load() == fixture.whole)
  }

  @Test("floors outlive the database, and the higher of the two places counts")
  func floors() throws {
    let fixture = try StoreFixture(isClosed: true)
    try FileManager.default.removeItem(atPath: fixture.path)
    #expect(StoreFile(path: fixture.path).load().marks == ["floor/g": [UInt8]("500".utf8)])
    try FloorsFile.write(["floor/g": [UInt8]("99".utf8)], to: fixture.path + ".floors")
    let other = try StoreFixture(isClosed: true)
    try FloorsFile.write(["floor/g": [UInt8]("99".utf8)], to: other.path + ".floors")
    #expect(StoreFile(path: other.path).load().marks["floor/g"] == [UInt8]("500".utf8))
    try FloorsFile.write(["floor/g": [UInt8]("1000".utf8)], to: other.path + ".floors")
    #expect(StoreFile(path: other.path).load().marks["floor/g"] == [UInt8]("1000".utf8))
  }

  /// The floor holds, and every record is one that was written.
  private func expectTrue(_ contents: StoreContents, _ fixture: StoreFixture) {
    let floor = contents.marks["floor/g"]
    let known = Set((1...5).map { [UInt8]("\(100 * $0)".utf8) })
    if floor != [UInt8]("500".utf8) { #expect(floor.map { known.contains($0) } ?? false) }
    if !contents.events.allSatisfy(fixture.whole.events.contains) { Issue.record("an event was invented") }
  }

  /// The header and the first frame or page from its start, the end, and strides between; `STORE_SWEEP=1` takes every
  /// seventh byte, which lasts minutes.
  private func interesting(_ size: Int) -> [Int] {
    let stride = ProcessInfo.processInfo.environment["STORE_SWEEP"] == nil ? 797 : 7
    return (0..<size).filter { $0 < 64 || $0 % stride == 0 || $0 % 4120 == 36 || $0 % 4096 == 5 || $0 > size - 6 }
  }

  private func places(of pattern: [UInt8], in file: [UInt8]) -> [Int] {
    let data = Data(file)
    var found: [Int] = []
    var from = data.startIndex
    while let range = data.range(of: Data(pattern), in: from..<data.endIndex) {
      found.append(range.lowerBound)
      from = range.upperBound
    }
    return found
  }
}
