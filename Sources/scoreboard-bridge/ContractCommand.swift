import Bridge
import Document
import Platform
import Publishing

/// `scoreboard-bridge contract`: what the fan's app must decode, as a file for its makers.
enum ContractCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "contract", about: "Prints what the fan's app must decode, as a file for the app's makers.",
        options: [
          Option("--config", "FILE", "The file whose contract counts; without it the usual contract."),
          Option("--format", "FORM", "json-schema (when none is named), swift or kotlin."),
        ],
        notes: """
          Every form ends with a start, an update and an end as they are really sent. A phone drops a push that it cannot
          decode without a word to anybody, so the app's types must be exactly these: give the app's makers this output,
          and declare what their app does differently under contract: in the config.

          json-schema  Attributes, content state and the Android map, for checks on any platform.
          swift        The app's ActivityAttributes type with its ContentState.
          kotlin       The Android app's data class, with the function that reads it from the data message.

          Exit code: 0 printed, 1 the config has a problem (a key that does not fit is named), 2 the command line has.
          Example: scoreboard-bridge contract --config Config/raspberry-pi.yaml --format swift > GameAttributes.swift
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    var format = ContractFormat.jsonSchema
    if let word = arguments["--format"] {
      guard let named = ContractFormat(rawValue: word) else {
        let known = ContractFormat.allCases.map(\.rawValue)
        let nearest = NearestName.to(word, among: known).map { "did you mean \($0)? " } ?? ""
        StandardStreams.error(
          "scoreboard-bridge contract: there is no form “\(word)”; \(nearest)There are \(known.joined(separator: ", "))\n"
        )
        return .usage
      }
      format = named
    }
    var contract = Contract.standard
    if let path = arguments["--config"] {
      let file = ConfigFile(path: path, checks: .rooms)
      guard let config = file.config else {
        StandardStreams.error(CheckReport(file).text)
        return .problem
      }
      contract = config.contract
    }
    StandardStreams.out(contract.printed(as: format))
    return .fine
  }
}
