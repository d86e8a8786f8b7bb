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

  /// Where the build left its programs.
  static let programs = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
  static let program =
    ProcessInfo.processInfo.environment["SCOREBOARD_BRIDGE"]
    ?? programs.appendingPathComponent("scoreboard-bridge").path

  /// Why that program cannot use this kernel's chips; nil where it can.
  static let refusal: String? = {
    let soname = Data("libgpiod.so.2".utf8)
    let file = try? Data(contentsOf: URL(fileURLWithPath: program), options: .alwaysMapped)
    return file?.range(of: soname) == nil || SimulatedChip.hasFirstABI
      ? nil : "this kernel has only GPIO ABI v2, which libgpiod 1 does not speak"
  }()

  /// Home's button and the one that starts the game answer at once if no glitch is looked for.
  init(phones: String = "{ios: {storage_policy: 1, spacing: 1s}, android: {enabled: false}}", glitch: String = "1ms")
    throws
  {
    folder =
      FileManager.default.temporaryDirectory.appendingPathComponent("hardware-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: true)
    standIn = try StandIn()
    try Self.config(folder, standIn, phones: phones, glitch: glitch).write(
      toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
    for line in [Self.home, Self.away, Self.start] { SimulatedChip.press(line, false) }
  }

  func close() {
    for child in others { child.terminate(within: .seconds(5)) }
    daemon?.terminate(within: .seconds(8))
    standIn.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func config(_ folder: String, _ standIn: StandIn, phones: String, glitch: String) -> String {
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
        phones: \(phones)
        buttons:
          - {name: home+1, line: GPIO\(home), press: home +1, bias: as-is, lockout: 50ms, glitch: \(glitch)}
          - {name: away+1, line: GPIO\(away), press: away +1, bias: as-is}
          - {name: start, line: GPIO\(start), press: game start, bias: as-is, glitch: \(glitch)}
        lamps:
          - {name: counted, line: GPIO\(counted), shows: [counted]}
          - {name: ready, line: GPIO\(ready), shows: [ready]}

    """
  }

  /// Starts the daemon, and waits until it has said so much.
  func run(waitingFor text: String = "lamp ready court=main lamp=ready", terminal: PseudoTerminal? = nil) throws {
    daemon = try Child(
      Self.program, ["run", "--config", "\(folder)/config.yaml"],
      environment: ["PATH": "/usr/bin:/bin", "ABLY_API_KEY": StandIn.Options().key], terminal: terminal)
    guard terminal == nil else { return }
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

  func waits(for text: String, times: Int = 1, within seconds: Double = 90) -> Bool {
    Self.waits(within: seconds) { self.log.components(separatedBy: text).count > times }
  }

  static func waits(within seconds: Double = 90, _ isSo: () -> Bool) -> Bool {
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
  func pushedScore(within seconds: Double = 90, _ wanted: Int) -> Bool {
    Self.waits(within: seconds) { self.scores.last == wanted }
  }

  var scores: [Int] {
    standIn.requests(.broadcast).compactMap { $0.aps?["content-state"]?["homeScore"]?.integer.map(Int.init) }
  }
}
