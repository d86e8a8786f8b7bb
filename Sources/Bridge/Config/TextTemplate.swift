import Document

/// A sentence for fans in one language, for one sport or for all that have none of their own.
package struct TextTemplate: Hashable, Sendable {
  package var language: String
  /// Nil means every sport.
  package var sport: SportName?
  /// Which sentence it is, such as `score`.
  package var name: String
  package var template: String

  /// `language: sport or any: name: template`.
  static func schema() -> Schema<[TextTemplate]> {
    let language = Schema<String>.name(
      "language", allowed: "a language's two or three letters, such as en", pattern: "^[a-z]{2,3}$"
    ) { text in (2...3).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) } }
    let words = SportName.allCases.map(\.rawValue) + ["any"]
    let sport = Schema<String>.scalar(
      ScalarShape(name: "sport", allowed: words.joined(separator: ", "), form: .words(words)), write: { $0 }
    ) { words.contains($0) ? $0 : nil }
    let name = Schema<String>.name("name", allowed: "small letters and _", pattern: "^[a-z_]{1,40}$") { text in
      (1...40).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) || $0 == 95 }
    }
    let sentences = Schema.map(name, Schema<String>.text(atMost: 200), atMost: 64)
    let sports = Schema.map(sport, sentences, atMost: 32)
    return Schema.map(language, sports, atMost: 16).converted { languages, _, _ in
      languages.flatMap { language, sports in
        sports.flatMap { sport, sentences in
          sentences.map { name, template in
            TextTemplate(language: language, sport: SportName(rawValue: sport), name: name, template: template)
          }
        }
      }
    }
  }
}
