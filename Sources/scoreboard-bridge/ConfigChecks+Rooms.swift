package import Bridge
import Document
import GameCore
import Input
import Platform
import Publishing

extension ConfigChecks {
  /// What the rooms that know better say of a config: rules of the sports, actions, patterns, sentences.
  package static var rooms: ConfigChecks {
    ConfigChecks(
      faultsOfRules: faultsOfRules,
      faultOfAction: { sport, action in
        let rules = usualRules(sport)
        guard case .refused = Binding.parse(action, rules: rules) else { return nil }
        return Fault(
          unknown: "\(sport.rawValue) has no action \(Quoted.text(action))", action,
          among: Binding.words(for: rules).map(\.word))
      },
      isScoring: { sport, action in
        guard case .binding(.game(.scored)) = Binding.parse(action, rules: usualRules(sport)) else { return false }
        return true
      },
      needsHold: { sport, action in
        guard case .binding(let binding) = Binding.parse(action, rules: usualRules(sport)) else { return false }
        return binding.kind(armed: true) != binding.kind(armed: false)
      },
      compilePattern: Pattern.compile,
      faultOfText: { language, key, template in
        guard case .problems(let problems) = Texts.make(language: language, changes: [(key, template)]) else {
          return nil
        }
        return problems.first.map { Fault($0.message, remedy: "Mend it, or remove it for the built-in sentence") }
      })
  }

  private static func usualRules(_ sport: Sport) -> Rules {
    guard case .rules(let rules) = Rules.named(sport.rawValue) else {
      preconditionFailure("Every sport of the config has its rules.")
    }
    return rules
  }

  private static func faultsOfRules(_ sport: Sport, _ members: [Node.Member], _ decoding: inout Decoding) {
    let known = Rules.settings(of: sport)
    var isFine = true
    for member in members {
      guard let fault = faultOfRule(member, sport, known) else { continue }
      isFine = false
      decoding.inside(key: member.key) { $0.problem(fault.text, at: member.value.position, remedy: fault.remedy) }
    }
    // Settings that are fine alone may not be so together.
    let settings = members.compactMap { member in member.value.text.map { (key: member.key, text: $0) } }
    guard isFine, case .problems(let problems) = Rules.named(sport.rawValue, settings: settings) else { return }
    for problem in problems {
      let position = members.first { $0.key == problem.key }?.value.position ?? Position(line: 1, column: 1)
      decoding.problem(problem.message, at: position, remedy: "Change one of the settings")
    }
  }

  private static func faultOfRule(_ member: Node.Member, _ sport: Sport, _ known: [RuleSetting]) -> Fault? {
    guard let setting = known.first(where: { $0.key == member.key }) else {
      return Fault(unknown: "\(sport.rawValue) has no such setting", member.key, among: known.map(\.key))
    }
    if let text = member.value.text, setting.value(of: text) != nil { return nil }
    return Fault(Quoted.node(member.value), remedy: "Allowed: \(setting.possible)")
  }
}
