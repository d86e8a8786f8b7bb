package import GameCore
package import LiveContract

/// An alert that an event asks for.
package struct AlertCandidate: Hashable, Sendable {
  /// What the alert says is true. Judged by the newest state, so that a goal taken back never rings.
  package enum Claim: Hashable, Sendable {
    /// Nothing that follows makes it untrue.
    case always
    case homeScore(atLeast: Int)
    case awayScore(atLeast: Int)
    case status(GameAttributes.GameStatus)

    fileprivate func holds(in state: GameAttributes.ContentState) -> Bool {
      switch self {
      case .always: true
      case .homeScore(let score): state.homeScore >= score
      case .awayScore(let score): state.awayScore >= score
      case .status(let status): state.gameStatus == status
      }
    }
  }

  /// The event's id; an alert asked for twice is one alert.
  package var id: String
  package var alert: Alert
  package var claim: Claim

  package init(id: String, alert: Alert, claim: Claim) {
    self.id = id
    self.alert = alert
    self.claim = claim
  }
}

/// Alerts in the order of their events. Each gets its own message, once; what never rings leaves with a reason.
package struct AlertQueue: Hashable, Sendable {
  package struct Item: Hashable, Sendable {
    package var candidate: AlertCandidate
    package var kind: UpdateKind
    /// When the claim has stood long enough.
    package var readyAt: Instant
    /// When it would only startle people.
    package var notAfter: Instant
  }

  package struct Dropped: Hashable, Sendable {
    package var id: String
    package var reason: String
  }

  private var items: [Item] = []
  /// The ids of late, against an event that is told twice.
  private var known: [String] = []

  package init() {}

  package var count: Int { items.count }
  package var isEmpty: Bool { items.isEmpty }
  package var head: Item? { items.first }

  /// Answers what had to make room.
  package mutating func ask(_ candidate: AlertCandidate, kind: UpdateKind, rule: EventRule.AlertRule, at now: Instant)
    -> [Dropped]
  {
    let settling: Duration
    switch rule {
    case .none: return []
    case .atOnce: settling = .zero
    case .afterSettling(let time): settling = time
    }
    guard !known.contains(candidate.id) else { return [] }
    known.append(candidate.id)
    if known.count > Self.mostKnown { known.removeFirst() }
    let readyAt = now + settling
    items.append(Item(candidate: candidate, kind: kind, readyAt: readyAt, notAfter: readyAt + Self.freshness))
    guard items.count > Self.most else { return [] }
    return [Dropped(id: items.removeFirst().candidate.id, reason: "too many alerts")]
  }

  /// Drops what is no longer true.
  package mutating func judge(by state: GameAttributes.ContentState) -> [Dropped] {
    remove(reason: "no longer true") { !$0.candidate.claim.holds(in: state) }
  }

  /// Drops what comes too late.
  package mutating func expire(at now: Instant) -> [Dropped] { remove(reason: "too late") { now > $0.notAfter } }

  package mutating func dropAll(reason: String) -> [Dropped] { remove(reason: reason) { _ in true } }

  /// The first in order, if its claim has stood long enough; taken.
  package mutating func takeReady(at now: Instant) -> Item? {
    guard let first = items.first, first.readyAt <= now else { return nil }
    return items.removeFirst()
  }

  private mutating func remove(reason: String, where matches: (Item) -> Bool) -> [Dropped] {
    let dropped = items.filter(matches).map { Dropped(id: $0.candidate.id, reason: reason) }
    items.removeAll(where: matches)
    return dropped
  }

  private static let most = 16
  private static let mostKnown = 64
  private static let freshness: Duration = .seconds(60)
}
