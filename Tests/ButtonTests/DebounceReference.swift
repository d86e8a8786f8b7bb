import Input

// The definition once more, slow and obvious: it walks through time one unit after another and knows every event from
// the start. Its unit is whatever the caller's grid has.

/// What a line's events mean by the definition.
struct DebounceReference {
  var glitch: Int
  var lockout: Int
  var start: LineLevel

  struct Event {
    var at: Int
    var level: LineLevel
  }

  struct Change: Equatable {
    var level: LineLevel
    var at: Int
  }

  /// The changes, and the level that counts once everything has settled.
  func changes(of events: [Event]) -> (changes: [Change], level: LineLevel) {
    var accepted = start
    var changes: [Change] = []
    var candidate: Int?
    var lockoutEnd: Int?
    var inLockout: [Event] = []

    func accept(_ level: LineLevel, stamp: Int) {
      accepted = level
      changes.append(Change(level: level, at: stamp))
      candidate = nil
      inLockout = []
      lockoutEnd = stamp + lockout
    }
    /// The end of a lockout takes the level after the newest event up to it.
    func endLockout(at time: Int) {
      while let end = lockoutEnd, end <= time {
        let level = inLockout.last?.level ?? accepted
        if level == accepted {
          lockoutEnd = nil
          inLockout = []
        } else {
          accept(level, stamp: inLockout.last?.at ?? end)
        }
      }
    }

    let last = (events.last?.at ?? 0) + 3 * (glitch + lockout) + 3
    for time in 0...last {
      if let since = candidate, time == since + glitch { accept(accepted.other, stamp: since) }
      // A lockout that is over before its change was even believed.
      if let end = lockoutEnd, end < time { endLockout(at: time) }
      for event in events where event.at == time {
        if lockoutEnd != nil {
          inLockout.append(event)
        } else if candidate != nil {
          if event.level == accepted { candidate = nil }
        } else if event.level != accepted {
          if glitch == 0 { accept(event.level, stamp: time) } else { candidate = time }
        }
      }
      endLockout(at: time)
    }
    return (changes, accepted)
  }

  /// The same for settle mode: a change counts once its level has stood.
  func settledChanges(of events: [Event], stand: Int) -> (changes: [Change], level: LineLevel) {
    var accepted = start
    var level = start
    var since = 0
    var changes: [Change] = []
    for time in 0...((events.last?.at ?? 0) + stand + 1) {
      if level != accepted, time - since >= stand {
        accepted = level
        changes.append(Change(level: level, at: since))
      }
      for event in events where event.at == time && event.level != level {
        level = event.level
        since = time
      }
    }
    return (changes, accepted)
  }
}
