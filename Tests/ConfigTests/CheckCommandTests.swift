import Bridge
import Document
import Foundation
import Platform
import Testing
import scoreboard_bridge

@Suite struct CheckCommandTests {
  @Test(
    "each example passes the check, with its secrets at hand",
    arguments: ["rehearsal", "raspberry-pi", "mqtt-buttons"])
  func examples(_ name: String) throws {
    let folder = try TemporaryFolder()
    try folder.write(Array("app.key:secret\n".utf8), "ably-key")
    try folder.write(Array("password\n".utf8), "mqtt-password")
    let secrets = Secrets(environment: { $0 == "CREDENTIALS_DIRECTORY" ? folder.path : nil })
    let file = ConfigFile(path: Place.package.appendingPathComponent("Config/\(name).yaml").path, secrets: secrets)
    let report = CheckReport(file)
    #expect(report.isFine, "\(report.text)")
    #expect(file.issues.isEmpty && file.secretIssues.isEmpty, "\(report.text)")
    #expect(file.config?.isRehearsal == (name != "raspberry-pi"))
    #expect(file.ablyKey?.secret == (name == "raspberry-pi" ? "secret" : nil))
    #expect(report.text.hasSuffix("\n") && report.text.contains("fine. Riverside Arena, 1 court"))
  }

  @Test("away from the service its credentials cannot be judged: the check says so and passes; a file must be there")
  func credentials() throws {
    let path = Place.package.appendingPathComponent("Config/raspberry-pi.yaml").path
    let here = ConfigFile(path: path, secrets: Secrets(environment: { _ in nil }))
    #expect(CheckReport(here).isFine)
    #expect(here.secretIssues.map(\.path) == ["ably.key", "mqtt.password"])
    #expect(CheckReport(here).text.contains("ably key missing"))
    let service = ConfigFile(
      path: path, secrets: Secrets(environment: { $0 == "CREDENTIALS_DIRECTORY" ? "/nonexistent" : nil }))
    #expect(!CheckReport(service).isFine)
    #expect(service.config != nil && service.ablyKey == nil)
  }

  @Test("a file that cannot be opened is a finding like any other")
  func missing() throws {
    let file = ConfigFile(path: "/nonexistent/config.yaml")
    #expect(file.config == nil)
    #expect(file.issues.map(\.remedy) == ["Name another with --config FILE"])
  }

  @Test("the committed reference page and editor schema are the ones that the description yields")
  func pages() throws {
    #expect(try Place.text("Config/reference.md") == Config.reference(), "run: scoreboard-bridge check --reference")
    let schema = String(decoding: Config.editorSchema(), as: UTF8.self)
    #expect(try Place.text("Config/schema.json") == schema, "run: scoreboard-bridge check --schema")
    let object = try JSONSerialization.jsonObject(with: Data(schema.utf8)) as? [String: Any]
    #expect(object?["required"] as? [String] == ["venue", "courts"])
  }

  private static let usage = Usage(
    command: "run", about: "Runs.",
    options: [
      Option("--config", "FILE", "The file."), Option("--json", nil, "JSON."), Option("--set", "K=V", "Sets."),
    ],
    operands: ["FILE"])

  @Test("words of the command line find their meaning in every usual form")
  func arguments() throws {
    let words = ["--config", "a", "--set=x=1", "--json", "--set", "y=2", "-", "--config=b"]
    let arguments = try Arguments(words, for: Self.usage)
    #expect(arguments["--config"] == "b" && arguments.all("--set") == ["x=1", "y=2"])
    #expect(arguments.has("--json") && arguments.operands == ["-"] && !arguments.wantsHelp)
    #expect(try Arguments(["--", "--json"], for: Self.usage).operands == ["--json"])
    #expect(try Arguments(["a", "b", "--help"], for: Self.usage).wantsHelp)
    #expect(Self.usage.text.hasPrefix("Usage: scoreboard-bridge run [--config FILE] [--json] [--set K=V] FILE\n"))
  }

  @Test(
    "words that make no sense are refused with the nearest that would",
    arguments: [
      (["--confg", "a"], "did you mean --config?"), (["--config"], "--config needs a value"),
      (["--json=1"], "takes no value"), (["a", "b"], "“b” is one word too many"), (["-x"], "-x is not an option"),
    ])
  func faults(_ words: [String], _ sentence: String) {
    do {
      _ = try Arguments(words, for: Self.usage)
      Issue.record("was taken")
    } catch { #expect(error.sentence.contains(sentence), "\(error.sentence)") }
  }

  @Test("contract prints the app's types in each form, and names the one that was meant")
  func contract() throws {
    let example = Place.package.appendingPathComponent("Config/raspberry-pi.yaml").path
    for (words, code, texts) in [
      (["contract"], Int32(0), [#""title":"GameAttributes""#, #""examples":[{"apns""#]),
      (["contract", "--config", example, "--format", "json-schema"], 0, [#""contentState":{"type":"object""#]),
      (["contract", "--format", "swift"], 0, ["struct GameAttributes: Codable", #"// end: {"aps""#]),
      (["contract", "--format", "kotlin"], 0, ["data class LiveUpdate(", #"// start: {"event":"start""#]),
      (["contract", "--format", "swfit"], 2, ["did you mean swift?"]),
      (["contract", "--help"], 0, ["--format FORM", "Exit code", "A phone drops a push that it cannot"]),
    ] {
      let (status, output) = try run(words)
      #expect(status == code, "\(words): \(output)")
      for text in texts { #expect(output.contains(text), "\(words): \(output)") }
    }
  }

  @Test("B126: a contract that does not fit stops check, contract and the start itself, with the key's name")
  func misfit() throws {
    let broken = Place.broken.appendingPathComponent("contract-key-renamed.yaml").path
    for command in ["check", "contract", "run"] {
      let (status, output) = try run([command, "--config", broken])
      #expect(status == 1, "\(command)")
      #expect(output.contains("contract.state.scoreHome: the app needs it in content-state, but it is not sent"))
      #expect(output.contains("contract.state.awayScore: an integer is sent, but the app takes string"))
    }
  }

  @Test("the built program ends with 0 when all is fine, 1 on problems and 2 on words that make no sense")
  func program() throws {
    let example = Place.package.appendingPathComponent("Config/rehearsal.yaml").path
    let broken = Place.broken.appendingPathComponent("tab.yaml").path
    for (words, code, text) in [
      (["check", "--config", example], Int32(0), "fine"), (["check", "--config", broken], 1, "tab.yaml:2:1: a tab"),
      (["check", "--config", broken, "--json"], 1, "\"line\":2"), (["check", "--jsn"], 2, "did you mean --json?"),
      (["chekc"], 2, "did you mean check?"), ([], 2, "Usage:"), (["--version"], 0, "scoreboard-bridge 0."),
      (["--help"], 0, "check"), (["check", "--help"], 0, "Exit code"),
    ] {
      let (status, output) = try run(words)
      #expect(status == code, "\(words)")
      #expect(output.contains(text), "\(words): \(output)")
    }
  }

  private func run(_ words: [String]) throws -> (status: Int32, output: String) {
    let process = Process()
    process.executableURL = Self.built
    process.arguments = words
    let pipe = Pipe()
    process.standardOutput = pipe
    process.standardError = pipe
    try process.run()
    let output = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, output)
  }

  /// The program lies beside the test bundle.
  private static var built: URL {
    let bundle = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
    let folders = [bundle, Place.package.appendingPathComponent(".build/debug")]
    return folders.map { $0.appendingPathComponent("scoreboard-bridge") }
      .first { FileManager.default.isExecutableFile(atPath: $0.path) }
      ?? folders[1].appendingPathComponent("scoreboard-bridge")
  }
}
