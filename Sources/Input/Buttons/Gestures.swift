package import GameCore

// A button that binds only its press acts on it at once. One that binds more waits until the hand has decided, and then
// exactly one thing has happened: a press, a hold, a double press or a chord, never two of them.

/// The changes of a court's buttons become gestures.
package struct Gestures: Hashable, Sendable {
  private enum State: Hashable {
    /// Nobody touches it.
    case up
    /// Down since then, and it may still become something else than a press.
    case deciding(since: Instant)
    /// Pressed and let go; a second press up to `until` makes a double.
    case between(first: Instant, released: Instant, until: Instant)
    /// Down, and what it meant has been told; a plain press may be followed by its release, and repeats.
    case spent(isPlain: Bool, repeatAt: Instant?)
  }

  package enum Action: Hashable, Sendable {
    case made(Gesture, button: Int, at: Instant)
    /// Down for longer than any hand means it.
    case stuck(button: Int, since: Instant)
    /// A stuck button was let go after all.
    case freed(button: Int, at: Instant)
  }

  private struct Button: Hashable {
    var rules: GestureRules
    /// How long a press may wait for a partner of a chord; nil when it has none.
    var chordWithin: Duration?
    var state = State.up
    var downSince: Instant?
    var isStuck = false
  }

  private var buttons: [Button]
  private let chords: [ChordRules]

  package static let stuckAfter = Duration.seconds(5)

  package init(_ rules: [GestureRules], chords: [ChordRules] = []) {
    self.chords = chords
    buttons = rules.enumerated().map { place, rules in
      let windows = chords.filter { $0.partner(of: place) != nil }.map(\.within)
      return Button(rules: rules, chordWithin: windows.max())
    }
  }

  /// The buttons whose changes decide what this one's press means.
  package func partners(of button: Int) -> [Int] { chords.compactMap { $0.partner(of: button) } }

  package func isStuck(_ button: Int) -> Bool { buttons[button].isStuck }

  /// The line speaks anew: a button that is down already was not pressed, and means nothing until it was let go.
  package mutating func restarted(_ button: Int, level: LineLevel, at now: Instant) {
    buttons[button].state = level == .active ? .spent(isPlain: false, repeatAt: nil) : .up
    buttons[button].downSince = level == .active ? now : nil
    buttons[button].isStuck = false
  }

  // MARK: - What happened

  package mutating func changed(_ button: Int, to level: LineLevel, at now: Instant) -> [Action] {
    // What was due before this change is decided first; a second press in the last instant of its time still counts.
    var actions = timePassed(button, to: now - .nanoseconds(1))
    switch level {
    case .active: pressed(button, at: now, &actions)
    case .inactive: released(button, at: now, &actions)
    }
    return actions
  }

  /// `certain` answers up to when every change of a button is known.
  package mutating func timePassed(_ certain: (Int) -> Instant) -> [Action] {
    var actions: [Action] = []
    for button in buttons.indices {
      // A press that waits for its partner needs the partner's changes too.
      let known = partners(of: button).reduce(certain(button)) { min($0, certain($1)) }
      actions += timePassed(button, to: known)
    }
    return actions
  }

  /// The next instant at which time alone decides something about this button.
  package func nextDeadline(of button: Int) -> Instant? {
    [decision(of: buttons[button])?.at, stuckAt(buttons[button])].compactMap { $0 }.min()
  }

  // MARK: - Parts

  private mutating func pressed(_ button: Int, at now: Instant, _ actions: inout [Action]) {
    buttons[button].downSince = now
    if case .between = buttons[button].state {
      tell(.double, button, at: now, isPlain: false, &actions)
      return
    }
    for (place, chord) in chords.enumerated() {
      guard let partner = chord.partner(of: button), case .deciding(let since) = buttons[partner].state,
        max(now - since, since - now) <= chord.within
      else { continue }
      buttons[partner].state = .spent(isPlain: false, repeatAt: nil)
      tell(.chord(place), button, at: max(now, since), isPlain: false, &actions)
      return
    }
    let rules = buttons[button].rules
    if rules.hasHold || rules.hasDouble || buttons[button].chordWithin != nil {
      buttons[button].state = .deciding(since: now)
    } else {
      tell(.press, button, at: now, isPlain: true, &actions)
    }
  }

  private mutating func released(_ button: Int, at now: Instant, _ actions: inout [Action]) {
    if buttons[button].isStuck { actions.append(.freed(button: button, at: now)) }
    buttons[button].isStuck = false
    buttons[button].downSince = nil
    let rules = buttons[button].rules
    switch buttons[button].state {
    case .up, .between: break
    case .deciding(let since):
      if rules.hasHold, since + rules.holdAfter <= now {
        tell(.hold, button, at: since + rules.holdAfter, isPlain: false, &actions)
        buttons[button].state = .up
      } else if rules.hasDouble, now < since + rules.doubleWithin {
        buttons[button].state = .between(first: since, released: now, until: since + rules.doubleWithin)
      } else {
        tell(.press, button, at: since, isPlain: true, &actions)
        if rules.hasRelease { actions.append(.made(.release, button: button, at: now)) }
        buttons[button].state = .up
      }
    case .spent(let isPlain, _):
      if isPlain, rules.hasRelease { actions.append(.made(.release, button: button, at: now)) }
      buttons[button].state = .up
    }
  }

  private mutating func timePassed(_ button: Int, to now: Instant) -> [Action] {
    var actions: [Action] = []
    // A repeat sets the next one; being stuck ends them, so there are few.
    while let decision = decision(of: buttons[button]), decision.at <= now {
      switch decision.gesture {
      case .press:
        let before = buttons[button].state
        tell(.press, button, at: decision.stamp, isPlain: true, &actions)
        if case .between(_, let released, _) = before {
          if buttons[button].rules.hasRelease { actions.append(.made(.release, button: button, at: released)) }
          buttons[button].state = .up
        }
      case .hold: tell(.hold, button, at: decision.stamp, isPlain: false, &actions)
      case .repeated:
        actions.append(.made(.repeated, button: button, at: decision.stamp))
        buttons[button].state = .spent(
          isPlain: true, repeatAt: decision.at + buttons[button].rules.repeatEvery)
      case .release, .double, .chord: preconditionFailure("Time alone decides presses, holds and repeats.")
      }
    }
    if let due = stuckAt(buttons[button]), due <= now, let since = buttons[button].downSince {
      buttons[button].isStuck = true
      if case .spent(let isPlain, _) = buttons[button].state {
        buttons[button].state = .spent(isPlain: isPlain, repeatAt: nil)
      }
      actions.append(.stuck(button: button, since: since))
    }
    return actions
  }

  private struct Decision {
    var at: Instant
    var gesture: Gesture
    /// When the hand did it.
    var stamp: Instant
  }

  private func decision(of button: Button) -> Decision? {
    switch button.state {
    case .up: return nil
    case .between(let first, _, let until): return Decision(at: until, gesture: .press, stamp: first)
    case .spent(_, let repeatAt):
      guard let repeatAt, let since = button.downSince, repeatAt < since + Self.stuckAfter else { return nil }
      return Decision(at: repeatAt, gesture: .repeated, stamp: repeatAt)
    case .deciding(let since):
      if button.rules.hasHold {
        return Decision(
          at: since + button.rules.holdAfter, gesture: .hold, stamp: since + button.rules.holdAfter)
      }
      let waits = [button.rules.hasDouble ? button.rules.doubleWithin : nil, button.chordWithin].compactMap { $0 }
      return Decision(at: since + (waits.max() ?? .zero), gesture: .press, stamp: since)
    }
  }

  private func stuckAt(_ button: Button) -> Instant? {
    button.isStuck ? nil : button.downSince.map { $0 + Self.stuckAfter }
  }

  private mutating func tell(
    _ gesture: Gesture, _ button: Int, at stamp: Instant, isPlain: Bool, _ actions: inout [Action]
  ) {
    actions.append(.made(gesture, button: button, at: stamp))
    let rules = buttons[button].rules
    let repeatAt = isPlain && rules.repeats ? stamp + rules.repeatEvery : nil
    buttons[button].state = .spent(isPlain: isPlain, repeatAt: repeatAt)
  }
}
