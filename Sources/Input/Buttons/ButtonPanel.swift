package import GameCore

/// All buttons of a court, from the kernel's events to gestures: a debouncer for each line, and the gestures they make.
package struct ButtonPanel: Hashable, Sendable {
  package enum Action: Hashable, Sendable {
    case made(Gesture, button: Int, at: Instant)
    /// Drain the line's queue into `edge`, read its level, and answer with `read`.
    case readLine(Int)
    case mayHaveMissed(Int, Debouncer.Suspicion)
    case stuck(Int, since: Instant)
    case freed(Int)
  }

  private struct Change: Hashable {
    var level: LineLevel
    var at: Instant
  }

  private struct Line: Hashable {
    let settings: DebounceSettings
    /// Nil while the line cannot be had; counts of earlier times are kept.
    var debouncer: Debouncer?
    var counts = Debouncer.Counts()
    /// Every change up to then is known.
    var known = Instant(nanoseconds: .min)
    /// Changes that a partner of a chord may still have something before.
    var waiting: [Change] = []
    var isHeldAtStart = false
  }

  private var lines: [Line]
  private var gestures: Gestures

  package init(_ buttons: [(debounce: DebounceSettings, gestures: GestureRules)], chords: [ChordRules] = []) {
    lines = buttons.map { Line(settings: $0.debounce) }
    gestures = Gestures(buttons.map(\.gestures), chords: chords)
  }

  package func counts(of button: Int) -> Debouncer.Counts { lines[button].debouncer?.counts ?? lines[button].counts }
  package func isStuck(_ button: Int) -> Bool { gestures.isStuck(button) }
  /// Down since the line was opened: nobody pressed it.
  package func isHeldAtStart(_ button: Int) -> Bool { lines[button].isHeldAtStart }
  package func level(of button: Int) -> LineLevel? { lines[button].debouncer?.level }

  // MARK: - What happened

  /// The line was requested, and says this: the baseline, never an event.
  package mutating func opened(_ button: Int, level: LineLevel, at now: Instant) {
    let counts = counts(of: button)
    lines[button].debouncer = Debouncer(lines[button].settings, level: level, at: now, counts: counts)
    lines[button].known = now
    lines[button].waiting = []
    lines[button].isHeldAtStart = level == .active
    gestures.restarted(button, level: level, at: now)
  }

  /// The line is gone: whatever was down is forgotten.
  package mutating func closed(_ button: Int, at now: Instant) {
    lines[button].counts = counts(of: button)
    lines[button].debouncer = nil
    lines[button].waiting = []
    lines[button].isHeldAtStart = false
    gestures.restarted(button, level: .inactive, at: now)
  }

  package mutating func edge(_ button: Int, _ edge: LineEdge) -> [Action] {
    guard let actions = lines[button].debouncer?.edge(edge) else { return [] }
    return take(actions, of: button, at: edge.at)
  }

  package mutating func queueWasFull(_ button: Int) -> [Action] {
    guard let actions = lines[button].debouncer?.queueWasFull() else { return [] }
    return take(actions, of: button, at: lines[button].known)
  }

  package mutating func read(_ button: Int, _ level: LineLevel, at now: Instant) -> [Action] {
    guard let actions = lines[button].debouncer?.read(level, at: now) else { return [] }
    return take(actions, of: button, at: now)
  }

  // MARK: - Time

  package var nextDeadline: Instant? {
    lines.indices.flatMap { [lines[$0].debouncer?.nextDeadline, dueOfGesture($0)] }.compactMap { $0 }.min()
  }

  /// `nextDeadline` has passed: whatever is due asks for readings, and their answers decide.
  package mutating func deadlineReached(at now: Instant) -> [Action] {
    var actions: [Action] = []
    var asked: Set<Int> = []
    for button in lines.indices {
      if let due = lines[button].debouncer?.nextDeadline, due <= now, asked.insert(button).inserted {
        actions += take(lines[button].debouncer?.deadlineReached(at: now) ?? [], of: button, at: lines[button].known)
      }
    }
    for button in lines.indices {
      guard let due = dueOfGesture(button), due <= now else { continue }
      for line in involved(in: button) where lines[line].known < due && asked.insert(line).inserted {
        actions.append(.readLine(line))
      }
    }
    return asked.isEmpty ? decided(at: now) : actions
  }

  /// A line in the middle of a change answers by its own deadline first.
  private func dueOfGesture(_ button: Int) -> Instant? {
    guard let due = gestures.nextDeadline(of: button),
      involved(in: button).allSatisfy({ lines[$0].debouncer?.isSettled ?? true })
    else { return nil }
    return due
  }

  private func involved(in button: Int) -> [Int] {
    ([button] + gestures.partners(of: button)).filter { lines[$0].debouncer != nil }
  }

  // MARK: - Parts

  private mutating func take(_ changes: [Debouncer.Action], of button: Int, at now: Instant) -> [Action] {
    var actions: [Action] = []
    for change in changes {
      switch change {
      case .changed(let level, let stamp):
        lines[button].isHeldAtStart = false
        lines[button].waiting.append(Change(level: level, at: stamp))
      case .readLine: actions.append(.readLine(button))
      case .mayHaveMissed(let suspicion): actions.append(.mayHaveMissed(button, suspicion))
      }
    }
    if let certain = lines[button].debouncer?.certain(at: now) {
      lines[button].known = max(lines[button].known, certain)
    }
    actions += decided(at: now)
    if let first = lines[button].waiting.first {
      for partner in gestures.partners(of: button)
      where certain(partner, at: now) < first.at - .nanoseconds(1) && lines[partner].debouncer?.isSettled == true {
        actions.append(.readLine(partner))
      }
    }
    return actions
  }

  /// Changes reach the gestures in the order of their stamps, each when no partner of a chord can come before it.
  private mutating func decided(at now: Instant) -> [Action] {
    var actions: [Action] = []
    func earliest() -> Int? {
      lines.indices.filter { isNext($0, at: now) }.min { lines[$0].waiting[0].at < lines[$1].waiting[0].at }
    }
    while let button = earliest() {
      let change = lines[button].waiting.removeFirst()
      actions += gestures.changed(button, to: change.level, at: change.at).map(Self.told)
    }
    let panel = self
    actions += gestures.timePassed { panel.certain($0, at: now) }.map(Self.told)
    return actions
  }

  private func isNext(_ button: Int, at now: Instant) -> Bool {
    guard let first = lines[button].waiting.first else { return false }
    return gestures.partners(of: button).allSatisfy { certain($0, at: now) >= first.at - .nanoseconds(1) }
  }

  /// Every change of the line up to then has reached the gestures. Nobody waits for a line that is gone.
  private func certain(_ button: Int, at now: Instant) -> Instant {
    if let first = lines[button].waiting.first { return first.at - .nanoseconds(1) }
    return lines[button].debouncer == nil ? now : lines[button].known
  }

  private static func told(_ action: Gestures.Action) -> Action {
    switch action {
    case .made(let gesture, let button, let at): .made(gesture, button: button, at: at)
    case .stuck(let button, let since): .stuck(button, since: since)
    case .freed(let button, _): .freed(button)
    }
  }
}
