import Foundation
import LiveContract
import Testing

@testable import Publishing

/// The printed contract in the hands of those who get it: the app's own compilers, and the decoder of its platform.
@Suite("The contract at the app's own compilers", .serialized) struct AppCompilerTests {
  /// A contract with everything that a Swift name, a word and a type can be.
  static let odd: Contract = {
    var odd = Contract.standard
    odd.attributesType = "MatchAttributes"
    odd.state += [
      Contract.Field("in", .truth, isOptional: true), Contract.Field("_2nd", .dateRange, isOptional: true),
      Contract.Field("rank", .integer32, isOptional: true),
      Contract.Field("side", .text, isOptional: true, allowed: ["left", "right-most", "3rd", "case"]),
    ]
    odd.extra = [Contract.Extra("league", .text("U19")), Contract.Extra("round", .integer(3))]
    return odd
  }()

  @Test(
    "the printed Swift compiles as it is, and the stock decoder reads each of its examples back", arguments: [0, 1])
  func swift(_ number: Int) throws {
    let contract = [Contract.standard, Self.odd][number]
    let examples = ContractExample.all(of: contract)
    let folder = try Folder()
    let type = contract.attributesType
    let printed = contract.printed(as: .swift)
    for example in examples {
      #expect(printed.contains("// \(example.name): " + String(decoding: example.activity.apnsJSON(), as: UTF8.self)))
    }
    try folder.write("Contract.swift", printed)
    try folder.write(
      "main.swift",
      """
      import Foundation
      struct Push: Decodable { var aps: Aps }
      struct Aps: Decodable {
        var event: String
        var state: \(type).ContentState
        var attributes: \(type)?
        enum CodingKeys: String, CodingKey { case event, attributes, state = "content-state" }
      }
      while let line = readLine() {
        let aps = try JSONDecoder().decode(Push.self, from: Data(line.utf8)).aps
        let state = aps.state
        print(
          aps.event, aps.attributes?.homeTeam ?? "-", state.homeScore, state.awayScore, state.gameStatus.rawValue,
          state.period, state.clock, state.lastPlay, state.clockDir.rawValue, state.clockAnchorMs, state.seq,
          separator: "|")
      }
      """)
    try folder.run(
      "swiftc", "-swift-version", "6", "-Onone", "Contract.swift", "main.swift", "-o", "decode", mustBeSilent: true)
    let lines = try folder.run(
      "./decode", input: examples.map { String(decoding: $0.activity.apnsJSON(), as: UTF8.self) })
    #expect(
      lines
        == examples.map { example in
          let state = example.activity.state
          return [
            example.activity.event.word, example.activity.attributes?.homeTeam ?? "-", "\(state.homeScore)",
            "\(state.awayScore)", state.gameStatus.rawValue, state.period, state.clock, state.lastPlay,
            state.clockDir.rawValue, "\(state.clockAnchorMs)", "\(state.seq)",
          ].joined(separator: "|")
        })
  }

  @Test("LiveContract and the printed Swift are what ActivityKit demands, held to the protocol as Apple documents it")
  func activityKit() throws {
    let folder = try Folder()
    try folder.write(
      "ActivityKit.swift",
      """
      public import Foundation
      public protocol ActivityAttributes: Decodable, Encodable {
        associatedtype ContentState: Decodable, Encodable, Hashable
      }
      public struct PushType { public static func channel(_ channelId: String) -> PushType { PushType() } }
      public struct ActivityContent<State: Decodable & Encodable & Hashable> {
        public init(state: State, staleDate: Date?, relevanceScore: Double = 0) {}
      }
      public class Activity<Attributes: ActivityAttributes> {
        public static func request(
          attributes: Attributes, content: ActivityContent<Attributes.ContentState>, pushType: PushType? = nil
        ) throws -> Activity<Attributes> { Activity() }
      }
      """)
    try folder.write(
      "Probe.swift",
      """
      import ActivityKit
      func shown<Attributes: ActivityAttributes>(_: Attributes.Type, _: Attributes.ContentState.Type) {}
      func probe() { shown(GameAttributes.self, GameAttributes.ContentState.self) }
      """)
    try folder.write("Printed.swift", Contract.standard.printed(as: .swift))
    // What the page for the app's makers shows is compiled with what it tells them to print.
    let shown = try #require(try Self.page().firstMatch(of: /```swift\n(?<code>(?s:.)*?)```/)).code
    try folder.write(
      "Shown.swift",
      "import ActivityKit\nimport Foundation\nfunc join(home: String, away: String, apnsChannelId: String) throws {\n"
        + shown + "}\n")
    let house = ["-swift-version", "6", "-enable-upcoming-feature", "InternalImportsByDefault"]
    let contract = try Self.liveContract()
    // Without ActivityKit the contract is there all the same, and builds alone: no other room, no library.
    try folder.run("swiftc", house + ["-module-name", "LiveContract", "-typecheck"] + contract, mustBeSilent: true)
    try folder.run("swiftc", ["-parse-as-library", "-emit-module", "-module-name", "ActivityKit", "ActivityKit.swift"])
    let sees = house + ["-I", ".", "-typecheck"]
    try folder.run("swiftc", sees + ["-module-name", "LiveContract", "Probe.swift"] + contract, mustBeSilent: true)
    try folder.run(
      "swiftc", sees + ["-parse-as-library", "Probe.swift", "Printed.swift", "Shown.swift"], mustBeSilent: true)
    // The probe can fail: without the three lines of the conformance it does.
    let bare = contract.filter { !$0.hasSuffix("+ActivityKit.swift") }
    #expect(bare.count == contract.count - 1)
    #expect(throws: Folder.Failure.self) {
      try folder.run("swiftc", sees + ["-module-name", "LiveContract", "Probe.swift"] + bare)
    }
  }

  @Test(
    "the printed Kotlin compiles as it is and reads each of its examples, and nothing that is not a game",
    .enabled(if: Folder.has("kotlinc", "the printed Kotlin was not compiled; apt-get install kotlin brings a compiler"))
  )
  func kotlin() throws {
    let folder = try Folder()
    let examples = ContractExample.all(of: Self.odd)
    let printed = Self.odd.printed(as: .kotlin)
    try folder.write("LiveUpdate.kt", printed)
    var maps = examples.map { Dictionary(uniqueKeysWithValues: $0.update.data.map { ($0.key, $0.value.text!) }) }
    for (example, map) in zip(examples, maps) {
      #expect(printed.contains("// \(example.name): " + String(decoding: example.update.dataJSON, as: UTF8.self)))
      #expect(LiveUpdate(map) != nil)
    }
    let whole = maps[1]
    // Three figures each, which the chip would cut; then one fact after the other missing or odd.
    maps.append(whole.merging(["homeScore": "102", "awayScore": "101"]) { $1 })
    for (key, value) in [
      ("event", "resume"), ("homeScore", "102.0"), ("awayScore", " 99"), ("gameStatus", "Live"), ("timestamp", "soon"),
      ("clockDir", "left"), ("period", nil), ("homeTeam", " "), ("awayTeam", nil),
    ] as [(String, String?)] {
      var map = whole
      map[key] = value
      maps.append(map)
    }
    try folder.write(
      "Read.kt",
      """
      fun main() {
          while (true) {
              val line = readLine() ?: return
              val parts = line.split("|")
              val update = LiveUpdate.from((0 until parts.size / 2).map { parts[2 * it] to parts[2 * it + 1] }.toMap())
              println("$update ${update?.chip}")
          }
      }
      """)
    do {
      try folder.run("kotlinc", "LiveUpdate.kt", "Read.kt", "-d", "classes")
    } catch let failure as Folder.Failure where !failure.description.contains(".kt:") {
      // Not a word about our files: an old compiler that the Java at hand is too new for.
      return print("skipped: the Kotlin compiler does not run here: \(failure)")
    }
    let lines = try folder.run(
      "kotlin", "-cp", "classes", "ReadKt",
      input: maps.map { map in map.sorted { $0.key < $1.key }.flatMap { [$0.key, $0.value] }.joined(separator: "|") })
    let fields = Fixture.android(alert: Fixture.alert).data.map(\.key)
    func described(_ map: [String: String], chip: String) -> String {
      let facts = fields.map { "\($0)=\(map[$0] ?? "null")" }.joined(separator: ", ")
      return "LiveUpdate(\(facts)) \(chip)"
    }
    #expect(
      lines == zip(maps, ["0–0", "98–99", "null", "null"]).map { described($0, chip: $1) }
        + Array(repeating: "null null", count: maps.count - 4))
  }

  static func page() throws -> String {
    try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("../../Sources/Publishing/fan-app.md"), encoding: .utf8)
  }

  private static func liveContract() throws -> [String] {
    let room = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("../../Sources/LiveContract").standardized.path
    return try FileManager.default.contentsOfDirectory(atPath: room).filter { $0.hasSuffix(".swift") }.sorted()
      .map { "\(room)/\($0)" }
  }
}

/// A folder for the length of a test, with what compilers are run on in it.
private final class Folder {
  struct Failure: Error, CustomStringConvertible {
    var description: String
  }

  let path: String

  init() throws {
    path = FileManager.default.temporaryDirectory.appendingPathComponent("contract-\(UUID().uuidString)").path
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  /// Whether a program can be run here; the reason for a skip is printed.
  static func has(_ program: String, _ reason: String) -> Bool {
    let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
    let isThere = path.split(separator: ":").contains { access("\($0)/\(program)", X_OK) == 0 }
    if !isThere { print("skipped: \(reason)") }
    return isThere
  }

  func write(_ name: String, _ text: String) throws {
    try text.write(toFile: "\(path)/\(name)", atomically: true, encoding: .utf8)
  }

  /// The lines of its output. A program that fails, or that warns where it must not, is a failure with what it said.
  @discardableResult
  func run(_ program: String, _ arguments: String..., input: [String] = [], mustBeSilent: Bool = false) throws
    -> [String]
  { try run(program, arguments, input: input, mustBeSilent: mustBeSilent) }

  @discardableResult
  func run(_ program: String, _ arguments: [String], input: [String] = [], mustBeSilent: Bool = false) throws
    -> [String]
  {
    try write("input", input.map { $0 + "\n" }.joined())
    let process = Process()
    process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    // Java, on which Kotlin runs, reads and writes files in the locale's encoding.
    process.arguments = ["LC_ALL=C.UTF-8", program] + arguments
    process.currentDirectoryURL = URL(fileURLWithPath: path)
    for name in ["output", "error"] { try write(name, "") }
    process.standardInput = FileHandle(forReadingAtPath: "\(path)/input")
    process.standardOutput = FileHandle(forWritingAtPath: "\(path)/output")
    process.standardError = FileHandle(forWritingAtPath: "\(path)/error")
    try process.run()
    process.waitUntilExit()
    let said = try String(contentsOfFile: "\(path)/error", encoding: .utf8)
    guard process.terminationStatus == 0, !mustBeSilent || said.isEmpty else {
      throw Failure(description: "\(program) \(arguments): \(said)")
    }
    return try String(contentsOfFile: "\(path)/output", encoding: .utf8).split(separator: "\n").map(String.init)
  }
}
