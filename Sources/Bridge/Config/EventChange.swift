import Document
package import Publishing

/// What an installation wants otherwise about one kind of event on phones.
package struct EventChange: Hashable, Sendable {
  package enum Priority: String, CaseIterable, Hashable, Sendable {
    case now, convenient
  }

  package enum Alert: String, CaseIterable, Hashable, Sendable {
    case never = "none"
    case atOnce = "at-once"
  }

  package var kind: UpdateKind
  package var priority: Priority?
  package var alert: Alert?
  package var wait: Duration?
  package var expiration: Duration?
  package var staleAfter: Duration?
  package var timeToLive: Duration?

  /// The rules with these changes.
  package func change(_ rules: inout EventRules) {
    var rule = rules[kind]
    switch priority {
    case .now: rule.urgency = .now
    case .convenient: rule.urgency = .convenient
    case nil: break
    }
    switch alert {
    case .never: rule.alert = .none
    case .atOnce: rule.alert = .atOnce
    case nil: break
    }
    if let wait { rule.wait = .atMost(wait) }
    if let expiration { rule.expiration = expiration }
    if let staleAfter { rule.staleness = .afterFrame(staleAfter) }
    if let timeToLive { rule.timeToLive = timeToLive }
    rules[kind] = rule
  }

  static func schema() -> Schema<[EventChange]> {
    let word = ScalarShape(
      name: "event", allowed: words.map(\.word).joined(separator: ", "), form: .words(words.map(\.word)))
    let kind = Schema<UpdateKind>.scalar(
      word, write: { kind in words.first { $0.kind == kind }?.word ?? "" },
      parse: { text in words.first { $0.word == text }?.kind })
    let value = Schema.record(EventChange(kind: .detail), fields())
    return Schema.map(kind, value, atMost: words.count).converted { pairs, _, _ in
      pairs.map { kind, change in
        var change = change
        change.kind = kind
        return change
      }
    }
  }

  private static func fields() -> [Field<EventChange>] {
    [
      .optional(
        "priority", \.priority, .words("priority"), "Whether it may wake a phone.", example: "convenient",
        otherwise: "as usual"),
      .optional(
        "alert", \.alert, .words("alert"), "Whether it makes a sound.", example: "none", otherwise: "as usual"),
      .optional(
        "wait", \.wait, .duration(.zero...(.seconds(60))), "How long it may wait for others to go with it.",
        example: "1s", otherwise: "as usual"),
      .optional(
        "expiration", \.expiration, .duration(.seconds(1)...(.seconds(28_800))),
        "How long Apple keeps it for phones that are away (storage policy 1).", example: "30m", otherwise: "as usual"),
      .optional(
        "stale_after", \.staleAfter, .duration(.seconds(60)...(.seconds(14_400))),
        "When a phone shows that the score may be old.", example: "7m", otherwise: "as usual"),
      .optional(
        "time_to_live", \.timeToLive, .duration(.seconds(1)...(.seconds(28_800))),
        "How long Firebase keeps it for phones that are away.", example: "3m", otherwise: "as usual"),
    ]
  }

  /// `playStarted` in code is `play_started` in the file.
  private static let words: [(word: String, kind: UpdateKind)] = UpdateKind.allCases.map { kind in
    let letters = kind.rawValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
    return (letters.joined(), kind)
  }
}
