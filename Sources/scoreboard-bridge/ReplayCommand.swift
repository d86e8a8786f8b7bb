import Bridge
import Document
import GameCore
import Platform
import Publishing
import Simulation

/// `scoreboard-bridge replay`: what was recorded, played through the real engine again.
enum ReplayCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "replay",
        about: "Plays a recording through the daemon's own engine again, and shows what comes of it.",
        options: [
          Option("--config", "FILE", "The config of the recorded daemon (\(ConfigFile.usualPath))."),
          Option("--speed", "N", "So many times as fast as it was (1)."),
          Option("--stand-in", nil, "Sends the pushes to the config's service, which must be on this machine."),
        ],
        operands: ["FILE"],
        notes: """
          Without --stand-in it is a rehearsal, whatever the config says: nothing leaves, and each push is shown. An old
          game never reaches fans. Buttons, consoles and the broker are left alone, and nothing is kept.
          The clocks are the recording's. A line that was torn by a power cut is skipped, and that is said.
          Exit code: 0 played to its end, 1 it could not be, 2 the command line has a problem.
          Example: scoreboard-bridge replay game.recording --config Config/rehearsal.yaml --speed 60
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    guard let path = arguments.operands.first else { return refuse("name the FILE to replay") }
    guard let speed = Double(arguments["--speed"] ?? "1"), speed.isFinite, speed > 0 else {
      return refuse("--speed wants a number above 0, such as 60")
    }
    let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms)
    guard file.config != nil else {
      StandardStreams.error(CheckReport(file).text)
      return .problem
    }
    do {
      var start = try DaemonStart(file, arguments)
      if arguments.has("--stand-in") {
        guard let ably = start.config.ably, ["127.0.0.1", "::1", "localhost"].contains(ably.endpoint) else {
          return refuse(
            "--stand-in wants ably.endpoint to be on this machine, such as 127.0.0.1: a recorded game must not reach "
              + "fans")
        }
      } else {
        start.config.isRehearsal = true
        start.provider = try Provider.named(in: start.config, key: nil)
      }
      VenueTimeZone.adopt(start.config.venue.timeZone)
      return try ReplaySession(RecordingFile(path), start, speed: speed).run()
    } catch let refusal as RecordingFile.Refusal {
      StandardStreams.error("scoreboard-bridge replay: \(refusal.sentence)\n")
    } catch {
      StandardStreams.error(RunCommand.sentences(of: error).map { "scoreboard-bridge replay: \($0)\n" }.joined())
    }
    return .problem
  }

  private static func refuse(_ sentence: String) -> Command.Exit {
    StandardStreams.error("scoreboard-bridge replay: \(sentence)\nSee scoreboard-bridge replay --help\n")
    return .usage
  }
}
