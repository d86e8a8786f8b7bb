import Foundation
import StandIn
import Testing

/// The program that was built beside these tests, or the one that the environment names.
private enum Endurance {
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment["SCOREBOARD_ENDURANCE_PROGRAM"]
    let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = environment ?? beside.appendingPathComponent("endurance").path
    return access(path, X_OK) == 0 ? path : nil
  }()
}

/// Hours, days and many thousand requests, in a process whose memory nobody else uses. SCOREBOARD_ENDURANCE=full takes
/// the whole time: eight hours offline, thirty days, a day of requests.
@Suite("Long times made short", .enabled(if: Endurance.program != nil), .serialized)
struct EnduranceTests {
  private static let isFull = ProcessInfo.processInfo.environment["SCOREBOARD_ENDURANCE"] == "full"

  private func run(_ arguments: [String]) throws -> [[String: Int]] {
    let run = try Child.run(
      try #require(Endurance.program), arguments, environment: ["PATH": "/usr/bin:/bin"], within: .seconds(3600))
    try #require(run.code == 0, "\(run.error)")
    print(run.out)
    return run.out.split(separator: "\n").map { line in
      var numbers: [String: Int] = [:]
      for word in line.split(separator: " ") {
        let parts = word.split(separator: "=")
        if parts.count == 2, let number = Int(parts[1]) { numbers[String(parts[0])] = number }
        if parts.count == 2, parts[0] == "sink" { numbers[String(parts[1])] = 1 }
      }
      return numbers
    }
  }

  /// From the second checkpoint on: the first pays for what is made once.
  private func expectFlat(_ lines: [[String: Int]]) throws {
    let points = lines.filter { $0["resident_kib"] != nil }.dropFirst()
    let first = try #require(points.first)
    let last = try #require(points.last)
    #expect(points.count > 2)
    #expect(Double(last["resident_kib"]!) < Double(first["resident_kib"]!) * 1.1)
    for name in ["threads", "descriptors"] { #expect(points.allSatisfy { $0[name] == first[name] }, "\(name)") }
  }

  @Test("S-09: hours offline with 5,000 events: memory is flat, the first push of each lane is the newest, all is kept")
  func offline() throws {
    let lines = try run(["offline", Self.isFull ? "8" : "1", "5000"])
    try expectFlat(lines)
    for sink in ["ably-ios", "ably-android"] {
      let first = try #require(lines.first { $0[sink] != nil }, "\(sink) was told nothing")
      #expect(first["home"] == 5000)
      #expect(first["after_ms"]! <= 2000)
    }
    let kept = try #require(lines.first { $0["scored"] != nil })
    #expect(kept["scored"] == 5000)
    #expect(kept["entries"]! <= 2 * (512 + 64))
    #expect(kept["superseded"]! > 500)
  }

  @Test("a game a day with an outage in each: memory, threads and descriptors are flat, log and store bounded")
  func days() throws {
    let count = Self.isFull ? 30 : 4
    let lines = try run(["days", "\(count)"])
    try expectFlat(lines)
    let last = try #require(lines.last { $0["day"] != nil })
    #expect(last["day"] == count)
    #expect(last["log_bytes"]! < count * 100_000)
    #expect(last["file_bytes"]! < 4_000_000)
  }

  @Test("B130: a day of requests, one a second: memory, threads and descriptors stay within a tenth")
  func requests() throws {
    let standIn = try StandIn(StandIn.Options())
    defer { standIn.stop() }
    let lines = try run(["requests", Self.isFull ? "86400" : "4000", "\(standIn.port)", standIn.caFile])
    #expect(lines.allSatisfy { $0["status"] == nil })
    try expectFlat(lines)
  }
}
