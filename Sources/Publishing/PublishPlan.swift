package import GameCore

/// What one change means for phones: the kinds of update that are due, and the alerts that go with them. How soon each
/// leaves, and what may be merged, are the event rules' business.
package struct PublishPlan: Hashable, Sendable {
  package struct Update: Hashable, Sendable {
    package var kind: UpdateKind
    package var alert: Alert?
    /// What must still be true when the alert leaves: a correction takes it back.
    package var claim = AlertCandidate.Claim.always
  }

  /// In the order of the facts; empty when phones need not know.
  package var updates: [Update]
}

extension PublishPlan {
  /// `state` is the state after the change.
  package init(
    _ change: GameChange, state: GameState, rules: Rules, names: Pair<Team>, texts: Texts, at moment: Moment
  ) {
    let planner = Planner(state: state, rules: rules, names: names, texts: texts, now: moment.instant)
    updates = []
    let isFinalCorrection = change.facts.contains(.finalCorrected)
    for fact in change.facts {
      guard let update = planner.update(for: fact) else { continue }
      // After the final a corrected score is told once, as what it is.
      if isFinalCorrection, update.kind == .correction { continue }
      if update.alert != nil || !updates.contains(where: { $0.kind == update.kind }) { updates.append(update) }
    }
  }

  private struct Planner {
    let state: GameState
    let rules: Rules
    let names: Pair<Team>
    let texts: Texts
    let now: Instant

    func update(for fact: GameChange.Fact) -> Update? {
      switch fact {
      case .scored(let side, _, let total, _, _):
        guard rules.alertsOnScore else { return Update(kind: .basket) }
        return Update(kind: .goal, alert: scoreAlert("goalTitle", side), claim: .score(of: side, atLeast: total))
      case .setWon(let side):
        return Update(
          kind: .goal, alert: scoreAlert("goalTitle", side),
          claim: .score(of: side, atLeast: state.teams[side].score))
      case .pointWon, .gameWon: return Update(kind: .basket)
      case .scoreCorrected, .wasReset, .phaseCorrected: return Update(kind: .correction)
      case .detailChanged, .shotClockChanged, .timeoutOver: return Update(kind: .detail)
      case .penaltyChanged: return Update(kind: .penalty)
      case .clockStarted: return Update(kind: .clockStarted)
      case .clockStopped, .clockExpired, .reviewStarted, .reviewOver: return Update(kind: .clockStopped)
      // A text of the operator's own leaves with the haste of a clock that was set.
      case .clockSet, .rebased, .lastPlayChanged: return Update(kind: .clockSet)
      case .breakClockChanged: return Update(kind: .breakClock)
      case .timeoutCalled: return Update(kind: .timeoutCalled)
      case .playStarted: return Update(kind: .playStarted)
      case .periodStarted(let period): return periodStarted(period)
      case .periodEnded(let period): return Update(kind: .periodEnded, alert: periodEndedAlert(period))
      case .shootoutAttempted: return Update(kind: .shootoutAttempt)
      case .delayed: return Update(kind: .delayed, alert: scoreAlert("delayedTitle"))
      case .resumed: return Update(kind: .resumed, alert: scoreAlert("resumedTitle"))
      case .final: return Update(kind: .final, alert: finalAlert)
      case .finalCorrected: return Update(kind: .finalCorrection)
      case .calledOff(let cancellation): return Update(kind: .calledOff, alert: calledOffAlert(cancellation))
      case .opened, .named, .namesFrozen, .ended, .nextGameWanted: return nil
      }
    }

    /// One alert for the first overtime of a block: the second half of extra time is no news.
    private func periodStarted(_ period: Period) -> Update {
      guard case .overtime(let number) = period else { return Update(kind: .periodStarted) }
      let block = rules.periods.overtime?.block ?? 1
      guard (number - 1) % block == 0 else { return Update(kind: .periodStarted) }
      return Update(kind: .overtimeStarted, alert: scoreAlert("overtimeTitle"))
    }

    private func periodEndedAlert(_ period: Period) -> Alert {
      var values = texts.values(of: state, rules: rules, names: names)
      values["period"] = rules.name(of: period)
      return Alert(
        title: texts.filled("periodEnded", rules: rules, values), body: texts.filled("scoreBody", rules: rules, values))
    }

    private func scoreAlert(_ title: String, _ side: Side? = nil) -> Alert {
      var values = texts.values(of: state, rules: rules, names: names)
      if let side { values["name"] = names[side].name }
      if case .live(let period) = state.phase, period != .shootout {
        values["clock"] = state.clock.map {
          rules.addedTime($0.reading(at: now), in: period) ?? $0.text(at: now)
        }
      }
      return Alert(
        title: texts.filled(title, rules: rules, values), body: texts.filled("scoreBody", rules: rules, values))
    }

    private var finalAlert: Alert {
      let values = texts.values(of: state, rules: rules, names: names)
      return Alert(
        title: texts.filled("finalTitle", rules: rules, values), body: texts.filled("finalBody", rules: rules, values))
    }

    private func calledOffAlert(_ cancellation: Cancellation) -> Alert {
      let values = texts.values(of: state, rules: rules, names: names)
      return Alert(
        title: texts.filled("calledOffTitle", rules: rules, values),
        body: texts.filled(cancellation.rawValue, rules: rules, values))
    }
  }
}

extension AlertCandidate.Claim {
  fileprivate static func score(of side: Side, atLeast total: Int) -> AlertCandidate.Claim {
    switch side {
    case .home: .homeScore(atLeast: total)
    case .away: .awayScore(atLeast: total)
    }
  }
}

extension Alert {
  /// The alert without which a start is not shown.
  package static func start(names: Pair<Team>, state: GameState, rules: Rules, texts: Texts, in wait: Duration) -> Alert
  {
    var values = texts.values(of: state, rules: rules, names: names)
    let minutes = (wait.components.seconds + 30) / 60
    values["minutes"] = String(minutes)
    // A tile that comes late, or follows another, finds the game on.
    let body = state.hasBegun ? "scoreBody" : minutes > 1 ? "startBody" : "startBodyNow"
    return Alert(
      title: texts.filled("startTitle", rules: rules, values), body: texts.filled(body, rules: rules, values))
  }
}
