/// Something in the config's `sport` or `rules` that cannot be.
package struct RuleProblem: Hashable, Sendable {
  /// The key inside `rules`; nil when it is the sport itself.
  package var key: String?
  package var message: String

  package init(key: String?, message: String) {
    self.key = key
    self.message = message
  }
}

package enum RulesResult: Hashable, Sendable {
  case rules(Rules)
  case problems([RuleProblem])
}

extension Rules {
  /// The rules of a sport with a league's settings, or everything that is wrong with them and what is possible.
  package static func named(_ name: String, settings: [(key: String, text: String)] = []) -> RulesResult {
    guard let sport = Sport(rawValue: name) else {
      let names = Sport.allCases.map(\.rawValue).joined(separator: ", ")
      return .problems([RuleProblem(key: nil, message: "unknown sport '\(name)'; possible are \(names)")])
    }
    let known = Rules.settings(of: sport)
    var problems: [RuleProblem] = []
    var values: [String: RuleSetting.Value] = [:]
    for (key, text) in settings {
      guard let setting = known.first(where: { $0.key == key }) else {
        let keys = known.map(\.key).joined(separator: ", ")
        problems.append(
          RuleProblem(key: key, message: "\(name) has no setting '\(key)'; it has \(keys)"))
        continue
      }
      guard let value = setting.value(of: text) else {
        problems.append(RuleProblem(key: key, message: "'\(text)' is not possible; \(key) is \(setting.possible)"))
        continue
      }
      values[key] = value
    }
    guard problems.isEmpty else { return .problems(problems) }
    var rules = Rules.usual(for: sport)
    // In the order of the sport's file, whatever the order in the config: the format comes before what refines it.
    for setting in known {
      if let value = values[setting.key] { setting.write(&rules, value) }
    }
    return .rules(rules)
  }
}
