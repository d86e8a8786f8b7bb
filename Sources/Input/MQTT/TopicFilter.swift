/// A subscription's pattern: `+` stands for one level, `#` for all that follow (MQTT 5, 4.7).
package struct TopicFilter: Hashable, Sendable {
  package let text: String
  private let levels: [Substring]

  /// Nil when the text is no legal filter: empty, a wildcard that shares its level, or a `#` that is not the last.
  package init?(_ text: String) {
    let levels = text.split(separator: "/", omittingEmptySubsequences: false)
    guard !text.isEmpty, text.utf8.count <= 65_535, !text.utf8.contains(0) else { return nil }
    for (index, level) in levels.enumerated() {
      if level.contains("#"), level != "#" || index != levels.count - 1 { return nil }
      if level.contains("+"), level != "+" { return nil }
    }
    self.text = text
    self.levels = levels
  }

  /// Wildcards do not match topics that begin with `$`.
  package func matches(_ topic: String) -> Bool {
    let names = topic.split(separator: "/", omittingEmptySubsequences: false)
    if names.first?.first == "$", let first = levels.first, first == "#" || first == "+" { return false }
    for (index, level) in levels.enumerated() {
      // `a/#` also matches `a` itself.
      if level == "#" { return true }
      guard index < names.count, level == "+" || level == names[index] else { return false }
    }
    return names.count == levels.count
  }
}
