internal import Document
internal import GameCore
internal import LiveContract

/// An event that a game took, with what it led to.
struct EventNews {
  var topic: String
  var game: String
  var score: Pair<Int>
  var isPractice: Bool
  var entry: Game.Accepted
}

/// How an app finds the game of a court.
struct ActivityNews: Hashable {
  var game: String
  var names: Pair<Team>
  var apnsChannel: String?
  var hasAndroid = false
  /// The lifecycle's word; the iPhones' where both are told.
  var state: String?
}

/// The JSON that the arena reads, each payload with the version of its shape.
enum Told {
  static func state(_ court: Court, projected: GameAttributes.ContentState, at now: Moment) -> [UInt8] {
    let state = court.game.published
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("game", court.game.id)
      json.member("seq", court.game.log.sequence)
      json.member("sport", court.rules.sport.rawValue)
      json.member("phase", state.phase.word)
      json.member("status", projected.gameStatus.rawValue)
      json.member("period", projected.period)
      json.member("clock", projected.clock)
      clock("gameClock", state.clock, at: now, into: &json)
      clock("shotClock", state.shotClock, at: now, into: &json)
      json.member("possession", state.possession?.rawValue)
      json.member("lastPlay", projected.lastPlay)
      for side in Side.allCases { team(side, state, court.names, into: &json) }
      json.member("practice", court.realGame != nil)
      json.member("held", court.game.plausibility.held != nil)
      json.member("at", now.wall.iso8601)
    }
    return writer.bytes
  }

  /// A clock as an equation: what it read at `at`, and which way it runs.
  private static func clock(_ name: String, _ clock: GameClock?, at now: Moment, into json: inout JSONWriter) {
    json.key(name)
    guard let clock else { return json.null() }
    json.object { json in
      json.member("readingMs", clock.reading(at: now.instant).milliseconds)
      json.member("running", clock.isRunning)
      json.member("direction", clock.direction == .down ? "down" : "up")
    }
  }

  private static func team(_ side: Side, _ state: GameState, _ names: Pair<Team>, into json: inout JSONWriter) {
    let team = state.teams[side]
    json.key(side.rawValue)
    json.object { json in
      json.member("name", names[side].name)
      json.member("code", names[side].code)
      json.member("score", team.score)
      json.member("fouls", team.fouls)
      json.member("timeoutsTaken", team.timeoutsTaken)
      json.member("timeoutsLeft", team.timeoutsLeft)
      json.member("shots", team.shots)
      json.member("shootoutGoals", team.shootoutGoals)
      json.key("penalties")
      json.array { list in
        for penalty in team.penalties {
          list.object { json in
            json.member("player", penalty.player)
            json.member("readingMs", penalty.clock.shown.milliseconds)
          }
        }
      }
    }
  }

  static func event(_ news: EventNews) -> [UInt8] {
    let entry = news.entry
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("id", entry.event.id)
      json.member("game", news.game)
      json.member("seq", entry.sequence)
      json.member("source", entry.event.source.sort.rawValue)
      json.member("from", entry.event.source.name)
      json.key("event")
      json.raw(entry.event.json)
      json.key("changed")
      json.array { list in for fact in entry.change.facts { list.string(fact.word) } }
      json.member("practice", news.isPractice)
      json.member("homeScore", news.score.home)
      json.member("awayScore", news.score.away)
      json.member("at", entry.event.moment.wall.iso8601)
    }
    return writer.bytes
  }

  static func reply(_ ticket: ReplyTicket, _ answer: CommandAnswers.Answer, sequence: Int64) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("id", ticket.id)
      switch answer {
      case .done: json.member("result", "done")
      case .refused(let reason):
        json.member("result", "refused")
        json.member("reason", reason)
      case .pending: json.member("result", "unknown")
      }
      if ticket.id == nil { json.member("note", "unprotected: without an id a repeat counts again") }
      json.member("seq", sequence)
    }
    return writer.bytes
  }

  static func activity(_ news: ActivityNews) -> [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      json.member("version", 1)
      json.member("gameId", news.game)
      json.key("teams")
      json.object { json in
        for side in Side.allCases {
          json.key(side.rawValue)
          json.object { json in
            json.member("name", news.names[side].name)
            json.member("code", news.names[side].code)
          }
        }
      }
      json.member("apnsChannelId", news.apnsChannel)
      json.member("androidChannel", news.hasAndroid ? "live-android:\(news.game)" : nil)
      json.member("status", news.state ?? "none")
    }
    return writer.bytes
  }
}

extension Phase {
  /// Every word that the state topic has for it.
  static let words = [
    "scheduled", "live", "overtime", "shoot-out", "intermission", "halftime", "review", "delayed", "finished",
    "cancelled",
  ]

  /// One word, as the state topic says it.
  var word: String {
    switch self {
    case .scheduled: "scheduled"
    case .live(let period): period == .shootout ? "shoot-out" : period.isOvertime ? "overtime" : "live"
    case .intermission: "intermission"
    case .halftime: "halftime"
    case .review: "review"
    case .delayed: "delayed"
    case .finished: "finished"
    case .cancelled: "cancelled"
    }
  }
}

extension GameChange.Fact {
  /// One word for what changed.
  var word: String {
    switch self {
    case .scored: "scored"
    case .scoreCorrected: "score-corrected"
    case .pointWon: "point-won"
    case .gameWon: "game-won"
    case .setWon: "set-won"
    case .detailChanged: "detail"
    case .penaltyChanged: "penalty"
    case .clockStarted: "clock-started"
    case .clockStopped: "clock-stopped"
    case .clockSet: "clock-set"
    case .clockExpired: "clock-expired"
    case .shotClockChanged: "shot-clock"
    case .breakClockChanged: "break-clock"
    case .timeoutCalled: "timeout-called"
    case .timeoutOver: "timeout-over"
    case .playStarted: "play-started"
    case .periodStarted: "period-started"
    case .periodEnded: "period-ended"
    case .shootoutAttempted: "shootout-attempted"
    case .reviewStarted: "review-started"
    case .reviewOver: "review-over"
    case .delayed: "delayed"
    case .resumed: "resumed"
    case .lastPlayChanged: "last-play"
    case .opened: "opened"
    case .named: "named"
    case .namesFrozen: "names-frozen"
    case .final: "final"
    case .finalCorrected: "final-corrected"
    case .calledOff: "called-off"
    case .wasReset: "reset"
    case .ended: "ended"
    case .nextGameWanted: "next-game"
    case .phaseCorrected: "phase-corrected"
    case .rebased: "rebased"
    }
  }
}
