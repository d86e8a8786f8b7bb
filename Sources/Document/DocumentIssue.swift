/// One thing that is wrong with a text a person wrote: where, what, and what to do about it. Never carries a secret.
package struct DocumentIssue: Error, Hashable, Sendable {
  package enum Severity: Hashable, Sendable {
    /// The text cannot be used as it is.
    case problem
    /// It can be used, but somebody will be surprised.
    case warning
  }

  package var severity: Severity
  package var position: Position
  /// The key's path, such as `courts[0].consoles[0].speed`; empty when the fault lies in the text, not in a value.
  package var path: String
  /// What was found, as a sentence without a full stop.
  package var text: String
  /// What is allowed, or what to do; empty when the text says it all.
  package var remedy: String

  package init(
    _ text: String, at position: Position, path: String = "", remedy: String = "", severity: Severity = .problem
  ) {
    self.text = text
    self.position = position
    self.path = path
    self.remedy = remedy
    self.severity = severity
  }

  /// `line:column: path: text. Remedy.`, for logs and replies; a command that knows the file puts it in front.
  package var sentence: String {
    var line = "\(position.line):\(position.column): "
    if severity == .warning { line += "warning: " }
    if !path.isEmpty { line += "\(path): " }
    line += text
    return remedy.isEmpty ? line : "\(line). \(remedy)"
  }
}
