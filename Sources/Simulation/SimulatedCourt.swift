internal import Bridge
package import GameCore
internal import Publishing

/// The rig of a simulated game: one court, both kinds of phone, a broker, no console.
package struct SimulatedCourt {
  package let rules: Rules
  let config: Config
  let settings: CourtSettings

  package init(_ rules: Rules) {
    self.rules = rules
    var court = CourtConfig()
    court.name = "Main court"
    court.slug = "main"
    court.sport = rules.sport
    court.game.home = Self.team("Riverton", "riv")
    court.game.away = Self.team("Harbor City", "har")
    var config = Config()
    config.venue = VenueConfig(name: "Riverside Arena", slug: "riverside")
    config.mqtt = MQTTConfig()
    config.courts = [court]
    self.config = config
    settings = CourtSettings(config: court, rules: rules, texts: Self.texts, feeds: [], keys: [:])
  }

  private static func team(_ name: String, _ code: String) -> GameConfig.Team {
    var team = GameConfig.Team()
    team.name = name
    team.code = code
    return team
  }

  /// The service as the daemon is told of it; the key opens nothing.
  static func provider(_ ports: EnginePorts) -> Provider {
    do throws(LocalRefusal) {
      let settings = try AblySettings(
        hosts: AblyHosts(), credential: .key(AblyKey("simulated.rig:nothing")), agent: "scoreboard-bridge/simulated")
      return .service(settings, json: ports.json, hmac: ports.hmac)
    } catch {
      preconditionFailure("These settings are never refused.")
    }
  }

  private static var texts: Texts {
    switch Texts.make(language: "en", changes: []) {
    case .texts(let texts): texts
    case .problems: preconditionFailure("The built-in texts have no problems.")
    }
  }
}
