import Bridge
import Document
import GameCore
import Platform
import Publishing

/// `scoreboard-bridge run`: the daemon itself.
enum RunCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "run", about: "Reads buttons, consoles and MQTT, and tells the fans' phones, until it is ended.",
        options: [
          Option("--config", "FILE", "What to do (\(ConfigFile.usualPath))."),
          Option("--state", "DIR", "Where games and unsent pushes are kept, instead of the config's directory."),
          Option("--mqtt", "HOST:PORT", "The one MQTT broker to use, instead of the config's."),
        ],
        notes: """
          On a terminal, keys are buttons and each press prints a line; Ctrl-C ends.
          Exit code: 0 ended when asked to, 1 could not start or go on, 2 the command line has a problem.
          """),
      run: { run($0) })
  }

  static func run(_ arguments: Arguments, recordingTo recordingPath: String? = nil) -> Command.Exit {
    let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms)
    guard file.config != nil else {
      StandardStreams.error(CheckReport(file).text)
      return .problem
    }
    if let text = arguments["--mqtt"], HostPort(text) == nil {
      StandardStreams.error("scoreboard-bridge run: --mqtt wants HOST:PORT, such as 127.0.0.1:1883\n")
      return .usage
    }
    let log = Log()
    do {
      var daemon = try DaemonStart(file, arguments)
      daemon.recordingPath = recordingPath
      return try start(daemon, file, arguments, log)
    } catch let error as SingleInstance.Refusal {
      StandardStreams.error("scoreboard-bridge run: \(error)\n")
    } catch {
      StandardStreams.error(sentences(of: error).map { "scoreboard-bridge run: \($0)\n" }.joined())
    }
    return .problem
  }

  static func sentences(of error: any Error) -> [String] {
    switch error {
    case let error as PlatformError: [error.description]
    case let error as CourtFault: error.reasons
    case let error as LocalRefusal: [error.message]
    case _: preconditionFailure("Starting throws these errors only.")
    }
  }

  private static func start(
    _ start: DaemonStart, _ file: ConfigFile, _ arguments: Arguments, _ log: Log
  ) throws -> Command.Exit {
    for issue in file.issues + file.secretIssues { log.warning("config", ["at": issue.path, "problem": issue.text]) }
    VenueTimeZone.adopt(start.config.venue.timeZone)
    if let reason = start.provider.downReason {
      log.error("down: \(reason)", ["remedy": file.secretIssues.first { $0.path == "ably.key" }?.remedy ?? ""])
    }
    try StateDirectory.make(start.stateDirectory)
    let instance = try SingleInstance.claim(in: start.stateDirectory)
    let daemon = try Daemon(start, on: try EventLoop(), log: log) { reread(arguments, log) }
    if start.isTerminal { StandardStreams.out(hint(start.courts)) }
    try daemon.run()
    _ = consume instance
    return .fine
  }

  /// The config as it stands in the file now; nil, and the log says why, when anything of it is wrong.
  private static func reread(_ arguments: Arguments, _ log: Log) -> DaemonStart? {
    let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms)
    for issue in file.issues + file.secretIssues {
      let place = "\(issue.position.line):\(issue.position.column)"
      log.error("config", ["at": "\(place) \(issue.path)", "problem": issue.text])
    }
    guard file.config != nil else { return nil }
    do {
      return try DaemonStart(file, arguments)
    } catch {
      for sentence in sentences(of: error) { log.error("config", ["problem": sentence]) }
      return nil
    }
  }

  /// Which keys to press, for whoever starts it by hand.
  private static func hint(_ courts: [CourtSettings]) -> String {
    courts.map { court in
      let keys = court.keys.sorted { $0.key < $1.key }
        .map { "\($0.key == " " ? "space" : String($0.key)) \($0.value.word)" }
      return "\(court.config.name) (\(court.rules.sport.rawValue)): \(keys.joined(separator: " · "))\n"
    }.joined() + "Ctrl-C ends.\n"
  }
}
