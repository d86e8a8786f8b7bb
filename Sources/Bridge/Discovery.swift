internal import Document
internal import GameCore
internal import Input

/// What Home Assistant is told, so that it finds this venue by itself: one device, and entities and triggers for each
/// court. Ids come from the slugs, so a swapped board is the same device. Saying it again changes nothing.
///
/// One message for each component: every version understands that form.
struct Discovery: Hashable, Sendable {
  let config: Config
  let prefix: String
  let version: String

  struct Message: Hashable, Sendable {
    var topic: String
    var payload: [UInt8]
  }

  /// Where Home Assistant says that it has started.
  var birthTopic: String { "\(prefix)/status" }

  func owns(_ topic: String) -> Bool { topic.hasPrefix(prefix + "/") && topic.hasSuffix("/config") }

  private var device: String { "scoreboard_\(config.venue.slug)" }

  var messages: [Message] {
    let courts = config.courts.flatMap { court in sensors(of: court) + triggers(of: court) }
    return [health] + courts
  }

  private var health: Message {
    entity("sensor", id: "\(device)_health") { json in
      json.member("name", "Health")
      json.member("state_topic", "\(config.topicPrefix)/status")
      json.member("value_template", "{{ value_json.health }}")
      options(["ok", "degraded", "down"], into: &json)
      json.member("entity_category", "diagnostic")
    }
  }

  private func sensors(of court: CourtConfig) -> [Message] {
    let id = "\(device)_\(court.slug)"
    let topics = CourtTopics(prefix: config.topicPrefix, slug: court.slug)
    func sensor(_ component: String, _ key: String, _ name: String, _ template: String) -> (
      component: String, key: String, name: String, template: String
    ) { (component, key, name, template) }
    let running = "value_json.gameClock and value_json.gameClock.running"
    return [
      sensor("sensor", "home", "home score", "{{ value_json.home.score }}"),
      sensor("sensor", "away", "away score", "{{ value_json.away.score }}"),
      sensor("sensor", "period", "period", "{{ value_json.period }}"),
      sensor("sensor", "phase", "phase", "{{ value_json.phase }}"),
      sensor("binary_sensor", "clock", "game clock", "{{ 'ON' if \(running) else 'OFF' }}"),
    ].map { sensor in
      entity(sensor.component, id: "\(id)_\(sensor.key)") { json in
        json.member("name", "\(court.name) \(sensor.name)")
        json.member("state_topic", topics.state)
        json.member("value_template", sensor.template)
        if sensor.key == "phase" { options(Phase.words, into: &json) }
        if sensor.key == "clock" { json.member("device_class", "running") }
      }
    }
  }

  private func triggers(of court: CourtConfig) -> [Message] {
    let topic = CourtTopics(prefix: config.topicPrefix, slug: court.slug).event
    let facts = Self.facts.map { fact in
      trigger(
        id: "\(device)_\(court.slug)_\(fact)", type: fact, subtype: court.slug, topic: topic,
        template: "{{ '\(fact)' if '\(fact)' in value_json.changed else '' }}", payload: fact)
    }
    let names = court.buttons.map(\.name) + court.mqttButtons.map(\.name)
    let presses = names.enumerated().map { number, name in
      trigger(
        id: "\(device)_\(court.slug)_button_\(number + 1)", type: "button_short_press",
        subtype: "\(court.slug) \(name)", topic: topic,
        template: "{{ value_json.from if value_json.source == 'button' else '' }}", payload: name)
    }
    return facts + presses
  }

  /// What arenas make light and sound of.
  private static let facts = [
    "scored", "score-corrected", "period-started", "period-ended", "timeout-called", "timeout-over", "final",
  ]

  // MARK: - Blocks

  private func entity(_ component: String, id: String, _ body: (inout JSONWriter) -> Void) -> Message {
    message(component, id: id) { json in
      body(&json)
      json.member("unique_id", id)
      // Whatever is not "online" is offline: a clean stop and a will have words of their own.
      json.key("availability")
      json.array { list in
        list.object { json in
          json.member("topic", "\(config.topicPrefix)/availability")
          json.member("value_template", "{{ 'online' if value == 'online' else 'offline' }}")
        }
      }
    }
  }

  private func trigger(
    id: String, type: String, subtype: String, topic: String, template: String, payload: String
  ) -> Message {
    message("device_automation", id: id) { json in
      json.member("automation_type", "trigger")
      json.member("type", type)
      json.member("subtype", subtype)
      json.member("topic", topic)
      json.member("value_template", template)
      json.member("payload", payload)
    }
  }

  private func message(_ component: String, id: String, _ body: (inout JSONWriter) -> Void) -> Message {
    var writer = JSONWriter()
    writer.object { json in
      body(&json)
      json.key("device")
      json.object { json in
        json.key("identifiers")
        json.array { $0.string(device) }
        json.member("name", config.venue.name)
        json.member("model", "Scoreboard bridge")
        json.member("sw_version", version)
      }
      json.key("origin")
      json.object { json in
        json.member("name", "scoreboard-bridge")
        json.member("sw_version", version)
      }
    }
    return Message(topic: "\(prefix)/\(component)/\(id)/config", payload: writer.bytes)
  }

  private func options(_ words: [String], into json: inout JSONWriter) {
    json.member("device_class", "enum")
    json.key("options")
    json.array { list in for word in words { list.string(word) } }
  }
}

extension Engine {
  /// Nil when the config does not ask for it.
  var discovery: Discovery? {
    config.mqtt?.discovery.map { Discovery(config: config, prefix: $0.prefix, version: identity.version) }
  }

  mutating func announce() {
    for message in discovery?.messages ?? [] { desk.retain(message.topic, message.payload) }
  }

  /// Home Assistant has started: it knows nothing until it is told. A little later, as everybody answers it now.
  mutating func homeAssistantSpoke(_ message: MQTTMessage, at now: Moment) {
    guard message.payload == Array("online".utf8) else { return }
    discoveryDue = now.instant + .milliseconds(Int64(random.next() % 2000))
  }

  mutating func announceAgainIfDue(at now: Moment) {
    guard let due = discoveryDue, due <= now.instant, let discovery else { return }
    discoveryDue = nil
    let topics = Set(discovery.messages.map(\.topic))
    desk.repeatRetained { topics.contains($0) }
  }
}
