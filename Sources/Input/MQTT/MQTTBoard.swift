package import Document
package import GameCore

/// A scoreboard that speaks on the broker: topics and paths of its messages become the fields of a report. Like any
/// console it says totals, may repeat, and may fall silent.
package struct MQTTBoard: Hashable, Sendable {
  package enum Field: String, CaseIterable, Hashable, Sendable {
    case homeScore = "home_score"
    case awayScore = "away_score"
    case period
    case clock
    case clockRunning = "clock_running"
    case shotClock = "shot_clock"
    case homeFouls = "home_fouls"
    case awayFouls = "away_fouls"
    case homeTimeoutsLeft = "home_timeouts_left"
    case awayTimeoutsLeft = "away_timeouts_left"
    case possession
  }

  /// Where a field stands: a topic, and the members that lead to it in a JSON payload. No path is the whole payload.
  package struct Place: Hashable, Sendable {
    package var field: Field
    package var topic: String
    package var path: [String]

    package init(_ field: Field, topic: String, path: [String] = []) {
      self.field = field
      self.topic = topic
      self.path = path
    }
  }

  package enum Action: Hashable, Sendable {
    /// What the board shows has changed.
    case report(Report)
    /// Silent for so long that phones must know.
    case wentLost
    case cameBack
  }

  private enum State: Hashable, Sendable {
    /// Nothing readable has come yet.
    case waiting
    /// Messages come.
    case fresh(since: Instant)
    /// Phones were told.
    case lost
  }

  package let name: String
  private let places: [Place]
  private let lostAfter: Duration
  private var state = State.waiting
  private var shown = Report()
  private var reported: Report?
  package private(set) var counts = FrameCounts()
  /// The newest value that could not be read, with its place.
  package private(set) var lastUnread: String?
  package private(set) var lastGood: Instant?

  package init(name: String, places: [Place], lostAfter: Duration) {
    self.name = name
    self.places = places
    self.lostAfter = lostAfter
  }

  package var topics: [String] { Set(places.map(\.topic)).sorted() }

  /// One word for status.
  package var word: String {
    switch state {
    case .waiting: "waiting"
    case .fresh: isWaitingForScores ? "waiting for score" : "fresh"
    case .lost: "lost"
    }
  }

  package var nextDeadline: Instant? {
    if case .fresh(let since) = state { since + lostAfter } else { nil }
  }

  package mutating func timePassed(at now: Instant) -> [Action] {
    guard let due = nextDeadline, now >= due else { return [] }
    state = .lost
    return [.wentLost]
  }

  /// A stored copy may be of yesterday's game: it is neither news nor a sign of life.
  package mutating func received(_ message: MQTTMessage, json: ([UInt8]) -> Node?, at now: Instant) -> [Action] {
    let wanted = places.filter { $0.topic == message.topic }
    guard !wanted.isEmpty, !message.isRetained else { return [] }
    let document = wanted.contains { !$0.path.isEmpty } ? json(message.payload) : nil
    var isRead = false
    for place in wanted {
      guard let text = Self.text(at: place.path, document: document, payload: message.payload) else {
        // A message of the same topic without this member says nothing of it.
        if document == nil { note(place, "no JSON") }
        continue
      }
      if show(text, as: place.field) { isRead = true } else { note(place, text) }
    }
    guard isRead else { return [] }
    counts.good += 1
    lastGood = now
    var actions = timePassed(at: now)
    if state == .lost { actions.append(.cameBack) }
    state = .fresh(since: now)
    guard shown != reported, !isWaitingForScores else { return actions }
    reported = shown
    return actions + [.report(shown)]
  }

  private mutating func note(_ place: Place, _ text: String) {
    counts.bad += 1
    let path = place.path.isEmpty ? "" : " \(place.path.joined(separator: "."))"
    lastUnread = "\(place.field.rawValue) at \(place.topic)\(path): \(text.prefix(60))"
  }

  /// A board with scores says nothing of them before both were seen once.
  private var isWaitingForScores: Bool {
    let fields = places.map(\.field)
    return (fields.contains(.homeScore) && shown.home.score == nil)
      || (fields.contains(.awayScore) && shown.away.score == nil)
  }

  private static func text(at path: [String], document: Node?, payload: [UInt8]) -> String? {
    guard !path.isEmpty else {
      let text = String(decoding: payload.prefix(256), as: UTF8.self).trimmed
      return text.count > 1 && text.first == "\"" && text.last == "\"" ? String(text.dropFirst().dropLast()) : text
    }
    var node = document
    for name in path {
      if let elements = node?.elements {
        guard let index = Int(name), elements.indices.contains(index) else { return nil }
        node = elements[index]
      } else {
        node = node?[name]
      }
    }
    return node?.text?.trimmed
  }

  private mutating func show(_ text: String, as field: Field) -> Bool {
    switch field {
    case .homeScore: return Self.show(number: text, at: \.home.score, in: &shown)
    case .awayScore: return Self.show(number: text, at: \.away.score, in: &shown)
    case .homeFouls: return Self.show(number: text, at: \.home.fouls, in: &shown)
    case .awayFouls: return Self.show(number: text, at: \.away.fouls, in: &shown)
    case .homeTimeoutsLeft: return Self.show(number: text, at: \.home.timeoutsLeft, in: &shown)
    case .awayTimeoutsLeft: return Self.show(number: text, at: \.away.timeoutsLeft, in: &shown)
    case .period:
      guard !text.isEmpty, text.utf8.count <= 20 else { return false }
      shown.periodNumber = Int(text).flatMap { (1...99).contains($0) ? $0 : nil }
      shown.periodText = shown.periodNumber == nil ? text : nil
    case .clock:
      guard let reading = clockReading(text), reading >= .zero else { return false }
      shown.clock = Report.Clock(reading: reading, running: shown.clock?.running)
    case .clockRunning:
      guard let running = Self.truth(text) else { return false }
      guard let clock = shown.clock else { return true }
      shown.clock = Report.Clock(reading: clock.reading, running: running)
    case .shotClock:
      guard let reading = clockReading(text), reading >= .zero else { return false }
      shown.shotClock = Report.Clock(reading: reading)
    case .possession:
      guard let holder = Report.Possession(rawValue: text.lowercased()) else { return false }
      shown.possession = holder
    }
    return true
  }

  private static func show(number text: String, at path: WritableKeyPath<Report, Int?>, in report: inout Report) -> Bool
  {
    guard text.utf8.count <= 4, text.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let number = Int(text) else {
      return false
    }
    report[keyPath: path] = number
    return true
  }

  private static func truth(_ text: String) -> Bool? {
    switch text.lowercased() {
    case "true", "on", "1", "running", "yes": true
    case "false", "off", "0", "stopped", "no": false
    case _: nil
    }
  }
}
