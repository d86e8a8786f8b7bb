/// What never changes during a game. The app's `ActivityAttributes` type has this name and these two keys.
public struct GameAttributes: Codable, Hashable, Sendable {
  public var homeTeam: String
  public var awayTeam: String

  public init(homeTeam: String, awayTeam: String) {
    self.homeTeam = homeTeam
    self.awayTeam = awayTeam
  }
}

extension GameAttributes {
  /// Everything a phone shows of a running game, sent whole in every push. No optional: a missing key drops the push.
  public struct ContentState: Codable, Hashable, Sendable {
    /// 0 or more.
    public var homeScore: Int
    /// 0 or more.
    public var awayScore: Int
    public var gameStatus: GameStatus
    /// Free text shown as it is: `Q4`, `OT`, `Set 2 25-23`, `Final/SO`.
    public var period: String
    /// `M:SS`, or empty where there is none.
    public var clock: String
    /// Free text, may be empty.
    public var lastPlay: String
    public var clockDir: ClockDirection
    /// Unix milliseconds: the instant a countdown reads zero, or the instant a count-up read zero; 0 when stopped.
    public var clockAnchorMs: Int
    /// The sender's revision number for this game.
    public var seq: Int

    public init(
      homeScore: Int, awayScore: Int, gameStatus: GameStatus, period: String, clock: String,
      lastPlay: String, clockDir: ClockDirection, clockAnchorMs: Int, seq: Int
    ) {
      self.homeScore = homeScore
      self.awayScore = awayScore
      self.gameStatus = gameStatus
      self.period = period
      self.clock = clock
      self.lastPlay = lastPlay
      self.clockDir = clockDir
      self.clockAnchorMs = clockAnchorMs
      self.seq = seq
    }
  }

  /// The four words the reference app knows; any other drops the push on iOS.
  public enum GameStatus: String, Codable, Hashable, Sendable, CaseIterable {
    case scheduled, live, halftime, finished
  }

  /// How the clock behaves between two pushes.
  public enum ClockDirection: String, Codable, Hashable, Sendable, CaseIterable {
    case stop, down, up
  }
}

extension GameAttributes.ContentState {
  /// The score for Android's status bar chip, which shows fewer than seven characters whole: `102–99`. Nil where it would
  /// be cut, because a cut score is a wrong one; the icon stands there alone then.
  public var chip: String? {
    let text = "\(homeScore)–\(awayScore)"
    return text.count < 7 ? text : nil
  }
}
