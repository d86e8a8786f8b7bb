/// What a schema looks like from outside: the part of it that the reference page and the editor's schema are made of.
package indirect enum Shape: Hashable, Sendable {
  case scalar(ScalarShape)
  case list(of: Shape, count: ClosedRange<Int>)
  /// Keys that the writer of the file chooses.
  case map(keys: ScalarShape, values: Shape)
  case record([FieldShape])
  /// A map with exactly one of these keys.
  case choice([FieldShape])
  /// A map whose keys are described elsewhere.
  case open(String)
}

/// A value of one word or line.
package struct ScalarShape: Hashable, Sendable {
  /// How an editor may hold it against its own idea of the text.
  package enum Form: Hashable, Sendable {
    /// A text that YAML itself might take for something else; a pattern in the dialect of JSON schemas.
    case text(pattern: String?)
    case integer(ClosedRange<Int64>)
    case truth
    case words([String])
  }

  /// One word for the reference page's table, such as `duration`.
  package var name: String
  /// What may stand here, to be read after "allowed: ".
  package var allowed: String
  package var form: Form

  package init(name: String, allowed: String, form: Form) {
    self.name = name
    self.allowed = allowed
    self.form = form
  }
}

/// One key of a record.
package struct FieldShape: Hashable, Sendable {
  package enum Presence: Hashable, Sendable {
    case required
    /// Absent means this text, as a person would write it.
    case defaulted(String)
    /// Absent means what this sentence says.
    case optional(String)
  }

  package var key: String
  package var about: String
  package var example: String
  package var presence: Presence
  package var shape: Shape

  package init(key: String, about: String, example: String, presence: Presence, shape: Shape) {
    self.key = key
    self.about = about
    self.example = example
    self.presence = presence
    self.shape = shape
  }
}
