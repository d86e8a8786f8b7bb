internal import GameCore
package import Input

// Scoreboards and buttons on the broker, and who is believed when two tell the same.
extension Engine {
  /// What the connection should hear: commands, scoreboards, buttons, and Home Assistant's birth.
  package var subscriptions: [(filter: String, qos: QoS)] {
    var result = [(filter: availabilityTopic, qos: QoS.atLeastOnce), (filter: statusTopic, qos: .atMostOnce)]
    result += courts.map { (filter: $0.topics.commands, qos: QoS.atLeastOnce) }
    func add(_ topic: String, _ qos: QoS) {
      if !result.contains(where: { $0.filter == topic }) { result.append((topic, qos)) }
    }
    for court in courts {
      for board in court.boards { for topic in board.topics { add(topic, .atLeastOnce) } }
      // Where a copy cannot be told from a second press, the broker must not send any.
      for slot in court.mqttButtons {
        add(slot.button.topic, slot.button.maker.knowsRepeats ? .atLeastOnce : .atMostOnce)
      }
    }
    if let discovery { add(discovery.birthTopic, .atMostOnce) }
    return result
  }

  /// A message that is no command.
  mutating func heard(_ message: MQTTMessage, at now: Moment) {
    if heardOurselves(message, at: now) { return }
    if let discovery, message.topic == discovery.birthTopic { return homeAssistantSpoke(message, at: now) }
    for place in courts.indices {
      for index in courts[place].boards.indices {
        let actions = courts[place].boards[index].received(message, json: ports.json, at: now.instant)
        perform(actions, of: courts[place].boards[index].name, on: place, at: now)
      }
      for index in courts[place].mqttButtons.indices {
        guard case .pressed(let words) = courts[place].mqttButtons[index].button.received(message, json: ports.json)
        else {
          continue
        }
        for word in words { pressed(word, of: courts[place].mqttButtons[index], on: place, at: now) }
      }
    }
  }

  private mutating func pressed(_ word: String, of slot: Court.ButtonSlot, on place: Int, at now: Moment) {
    guard let action = slot.actions[word.lowercased()] else {
      log(.debug, "no action", ["button": slot.button.name, "word": word])
      return
    }
    var armed = action
    armed.isArmed = slot.button.isHold(word)
    press(armed, from: Source(.button, slot.button.name), on: place, at: now)
  }

  /// What a key or a button is bound to, done for its court. A line's press happened when its edge did.
  mutating func press(
    _ action: Court.KeyAction, from source: Source, on place: Int, happened moment: Moment? = nil, at now: Moment
  ) {
    let moment = moment ?? now
    guard let kind = action.binding.kind(armed: action.isArmed) else {
      guard let refusal = setPractice(courts[place].realGame == nil, of: place, at: now) else { return }
      turn.said.append(.show(TerminalLine("\(action.word): not counted, \(refusal)", since: moment.instant)))
      log(.notice, "practice refused", ["court": courts[place].config.slug, "reason": refusal])
      return
    }
    if let field = kind.arbitratedField,
      let reason = courts[place].arbiter.refusal(of: field, by: .buttons, at: now.instant)
    {
      turn.said.append(.show(TerminalLine("\(action.word): not counted, \(reason)", since: moment.instant)))
      log(.info, "ignored", ["court": courts[place].config.slug, "event": action.word, "reason": reason])
      return
    }
    apply(newEvent(kind, from: source, of: place, at: moment), word: action.word, to: place, at: now)
  }

  /// What a feed shows, without the fields that belong to another source.
  mutating func reported(_ report: Report, by source: Source, to place: Int, at now: Moment) {
    let speaker = Arbiter.Speaker(source.sort == .console ? .console : .mqtt, source.name)
    var report = report
    for field in Arbiter.Field.allCases {
      let value = report.value(of: field)
      let counts = courts[place].arbiter.reported(field, value: value, by: speaker, at: now.instant)
      if !counts { report.drop(field) }
    }
    guard report != Report() else { return }
    apply(newEvent(.reported(report), from: source, of: place, at: now), word: source.name, to: place, at: now)
  }

  private mutating func perform(_ actions: [MQTTBoard.Action], of name: String, on place: Int, at now: Moment) {
    let slug = courts[place].config.slug
    for action in actions {
      switch action {
      case .report(let report): reported(report, by: Source(.mqtt, name), to: place, at: now)
      case .wentLost:
        log(.warning, "scoreboard lost", ["court": slug, "scoreboard": name])
        tellFeed(.feedLost, of: place, at: now)
      case .cameBack:
        log(.notice, "scoreboard back", ["court": slug, "scoreboard": name])
        tellFeed(.feedRestored, of: place, at: now)
      }
    }
  }

  mutating func checkBoards(of place: Int, at now: Moment) {
    for index in courts[place].boards.indices {
      let actions = courts[place].boards[index].timePassed(at: now.instant)
      perform(actions, of: courts[place].boards[index].name, on: place, at: now)
    }
  }

  /// Feeds that contradict each other, as complaints.
  func conflicts(of place: Int, at now: Instant) -> [Complaint] {
    courts[place].arbiter.conflicts(at: now).map { conflict in
      Complaint(
        health: .degraded, code: "sources-disagree",
        subject: "\(courts[place].config.slug)/\(conflict.field.rawValue)",
        text: "\(conflict.field.rawValue): \(conflict.owner.name) says \(conflict.owned) and is followed, "
          + "\(conflict.other.name) says \(conflict.said)")
    }
  }
}
