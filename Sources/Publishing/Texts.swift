import GameCore

/// The words that phones show: a template for each key, in one language, changed by the config. A key with the sport's
/// name behind it (`score.basketball.3`) goes before the general one.
package struct Texts: Hashable, Sendable {
  private var templates: [String: Template]
  /// Names of players, not only jersey numbers, may appear on locked screens.
  package var allowsPlayerNames: Bool

  /// Something in the config's `texts` that cannot be.
  package struct Problem: Hashable, Sendable {
    package var key: String
    package var message: String
  }

  package enum Result: Hashable, Sendable {
    case texts(Texts)
    case problems([Problem])
  }

  package static let languages = ["en", "de"]

  /// English, as it is.
  package init(allowsPlayerNames: Bool = false) {
    self.init(templates: Texts.english, allowsPlayerNames: allowsPlayerNames)
  }

  private init(templates: [String: String], allowsPlayerNames: Bool) {
    self.templates = templates.compactMapValues { Template($0) }
    self.allowsPlayerNames = allowsPlayerNames
  }

  /// The texts of a language with changes, or everything that is wrong with them.
  package static func make(
    language: String, changes: [(key: String, text: String)], allowsPlayerNames: Bool = false
  ) -> Result {
    var problems: [Problem] = []
    if !languages.contains(language) {
      let names = languages.joined(separator: ", ")
      problems.append(Problem(key: "language", message: "'\(language)' is not spoken here; possible are \(names)"))
    }
    var texts = Texts(templates: language == "de" ? german : english, allowsPlayerNames: allowsPlayerNames)
    for (key, text) in changes {
      guard isKey(key) else {
        let keys = english.keys.sorted().joined(separator: ", ")
        problems.append(Problem(key: key, message: "no text has this key; possible are \(keys)"))
        continue
      }
      guard let template = Template(text) else {
        problems.append(Problem(key: key, message: "a { or [ is not closed in '\(text)'"))
        continue
      }
      if let unknown = template.places.first(where: { !places.contains($0) }) {
        let names = places.joined(separator: ", ")
        problems.append(Problem(key: key, message: "{\(unknown)} is filled by nothing; possible are \(names)"))
        continue
      }
      texts.templates[key] = template
    }
    return problems.isEmpty ? .texts(texts) : .problems(problems)
  }

  /// A known key, or one with a sport and a number of points behind it.
  private static func isKey(_ key: String) -> Bool {
    if english[key] != nil { return true }
    let parts = key.split(separator: ".")
    guard parts.count > 1, Sport(rawValue: String(parts[1])) != nil else { return false }
    return english[String(parts[0])] != nil && (parts.count == 2 || (parts.count == 3 && Int(parts[2]) != nil))
  }

  static let places = [
    "name", "code", "other", "home", "away", "homeScore", "awayScore", "points", "player", "play", "period", "clock",
    "tally", "balls", "strikes", "outs", "minutes",
  ]

  /// The most particular template there is, filled.
  func filled(_ key: String, rules: Rules, detail: Int? = nil, _ values: [String: String]) -> String {
    let sport = rules.sport.rawValue
    let template =
      detail.flatMap { templates["\(key).\(sport).\($0)"] } ?? templates["\(key).\(sport)"] ?? templates[key]
    return template?.filled(values) ?? ""
  }
}
