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

  /// The pushes that have a rule of their own.
  package enum Kind: Hashable, Sendable {
    case start
    case update(UpdateKind)
    case end
  }

  package var kind: Kind
  package var priority: Priority?
  package var alert: Alert?
  package var wait: Duration?
  package var expiration: Duration?
  package var staleAfter: Duration?
  package var timeToLive: Duration?

  /// The rules with these changes.
  package func change(_ rules: inout EventRules) {
    switch kind {
    case .start: change(&rules.start)
    case .update(let kind): change(&rules[kind])
    case .end: change(&rules.end)
    }
  }

  private func change(_ rule: inout EventRule) {
    switch priority {
    case .now:
      rule.urgency = .now
      rule.fcmPriority = .high
    case .convenient:
      rule.urgency = .convenient
      rule.fcmPriority = .normal
    case nil: break
    }
    switch alert {
    case .never: rule.alert = .none
    case .atOnce: rule.alert = .atOnce
    case nil: break
    }
    if let wait { rule.wait = .atMost(wait) }
    if let expiration { rule.expiration = expiration }
    if let staleAfter { rule.staleness = rule.staleness.lasting(staleAfter) }
    if let timeToLive { rule.timeToLive = timeToLive }
  }

  static func schema() -> Schema<[EventChange]> {
    let word = ScalarShape(
      name: "event", allowed: words.map(\.word).joined(separator: ", "), form: .words(words.map(\.word)))
    let kind = Schema<Kind>.scalar(
      word, write: { kind in words.first { $0.kind == kind }?.word ?? "" },
      parse: { text in words.first { $0.word == text }?.kind })
    let value = Schema.record(EventChange(kind: .end), fields())
    return Schema.map(kind, value, atMost: words.count).converted { pairs, node, decoding in
      let changes = pairs.map { kind, change in
        var change = change
        change.kind = kind
        change.refuse(in: node, &decoding)
        return change
      }
      warnOfExpirations(changes, node, &decoding)
      return changes
    }
  }

  /// Apple keeps one update of a broadcast, the newest (facts/live-activities 3.3).
  private static func warnOfExpirations(_ changes: [EventChange], _ node: Node, _ decoding: inout Decoding) {
    var rules = EventRules()
    for change in changes { change.change(&rules) }
    let spans = Set(UpdateKind.allCases.filter { !$0.isLast }.map { rules[$0].expiration })
    guard spans.count > 1 else { return }
    decoding.warning(
      "updates of a running game are kept for different times", at: node.position,
      remedy: "Apple keeps only the newest: one that is kept shortly pushes out one that would have stayed. "
        + "Give all kinds before the final the same expiration")
  }

  /// What this kind of push does not have.
  private func refuse(in node: Node, _ decoding: inout Decoding) {
    let faults: [(key: String, text: String, remedy: String)] =
      switch kind {
      case .start:
        [
          ("alert", "a start always rings: without an alert phones do not show it", "Leave it out"),
          ("wait", "a start waits for nothing", "Leave it out"),
        ]
      case .end:
        [
          ("alert", "an end never rings; the final does, before it", "Set it for final"),
          ("wait", "an end waits for nothing but the corrections", "Leave it out"),
          ("stale_after", "what has ended never looks old", "Set it for final"),
        ]
      case .update(let kind):
        kind.mayRing || alert != .atOnce
          ? [] : [("alert", "there are no words for an alert of this kind", "Kinds that may ring: \(Self.ringing)")]
      }
    guard let word = Self.words.first(where: { $0.kind == kind })?.word, let change = node[word] else { return }
    for fault in faults {
      guard let value = change[fault.key] else { continue }
      decoding.inside(key: word) { decoding in
        decoding.inside(key: fault.key) { $0.problem(fault.text, at: value.position, remedy: fault.remedy) }
      }
    }
  }

  private static func fields() -> [Field<EventChange>] {
    [
      .optional(
        "priority", \.priority, .words("priority"),
        "Whether it may wake a phone: Apple's priority 10 and Firebase's HIGH; else 5 and NORMAL.",
        example: "convenient",
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
  private static let words: [(word: String, kind: Kind)] =
    [("start", .start)]
    + UpdateKind.allCases.map { kind in
      let letters = kind.rawValue.map { $0.isUppercase ? "_" + $0.lowercased() : String($0) }
      return (letters.joined(), .update(kind))
    } + [("end", .end)]

  private static let ringing = words.compactMap { word, kind in
    if case .update(let kind) = kind, kind.mayRing { word } else { nil }
  }.joined(separator: ", ")
}

extension EventRule.Staleness {
  /// As long from the same moment; what never grew old counts from the send.
  fileprivate func lasting(_ span: Duration) -> Self {
    switch self {
    case .afterFrame: .afterFrame(span)
    case .afterFrameAndBreak: .afterFrameAndBreak(span)
    case .afterNow, .never: .afterNow(span)
    case .afterScheduledStart: .afterScheduledStart(span)
    }
  }
}
