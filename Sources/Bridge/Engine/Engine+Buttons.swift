internal import Document
internal import GameCore
internal import Input

// Lines tell, panels understand, and what a hand did becomes an event of its court's game, stamped with the edge.
extension Engine {
  mutating func lineSaid(_ news: LineNews, of place: LinePlace, at now: Moment) {
    guard courts.indices.contains(place.court) else { return }
    switch place.part {
    case .button(let button): buttonSaid(news, button, of: place.court, at: now)
    case .lamp(let lamp): lampSaid(news, lamp, of: place.court)
    }
  }

  private mutating func buttonSaid(_ news: LineNews, _ button: Int, of place: Int, at now: Moment) {
    guard courts[place].buttons.names.indices.contains(button) else { return }
    switch news {
    case .opened(let level, let line, let warning):
      courts[place].buttons.panel.opened(button, level: level, at: now.instant)
      courts[place].buttons.troubles[button] = nil
      logLine(.notice, "button ready", button, of: place, ["line": line])
      if let warning { logLine(.warning, "line by number", button, of: place, ["warning": warning]) }
      if level == .active { logLine(.warning, "held at boot", button, of: place) }
    case .edges(let edges, let queueWasFull):
      for edge in edges {
        let actions = courts[place].buttons.panel.edge(button, edge)
        obey(actions, of: place, at: now)
      }
      if queueWasFull {
        let actions = courts[place].buttons.panel.queueWasFull(button)
        obey(actions, of: place, at: now)
      }
      watchNoise(button, of: place, at: now)
    case .read(let level):
      let actions = courts[place].buttons.panel.read(button, level, at: now.instant)
      obey(actions, of: place, at: now)
    case .down(let reason):
      courts[place].buttons.panel.closed(button, at: now.instant)
      courts[place].buttons.troubles[button] = reason
      logLine(.warning, "button lost", button, of: place, ["reason": reason])
    }
  }

  private mutating func lampSaid(_ news: LineNews, _ lamp: Int, of place: Int) {
    guard courts[place].lampTroubles.indices.contains(lamp) else { return }
    let name = courts[place].config.lamps[lamp].name
    let slug = courts[place].config.slug
    switch news {
    case .opened(_, let line, let warning):
      courts[place].lamps.opened(lamp)
      courts[place].lampTroubles[lamp] = nil
      log(.notice, "lamp ready", ["court": slug, "lamp": name, "line": line])
      if let warning { log(.warning, "line by number", ["court": slug, "lamp": name, "warning": warning]) }
    case .down(let reason):
      courts[place].lampTroubles[lamp] = reason
      log(.warning, "lamp lost", ["court": slug, "lamp": name, "reason": reason])
    case .edges, .read: break
    }
  }

  /// Everything that time decides about this court's buttons.
  mutating func checkButtons(of place: Int, at now: Moment) {
    guard let due = courts[place].buttons.panel.nextDeadline, due <= now.instant else { return }
    let actions = courts[place].buttons.panel.deadlineReached(at: now.instant)
    obey(actions, of: place, at: now)
  }

  private mutating func obey(_ actions: [ButtonPanel.Action], of place: Int, at now: Moment) {
    for action in actions {
      switch action {
      case .made(let gesture, let button, let instant): made(gesture, button, at: instant, of: place, now: now)
      case .readLine(let button): turn.readings.append(.readLine(LinePlace(court: place, part: .button(button))))
      case .mayHaveMissed(let button, let suspicion):
        logLine(.warning, "a press may have been missed", button, of: place, ["why": suspicion.rawValue])
      case .stuck(let button, _): logLine(.warning, "button stuck", button, of: place)
      case .freed(let button): logLine(.notice, "button free again", button, of: place)
      }
    }
  }

  private mutating func made(_ gesture: Gesture, _ button: Int, at instant: Instant, of place: Int, now: Moment) {
    guard phase == .ready, let bound = courts[place].buttons.bindings[gesture, button] else { return }
    // The press happened when its edge did; wall time goes back by as much.
    let moment = Moment(instant: instant, wall: now.wall + (instant - now.instant))
    let isArmed: Bool
    switch gesture {
    case .hold, .chord: isArmed = true
    case .press, .release, .double, .repeated: isArmed = false
    }
    let action = Court.KeyAction(word: bound.word, binding: bound.binding, isArmed: isArmed)
    let source = Source(.button, courts[place].buttons.names[button])
    press(action, from: source, on: place, happened: moment, at: now)
  }

  private mutating func watchNoise(_ button: Int, of place: Int, at now: Moment) {
    let glitches = courts[place].buttons.panel.counts(of: button).glitches
    if courts[place].buttons.noise[button].seen(glitches: glitches, at: now.instant) {
      logLine(.warning, "noisy line", button, of: place, ["glitches": "\(glitches)"])
    }
  }

  private mutating func logLine(
    _ level: LogLine.Level, _ event: String, _ button: Int, of place: Int,
    _ fields: KeyValuePairs<String, String> = [:]
  ) {
    var line = LogLine(
      level, event, ["court": courts[place].config.slug, "button": courts[place].buttons.names[button]])
    line.fields += fields.map { LogLine.Field(key: $0.key, value: $0.value) }
    turn.said.append(.log(line))
  }

  // MARK: - Lamps

  /// What the lamps are to show at the end of a turn.
  mutating func updateLamps(at now: Moment) {
    for place in courts.indices where !courts[place].config.lamps.isEmpty {
      courts[place].lamps.conditions(lampConditions(of: place), at: now.instant)
      for change in courts[place].lamps.update(at: now.instant) {
        turn.lights.append(.light(LinePlace(court: place, part: .lamp(change.lamp)), change.isLit))
      }
    }
  }

  private func lampConditions(of place: Int) -> Set<LampConfig.Receipt> {
    let court = courts[place]
    var conditions: Set<LampConfig.Receipt> = []
    let isHeld = court.buttons.names.indices.contains { court.buttons.panel.isHeldAtStart($0) }
    if store.trouble != nil { conditions.insert(.trouble) }
    if court.realGame != nil { conditions.insert(.practice) }
    if isHeld { conditions.insert(.heldAtBoot) }
    if court.lanes.contains(where: { lanes[$0]?.lane.waitsForProbe == true }) { conditions.insert(.stored) }
    let hasLines = court.buttons.isWell && court.lampTroubles.allSatisfy { $0 == nil }
    if phase == .ready, hasLines, store.trouble == nil, court.realGame == nil { conditions.insert(.ready) }
    return conditions
  }

  // MARK: - Status

  /// What is not as it should be with a court's lines.
  func lineComplaints(of place: Int) -> [Complaint] {
    var complaints: [Complaint] = []
    let slug = courts[place].config.slug
    func complain(_ code: String, _ text: String, about line: String = "") {
      complaints.append(
        Complaint(
          health: .degraded, code: code, subject: "\(slug)/\(line)", text: "\(slug): \(text)"))
    }
    if courts[place].realGame != nil { complain("practice", "practice mode is on; nothing reaches phones") }
    for (button, name) in courts[place].buttons.names.enumerated() {
      if let trouble = courts[place].buttons.troubles[button] { complain("line", "\(name): \(trouble)", about: name) }
      if courts[place].buttons.panel.isHeldAtStart(button) {
        complain("held-at-boot", "held at boot: \(name)", about: name)
      }
      if courts[place].buttons.panel.isStuck(button) { complain("stuck", "stuck: \(name)", about: name) }
    }
    for (lamp, trouble) in courts[place].lampTroubles.enumerated() {
      let name = courts[place].config.lamps[lamp].name
      if let trouble { complain("line", "\(name): \(trouble)", about: name) }
    }
    return complaints
  }

  /// Every button's line, for status.
  func writeLines(of court: Court, into json: inout JSONWriter, at now: Moment) {
    json.key("lines")
    json.array { list in
      for (button, name) in court.buttons.names.enumerated() {
        let counts = court.buttons.panel.counts(of: button)
        list.object { json in
          json.member("name", name)
          json.member("state", court.buttons.word(of: button, at: now.instant))
          json.member("level", court.buttons.panel.level(of: button)?.rawValue)
          json.member("presses", counts.presses)
          json.member("edges", counts.edges)
          json.member("noise", counts.noise)
          json.member("glitches", counts.glitches)
          json.member("mayHaveMissed", counts.suspicions)
        }
      }
    }
  }
}
