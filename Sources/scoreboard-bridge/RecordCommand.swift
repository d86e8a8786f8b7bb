import Bridge
import Platform

/// `scoreboard-bridge record`: the daemon, with everything that comes to it written to a file.
enum RecordCommand {
  static var command: Command {
    var usage = RunCommand.command.usage
    usage.command = "record"
    usage.about = "Runs the daemon, and writes every input of it to FILE: edges, bytes, messages, keys."
    usage.operands = ["FILE"]
    usage.notes = """
      Everything else is as with run. A FILE that is there is added to, and ends at 256 MB. It holds no key and no
      password, but everything that consoles and MQTT said; only its owner may read it.
      Example: scoreboard-bridge record game.recording --config Config/rehearsal.yaml
      """
    return Command(usage: usage) { arguments in
      guard let path = arguments.operands.first else {
        StandardStreams.error(
          "scoreboard-bridge record: name the FILE to record to\nSee scoreboard-bridge record --help\n")
        return .usage
      }
      return RunCommand.run(arguments, recordingTo: path)
    }
  }
}
