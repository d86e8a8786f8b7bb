import Bridge
import Platform

// SIGHUP: the file is read anew and taken whole, or the old config stays and the log says why.
extension Daemon {
  func reload() {
    guard let start = reread() else {
      return log.error("reload refused, the old config stays", ["remedy": "scoreboard-bridge check says what is wrong"])
    }
    let reload = Reload(config: start.config, courts: start.courts, provider: start.provider)
    guard engine.faults(of: reload).isEmpty else { return take(.reload(reload)) }
    let old = config
    let oldPassword = mqttPassword
    let oldSources = consoles
    config = start.config
    mqttPassword = start.mqttPassword
    let consolesChanged = start.config.courts.map(\.consoles) != old.courts.map(\.consoles)
    if consolesChanged, let me {
      do throws(PlatformError) {
        try makeConsoles(me)
      } catch {
        config = old
        mqttPassword = oldPassword
        return log.error("reload refused, the old config stays", ["reason": error.description])
      }
      for source in oldSources { source.stop() }
    }
    take(.reload(reload))
    if consolesChanged { for source in consoles { source.start() } }
    if start.config.mqtt != old.mqtt || mqttPassword != oldPassword { renewBroker() }
  }

  /// Another broker, or another password: says goodbye to the one and goes to the other.
  private func renewBroker() {
    guard let leaving = broker, let me else { return }
    do throws(PlatformError) {
      try makeBroker(me)
    } catch {
      broker = leaving
      return log.error("the new broker cannot be used", ["reason": error.description])
    }
    let next = broker
    broker = nil
    take(.broker(.lost(reason: "the config has changed")))
    leaving.stop(within: .seconds(1)) { [self] in
      // The old connection is kept until its last word has been heard.
      _ = leaving
      broker = next
      next?.start()
    }
  }
}
