package import GameCore

/// What one change means for phones: the kinds of update that are due, and the alerts that go with them.
package struct PublishPlan: Hashable, Sendable {
  /// One update. Facts that are never told alone make a `detail`.
  package struct Update: Hashable, Sendable {
    package var kind: UpdateKind
    package var alert: Alert?
  }

  /// In the order of the facts; empty when phones need not know.
  package var updates: [Update]
}

/// A sound and two lines on the phone, and what must still be true when it leaves.
package struct Alert: Hashable, Sendable {
  /// The score that the alert tells of: a correction takes the alert back.
  package struct Claim: Hashable, Sendable {
    package var side: Side
    package var total: Int

    package func holds(in state: GameState) -> Bool { state.teams[side].score >= total }
  }

  package var title: String
  package var body: String
  package var claim: Claim?
}

extension PublishPlan {
  package init(_ change: GameChange, state: GameState, rules: Rules, names: Pair<Team>, texts: Texts, at: Moment) {
    updates = []
  }
}
