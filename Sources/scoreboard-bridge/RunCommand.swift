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
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms)
    guard var config = file.config else {
      StandardStreams.error(CheckReport(file).text)
      return .problem
    }
    if let text = arguments["--mqtt"] {
      guard let place = HostPort(text) else {
        StandardStreams.error("scoreboard-bridge run: --mqtt wants HOST:PORT, such as 127.0.0.1:1883\n")
        return .usage
      }
      var mqtt = config.mqtt ?? MQTTConfig()
      mqtt.brokers = [MQTTConfig.Broker(host: place.host, port: place.port)]
      config.mqtt = mqtt
    }
    let log = Log()
    for issue in file.issues + file.secretIssues { log.warning("config", ["at": issue.path, "problem": issue.text]) }
    VenueTimeZone.adopt(config.venue.timeZone)
    let directory = arguments["--state"] ?? config.stateDirectory ?? StateDirectory.usual
    do {
      return try start(config, file, in: directory, log)
    } catch let error as SingleInstance.Refusal {
      StandardStreams.error("scoreboard-bridge run: \(error)\n")
    } catch let error as PlatformError {
      StandardStreams.error("scoreboard-bridge run: \(error)\n")
    } catch let error as CourtFault {
      StandardStreams.error(error.reasons.map { "scoreboard-bridge run: \($0)\n" }.joined())
    } catch let error as LocalRefusal {
      StandardStreams.error("scoreboard-bridge run: \(error.message)\n")
    } catch {
      preconditionFailure("Starting throws these errors only.")
    }
    return .problem
  }

  private static func start(
    _ config: Config, _ file: ConfigFile, in directory: String, _ log: Log
  ) throws -> Command.Exit {
    var courts: [CourtSettings] = []
    for court in config.courts { courts.append(try CourtSettings(court, texts: config.texts)) }
    let provider = try Provider.named(in: config, key: file.ablyKey)
    if let reason = provider.downReason {
      log.error("down: \(reason)", ["remedy": file.secretIssues.first { $0.path == "ably.key" }?.remedy ?? ""])
    }
    try StateDirectory.make(directory)
    let instance = try SingleInstance.claim(in: directory)
    let loop = try EventLoop()
    let isTerminal = StandardStreams.isTerminal
    let daemon = try Daemon(
      DaemonStart(
        config: config, courts: courts, provider: provider, stateDirectory: directory,
        mqttPassword: file.mqttPassword, isTerminal: isTerminal), on: loop, log: log)
    if isTerminal { StandardStreams.out(hint(courts)) }
    try daemon.run()
    _ = consume instance
    return .fine
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
