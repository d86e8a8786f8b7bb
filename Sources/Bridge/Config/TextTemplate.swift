import Document

/// A sentence for fans, in one language, in place of the built-in one with the same key.
package struct TextTemplate: Hashable, Sendable {
  package var language: String
  /// Such as `goalTitle`, or `score.basketball.3` for one sport and one number of points.
  package var key: String
  package var template: String

  /// `language: key: template`.
  static func schema(_ checks: ConfigChecks) -> Schema<[TextTemplate]> {
    let language = Schema<String>.name(
      "language", allowed: "a language's two or three letters, such as en", pattern: "^[a-z]{2,3}$"
    ) { text in (2...3).contains(text.utf8.count) && text.utf8.allSatisfy { (97...122).contains($0) } }
    let key = Schema<String>.name(
      "key", allowed: "letters, digits, dots and hyphens", pattern: "^[A-Za-z0-9.-]{1,60}$"
    ) { text in
      (1...60).contains(text.utf8.count)
        && text.utf8.allSatisfy { (48...57).contains($0) || (97...122).contains($0 | 32) || $0 == 45 || $0 == 46 }
    }
    let sentences = Schema.map(key, Schema<String>.text(atMost: 200), atMost: 64)
    return Schema.map(language, sentences, atMost: 16).converted { languages, node, decoding in
      for member in node.members ?? [] {
        for sentence in member.value.members ?? [] {
          guard let template = sentence.value.text,
            let fault = checks.faultOfText(member.key, sentence.key, template)
          else { continue }
          decoding.inside(key: member.key) { decoding in
            decoding.inside(key: sentence.key) {
              $0.problem(fault.text, at: sentence.value.position, remedy: fault.remedy)
            }
          }
        }
      }
      return languages.flatMap { language, sentences in
        sentences.map { TextTemplate(language: language, key: $0, template: $1) }
      }
    }
  }
}
