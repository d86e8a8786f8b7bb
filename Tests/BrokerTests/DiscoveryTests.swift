import Document
import Foundation
import GameCore
import Platform
import Testing

@testable import Bridge

/// Home Assistant's own rules for discovery, as facts: what breaks one of them is dropped there without a word.
@Suite struct DiscoveryTests {
  private static let court = """
    mqtt_buttons: [{name: remote, maker: zigbee2mqtt, topic: z/r, actions: {single: home +1}}]
    """

  private func messages(_ venue: Venue) throws -> [(topic: String, json: [String: Any])] {
    try venue.published.filter { $0.topic.hasPrefix("homeassistant/") }.map { message in
      #expect(message.isRetained)
      let json = try JSONSerialization.jsonObject(with: Data(message.payload)) as? [String: Any]
      return (message.topic, try #require(json))
    }
  }

  @Test("every message is one that Home Assistant takes")
  func rules() throws {
    let messages = try messages(Venue(court: Self.court, mqtt: "discovery: {}"))
    #expect(messages.count == 1 + 5 + 7 + 1)
    for (topic, json) in messages {
      let levels = topic.split(separator: "/").map(String.init)
      #expect(levels.count == 4 && levels[3] == "config")
      #expect(["sensor", "binary_sensor", "device_automation"].contains(levels[1]))
      // A topic with any other sign is ignored.
      #expect(levels[2].range(of: "^[a-zA-Z0-9_-]+$", options: .regularExpression) != nil)
      let device = json["device"] as? [String: Any]
      #expect(
        device?["identifiers"] as? [String] == ["scoreboard_riverside"]
          && device?["name"] as? String == "Riverside Arena")
      #expect((json["origin"] as? [String: Any])?["name"] as? String == "scoreboard-bridge")
      for topic in [json["state_topic"], json["topic"]].compactMap({ $0 as? String }) {
        #expect(!topic.contains("#") && !topic.contains("+") && topic.hasPrefix("scoreboard/riverside"))
      }
      if levels[1] == "device_automation" { checkTrigger(json) } else { checkEntity(json, levels) }
    }
  }

  private func checkEntity(_ json: [String: Any], _ levels: [String]) {
    // The id in the topic is the unique id.
    #expect(json["unique_id"] as? String == levels[2])
    #expect(json["state_topic"] != nil && json["value_template"] != nil)
    #expect(json["name"] as? String != "Riverside Arena")
    // Either the list or the topic, never both; its template gives only the two words that are known.
    let availability = json["availability"] as? [[String: Any]]
    #expect(availability?.count == 1 && json["availability_topic"] == nil)
    #expect(availability?.first?["topic"] as? String == "scoreboard/riverside/availability")
    #expect(
      availability?.first?["value_template"] as? String == "{{ 'online' if value == 'online' else 'offline' }}")
    // An enum has options, and neither unit nor state class.
    if json["device_class"] as? String == "enum" {
      #expect((json["options"] as? [String])?.isEmpty == false)
      #expect(json["unit_of_measurement"] == nil && json["state_class"] == nil)
    } else if let name = json["device_class"] as? String {
      #expect(levels[1] == "binary_sensor" && name == "running")
    }
    if let category = json["entity_category"] as? String { #expect(category == "diagnostic") }
  }

  private func checkTrigger(_ json: [String: Any]) {
    #expect(json["automation_type"] as? String == "trigger" && json["unique_id"] == nil && json["availability"] == nil)
    for name in ["type", "subtype", "topic", "payload"] { #expect((json[name] as? String)?.isEmpty == false) }
    // Events are never retained, so a trigger never fires for the past.
    #expect((json["topic"] as? String)?.hasSuffix("/event") == true)
  }

  @Test("B76: ids are unique, a trigger's type and subtype too, and saying it three times changes nothing")
  func idempotent() throws {
    var venue = try Venue(court: Self.court, mqtt: "discovery: {}")
    let first = try messages(venue)
    let ids = first.compactMap { $0.json["unique_id"] as? String }
    #expect(Set(ids).count == ids.count)
    let triggers = first.compactMap { one in
      (one.json["type"] as? String).map { "\($0) \(one.json["subtype"] ?? "")" }
    }
    #expect(Set(triggers).count == triggers.count && triggers.count == 8)
    let payloads = Set(venue.published.filter { $0.topic.hasPrefix("homeassistant/") })
    try venue.restart()
    venue.lose()
    venue.connect()
    let all = venue.published.filter { $0.topic.hasPrefix("homeassistant/") }
    #expect(Set(all) == payloads && all.count == 3 * payloads.count)
  }

  @Test("Home Assistant's birth is answered within two seconds, once; its end is not")
  func birth() throws {
    var venue = try Venue(mqtt: "discovery: {prefix: ha}")
    #expect(venue.engine.subscriptions.contains { $0.filter == "ha/status" })
    func count() -> Int { venue.published.count { $0.topic.hasPrefix("ha/") } }
    let first = count()
    venue.say("ha/status", "offline")
    venue.pass(.seconds(3))
    #expect(count() == first)
    venue.say("ha/status", "online")
    venue.say("ha/status", "online")
    venue.pass(.seconds(3))
    #expect(count() == 2 * first)
  }

  @Test("nothing is announced unless the config asks for it")
  func off() throws { #expect(try messages(Venue()).isEmpty) }

  @Test("every phase has its word among the options")
  func phases() {
    let phases: [Phase] = [
      .scheduled(.announced), .live(.regular(1)), .live(.overtime(1)), .live(.shootout), .review(.regular(1)),
    ]
    for phase in phases { #expect(Phase.words.contains(phase.word)) }
  }
}
