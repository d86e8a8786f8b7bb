import Foundation
import StandIn
import Testing

/// The built daemon with its whole outside: the stand-in service, a broker, a console's line, a keyboard, a folder.
/// Everything is made for one test and ended with it, the processes by their ids.
final class Rig {
  struct Options {
    /// `ios` and `android` of the court's `phones`, as the config file writes them.
    var ios = "{storage_policy: 1, spacing: 1s}"
    var android = "{spacing: 1s}"
    var sport = "basketball"
    /// Nil: a game that is on this very minute, so that phones are told at once.
    var game: String?
    var keys: String? = "{h: home +1, a: away +1, u: undo}"
    /// A generic line on a pseudo-terminal, unless nil.
    var pattern: String? = #"^HOME (?<home_score>\d+) GUEST (?<guest_score>\d+)$"#
    var hasBroker = true
    var hasKeyboard = true
    /// Without a provider the daemon rehearses.
    var hasProvider = true
    /// Nil leaves the variable out, as when nobody set it.
    var ablyKey: String? = StandIn.Options().key
    /// The service's first host, at the stand-in's port.
    var endpoint = "127.0.0.1"
    /// Further lines of the config file: of the provider, at the top level, in the court.
    var ablyLines: [String] = []
    var configLines: [String] = []
    var courtLines: [String] = []
    /// Further environment of the daemon.
    var environment: [String: String] = [:]
    /// And what depends on the rig's folder.
    var environmentOfFolder: (String) -> [String: String] = { _ in [:] }
    var service = StandIn.Options()
  }

  static let topics = "scoreboard/riverside"
  static let court = "scoreboard/riverside/court/main"

  let options: Options
  let folder: String
  let standIn: StandIn
  let broker: Broker?
  let console: PseudoTerminal?
  let keyboard: PseudoTerminal?
  /// The latest run of the daemon; nil before the first.
  private(set) var daemon: Child?
  /// All runs so far, for what they wrote.
  private(set) var runs: [Child] = []

  var stateFolder: String { "\(folder)/state" }
  var configFile: String { "\(folder)/config.yaml" }

  /// The daemon that was built beside this test, or the one that the environment names.
  static let program: String? = {
    let environment = ProcessInfo.processInfo.environment["SCOREBOARD_BRIDGE"]
    let beside = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    let path = environment ?? beside.appendingPathComponent("scoreboard-bridge").path
    return access(path, X_OK) == 0 ? path : nil
  }()

  init(_ options: Options = Options()) throws {
    self.options = options
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("rig-\(UUID().uuidString.prefix(8))").path
    try FileManager.default.createDirectory(atPath: "\(folder)/state", withIntermediateDirectories: true)
    standIn = try StandIn(options.service)
    broker = options.hasBroker ? try Broker(folder: folder) : nil
    console = options.pattern == nil ? nil : try PseudoTerminal()
    keyboard = options.hasKeyboard ? try PseudoTerminal(isWatched: true) : nil
    standIn.phones {
      $0.add(IPhone(deviceID: "iphone", channels: ["live-ios:*"]))
      $0.add(AndroidPhone(deviceID: "android", channels: ["live-android:*"]))
    }
    try config.write(toFile: configFile, atomically: true, encoding: .utf8)
  }

  /// Ends everything; safe to call twice.
  func close() {
    for run in runs { run.terminate(within: .seconds(8)) }
    broker?.stop()
    standIn.stop()
    try? FileManager.default.removeItem(atPath: folder)
  }

  /// The config file's text; a test may write another one over it.
  var config: String {
    var lines = ["venue: {name: Riverside Arena, slug: riverside}", "state_directory: \(stateFolder)"]
    if options.hasProvider {
      lines += [
        "ably:", "  key: {env: ABLY_API_KEY}", "  endpoint: \(options.endpoint)", "  port: \(standIn.port)",
        "  ca_file: \(standIn.caFile)",
      ]
      lines += options.ablyLines
    }
    if let broker { lines.append("mqtt: {brokers: [{host: 127.0.0.1, port: \(broker.port)}], keep_alive: 8s}") }
    lines += options.configLines
    lines += [
      "courts:", "  - name: Main court", "    slug: main", "    sport: \(options.sport)",
      "    game: \(options.game ?? Rig.gameNow())",
      "    phones:", "      ios: \(options.ios)", "      android: \(options.android)",
    ]
    if let keys = options.keys { lines.append("    keys: \(keys)") }
    if let console, let pattern = options.pattern {
      lines.append("    consoles:")
      lines += [
        "      - {name: console, protocol: generic-line, device: \(console.path), pattern: '\(pattern)',",
        "         lost_after: 600s}",
      ]
    }
    return (lines + options.courtLines.map { "    \($0)" }).joined(separator: "\n") + "\n"
  }

  /// A game with a schedule in the venue's time zone, which is UTC unless the config says otherwise.
  static func gameNow() -> String {
    let format = DateFormatter()
    format.locale = Locale(identifier: "en_US_POSIX")
    format.timeZone = TimeZone(identifier: "UTC")
    format.dateFormat = "yyyy-MM-dd'T'HH:mm"
    let start = format.string(from: Date())
    return "{home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}, start: \(start)}"
  }

  // MARK: - The daemon

  /// The daemon's environment.
  var environment: [String: String] {
    var environment = ["PATH": "/usr/bin:/bin", "TERM": "dumb"]
    environment["ABLY_API_KEY"] = options.ablyKey
    environment.merge(options.environment) { $1 }
    environment.merge(options.environmentOfFolder(folder)) { $1 }
    return environment
  }

  /// Starts `run`, or another command that is the daemon; again after a kill or an end.
  @discardableResult
  func start(_ words: [String] = ["run"]) throws -> Child {
    let program = try #require(Rig.program, "the daemon was not built beside the tests")
    let child = try Child(program, words + ["--config", configFile], environment: environment, terminal: keyboard)
    daemon = child
    runs.append(child)
    return child
  }

  /// The power cut of a process: no chance to say goodbye.
  func kill() throws {
    let daemon = try #require(daemon)
    daemon.signal(SIGKILL)
    try #require(daemon.exitCode() == 128 + SIGKILL)
  }

  /// Another command of the same program, such as `check`.
  func command(
    _ arguments: [String], environment: [String: String] = ["PATH": "/usr/bin:/bin"],
    within limit: Duration = .seconds(20)
  ) throws -> (code: Int32, out: String, error: String) {
    let program = try #require(Rig.program, "the daemon was not built beside the tests")
    return try Child.run(program, arguments, environment: environment, within: limit)
  }

  /// What the daemon wrote, all runs of it.
  var log: String { runs.map { $0.text(.error) }.joined(separator: "\n--- next run\n") }

  /// What the daemon wrote and what the service saw, for whoever has to find out why a test failed.
  var story: String {
    let seen = standIn.requests.map { one in
      let answer = one.answer.map { String($0.status) } ?? "no answer"
      let state = one.score.map { " \($0) stamp \(one.stamp ?? 0) seq \(one.sequence ?? -1)" } ?? ""
      return
        "\(one.number) \(one.at.wall.milliseconds) c\(one.connection) \(one.method) \(one.target) -> \(answer)\(state)"
    }
    return
      (["--- on the terminal:", keyboard?.text ?? "", "--- the daemon wrote:", log, "--- the service saw:"] + seen + [
        "---"
      ]).joined(separator: "\n")
  }

  // MARK: - Input

  /// A command on the court's topics, with an id so that it counts once.
  func command(_ verb: String, _ json: String) throws {
    try #require(broker).publish("\(Rig.court)/cmd/\(verb)", json)
  }

  func score(_ team: String, _ points: Int, id: String = UUID().uuidString) throws {
    try command("score", #"{"id":"\#(id)","team":"\#(team)","points":\#(points)}"#)
  }

  /// Opens the game, which has no schedule, and waits until phones were started.
  func openGame() throws {
    let topics = try #require(broker).subscribe("\(Rig.topics)/availability")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    try command("activity", #"{"id":"open","action":"start"}"#)
    _ = try #require(standIn.wait(1, .create, within: .seconds(10)), "no broadcast was created")
    _ = try #require(standIn.wait(1, .start, within: .seconds(10)), "no activity was started")
  }

  func press(_ key: String) { keyboard?.send(key) }

  func line(home: Int, away: Int) { console?.send("HOME \(home) GUEST \(away)\r\n") }

  // MARK: - Output

  /// Pushes of the two lanes so far: broadcasts, and messages on the Android channel.
  func lanes(from number: Int = 0) -> (ios: [Seen], android: [Seen]) {
    let requests = standIn.requests.filter { $0.number >= number }
    return (requests.filter { $0.call == .broadcast }, requests.filter(Rig.isAndroid))
  }

  /// What apps find on the court's fixed channel: each message's value, in order.
  static func courtValues(_ requests: [Seen]) -> [JSON] {
    requests.filter { $0.call == .publish && $0.subject == "scoreboard:riverside:main" && $0.processed }
      .compactMap { $0.message?["data"]?.string.flatMap { JSON($0.utf8) } }
  }

  var courtValues: [JSON] { Rig.courtValues(standIn.requests) }

  static func isAndroid(_ seen: Seen) -> Bool {
    seen.call == .publish && seen.subject?.hasPrefix("live-android:") == true
  }
}

extension Seen {
  /// The two scores that a push tells, whichever lane it is on.
  var score: [Int]? {
    if let state = aps?["content-state"] {
      return [state["homeScore"], state["awayScore"]].map { $0?.integer.map(Int.init) ?? -1 }
    }
    guard let data = fcmData else { return nil }
    return [data["homeScore"], data["awayScore"]].map { $0?.string.flatMap { Int($0) } ?? -1 }
  }

  /// What orders it on the phone: seconds on iOS, milliseconds on Android.
  var stamp: Int64? { aps?["timestamp"]?.integer ?? fcmData?["timestamp"]?.string.flatMap { Int64($0) } }

  var sequence: Int64? {
    aps?["content-state"]?["seq"]?.integer ?? fcmData?["seq"]?.string.flatMap { Int64($0) }
  }
}

/// A rig for the length of one test. When the test throws, or SCOREBOARD_E2E_LOG is set, it tells what happened.
func withRig(_ options: Rig.Options = .init(), _ body: (Rig) throws -> Void) throws {
  let rig = try Rig(options)
  defer { rig.close() }
  do {
    try body(rig)
    if ProcessInfo.processInfo.environment["SCOREBOARD_E2E_LOG"] != nil { print(rig.story) }
  } catch {
    print(rig.story)
    throw error
  }
}

/// What must be there for a test that drives the daemon, and the reason when it is not.
enum Needs {
  static let daemon: Bool = told(
    Rig.program != nil, "skipped: the daemon was not built beside the tests")
  static let broker: Bool = told(
    Broker.program != nil && Child.find("mosquitto_pub") != nil, "skipped: mosquitto and its clients are not installed")

  private static func told(_ condition: Bool, _ reason: String) -> Bool {
    if !condition { print(reason) }
    return condition
  }
}
