package import GameCore

/// What one change means for phones: the kinds of update that are due, and the alerts that go with them.
package struct PublishPlan: Hashable, Sendable {
  /// One update. Facts that are never told alone make a `detail`.
  package struct Update: Hashable, Sendable {
    package var kind: UpdateKind
    package var alert: Alert?
    package var claim = AlertCandidate.Claim.always
  }

  /// In the order of the facts; empty when phones need not know.
  package var updates: [Update]
}

extension PublishPlan {
  package init(_ change: GameChange, state: GameState, rules: Rules, names: Pair<Team>, texts: Texts, at: Moment) {
    updates = []
  }
}
