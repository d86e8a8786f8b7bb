extension Rules {
  /// A sport as most play it.
  package static func usual(for sport: Sport) -> Rules {
    switch sport {
    case .basketball: basketball
    case .basketball3x3: basketball3x3
    case .iceHockey: iceHockey
    case .soccer: soccer
    case .futsal: futsal
    case .handball: handball
    case .floorball: floorball
    case .waterPolo: waterPolo
    case .volleyball: volleyball
    case .tennis: tennis
    case .baseball: baseball
    case .americanFootball: americanFootball
    case .rugbyUnion: rugbyUnion
    case .rollerDerby: rollerDerby
    case .console: console
    }
  }

  /// What its leagues vary, and what every sport accepts. In the order in which settings are applied.
  package static func settings(of sport: Sport) -> [RuleSetting] {
    let own: [RuleSetting] =
      switch sport {
      case .basketball: basketballSettings
      case .basketball3x3: basketball3x3Settings
      case .iceHockey: iceHockeySettings
      case .soccer: soccerSettings
      case .futsal: futsalSettings
      case .handball: handballSettings
      case .floorball: floorballSettings
      case .waterPolo: waterPoloSettings
      case .volleyball: volleyballSettings
      case .tennis: tennisSettings
      case .baseball: baseballSettings
      case .americanFootball: americanFootballSettings
      case .rugbyUnion: rugbyUnionSettings
      case .rollerDerby: rollerDerbySettings
      case .console: []
      }
    return own + RuleSetting.table
  }
}
