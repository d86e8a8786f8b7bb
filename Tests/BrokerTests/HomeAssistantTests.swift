import Foundation
import GameCore
import Testing

@testable import Bridge

/// Our discovery messages before Home Assistant's own code, where a Python is named that has it
/// (`Tests/HomeAssistant/README.md`).
@Suite("Home Assistant's own code", .enabled(if: HomeAssistant.python != nil))
struct HomeAssistantTests {
  private struct Message: Codable {
    var topic: String
    var payload: String
  }

  private struct Question: Codable {
    var prefix = "homeassistant"
    var discovery: [Message] = []
    var messages: [Message] = []
  }

  /// A venue with all that can be announced, and a game in which everything happens that fires a trigger.
  private func question() throws -> Question {
    var venue = try Venue(
      court: """
        mqtt_buttons: [{name: home remote, maker: zigbee2mqtt, topic: z/r, actions: {single: home +1}}]
        """, mqtt: "discovery: {}")
    for (verb, payload) in [
      ("game", "start"), ("clock", "start"), ("score", "home +2"), ("timeout", "home"), ("timeout", "over"),
      ("set", #"{"what":"score","team":"home","value":80}"#), ("period", "next"), ("period", "next"), ("game", "final"),
    ] {
      #expect(venue.command(verb, payload).result == "done", "\(verb) \(payload)")
      venue.pass(.seconds(30))
    }
    _ = venue.command("game", "new")
    venue.say("z/r", #"{"action":"single"}"#)
    venue.lose()
    venue.pass(.seconds(100))
    venue.connect()
    venue.pass(.seconds(1))
    var question = Question()
    for message in venue.published {
      let one = Message(topic: message.topic, payload: String(decoding: message.payload, as: UTF8.self))
      if message.topic.hasPrefix("homeassistant/") {
        if !question.discovery.contains(where: { $0.topic == one.topic }) { question.discovery.append(one) }
      } else {
        question.messages.append(one)
      }
    }
    question.messages += ["offline", "lost"].map { Message(topic: "\(Venue.prefix)/availability", payload: $0) }
    return question
  }

  private func ask(_ question: Question) throws -> (code: Int32, text: String) {
    let script = Place.package.appendingPathComponent("Tests/HomeAssistant/check.py")
    let process = Process()
    process.executableURL = URL(fileURLWithPath: try #require(HomeAssistant.python))
    process.arguments = [script.path, FileManager.default.temporaryDirectory.path]
    let (input, output) = (Pipe(), Pipe())
    process.standardInput = input
    process.standardOutput = output
    try process.run()
    try input.fileHandleForWriting.write(contentsOf: JSONEncoder().encode(question))
    try input.fileHandleForWriting.close()
    let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
    process.waitUntilExit()
    return (process.terminationStatus, text)
  }

  @Test("its schemas take each of our messages whole, and its templates make of our topics what the entities can take")
  func taken() throws {
    let answer = try ask(question())
    #expect(answer.code == 0 && answer.text == "14 discovery messages, 0 problems\n", "\(answer.text)")
    print(answer.text, terminator: "")
  }

  static let mistakes: [(String, String, String)] = [
    (#""identifiers":["scoreboard_riverside"]"#, #""identifiers":[]"#, "must have at least one identifying value"),
    (#""device_class":"enum""#, #""device_class":"word""#, "device_class"),
    (#""state_topic":"#, #""state_topik":"#, "state_topic"),
    (#""entity_category":"#, #""entity_kategory":"#, "entity_kategory is unknown"),
    (#""options":["ok","#, #""options":["fine","#, "not among the options"),
    (#"'ON' if"#, #"'RUNS' if"#, "neither ON nor OFF"),
    (#"'timeout-called' in"#, #"'time-out' in"#, "never fires"),
    (#"if value == 'online'"#, #"if value == 'on'"#, "availability becomes"),
    (#""type":"final""#, #""type":"scored""#, "another one with this identity"),
    (#""automation_type":"trigger""#, #""automation_type":"event""#, "automation_type"),
  ]

  @Test("its code sees what is wrong with a message", arguments: mistakes)
  func refused(_ right: String, _ wrong: String, _ complaint: String) throws {
    var question = try question()
    for place in question.discovery.indices {
      question.discovery[place].payload =
        question.discovery[place].payload.replacingOccurrences(of: right, with: wrong)
    }
    let answer = try ask(question)
    #expect(answer.code == 1 && answer.text.contains(complaint), "\(answer.text)")
  }
}

enum HomeAssistant {
  static let python: String? = {
    let path = ProcessInfo.processInfo.environment["SCOREBOARD_HOMEASSISTANT"]
    if path == nil { print("skipped: SCOREBOARD_HOMEASSISTANT names no Python that has Home Assistant") }
    return path
  }()
}
