import Document

/// A name made safe for topics, channels, paths and identifiers: small letters, digits and single hyphens. Names that
/// people read stay as they are; only slugs go where `#`, `+` or `/` would mean something else.
package struct Slug: Hashable, Sendable {
  package let text: String

  package static let maximumLength = 48

  /// A slug that was written out; nil when it is not one.
  package init?(_ text: String) {
    guard !text.isEmpty, text.utf8.count <= Self.maximumLength, text == Self.made(from: text) else { return nil }
    self.text = text
  }

  /// `Hall #1 + Annex/B` gives `hall-1-annex-b`; nil when nothing of the name can be used.
  package init?(from name: String) {
    let made = Self.made(from: name)
    guard !made.isEmpty else { return nil }
    text = made
  }

  private static func made(from name: String) -> String {
    var result = ""
    var needsHyphen = false
    for scalar in name.unicodeScalars {
      // A mark on the letter before it (a decomposed é) is not a gap between words.
      if scalar.properties.generalCategory == .nonspacingMark { continue }
      let letters = self.letters(of: scalar)
      if letters.isEmpty {
        needsHyphen = !result.isEmpty
        continue
      }
      guard result.utf8.count + letters.utf8.count + (needsHyphen ? 1 : 0) <= maximumLength else { break }
      if needsHyphen { result += "-" }
      needsHyphen = false
      result += letters
    }
    return result
  }

  /// What remains of one character: itself, its plain letters, or nothing.
  private static func letters(of scalar: Unicode.Scalar) -> String {
    if scalar.isASCII {
      let lowered = scalar.properties.lowercaseMapping
      let isKept = scalar.properties.isAlphabetic || (scalar.value >= 48 && scalar.value <= 57)
      return isKept ? lowered : ""
    }
    // "LATIN SMALL LETTER E WITH ACUTE": Unicode's own name says which letter lies underneath.
    guard let name = scalar.properties.name, name.hasPrefix("LATIN "),
      let letter = name.split(separator: " ").dropFirst(3).first
    else { return "" }
    if name.holds("LETTER SHARP S") { return "ss" }
    if name.holds("LETTER DOTLESS I") { return "i" }
    return letter.utf8.count <= 2 ? letter.lowercased() : ""
  }
}
