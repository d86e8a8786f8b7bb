import Bridge
import Document
import GameCore
import Input
import Platform
import Publishing

/// Something of a court that passed the check of the file and cannot be made all the same.
struct CourtFault: Error {
  var reasons: [String]
}

extension CourtSettings {
  /// Rules, decoders, texts and keys of one court of the config.
  init(_ court: CourtConfig, texts templates: [TextTemplate]) throws(CourtFault) {
    let settings = court.rules.compactMap { member in member.value.text.map { (key: member.key, text: $0) } }
    let rules: Rules
    switch Rules.named(court.sport.rawValue, settings: settings) {
    case .rules(let made): rules = made
    case .problems(let problems): throw CourtFault(reasons: problems.map { "\(court.name): \($0.message)" })
    }
    let changes = templates.filter { $0.language == court.language }.map { (key: $0.key, text: $0.template) }
    let texts: Texts
    switch Texts.make(language: court.language, changes: changes) {
    case .texts(let made): texts = made
    case .problems(let problems): throw CourtFault(reasons: problems.map { "\(court.name): \($0.message)" })
    }
    var feeds: [ConsoleFeed] = []
    for console in court.consoles {
      do throws(DecoderRefusal) {
        feeds.append(
          try ConsoleFeed(
            console.decoderSettings(on: court.sport, compile: Pattern.compile), lostAfter: console.lostAfter))
      } catch {
        throw CourtFault(reasons: error.reasons.map { "\(court.name), \(console.name): \($0)" })
      }
    }
    self.init(
      config: court, rules: rules, texts: texts, feeds: feeds, keys: try Self.keys(of: court, rules: rules),
      mqttActions: try court.mqttButtons.map { button throws(CourtFault) in
        try Self.actions(of: button, court, rules: rules)
      })
    let made = ButtonBindings.make(of: court, rules: rules)
    guard made.refusals.isEmpty else { throw CourtFault(reasons: made.refusals.map { "\(court.name): \($0)" }) }
    buttons = made.bindings
  }

  private static func actions(
    of button: MQTTButtonConfig, _ court: CourtConfig, rules: Rules
  ) throws(CourtFault) -> [String: (word: String, binding: Binding)] {
    var actions: [String: (word: String, binding: Binding)] = [:]
    for entry in button.actions {
      switch Binding.parse(entry.action, rules: rules) {
      case .binding(let binding): actions[entry.word.lowercased()] = (entry.action, binding)
      case .refused(let reason): throw CourtFault(reasons: ["\(court.name), \(button.name): \(reason)"])
      }
    }
    return actions
  }

  /// The terminal's keys: the court's own, else the usual ones.
  private static func keys(
    of court: CourtConfig, rules: Rules
  ) throws(CourtFault) -> [Character: (word: String, binding: Binding)] {
    let bindings = court.keys ?? Self.usualKeys(rules)
    var keys: [Character: (word: String, binding: Binding)] = [:]
    for entry in bindings {
      switch Binding.parse(entry.action, rules: rules) {
      case .binding(let binding): keys[Self.character(entry.key)] = (entry.action, binding)
      case .refused(let reason): throw CourtFault(reasons: ["\(court.name): \(reason)"])
      }
    }
    return keys
  }

  private static func character(_ key: String) -> Character { key == "space" ? " " : key.first ?? " " }

  /// The score steps on the left hand's keys for home and the right hand's for away, the rest where the sport has it.
  static func usualKeys(_ rules: Rules) -> [CourtConfig.KeyBinding] {
    let words = Set(Binding.words(for: rules).map(\.word))
    var keys: [CourtConfig.KeyBinding] = []
    for (side, letters) in [("home", "asdfg"), ("away", "jklzx")] {
      for (letter, step) in zip(letters, rules.scoreSteps) {
        keys.append(CourtConfig.KeyBinding(key: String(letter), action: "\(side) +\(step)"))
      }
    }
    let others = [
      ("u", "undo"), ("r", "redo"), ("space", "clock start/stop"), ("p", "period next"), ("F", "game final"),
      ("E", "game end"), ("N", "game new"),
    ]
    keys += others.filter { words.contains($0.1) }.map { CourtConfig.KeyBinding(key: $0.0, action: $0.1) }
    return keys
  }
}
