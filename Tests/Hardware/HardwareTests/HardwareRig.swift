import Foundation
import StandIn
import Testing

/// The built daemon on the simulated chip, with the stand-in service behind it.
final class HardwareRig {
  static let home = 5
  static let away = 6
  static let start = 9
  static let counted = 7
  static let ready = 8

  let folder: String
  let standIn: StandIn
  private(set) var daemon: Child?
  private var others: [Child] = []

  static var program: String {
    let environment = ProcessInfo.processInfo.environment["SCOREBOARD_BRIDGE"]
    let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    return environment ?? beside.appendingPathComponent("scoreboard-bridge").path
  }

  init() throws {
    folder =
      FileManager.default.temporaryDirectory.appendingPathComponent("hardware-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: true)
    standIn = try StandIn()
    try config.write(toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
    for line in [Self.home, Self.away, Self.start] { SimulatedChip.press(line, false) }
  }

  func close() {
    for child in others { child.terminate(within: .seconds(5)) }
    daemon?.terminate(within: .seconds(8))
    standIn.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private var config: String {
    """
    venue: {name: Riverside Arena, slug: riverside}
    state_directory: \(folder)/state
    ably:
      key: {env: ABLY_API_KEY}
      endpoint: 127.0.0.1
      port: \(standIn.port)
      ca_file: \(standIn.caFile)
    courts:
      - name: Main court
        slug: main
        sport: basketball
        game: {home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}}
        phones: {ios: {storage_policy: 1, spacing: 1s}, android: {enabled: false}}
        buttons:
          - {name: home+1, line: GPIO\(Self.home), press: home +1, bias: as-is, lockout: 50ms}
          - {name: away+1, line: GPIO\(Self.away), press: away +1, bias: as-is}
          - {name: start, line: GPIO\(Self.start), press: game start, bias: as-is}
        lamps:
          - {name: counted, line: GPIO\(Self.counted), shows: [counted]}
          - {name: ready, line: GPIO\(Self.ready), shows: [ready]}

    """
  }

  /// Starts the daemon and waits until it has all its lines, or those that are to be had.
  func run(waitingFor text: String = "lamp ready court=main lamp=ready") throws {
    daemon = try Child(
      Self.program, ["run", "--config", "\(folder)/config.yaml"],
      environment: ["PATH": "/usr/bin:/bin", "ABLY_API_KEY": StandIn.Options().key])
    try #require(waits(for: text), "the daemon did not say \(text):\n\(log)")
  }

  /// Watches the same lines, and so holds them.
  func watch() throws -> Child {
    let child = try Child(
      Self.program, ["watch", "--json", "--config", "\(folder)/config.yaml"], environment: ["PATH": "/usr/bin:/bin"])
    others.append(child)
    try #require(Self.waits { child.text(.out).components(separatedBy: "\"ready\"").count >= 4 })
    return child
  }

  var log: String { daemon?.text(.error) ?? "" }

  func waits(for text: String, times: Int = 1, within seconds: Double = 15) -> Bool {
    Self.waits(within: seconds) { self.log.components(separatedBy: text).count > times }
  }

  static func waits(within seconds: Double = 15, _ isSo: () -> Bool) -> Bool {
    let end = Date(timeIntervalSinceNow: seconds)
    while Date() < end {
      if isSo() { return true }
      usleep(2000)
    }
    return isSo()
  }

  /// How many presses were counted.
  var counted: Int { log.components(separatedBy: "counted court=main event=\"home +1\"").count - 1 }

  /// Home's score in the newest push that phones were sent.
  func pushedScore(within seconds: Double = 15, _ wanted: Int) -> Bool {
    Self.waits(within: seconds) { self.scores.last == wanted }
  }

  var scores: [Int] {
    standIn.requests(.broadcast).compactMap { $0.aps?["content-state"]?["homeScore"]?.integer.map(Int.init) }
  }
}
