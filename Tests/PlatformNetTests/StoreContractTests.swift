import GameCore
import Outbox
import Testing

@testable import Platform

/// One store under the contract: commits, and says what it would give back after a restart.
protocol StoreUnderTest {
  func commit(_ operations: [StoreOperation])
  func contents() -> StoreContents
}

final class MemoryUnderTest: StoreUnderTest {
  private var store = MemoryStore()

  func commit(_ operations: [StoreOperation]) { store.commit(operations) }
  func contents() -> StoreContents { store.contents }
}

final class DiskUnderTest: StoreUnderTest {
  private let folder: TemporaryFolder
  private var writer: StoreWriter
  private var path: String { folder.file("store.db") }

  init() throws {
    folder = try TemporaryFolder()
    writer = StoreWriter(path: folder.file("store.db"))
  }

  func commit(_ operations: [StoreOperation]) { #expect(writer.commit(operations) == nil) }

  func contents() -> StoreContents {
    writer.close()
    return StoreFile(path: path).load()
  }
}

enum StoreKind: CaseIterable {
  case memory, disk

  func make() throws -> any StoreUnderTest {
    switch self {
    case .memory: MemoryUnderTest()
    case .disk: try DiskUnderTest()
    }
  }
}

struct StoreStory: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var batches: [[StoreOperation]]
  var expected: StoreContents

  init(
    _ claim: String, _ batches: [[StoreOperation]], events: [StoreContents.Event] = [],
    entries: [StoreContents.Entry] = [], marks: [String: [UInt8]] = [:]
  ) {
    testDescription = claim
    self.batches = batches
    expected = StoreContents()
    expected.events = events
    expected.entries = entries
    expected.marks = marks
  }

  static let all = [
    StoreStory("nothing was written", []),
    StoreStory(
      "an empty batch and an empty body are fine", [[], [.event(game: "g", sequence: 1, body: [])]],
      events: [.init(game: "g", sequence: 1, body: [])]),
    StoreStory(
      "the first event at a place stays",
      [[.event(game: "g", sequence: 1, body: [1])], [.event(game: "g", sequence: 1, body: [2])]],
      events: [.init(game: "g", sequence: 1, body: [1])]),
    StoreStory(
      "an entry is written anew as a whole",
      [[.entry(lane: "g/ios", sequence: 1, body: [1, 2])], [.entry(lane: "g/ios", sequence: 1, body: [3])]],
      entries: [.init(lane: "g/ios", sequence: 1, body: [3])]),
    StoreStory(
      "marks are replaced and removed",
      [
        [.mark(key: "a", value: [1]), .mark(key: "b", value: [2])], [.mark(key: "a", value: nil)],
        [.mark(key: "b", value: [])], [.mark(key: "never", value: nil)],
      ],
      marks: ["b": []]),
    StoreStory(
      "events come by game and sequence, entries by lane and sequence",
      [
        [
          .event(game: "b", sequence: 10, body: [1]), .event(game: "b", sequence: 9, body: [2]),
          .event(game: "a", sequence: -3, body: [3]), .entry(lane: "z", sequence: 2, body: [4]),
          .entry(lane: "y", sequence: Int64.max, body: [5]),
        ]
      ],
      events: [
        .init(game: "a", sequence: -3, body: [3]), .init(game: "b", sequence: 9, body: [2]),
        .init(game: "b", sequence: 10, body: [1]),
      ],
      entries: [.init(lane: "y", sequence: Int64.max, body: [5]), .init(lane: "z", sequence: 2, body: [4])]),
    StoreStory(
      "a forgotten game takes its events and lanes along, and no others",
      [
        [
          .event(game: "g", sequence: 1, body: [1]), .event(game: "g2", sequence: 1, body: [2]),
          .entry(lane: "g/ios", sequence: 1, body: [3]), .entry(lane: "g/", sequence: 1, body: [4]),
          .entry(lane: "g", sequence: 1, body: [5]), .entry(lane: "g0", sequence: 1, body: [6]),
          .entry(lane: "g2/ios", sequence: 1, body: [7]), .mark(key: "g", value: [8]),
          .mark(key: "lane/g/ios", value: [9]), .mark(key: "lane/g2/ios", value: [10]),
          .mark(key: "floor/g/ios/seq", value: [49]), .mark(key: "floor/g0/ios/seq", value: [50]),
        ],
        [.forgetGame("g")],
      ],
      events: [.init(game: "g2", sequence: 1, body: [2])],
      entries: [
        .init(lane: "g", sequence: 1, body: [5]), .init(lane: "g0", sequence: 1, body: [6]),
        .init(lane: "g2/ios", sequence: 1, body: [7]),
      ],
      marks: ["g": [8], "lane/g2/ios": [10], "floor/g0/ios/seq": [50]]),
    StoreStory(
      "entries below a sequence go, the one at it stays",
      [
        [
          .entry(lane: "l", sequence: 1, body: [1]), .entry(lane: "l", sequence: 2, body: [2]),
          .entry(lane: "m", sequence: 1, body: [3]),
        ],
        [.forgetEntries(lane: "l", below: 2)],
      ],
      entries: [.init(lane: "l", sequence: 2, body: [2]), .init(lane: "m", sequence: 1, body: [3])]),
    StoreStory(
      "operations of one batch apply in their order",
      [[.event(game: "g", sequence: 1, body: [1]), .forgetGame("g"), .event(game: "g", sequence: 1, body: [2])]],
      events: [.init(game: "g", sequence: 1, body: [2])]),
    StoreStory(
      "names keep every character", [[.mark(key: "floor/Köln 🏒 'x'\n", value: [0, 255, 10])]],
      marks: ["floor/Köln 🏒 'x'\n": [0, 255, 10]]),
  ]
}

@Suite("The store's contract") struct StoreContractTests {
  @Test("each story ends the same in memory and on disk", arguments: StoreKind.allCases, StoreStory.all)
  func story(kind: StoreKind, story: StoreStory) throws {
    let store = try kind.make()
    for batch in story.batches { store.commit(batch) }
    #expect(store.contents() == story.expected)
  }

  @Test("whatever is written, disk and memory agree, over restarts", arguments: [1, 7, 42, 1234])
  func agreement(seed: UInt64) throws {
    var generator = SeededGenerator(seed: seed)
    let (memory, disk) = (MemoryUnderTest(), try DiskUnderTest())
    for _ in 0..<20 {
      for _ in 0..<10 {
        let batch = (0..<Int.random(in: 0...4, using: &generator)).map { _ in Self.operation(&generator) }
        memory.commit(batch)
        disk.commit(batch)
      }
      #expect(disk.contents() == memory.contents())
    }
  }

  private static func operation(_ generator: inout SeededGenerator) -> StoreOperation {
    let names = ["a", "a/ios", "a/android", "b", "b/ios", "floor/a", "floor/a/x", "lane/a/x"]
    let name = names.randomElement(using: &generator)!
    let sequence = Int64.random(in: 0...6, using: &generator)
    let body = (0..<Int.random(in: 0...300, using: &generator)).map { UInt8(truncatingIfNeeded: $0) }
    switch Int.random(in: 0...9, using: &generator) {
    case 0...3: return .event(game: name, sequence: sequence, body: body)
    case 4...6: return .entry(lane: name, sequence: sequence, body: body)
    // A floor never falls, so those that are written here all have one value.
    case 7: return name.hasPrefix("floor/") ? .mark(key: name, value: [1]) : .mark(key: name, value: body)
    case 8: return .forgetEntries(lane: name, below: sequence)
    default: return .forgetGame(name)
    }
  }
}
