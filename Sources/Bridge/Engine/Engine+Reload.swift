internal import GameCore
internal import Input
internal import Outbox
internal import Publishing

/// A config that was read anew, and what was made of it.
package struct Reload {
  package var config: Config
  package var courts: [CourtSettings]
  package var provider: Provider

  package init(config: Config, courts: [CourtSettings], provider: Provider) {
    self.config = config
    self.courts = courts
    self.provider = provider
  }
}

// A reload is taken whole or refused whole. Games, lanes and queues are named by court and game, never by a setting, so
// all of them go on; what would change who they are needs a restart, and says so.
extension Engine {
  /// Why the daemon cannot go over to this config while it runs; empty when it can.
  package func faults(of reload: Reload) -> [String] {
    let new = reload.config
    var faults: [String] = []
    func restart(_ what: String) { faults.append("\(what) can only be changed by a restart") }
    if new.venue != config.venue { restart("venue") }
    if new.stateDirectory != config.stateDirectory { restart("state_directory") }
    if new.topicPrefix != config.topicPrefix { restart("mqtt.topic_prefix") }
    if (new.mqtt == nil) != (config.mqtt == nil) { restart("whether there is MQTT") }
    if new.http != config.http { restart("http") }
    if new.ably?.caFile != config.ably?.caFile { restart("ably.ca_file") }
    if new.courts.map(\.slug) != config.courts.map(\.slug) {
      restart("the list of courts")
    } else {
      for (old, new) in zip(courts, reload.courts) { faults += Self.faults(of: new, instead: old) }
    }
    if let reason = provider.refusal(of: reload.provider) { faults.append(reason) }
    return faults
  }

  private static func faults(of new: CourtSettings, instead old: Court) -> [String] {
    var faults: [String] = []
    func restart(_ what: String) { faults.append("\(old.config.name): \(what) can only be changed by a restart") }
    if new.rules != old.rules { restart("the sport or its rules") }
    if new.config.game != old.config.game { restart("the game; while the daemon runs it is named by a command") }
    if new.config.phones.ios.isEnabled != old.config.phones.ios.isEnabled { restart("phones.ios.enabled") }
    if new.config.phones.courtChannel != old.config.phones.courtChannel { restart("phones.court_channel") }
    if new.config.phones.android.isEnabled != old.config.phones.android.isEnabled { restart("phones.android.enabled") }
    let lines = (new.config.buttons, new.config.chords, new.config.lamps)
    if lines != (old.config.buttons, old.config.chords, old.config.lamps) { restart("buttons, chords and lamps") }
    let topics = (new.config.mqttBoards, new.config.mqttButtons, new.config.sources)
    if topics != (old.config.mqttBoards, old.config.mqttButtons, old.config.sources) {
      restart("mqtt_scoreboards, mqtt_buttons and sources")
    }
    return faults
  }

  mutating func reload(_ reload: Reload, at now: Moment) {
    let faults = faults(of: reload)
    guard phase == .ready, faults.isEmpty else {
      for fault in faults { log(.error, "reload refused, the old config stays", ["reason": fault]) }
      return
    }
    config = reload.config
    provider.adopt(reload.provider)
    pushLog.settingsChanged()
    for (place, settings) in reload.courts.enumerated() {
      let fresh = Self.court(settings, at: place, config: config, ports: ports, run: runID, now: now)
      courts[place].config = fresh.config
      courts[place].texts = fresh.texts
      courts[place].keys = fresh.keys
      courts[place].notice.settingsChanged()
      // The shell opens the consoles anew when any of them has changed.
      if settings.config.consoles != courts[place].consolesConfig {
        courts[place].consoles = fresh.consoles
        courts[place].consolesConfig = fresh.consolesConfig
        for id in courts[place].lanes { tell(id, .feedChanged(hasFeed: courts[place].hasFeed), at: now) }
      }
    }
    for id in lanes.keys.sorted(by: { $0.number < $1.number }) {
      guard let slot = lanes[id], let place = slot.court else { continue }
      let settings = laneSettings(of: courts[place], slot.lane.sink)
      tell(id, .settingsChanged(settings), at: now)
    }
    log(.notice, "reloaded", ["courts": "\(courts.count)"])
  }
}
