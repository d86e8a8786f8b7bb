import Platform

@main struct Main {
  // One call of a function that is not the main actor's: closures made here would take its isolation to C's threads.
  static func main() { startProgram() }
}

nonisolated func startProgram() -> Never {
  StandardStreams.leave(Command.start(Array(CommandLine.arguments.dropFirst())).rawValue)
}
