internal import Document
package import GameCore
internal import Input
internal import Outbox
internal import Publishing

// One snapshot of how the daemon is, told on MQTT and over HTTP. It never says more than is known: accepted is not
// delivered, and a console that is silent is not well.
extension Engine {
  package enum Health: String, Hashable, Sendable {
    case ok, degraded, down
  }

  /// Something that is not as it should be: a code for machines, what it is about, and a sentence for people.
  package struct Complaint: Hashable, Sendable {
    package var health: Health
    package var code: String
    package var subject: String
    package var text: String
  }

  /// What is wrong at this very moment; `status.conditions` decides what is told of it.
  func complaints(at now: Instant) -> [Complaint] {
    var result: [Complaint] = []
    func complain(_ health: Health, _ code: String, _ text: String, about subject: String = "") {
      result.append(Complaint(health: health, code: code, subject: subject, text: text))
    }
    if let reason = provider.downReason { complain(.down, "provider-down", reason) }
    if let trouble = store.trouble { complain(.degraded, "store-failing", "the disk takes nothing: \(trouble)") }
    if status.recordsSetAside > 0 {
      complain(.degraded, "records-set-aside", "\(status.recordsSetAside) stored records could not be read")
    }
    if let reason = timeTrust.reason {
      if timeTrust.trust == .untrusted {
        complain(.degraded, "clock-untrusted", "\(reason); scores are counted, phones follow")
      } else {
        complain(.degraded, "clock-rough", "\(reason); clocks on phones stand still")
      }
    }
    if config.mqtt != nil, !desk.isConnected { complain(.degraded, "broker", "broker \(broker.summary)") }
    result += brokerComplaints
    if rival.isThere {
      complain(
        .degraded, "another-daemon", "another daemon speaks for \(config.topicPrefix) as well; stop one of the two")
    }
    for place in courts.indices {
      for console in courts[place].consoles where console.word != "fresh" {
        let reason = console.trouble.map { "closed, \($0)" } ?? console.word
        let subject = "\(courts[place].config.slug)/\(console.name)"
        complain(.degraded, "input", "\(subject): \(reason)", about: subject)
      }
    }
    for place in courts.indices { result += lineComplaints(of: place) }
    for place in courts.indices {
      for board in courts[place].boards where board.word != "fresh" {
        let subject = "\(courts[place].config.slug)/\(board.name)"
        complain(.degraded, "input", "\(subject): \(board.word)", about: subject)
      }
    }
    for place in courts.indices { result += conflicts(of: place, at: now) }
    for id in lanes.keys.sorted(by: { $0.number < $1.number }) {
      guard let slot = lanes[id], let trouble = slot.lane.trouble else { continue }
      let subject = "\(slot.lane.game)/\(slot.lane.sink.rawValue)"
      complain(.degraded, "outbox", "\(subject): \(slot.lane.word), \(trouble)", about: subject)
    }
    return result
  }

  mutating func tellStatus(at now: Moment) {
    rival.timePassed(at: now.instant)
    status.conditions.look(complaints(at: now.instant), at: now.instant)
    let words =
      status.conditions.standing.map { "\($0.code) \($0.subject)" }
      + lanes.values.map { "\($0.lane.game) \($0.lane.sink.rawValue) \($0.lane.word)" }
      .sorted() + [broker.summary]
    let isHeartbeat = status.isHeartbeatDue(at: now.instant)
    if isHeartbeat { desk.retryRefused() }
    guard status.shouldTell(words, at: now.instant) else { return }
    desk.retain(statusTopic, statusJSON(at: now))
    guard isHeartbeat else { return }
    let topic = availabilityTopic
    desk.repeatRetained { $0 == topic }
  }

  package func statusJSON(at now: Moment) -> [UInt8] {
    let standing = status.conditions.standing
    let health: Health = standing.contains { $0.health == .down } ? .down : standing.isEmpty ? .ok : .degraded
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("health", health.rawValue)
      json.key("reasons")
      json.array { list in
        for complaint in standing {
          list.object { json in
            json.member("code", complaint.code)
            json.member("subject", complaint.subject)
            json.member("text", complaint.text)
          }
        }
      }
      json.member("venue", config.venue.name)
      json.member("software", identity.version)
      json.member("run", runID)
      json.member("rehearsal", provider.isRehearsal)
      json.member("broker", config.mqtt == nil ? "none" : broker.summary)
      json.key("time")
      json.object { json in
        json.member("trust", timeTrust.trust.rawValue)
        json.member("reason", timeTrust.reason)
        json.member("serverAheadMs", provider.clockAheadOfUs?.milliseconds)
      }
      writePushLog(into: &json)
      json.key("commands")
      json.object { json in
        json.member("done", status.commandsDone)
        json.member("refused", status.commandsRefused)
        json.member("retainedRefused", status.retainedCommands)
      }
      json.member("messagesDropped", desk.dropped)
      json.key("courts")
      json.array { list in for court in courts { list.object { write(court, into: &$0, at: now) } } }
      json.member("heartbeatS", StatusDesk.heartbeat.components.seconds)
      json.member("at", now.wall.iso8601)
    }
    return writer.bytes
  }

  private func write(_ court: Court, into json: inout JSONWriter, at now: Moment) {
    json.member("court", court.config.slug)
    json.member("game", court.game.id)
    json.member("practice", court.realGame != nil)
    json.key("inputs")
    json.array { list in
      for console in court.consoles {
        list.object { json in
          json.member("name", console.name)
          json.member("kind", "console")
          json.member("state", console.word)
          json.member("trouble", console.trouble)
          json.member("good", console.feed.counts.good)
          json.member("bad", console.feed.counts.bad)
          json.member("lastUnread", console.feed.lastUnmatched)
          json.member("lastGoodMsAgo", console.feed.lastGood.map { (now.instant - $0).milliseconds })
        }
      }
      for board in court.boards { list.object { write(board, into: &$0, at: now) } }
      for slot in court.mqttButtons {
        list.object { json in
          json.member("name", slot.button.name)
          json.member("kind", "mqtt-button")
          let isHeard = desk.isConnected && !desk.unheard.contains(slot.button.topic)
          json.member("state", isHeard ? "listening" : "closed")
          json.member("storedIgnored", slot.button.retained)
        }
      }
    }
    json.key("owners")
    json.object { json in
      for field in Arbiter.Field.allCases { json.member(field.rawValue, court.arbiter.owner(of: field)?.name) }
    }
    writeLines(of: court, into: &json, at: now)
    json.key("outbox")
    json.array { list in
      for id in court.lanes {
        guard let lane = lanes[id]?.lane else { continue }
        list.object { write(lane, into: &$0, at: now) }
      }
    }
  }

  private func write(_ board: MQTTBoard, into json: inout JSONWriter, at now: Moment) {
    json.member("name", board.name)
    json.member("kind", "mqtt-scoreboard")
    json.member("state", board.word)
    json.member("good", board.counts.good)
    json.member("bad", board.counts.bad)
    json.member("lastUnread", board.lastUnread)
    json.member("lastGoodMsAgo", board.lastGood.map { (now.instant - $0).milliseconds })
  }

  private func write(_ lane: ActivityLane, into json: inout JSONWriter, at now: Moment) {
    let report = lane.report(at: now.instant)
    json.member("sink", lane.sink.rawValue)
    json.member("state", report.state)
    json.member("queued", report.queued)
    json.member("inFlight", report.inFlight)
    json.member("accepted", report.counts.accepted)
    json.member("refused", report.counts.refused)
    json.member("parked", report.counts.parked)
    json.member("unknown", report.counts.unknown)
    json.member("superseded", report.counts.superseded)
    json.member("oldestMs", report.oldestAge?.milliseconds)
    let sinceAccepted = report.counts.lastAcceptedAt.map { now.instant - $0 }
    json.member("lastAcceptedMsAgo", sinceAccepted?.milliseconds)
    json.member(
      "lastAcceptedAt", sinceAccepted.map { WallTime(milliseconds: now.wall.milliseconds - $0.milliseconds).iso8601 })
    json.key("broadcast")
    if let broadcast = lane.broadcast {
      json.object { json in
        json.member("id", broadcast.id)
        json.member("apnsChannelId", broadcast.apnsChannelID)
        json.member("storagePolicy", broadcast.policy.rawValue)
      }
    } else {
      json.null()
    }
    json.member("leakedChannels", report.leakedChannels)
    json.member("urgentLeft", report.urgentLeft)
    json.member("reason", report.reason)
  }

  // MARK: - Clock

  mutating func clockChecked(_ isSynchronised: Bool?, at now: Moment) {
    noteTrust(timeTrust.kernelSaid(isSynchronised: isSynchronised == true, at: now), at: now)
    // The phones of a rehearsal go by this machine's own clock.
    if provider.isRehearsal { noteTrust(timeTrust.serverSaid(now.wall, roundTrip: .zero, at: now), at: now) }
  }

  /// Tells the lanes when the clock has become better or worse.
  mutating func noteTrust(_ change: ClockTrust?, at now: Moment) {
    guard let change else { return }
    let level: LogLine.Level = change == .untrusted ? .warning : .notice
    log(level, "clock \(change.rawValue)", ["reason": timeTrust.reason ?? "in step"])
    tellLanes(.trustChanged(change), at: now)
    forgetOldGames(at: now)
  }

  // MARK: - Consoles

  mutating func feedOpened(_ address: InputAddress) {
    guard let name = name(of: address) else { return }
    courts[address.court].consoles[address.console].opened()
    log(.notice, "console opened", ["court": courts[address.court].config.slug, "console": name])
  }

  mutating func feedClosed(_ address: InputAddress, reason: String) {
    guard let name = name(of: address) else { return }
    courts[address.court].consoles[address.console].closed(reason: reason)
    log(
      .warning, "console closed",
      ["court": courts[address.court].config.slug, "console": name, "reason": reason])
  }

  /// Nil for an address that is not in the config.
  func name(of address: InputAddress) -> String? {
    guard courts.indices.contains(address.court), courts[address.court].consoles.indices.contains(address.console)
    else { return nil }
    return courts[address.court].consoles[address.console].name
  }

  mutating func checkConsoles(of place: Int, at now: Moment) {
    for console in courts[place].consoles.indices {
      for action in courts[place].consoles[console].feed.timePassed(at: now.instant) {
        guard case .health(let change) = action else { continue }
        noteHealth(change, of: InputAddress(court: place, console: console), at: now)
      }
    }
  }

  mutating func noteHealth(_ change: FeedHealth.Action, of address: InputAddress, at now: Moment) {
    let name = name(of: address) ?? ""
    let slug = courts[address.court].config.slug
    switch change {
    case .wentStale: log(.notice, "console silent", ["court": slug, "console": name])
    case .wentLost:
      log(.warning, "console lost", ["court": slug, "console": name])
      tellFeed(.feedLost, of: address.court, at: now)
    case .cameBack:
      log(.notice, "console back", ["court": slug, "console": name])
      tellFeed(.feedRestored, of: address.court, at: now)
    case .adviseSettings(let advice):
      log(.warning, "console unreadable", ["court": slug, "console": name, "try": advice])
    }
  }

  mutating func tellFrame(to place: Int, at now: Moment) {
    for id in courts[place].lanes { tell(id, .frameArrived, at: now) }
  }

  mutating func tellFeed(_ kind: UpdateKind, of place: Int, at now: Moment) {
    guard courts[place].isToldToPhones, courts[place].realGame == nil else { return }
    var state = contentState(of: place, at: now)
    if kind == .shutdown, ![.live, .halftime].contains(state.gameStatus) { return }
    if kind != .feedRestored {
      state.clockDir = .stop
      state.clockAnchorMs = 0
      state.lastPlay = courts[place].texts.feedLost(courts[place].rules)
    }
    for id in courts[place].lanes { tell(id, .changed(LaneChange(state: state, kind: kind)), at: now) }
  }
}
