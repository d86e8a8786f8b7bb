internal import GameCore

/// What is wrong, as a watcher is told it: a trouble that passes by itself is not raised, one that comes and goes stays
/// raised, and nobody is woken twice a minute by the same one.
struct Conditions: Sendable {
  struct Key: Hashable, Sendable {
    var code: String
    var subject: String
  }

  private enum State: Hashable, Sendable {
    /// Seen, and not told yet: it may pass.
    case seen(since: Instant)
    /// Told, and still there.
    case raised
    /// Told, and gone since then; it may come back.
    case fading(since: Instant)
  }

  private struct Entry: Sendable {
    var complaint: Engine.Complaint
    var state: State
    /// How long it must be gone before it is cleared.
    var calm: Duration
  }

  private var entries: [Entry] = []
  private var raisedAt: [Key: Instant] = [:]

  /// What counts as wrong now, in the order in which it was found.
  var standing: [Engine.Complaint] {
    entries.compactMap { entry in
      switch entry.state {
      case .seen: nil
      case .raised, .fading: entry.complaint
      }
    }
  }

  /// Takes what is wrong at this moment.
  mutating func look(_ complaints: [Engine.Complaint], at now: Instant) {
    for complaint in complaints {
      if let place = entries.firstIndex(where: { $0.complaint.key == complaint.key }) {
        entries[place].complaint = complaint
        if case .fading = entries[place].state { entries[place].state = .raised }
      } else {
        entries.append(Entry(complaint: complaint, state: .seen(since: now), calm: Self.calm))
      }
    }
    let present = Set(complaints.map(\.key))
    for place in entries.indices { judge(place, isPresent: present.contains(entries[place].complaint.key), at: now) }
    entries.removeAll { entry in
      switch entry.state {
      case .seen: !present.contains(entry.complaint.key)
      case .raised: false
      case .fading(let since): now >= since + entry.calm
      }
    }
    raisedAt = raisedAt.filter { now - $0.value < Self.minute }
  }

  private mutating func judge(_ place: Int, isPresent: Bool, at now: Instant) {
    let complaint = entries[place].complaint
    switch entries[place].state {
    case .seen(let since):
      guard isPresent, now >= since + complaint.patience else { return }
      entries[place].state = .raised
      // It was raised a moment ago already: this time it stays until it has really gone.
      if let last = raisedAt[complaint.key], now - last < Self.minute { entries[place].calm = Self.minute }
      raisedAt[complaint.key] = now
    case .raised: if !isPresent { entries[place].state = .fading(since: now) }
    case .fading: break
    }
  }

  /// When something is raised or cleared by the mere passing of time.
  var nextDeadline: Instant? {
    entries.compactMap { entry in
      switch entry.state {
      case .seen(let since): since + entry.complaint.patience
      case .raised: nil
      case .fading(let since): since + entry.calm
      }
    }.min()
  }

  private static let calm = Duration.seconds(10)
  private static let minute = Duration.seconds(60)
}

extension Engine.Complaint {
  var key: Conditions.Key { Conditions.Key(code: code, subject: subject) }

  /// How long it must stand before it is told: a lost line is often back before anybody could look.
  var patience: Duration {
    switch (health, code) {
    case (.down, _): .zero
    case (_, "broker"), (_, "input"), (_, "outbox"), (_, "sources-disagree"): .seconds(3)
    case (.ok, _), (.degraded, _): .zero
    }
  }
}
