import Document
import Foundation
import GameCore
import Platform
import Testing

@testable import Bridge

enum Place {
  static let package = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()

  static func schema(_ name: String) throws -> JSONSchema {
    try JSONSchema(file: package.appendingPathComponent("Config/schemas/\(name)-1.json"))
  }
}

@Suite struct MessageTests {
  /// The schema that a topic's messages follow; nil for availability, which is a word.
  static func schema(of topic: String) -> String? {
    let name = topic.split(separator: "/").last.map(String.init) ?? ""
    return ["state", "event", "reply", "activity", "status"].contains(name) ? name : nil
  }

  @Test("every message of a game with its commands, an outage and an end follows its schema")
  func real() throws {
    var venue = try Venue(
      court: """
        game: {home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}}
        mqtt_scoreboards: [{name: hall, fields: {home_score: {topic: a}, clock: {topic: c}}}]
        mqtt_buttons: [{name: remote, maker: zigbee2mqtt, topic: z/r, actions: {single: home +1}}]
        """)
    let commands = [
      ("activity", #"{"id":"o","action":"start"}"#), ("game", "start"), ("clock", "start"), ("score", "home +2"),
      ("foul", "away"), ("timeout", "home"), ("possession", "away"), ("lastplay", "Dunk"), ("undo", ""),
      ("score", "nobody"), ("score", #"{"id":"x","team":"home","bad":1}"#), ("period", "next"), ("jump", ""),
      ("set", #"{"what":"score","team":"home","value":80}"#), ("game", "final"), ("game", "new"),
    ]
    for (verb, payload) in commands {
      _ = venue.command(verb, payload)
      venue.pass(.seconds(5))
    }
    venue.say("a", "7")
    venue.say("z/r", #"{"action":"single"}"#)
    venue.lose()
    venue.pass(.seconds(300))
    venue.connect()
    var seen: Set<String> = []
    for message in venue.published {
      guard let name = Self.schema(of: message.topic) else { continue }
      seen.insert(name)
      let problems = try Place.schema(name).problems(message.payload)
      if !problems.isEmpty {
        Issue.record("\(message.topic): \(problems) \(String(decoding: message.payload, as: UTF8.self))")
      }
    }
    #expect(seen == ["state", "event", "reply", "activity", "status"])
    for message in venue.published {
      #expect(message.isRetained != ["event", "reply"].contains(Self.schema(of: message.topic)))
    }
  }

  @Test("every sport's state follows the schema", arguments: Sport.allCases)
  func sports(_ sport: Sport) throws {
    let venue = try Venue(sport: sport.rawValue)
    let state = try #require(venue.published.last { $0.topic == "\(Venue.main)/state" })
    #expect(try Place.schema("state").problems(state.payload) == [])
  }

  @Test("each example on the page of topics is what the schemas say")
  func examples() throws {
    let page = try String(
      contentsOf: Place.package.appendingPathComponent("Sources/Bridge/topics.md"), encoding: .utf8)
    var seen: Set<String> = []
    for line in page.split(separator: "\n") where line.hasPrefix("{") {
      let payload = Array(line.utf8)
      let names = try ["state", "event", "reply", "activity", "status"].filter {
        try Place.schema($0).problems(payload).isEmpty
      }
      #expect(names.count == 1, "\(names) \(line)")
      seen.formUnion(names)
    }
    #expect(seen.count == 5)
  }

  @Test("B74: names with signs of MQTT never reach a topic")
  func names() throws {
    let text = "venue: {name: 'Hall #1 + Annex/B'}\ncourts: [{name: 'Court +/#', slug: two, sport: basketball}]"
    let config = try #require(Config.decode(try YAMLDocument.parse(Array(text.utf8)), checks: .rooms).config)
    #expect(config.topicPrefix == "scoreboard/hall-1-annex-b" && config.venue.name == "Hall #1 + Annex/B")
  }
}
