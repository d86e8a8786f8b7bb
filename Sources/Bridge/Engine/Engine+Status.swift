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

  /// Something that is not as it should be: a code for machines, a sentence for people.
  package struct Complaint: Hashable, Sendable {
    package var health: Health
    package var code: String
    package var text: String
  }

  var complaints: [Complaint] {
    var result: [Complaint] = []
    func complain(_ health: Health, _ code: String, _ text: String) {
      result.append(Complaint(health: health, code: code, text: text))
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
    for topic in desk.oversized {
      complain(.degraded, "message-too-large", "the broker takes no message of the size of \(topic)")
    }
    for court in courts {
      for console in court.consoles where console.word != "fresh" {
        let reason = console.trouble.map { "closed, \($0)" } ?? console.word
        complain(.degraded, "console", "\(court.config.slug)/\(console.name): \(reason)")
      }
    }
    for court in courts { result += lineComplaints(of: court) }
    for slot in lanes.values.sorted(by: { $0.lane.game < $1.lane.game }) {
      let report = slot.lane.report(at: Instant(nanoseconds: 0))
      if let reason = report.reason, report.queued > 0 || report.state == "dead" {
        complain(.degraded, "outbox", "\(slot.lane.game)/\(slot.lane.sink.rawValue): \(report.state), \(reason)")
      }
    }
    return result
  }

  mutating func tellStatus(at now: Moment) {
    let complaints = complaints
    let conditions =
      complaints.map { "\($0.code) \($0.text)" }
      + lanes.values.map { "\($0.lane.game) \($0.lane.sink.rawValue) \($0.lane.report(at: now.instant).state)" }
      .sorted()
    guard status.shouldTell(conditions, at: now.instant) else { return }
    desk.retain("\(config.topicPrefix)/status", statusJSON(complaints, at: now))
  }

  package func statusJSON(at now: Moment) -> [UInt8] { statusJSON(complaints, at: now) }

  private func statusJSON(_ complaints: [Complaint], at now: Moment) -> [UInt8] {
    var writer = JSONWriter()
    let health: Health =
      complaints.contains { $0.health == .down } ? .down : complaints.isEmpty ? .ok : .degraded
    writer.object { json in
      json.member("version", 1)
      json.member("health", health.rawValue)
      json.key("reasons")
      json.array { list in
        for complaint in complaints {
          list.object { json in
            json.member("code", complaint.code)
            json.member("text", complaint.text)
          }
        }
      }
      json.member("venue", config.venue.name)
      json.member("software", identity.version)
      json.member("rehearsal", provider.isRehearsal)
      json.member("broker", config.mqtt == nil ? "none" : broker.summary)
      json.key("time")
      json.object { json in
        json.member("trust", timeTrust.trust.rawValue)
        json.member("serverAheadMs", provider.clockAheadOfUs?.milliseconds)
      }
      json.member("retainedCommandsRefused", status.retainedCommands)
      writePushLog(into: &json)
      json.key("courts")
      json.array { list in for court in courts { list.object { write(court, into: &$0, at: now) } } }
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
          json.member("state", console.word)
          json.member("trouble", console.trouble)
          json.member("framesGood", console.feed.counts.good)
          json.member("framesBad", console.feed.counts.bad)
          json.member("lastUnmatched", console.feed.lastUnmatched)
          json.member("lastGoodMsAgo", console.feed.lastGood.map { (now.instant - $0).milliseconds })
        }
      }
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
    json.member("lastAcceptedMsAgo", report.counts.lastAcceptedAt.map { (now.instant - $0).milliseconds })
    json.member("leakedChannels", report.leakedChannels)
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

  private mutating func tellFeed(_ kind: UpdateKind, of place: Int, at now: Moment) {
    guard courts[place].isToldToPhones, courts[place].realGame == nil else { return }
    var state = contentState(of: place, at: now)
    if kind == .feedLost {
      state.clockDir = .stop
      state.clockAnchorMs = 0
      state.lastPlay = "Scoreboard signal lost"
    }
    for id in courts[place].lanes { tell(id, .changed(LaneChange(state: state, kind: kind)), at: now) }
  }
}
