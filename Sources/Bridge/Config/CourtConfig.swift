package import Document
package import GameCore
package import Input
import Publishing

/// One court: a place where one game is played at a time, with everything that feeds it.
package struct CourtConfig: Hashable, Sendable {
  /// A key of the terminal that stands for a button.
  package struct KeyBinding: Hashable, Sendable {
    package var key: String
    package var action: String

    package init(key: String, action: String) {
      self.key = key
      self.action = action
    }
  }

  package var name = ""
  package var slug = ""
  package var sport = Sport.basketball
  /// What the league varies, as it was written; the sport's rules know the names.
  package var rules: [Node.Member] = []
  package var game = GameConfig()
  package var phones = PhonesConfig()
  /// The language of alerts and last plays.
  package var language = "en"
  /// Nil means the usual keys of the sport.
  package var keys: [KeyBinding]?
  package var consoles: [ConsoleConfig] = []
  package var buttons: [ButtonConfig] = []
  package var chords: [ChordConfig] = []
  package var lamps: [LampConfig] = []
  package var mqttBoards: [MQTTBoardConfig] = []
  package var mqttButtons: [MQTTButtonConfig] = []
  /// Who is believed when two tell the same.
  package var sources = Arbiter.Settings()

  package init() {}
}

extension CourtConfig {
  private struct Draft {
    var court = CourtConfig()
    var slug: Slug?
  }

  static func schema(_ checks: ConfigChecks) -> Schema<CourtConfig> {
    Schema.record(Draft(), whatIsPlayed() + whoTellsUs(checks)).converted { draft, node, decoding in
      var court = draft.court
      court.slug = slugText(draft.slug, name: court.name, node, &decoding)
      // An unknown sport has been reported; its rules and actions cannot be judged.
      guard node["sport"]?.text == court.sport.rawValue else { return court }
      if let rules = node["rules"]?.members {
        decoding.inside(key: "rules") { checks.faultsOfRules(court.sport, rules, &$0) }
      }
      CourtActions(sport: court.sport, checks: checks).check(node, &decoding)
      return court
    }
  }

  private static func whatIsPlayed() -> [Field<Draft>] {
    [
      .required(
        "name", \.court.name, .text(atMost: 60), "The court's name, as people write it.", example: "Main court"),
      .optional(
        "slug", \.slug, .slug, "The court's name in topics and channels.", example: "main",
        otherwise: "made from the name"),
      .required("sport", \.court.sport, .words("sport"), "What is played.", example: "basketball"),
      .setting(
        "rules", \.court.rules, .open("settings of the sport"), "What the league varies.",
        example: "{period_length: 10m}", otherwise: "the sport's usual rules"),
      .setting(
        "game", \.court.game, GameConfig.schema(), "The game to be played next.",
        example: "{home: {name: Riverton}, away: {name: Harbor City}}", otherwise: "named later"),
      .setting(
        "phones", \.court.phones, PhonesConfig.schema(), "What the game is on phones.", example: "{ios: {spacing: 5s}}",
        otherwise: "both kinds of phone, with the defaults"),
      .setting(
        "language", \.court.language,
        .name(
          "language", allowed: "one of: \(Texts.languages.joined(separator: ", "))",
          pattern: "^(\(Texts.languages.joined(separator: "|")))$", Texts.languages.contains
        ), "The language of alerts and last plays.", example: "en"),
    ]
  }

  private static func whoTellsUs(_ checks: ConfigChecks) -> [Field<Draft>] {
    [
      .optional(
        "keys", \.court.keys, keysSchema(), "Keys of the terminal that stand for buttons.",
        example: "{h: home +1, u: undo}", otherwise: "the usual keys"),
      .setting(
        "consoles", \.court.consoles, .list(of: ConsoleConfig.schema(checks), count: 0...8),
        "Consoles whose data port is read.", example: "[]"),
      .setting(
        "buttons", \.court.buttons, .list(of: ButtonConfig.schema(), count: 0...64), "Buttons on GPIO lines.",
        example: "[]"),
      .setting(
        "chords", \.court.chords, .list(of: ChordConfig.schema(), count: 0...16), "Two buttons pressed together.",
        example: "[]"),
      .setting(
        "lamps", \.court.lamps, .list(of: LampConfig.schema(), count: 0...16), "Lamps and buzzers on GPIO lines.",
        example: "[]"),
      .setting(
        "mqtt_scoreboards", \.court.mqttBoards, .list(of: MQTTBoardConfig.schema(), count: 0...8),
        "Scoreboards that speak on the broker.",
        example: "[{name: hall board, fields: {home_score: {topic: hall/home}}}]"),
      .setting(
        "mqtt_buttons", \.court.mqttButtons, .list(of: MQTTButtonConfig.schema(), count: 0...32),
        "Buttons that speak on the broker.",
        example: "[{name: remote, maker: zigbee2mqtt, topic: zigbee2mqtt/remote, actions: {single: home +1}}]"),
      .setting(
        "sources", \.court.sources, Arbiter.Settings.schema(), "Who is believed when two tell the same.",
        example: "{score: console}", otherwise: "the first feed to speak, and people always"),
    ]
  }

  private static func keysSchema() -> Schema<[KeyBinding]> {
    let names = ["space", "enter", "up", "down", "left", "right"]
    let key = Schema<String>.name(
      "key", allowed: "one letter, digit or sign, or one of: \(names.joined(separator: ", "))",
      pattern: "^([!-~]|\(names.joined(separator: "|")))$"
    ) { text in
      names.contains(text) || (text.utf8.count == 1 && text.utf8.allSatisfy { $0 > 32 && $0 < 127 })
    }
    return Schema.map(key, .action, atMost: 64).converted { pairs, _, _ in
      pairs.map { KeyBinding(key: $0.key, action: $0.value) }
    }
  }
}

/// Holds what keys, buttons and chords are to do against what the sport has.
private struct CourtActions {
  let sport: Sport
  let checks: ConfigChecks

  func check(_ court: Node, _ decoding: inout Decoding) {
    decoding.inside(key: "keys") { decoding in
      for member in court["keys"]?.members ?? [] {
        check(member, &decoding)
        if member.key.first?.isUppercase != true { warnOfHold(member, remedy: "Give it a capital letter", &decoding) }
      }
    }
    decoding.inside(key: "buttons") { decoding in
      for (index, button) in (court["buttons"]?.elements ?? []).enumerated() {
        decoding.inside(index: index) { check(button: button, &$0) }
      }
    }
    decoding.inside(key: "mqtt_buttons") { decoding in
      for (index, button) in (court["mqtt_buttons"]?.elements ?? []).enumerated() {
        decoding.inside(index: index) { decoding in
          decoding.inside(key: "actions") { decoding in
            let maker = button["maker"]?.text.flatMap(MQTTButton.Maker.init(rawValue:))
            for member in button["actions"]?.members ?? [] {
              check(member, &decoding)
              if maker?.isHold(member.key) == false {
                warnOfHold(member, remedy: "Bind it to the maker's word for a long press", &decoding)
              }
            }
          }
        }
      }
    }
    decoding.inside(key: "chords") { decoding in
      var seen: Set<Set<String>> = []
      for (index, chord) in (court["chords"]?.elements ?? []).enumerated() {
        decoding.inside(index: index) { decoding in
          check(chord: chord, of: court, &decoding)
          check(pair: chord["buttons"], &seen, &decoding)
        }
      }
    }
  }

  private func check(_ member: Node.Member, _ decoding: inout Decoding) {
    guard let action = member.value.text, let fault = checks.faultOfAction(sport, action) else { return }
    decoding.inside(key: member.key) { decoding in
      decoding.problem(fault.text, at: member.value.position, remedy: fault.remedy)
    }
  }

  private func warnOfHold(_ member: Node.Member, remedy: String, _ decoding: inout Decoding) {
    guard let action = member.value.text, checks.needsHold(sport, action) else { return }
    decoding.inside(key: member.key) { decoding in
      decoding.warning(
        "\(action) is never done by this: only a hold, a chord or a capital key does it", at: member.value.position,
        remedy: remedy)
    }
  }

  private func check(button: Node, _ decoding: inout Decoding) {
    for member in button.members ?? [] where ["press", "release", "hold", "double", "repeat"].contains(member.key) {
      check(member, &decoding)
      if member.key != "hold" { warnOfHold(member, remedy: "Bind it to hold, or to a chord", &decoding) }
    }
    guard let press = button["press"], let action = press.text, checks.isScoring(sport, action) else { return }
    for key in ["hold", "double"] where button[key] != nil {
      decoding.inside(key: "press") { decoding in
        decoding.warning(
          "this button scores, but each press waits until it is clear that it is no \(key)", at: press.position,
          remedy: "Bind \(key) on another button, so that scoring answers at once")
      }
      return
    }
  }

  /// A press that may become a chord waits for it.
  private func warnOfWaiting(_ chord: Node, of court: Node, _ decoding: inout Decoding) {
    let names = Set((chord["buttons"]?.elements ?? []).compactMap(\.text))
    for button in court["buttons"]?.elements ?? [] {
      guard let name = button["name"]?.text, names.contains(name), let action = button["press"]?.text,
        checks.isScoring(sport, action)
      else { continue }
      decoding.warning(
        "\(name) scores, but each press waits until it is clear that it is no chord", at: chord.position,
        remedy: "Bind the chord to two buttons that do not score, so that scoring answers at once")
    }
  }

  private func check(pair: Node?, _ seen: inout Set<Set<String>>, _ decoding: inout Decoding) {
    guard let buttons = pair?.elements, buttons.count == 2 else { return }
    let names = Set(buttons.compactMap(\.text))
    decoding.inside(key: "buttons") { decoding in
      if names.count == 1 {
        decoding.inside(index: 1) { decoding in
          decoding.problem(
            "a chord is of two buttons, and this is one", at: buttons[1].position, remedy: "Name another button")
        }
      } else if !seen.insert(names).inserted {
        decoding.problem(
          "these two buttons have a chord already", at: buttons[0].position, remedy: "Keep one of the two chords")
      }
    }
  }

  private func check(chord: Node, of court: Node, _ decoding: inout Decoding) {
    for member in chord.members ?? [] where member.key == "press" { check(member, &decoding) }
    warnOfWaiting(chord, of: court, &decoding)
    let known = (court["buttons"]?.elements ?? []).compactMap { $0["name"]?.text }
    for (index, button) in (chord["buttons"]?.elements ?? []).enumerated() {
      guard let name = button.text, !known.contains(name) else { continue }
      decoding.inside(key: "buttons") { decoding in
        decoding.inside(index: index) { decoding in
          decoding.problem(
            "this court has no button \(Quoted.text(name))", at: button.position,
            remedy: NearestName.to(name, among: known).map { "Did you mean \($0)?" }
              ?? "It has: \(known.joined(separator: ", "))")
        }
      }
    }
  }
}
