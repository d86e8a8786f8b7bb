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
        switch Binding.parse(action, rules: usualRules(sport)) {
        case .binding: nil
        case .refused(let reason): reason
        }
      },
      isScoring: { sport, action in
        guard case .binding(.game(.scored)) = Binding.parse(action, rules: usualRules(sport)) else { return false }
        return true
      },
      compilePattern: Pattern.compile,
      faultOfText: { language, key, template in
        guard case .problems(let problems) = Texts.make(language: language, changes: [(key, template)]) else {
          return nil
        }
        return problems.first?.message
      })
  }

  private static func usualRules(_ sport: SportName) -> Rules {
    guard case .rules(let rules) = Rules.named(sport.rawValue) else {
      preconditionFailure("Every sport of the config has its rules.")
    }
    return rules
  }

  private static func faultsOfRules(_ sport: SportName, _ members: [Node.Member], _ decoding: inout Decoding) {
    for member in members {
      guard let text = member.value.text else {
        decoding.inside(key: member.key) { $0.problem("one value belongs here", at: member.value.position) }
        continue
      }
      guard case .problems(let problems) = Rules.named(sport.rawValue, settings: [(member.key, text)]) else { continue }
      for problem in problems {
        decoding.inside(key: member.key) { $0.problem(problem.message, at: member.value.position) }
      }
    }
    // Settings that are fine alone may not be so together.
    let settings = members.compactMap { member in member.value.text.map { (key: member.key, text: $0) } }
    if decoding.issues.isEmpty, case .problems(let problems) = Rules.named(sport.rawValue, settings: settings) {
      for problem in problems {
        let position = members.first { $0.key == problem.key }?.value.position ?? Position(line: 1, column: 1)
        decoding.problem(problem.message, at: position)
      }
    }
  }
}
