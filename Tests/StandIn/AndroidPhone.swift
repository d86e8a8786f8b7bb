package import GameCore

/// A fan's Android phone with the reference receiver: one slot for all games, ordered by `timestamp` alone.
package struct AndroidPhone: Sendable {
  /// The one notification that the app has.
  package struct Card: Hashable, Sendable {
    package var homeTeam: String
    package var awayTeam: String
    package var homeScore: Int
    package var awayScore: Int
    /// One of the four words; what the app does not know is shown as live.
    package var gameStatus: String
    package var period: String
    package var clock: String
    package var lastPlay: String
    /// Dismissable, and cleared by the app after an hour.
    package var isFinal: Bool

    /// What the status bar shows of the score: all of it, or the icon alone.
    package var chip: String? {
      let text = "\(homeScore)–\(awayScore)"
      return text.count < 7 ? text : nil
    }
  }

  package enum Drop: Hashable, Sendable {
    case noTeams
    case unknownEvent(String)
    case older(than: Int64)
  }

  package let deviceID: String
  /// The Ably channels that the app subscribed this device to; a star at the end means all that begin so.
  package var channels: Set<String>
  package var isOnline = true
  /// Off when the fan forbade the app to notify: messages still arrive, and nothing of them is seen.
  package var allowsNotifications = true
  /// Messages that woke the phone for nothing. Google counts them for a week and lowers the app's priority for them.
  package private(set) var invisibleWakes = 0
  package private(set) var card: Card?
  package private(set) var drops: [Drop] = []
  /// Each card that was shown, in order.
  package private(set) var shown: [Card] = []
  /// Titles that an extended app would have rung for.
  package private(set) var alerts: [String] = []
  /// How often a message brought a finished game back to life.
  package private(set) var revivals = 0
  /// The messages as they came, dropped ones too.
  package private(set) var received: [[String: String]] = []
  private var timestamp: Int64 = 0
  private var endedAt: WallTime?
  var held: [(data: JSON, isUrgent: Bool, until: WallTime)] = []

  package init(deviceID: String, channels: Set<String> = []) {
    self.deviceID = deviceID
    self.channels = channels
  }

  /// What stands in the shade now: a final card clears itself after one hour.
  package func visible(at now: WallTime) -> Card? {
    guard let card else { return nil }
    if let endedAt, now - endedAt >= .seconds(3_600) { return nil }
    return card
  }

  mutating func receive(_ json: JSON, isUrgent: Bool, at now: WallTime) {
    guard allowsNotifications else {
      if isUrgent { invisibleWakes += 1 }
      return
    }
    var data: [String: String] = [:]
    for member in json.members ?? [] { data[member.key] = member.value.string }
    received.append(data)
    guard let home = data["homeTeam"], let away = data["awayTeam"], !isBlank(home), !isBlank(away) else {
      return drops.append(.noTeams)
    }
    guard let event = data["event"], ["start", "update", "end"].contains(event) else {
      return drops.append(.unknownEvent(data["event"] ?? "none"))
    }
    let sent = data["timestamp"].flatMap { Int64($0) } ?? now.milliseconds
    guard sent >= timestamp else { return drops.append(.older(than: timestamp)) }
    timestamp = sent
    if endedAt != nil, event != "end" { revivals += 1 }
    let status = data["gameStatus"] ?? ""
    let next = Card(
      homeTeam: home, awayTeam: away, homeScore: score(data["homeScore"]), awayScore: score(data["awayScore"]),
      gameStatus: ["scheduled", "live", "halftime", "finished"].contains(status) ? status : "live",
      period: data["period"] ?? "", clock: data["clock"] ?? "", lastPlay: data["lastPlay"] ?? "",
      isFinal: event == "end")
    card = next
    endedAt = event == "end" ? now : nil
    shown.append(next)
    if let title = data["alertTitle"], !title.isEmpty { alerts.append(title) }
  }

  private func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }

  /// Anything but plain digits becomes 0, as in the reference code.
  private func score(_ text: String?) -> Int { text.flatMap { Int($0) } ?? 0 }
}
