internal import Document
internal import GameCore
internal import Input
internal import Publishing

/// One court: its rules, its game, who may tell it something, and the lanes that tell phones.
struct Court {
  let place: Int
  @Boxed var config: CourtConfig
  let rules: Rules
  @Boxed var texts: Texts
  let topics: CourtTopics
  var record: GameRecord
  @Boxed var game: Game
  /// What the arena and apps were told last of which game is on.
  var activity: ActivityNews?
  /// What apps find on the court's channel.
  @Boxed var notice: CourtNotice
  /// The lanes of the game that is on; those of earlier games end by themselves.
  var lanes: [LaneID] = []
  /// Whether the lanes know of the game.
  var isToldToPhones = false
  /// Made by another board: the game's iPhones hear of it over this, once they are told.
  var adopts: Broadcast?
  var consoles: [ConsoleSlot]
  /// What the slots were made of.
  var consolesConfig: [ConsoleConfig]
  var keys: [Character: KeyAction]
  @Boxed var buttons: ButtonBox
  var lamps: LampBoard
  /// Why a lamp's line cannot be had; nil while it can.
  var lampTroubles: [String?]
  /// The game that waits while `game` is one of practice; nil when nobody practises.
  @Boxed var realGame: Game?
  var boards: [MQTTBoard]
  var mqttButtons: [ButtonSlot]
  @Boxed var arbiter: Arbiter
  var answers = CommandAnswers()
  /// Asked for with the next game, where a command named the teams.
  var nextGame: NextGame?
  /// The arena is to be told the state at the end of this turn.
  var owesState = false
  /// A clock that is merely read again is told once a second.
  var toldAt: Instant?
  var owesReading = false
  var events = 0

  struct KeyAction: Hashable, Sendable {
    var word: String
    var binding: Binding
    /// A capital letter is pressed on purpose: it does what a hold does on a button.
    var isArmed: Bool
  }

  /// A button on the broker, and what its maker's words do, in small letters.
  struct ButtonSlot {
    var button: MQTTButton
    var actions: [String: KeyAction]
  }

  struct NextGame: Hashable, Sendable {
    var home: Team?
    var away: Team?
    var start: WallTime?

    init(home: Team? = nil, away: Team? = nil, start: WallTime? = nil) {
      self.home = home
      self.away = away
      self.start = start
    }
  }

  /// The names phones are told: the teams' own, else the configured defaults.
  var names: Pair<Team> {
    Pair(home: game.state.names.home ?? Self.defaultHome, away: game.state.names.away ?? Self.defaultAway)
  }

  /// Whether anything besides people tells this court its totals.
  var hasFeed: Bool { !consoles.isEmpty || !boards.isEmpty }

  var isNamed: Bool { game.state.names.home != nil && game.state.names.away != nil }

  static let defaultHome = Team(name: "Home", code: "home")
  static let defaultAway = Team(name: "Away", code: "away")

  /// When the reading of the clock that is owed may be told.
  var readingDue: Instant? { owesReading ? toldAt.map { $0 + .seconds(1) } : nil }
}

/// Where a court speaks and listens.
struct CourtTopics: Hashable, Sendable {
  let base: String

  init(prefix: String, slug: String) { base = "\(prefix)/court/\(slug)" }

  var state: String { base + "/state" }
  var event: String { base + "/event" }
  var activity: String { base + "/activity" }
  var reply: String { base + "/reply" }
  var commands: String { base + "/cmd/+" }

  /// The verb of a command's topic; nil when it is not one of ours.
  func verb(of topic: String) -> Substring? {
    let start = base + "/cmd/"
    guard topic.hasPrefix(start) else { return nil }
    return topic.dropFirst(start.count)
  }
}

/// Which game a court plays: what must be known to read its log again. One mark in the store.
struct GameRecord: Hashable, Sendable {
  var id: String
  var home: Team?
  var away: Team?
  var scheduled: WallTime?
  /// Open from its first moment, because somebody asked for it.
  var isOpen: Bool
  /// Announced by a command: what the config names does not take its place.
  var isAsked = false

  static func key(of court: String) -> String { "court/\(court)" }

  func json() -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("game", id)
      Self.write("home", home, into: &json)
      Self.write("away", away, into: &json)
      json.member("scheduledMs", scheduled?.milliseconds)
      json.member("open", isOpen)
      if isAsked { json.member("asked", true) }
    }
    return writer.bytes
  }

  private static func write(_ name: String, _ team: Team?, into json: inout JSONWriter) {
    json.key(name)
    guard let team else { return json.null() }
    json.object { json in
      json.member("name", team.name)
      json.member("code", team.code)
    }
  }

  init(id: String, home: Team?, away: Team?, scheduled: WallTime?, isOpen: Bool, isAsked: Bool = false) {
    self.id = id
    self.home = home
    self.away = away
    self.scheduled = scheduled
    self.isOpen = isOpen
    self.isAsked = isAsked
  }

  /// Nil for anything that this version did not write.
  init?(_ node: Node) {
    guard node["version"]?.integer == 1, let id = node["game"]?.text, let open = node["open"]?.text else { return nil }
    self.init(
      id: id, home: Self.team(node["home"]), away: Self.team(node["away"]),
      scheduled: node["scheduledMs"]?.integer.map { WallTime(milliseconds: $0) }, isOpen: open == "true",
      isAsked: node["asked"] != nil)
  }

  private static func team(_ node: Node?) -> Team? {
    guard let name = node?["name"]?.text, let code = node?["code"]?.text else { return nil }
    return Team(name: name, code: code)
  }
}
