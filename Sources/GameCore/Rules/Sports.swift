extension Rules {
  package static func usual(for sport: Sport) -> Rules { basketball }
  package static func settings(of sport: Sport) -> [RuleSetting] { basketballSettings + RuleSetting.table }
}
