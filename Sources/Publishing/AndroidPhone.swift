package import GameCore
import LiveContract

/// An Android phone with the reference app, modelled for rehearsals: one slot for all games, ordered by stamp alone.
package struct AndroidPhone: Sendable {
  private struct Card {
    var attributes: GameAttributes
    var state: GameAttributes.ContentState
    var staleAt: WallTime?
    /// When a final card clears itself; nil while the game is live.
    var clears: WallTime?
  }

  private var card: Card?
  /// Of the newest push that was shown; stays when the card goes, and counts across games.
  private var newestStamp: Int64?

  package init() {}

  /// A data message. What the reference app does with odd values is done here too: a score that is not a plain integer
  /// becomes 0, an unknown status is shown as live, and an update after the end brings the game back to life.
  package mutating func receive(data: [String: String], at now: WallTime) -> PhoneOutcome {
    guard let home = data["homeTeam"], let away = data["awayTeam"], !Self.isBlank(home), !Self.isBlank(away) else {
      return .dropped("homeTeam or awayTeam")
    }
    guard let event = data["event"], ["start", "update", "end"].contains(event) else { return .dropped("event") }
    let stamp = data["timestamp"].flatMap { Int64($0) } ?? now.milliseconds
    if let newestStamp, stamp < newestStamp { return .dropped("timestamp") }
    let state = GameAttributes.ContentState(
      homeScore: data["homeScore"].flatMap { Int($0) } ?? 0, awayScore: data["awayScore"].flatMap { Int($0) } ?? 0,
      gameStatus: data["gameStatus"].flatMap(GameAttributes.GameStatus.init(rawValue:)) ?? .live,
      period: data["period"] ?? "", clock: data["clock"] ?? "", lastPlay: data["lastPlay"] ?? "",
      clockDir: data["clockDir"].flatMap(GameAttributes.ClockDirection.init(rawValue:)) ?? .stop,
      clockAnchorMs: data["clockAnchorMs"].flatMap { Int($0) } ?? 0, seq: data["seq"].flatMap { Int($0) } ?? 0)
    newestStamp = stamp
    card = Card(
      attributes: GameAttributes(homeTeam: home, awayTeam: away), state: state,
      staleAt: data["staleAtMs"].flatMap { Int64($0) }.map { WallTime(milliseconds: $0) },
      clears: event == "end" ? now + .seconds(3600) : nil)
    return data["alertTitle"] != nil && data["alertBody"] != nil ? .alerted : .shown
  }

  /// The card as it looks now; nil when there is none.
  package func view(at now: WallTime) -> FanView? {
    guard let card, card.clears.map({ now < $0 }) ?? true else { return nil }
    return FanView(card.attributes, card.state, staleAt: card.staleAt, isOver: card.clears != nil, at: now)
  }

  private static func isBlank(_ text: String) -> Bool { text.allSatisfy(\.isWhitespace) }
}
