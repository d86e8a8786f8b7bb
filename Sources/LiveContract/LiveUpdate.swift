/// The same facts as Android receives them: a map of texts that carries everything, every time.
public struct LiveUpdate: Hashable, Sendable {
  public enum Event: String, Hashable, Sendable, CaseIterable {
    case start, update, end
  }

  public var event: Event
  public var gameID: String
  public var attributes: GameAttributes
  public var state: GameAttributes.ContentState
  /// Unix milliseconds. Drop whatever is older than the newest one shown.
  public var timestampMs: Int
  /// Unix milliseconds after which to grey the card; nil where nothing goes stale.
  public var staleAtMs: Int?
  /// Present only when the event deserves a sound; both texts come together.
  public var alertTitle: String?
  public var alertBody: String?

  /// Nil when a fact is missing or is not what it should be. Keys nobody knows are ignored.
  public init?(_ data: [String: String]) {
    guard let event = data["event"].flatMap(Event.init(rawValue:)), let home = Self.name(data["homeTeam"]),
      let away = Self.name(data["awayTeam"]), let homeScore = Self.integer(data["homeScore"]),
      let awayScore = Self.integer(data["awayScore"]),
      let status = data["gameStatus"].flatMap(GameAttributes.GameStatus.init(rawValue:)),
      let period = data["period"], let clock = data["clock"], let lastPlay = data["lastPlay"],
      let timestamp = Self.integer(data["timestamp"])
    else { return nil }
    self.event = event
    gameID = data["gameId"] ?? ""
    attributes = GameAttributes(homeTeam: home, awayTeam: away)
    state = GameAttributes.ContentState(
      homeScore: homeScore, awayScore: awayScore, gameStatus: status, period: period, clock: clock,
      lastPlay: lastPlay, clockDir: data["clockDir"].flatMap(GameAttributes.ClockDirection.init(rawValue:)) ?? .stop,
      clockAnchorMs: Self.integer(data["clockAnchorMs"]) ?? 0, seq: Self.integer(data["seq"]) ?? 0)
    timestampMs = timestamp
    staleAtMs = Self.integer(data["staleAtMs"])
    alertTitle = data["alertTitle"]
    alertBody = data["alertBody"]
  }

  private static func name(_ text: String?) -> String? {
    guard let text, text.contains(where: { !$0.isWhitespace }) else { return nil }
    return text
  }

  /// Plain digits with an optional minus, nothing else: `102.0` and `" 102"` are not numbers.
  private static func integer(_ text: String?) -> Int? {
    guard let text, let first = text.utf8.first, first != UInt8(ascii: "+") else { return nil }
    return Int(text)
  }
}
