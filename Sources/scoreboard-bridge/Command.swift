import Document
import Platform

/// One thing the program can be asked to do.
package struct Command {
  /// What a script learns from the end of a command.
  package enum Exit: Int32 {
    case fine = 0
    /// It ran, and found or met a problem.
    case problem = 1
    /// The words did not make sense.
    case usage = 2
  }

  package var usage: Usage
  package var run: (Arguments) -> Exit

  /// Every command, in the order in which help shows them.
  package static var all: [Command] {
    [
      RunCommand.command, StatusCommand.command, CheckCommand.command, SimulateCommand.command,
      ContractCommand.command, DecodeCommand.command, SniffCommand.command, RecordCommand.command,
      ReplayCommand.command, WatchCommand.command,
    ]
  }

  package static let version = "0.1.0"

  /// Runs what the words after the program's name ask for.
  package static func start(_ words: [String]) -> Exit {
    guard let first = words.first else {
      StandardStreams.error(help)
      return .usage
    }
    switch first {
    case "--version":
      StandardStreams.out("scoreboard-bridge \(version)\n")
      return .fine
    case "--help", "-h", "help":
      StandardStreams.out(help)
      return .fine
    default: break
    }
    guard let command = all.first(where: { $0.usage.command == first }) else {
      let nearest = NearestName.to(first, among: all.map(\.usage.command) + ["--version", "--help"])
      let hint = nearest.map { "did you mean \($0)?" } ?? "see scoreboard-bridge --help"
      StandardStreams.error("scoreboard-bridge: there is no command \(first); \(hint)\n")
      return .usage
    }
    do {
      let arguments = try Arguments(Array(words.dropFirst()), for: command.usage)
      if arguments.wantsHelp {
        StandardStreams.out(command.usage.text)
        return .fine
      }
      return command.run(arguments)
    } catch {
      StandardStreams.error(
        "scoreboard-bridge \(first): \(error.sentence)\nSee scoreboard-bridge \(first) --help\n")
      return .usage
    }
  }

  private static var help: String {
    let width = (all.map(\.usage.command.count).max() ?? 0) + 2
    let lines = all.map { command in
      let name = command.usage.command
      return "  \(name)\(String(repeating: " ", count: width - name.count))\(command.usage.about)"
    }
    return """
      Usage: scoreboard-bridge COMMAND [OPTIONS]

      From the scoreboard's buttons and console to the fans' phones.

      \(lines.joined(separator: "\n"))

      scoreboard-bridge COMMAND --help says more. --version shows the version.

      """
  }
}
