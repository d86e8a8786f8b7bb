import Foundation
import GameCore
import Outbox
import Platform
import Publishing

/// Long times made short, in a process of its own so that its memory is only its own. Each line it prints is a
/// checkpoint: resident memory as the kernel counts it, threads and open descriptors.
///
///     endurance offline HOURS EVENTS     the uplink is gone so long, and comes back
///     endurance days N                   a game a day, with an outage in each
///     endurance requests N PORT CA_FILE  real requests to a real server, one after the other
@main struct Main {
  static func main() throws {
    let arguments = CommandLine.arguments
    let numbers = arguments.dropFirst(2).compactMap { Int($0) }
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("endurance-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    switch (arguments.dropFirst().first, numbers.count) {
    case ("offline", 2): try offline(hours: numbers[0], events: numbers[1], in: folder)
    case ("days", 1): try days(numbers[0], in: folder)
    case ("requests", 2): try requests(numbers[0], port: numbers[1], caFile: arguments[4])
    case (_, _):
      FileHandle.standardError.write(Data("endurance: offline HOURS EVENTS, days N or requests N PORT CA_FILE\n".utf8))
      exit(2)
    }
  }

  private static func offline(hours: Int, events: Int, in folder: String) throws {
    let rig = try LongRig(folder: folder)
    try rig.give(.playStarted)
    try rig.pass(.seconds(60))
    rig.isOnline = false
    let step: Duration = .milliseconds(Int64(hours) * 3_600_000 / Int64(events))
    for event in 1...events {
      try rig.give(.scored(.home, points: 1, player: nil, play: nil))
      try rig.pass(step)
      if event % max(1, events / 8) == 0 { checkpoint("offline event=\(event)") }
    }
    rig.isOnline = true
    rig.forget()
    try rig.pass(.seconds(60))
    checkpoint("online")
    for sink in Sink.allCases {
      guard let first = rig.pushes.first(where: { $0.sink == sink }), let answered = rig.firstAnswerAt else { continue }
      print("first sink=\(sink.rawValue) home=\(first.home) after_ms=\((first.at - answered).milliseconds)")
    }
    try rig.end()
    print("log bytes=\(rig.logBytes)")
    let contents = try SQLiteStore(path: folder + "/bridge.db", loop: EventLoop(), told: { _ in }).load()
    let scored = contents.events.count { String(decoding: $0.body, as: UTF8.self).contains("scored") }
    let superseded = contents.entries.count { String(decoding: $0.body, as: UTF8.self).contains("superseded") }
    print("kept scored=\(scored) entries=\(contents.entries.count) superseded=\(superseded)")
  }

  private static func days(_ count: Int, in folder: String) throws {
    let rig = try LongRig(folder: folder)
    for day in 1...count {
      try rig.pass(.seconds(18 * 3600))
      if day > 1 { try rig.give(.nextGameOpened) }
      try rig.give(.playStarted)
      for press in 0..<100 {
        try rig.give(.scored(press % 2 == 0 ? .home : .away, points: 2, player: nil, play: nil))
        // Twenty minutes of the hour and a half without an uplink.
        rig.isOnline = !(30..<52).contains(press)
        try rig.pass(.seconds(54))
      }
      try rig.give(.finalDeclared(armed: true))
      try rig.pass(.seconds(4 * 3600 + 1800))
      let size = (try? FileManager.default.attributesOfItem(atPath: folder + "/bridge.db")[.size] as? Int) ?? 0
      checkpoint("day=\(day) log_bytes=\(rig.logBytes) file_bytes=\(size) requests=\(rig.requests)")
    }
    try rig.end()
  }

  private static func requests(_ count: Int, port: Int, caFile: String) throws {
    let loop = try EventLoop()
    let client = try HTTPClient(loop: loop, caFile: caFile)
    for number in 1...count {
      var status = 0
      let version = HTTPHeader("X-Ably-Version", "5")
      client.send(HTTPRequest(method: "GET", host: "127.0.0.1", port: port, target: "/time", headers: [version])) {
        result, _ in
        if case .answered(let response) = result { status = response.status }
        loop.stop()
      }
      try loop.run()
      if status == 0 { print("request=\(number) status=0") }
      if number % max(1, count / 10) == 0 { checkpoint("request=\(number)") }
    }
  }

  private static func checkpoint(_ what: String) {
    let pages = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8))?.split(separator: " ")
    let resident = (pages.flatMap { Int($0[1]) } ?? 0) * sysconf(Int32(_SC_PAGESIZE)) / 1024
    let threads = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").count) ?? 0
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count) ?? 0
    print("checkpoint \(what) resident_kib=\(resident) threads=\(threads) descriptors=\(descriptors)")
  }
}
