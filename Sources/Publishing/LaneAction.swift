package import GameCore
package import LiveContract
package import Outbox

/// Names one hand-over to the store, so that its answer finds what waits for it. Counted per lane.
package struct WriteToken: Hashable, Sendable {
  package var number: UInt64

  package init(number: UInt64) { self.number = number }
}

/// What a lane is told.
package enum LaneEvent: Hashable, Sendable {
  /// The game is to be told to phones. On a lane that came back from the store it only renews names, schedule and feed.
  case opened(GameOpening)
  /// The teams are known now, and the alert that names them.
  case named(GameAttributes, startAlert: Alert)
  /// A broadcast that another bridge made is this game's; its tile may exist since then.
  case adopted(Broadcast, startedAt: WallTime?)
  case changed(LaneChange)
  /// A valid frame of the scoreboard; it may have changed nothing.
  case frameArrived
  /// From now on a scoreboard vouches for what is shown, or none does.
  case feedChanged(hasFeed: Bool)
  /// Nothing more will come of this game: end without the hold for corrections.
  case gameEnded
  case persisted(WriteToken)
  case persistFailed(WriteToken)
  /// Of the call's attempts, those that may have been processed without anybody's knowing are counted.
  case answered(AttemptToken, Verdict, unsureAttempts: Int = 0)
  case linkCameUp
  /// A probe or any other request to this provider succeeded.
  case providerReachable
  case trustChanged(ClockTrust)
  /// The config was read anew. The budget keeps what it was made with.
  case settingsChanged(LaneSettings)
  /// The game's next activity at this sink was accepted: this one ends, and its tile makes room.
  case succeeded
  /// The lane came back from the store and may go on.
  case restored
  case deadlineReached
  /// The daemon ends on purpose; nothing leaves after this.
  case stopping
}

/// A game as it is opened for phones.
package struct GameOpening: Hashable, Sendable {
  package var attributes: GameAttributes
  /// Whether these are the teams' own names and not the configured defaults.
  package var isNamed: Bool
  /// Nil takes the moment of opening.
  package var scheduled: WallTime?
  package var startAlert: Alert
  /// A scoreboard that keeps talking. Without one, what is shown can be trusted as long as the daemon runs.
  package var hasFeed: Bool
  package var state: GameAttributes.ContentState

  package init(
    attributes: GameAttributes, isNamed: Bool, scheduled: WallTime?, startAlert: Alert, hasFeed: Bool,
    state: GameAttributes.ContentState
  ) {
    self.attributes = attributes
    self.isNamed = isNamed
    self.scheduled = scheduled
    self.startAlert = startAlert
    self.hasFeed = hasFeed
    self.state = state
  }
}

/// A new full state of the game, and why it is told. The number in it does not count; the lane gives its own.
package struct LaneChange: Hashable, Sendable {
  package var state: GameAttributes.ContentState
  package var kind: UpdateKind
  package var alert: AlertCandidate?
  /// The last two minutes of the last period or of overtime.
  package var lastMinutes: Bool
  /// How long the break goes on, where the kind begins one.
  package var breakLeft: Duration?

  package init(
    state: GameAttributes.ContentState, kind: UpdateKind, alert: AlertCandidate? = nil, lastMinutes: Bool = false,
    breakLeft: Duration? = nil
  ) {
    self.state = state
    self.kind = kind
    self.alert = alert
    self.lastMinutes = lastMinutes
    self.breakLeft = breakLeft
  }
}

/// What a lane wants done. The order is a promise: what stands before a send is handed to the store before it, and a
/// create, start or end is only ever sent in answer to `persisted`.
package enum LaneAction: Hashable, Sendable {
  /// One all-or-nothing commit; answer with `persisted` or `persistFailed`.
  case persist([StoreOperation], WriteToken)
  /// Ask the provider; answer with `answered`.
  case send(AblyCall, AttemptToken)
  /// For the log and for status.
  case tell(LaneNotice)
}

/// Something a person may want to know.
package enum LaneNotice: Hashable, Sendable {
  case moved(from: String, to: String)
  /// The tile nears the system's limit, and the operator wants another one in its place.
  case successorWanted
  case startSkipped(reason: String)
  case alertSent(id: String)
  case alertDropped(id: String, reason: String)
  case parked(entry: Int64, reason: String)
  case died(DeadReason, detail: String)
  /// Said at the first stop, and again only after a success.
  case broadcastStopped(reason: String)
  /// A create without an answer may have left a channel that nobody can name.
  case channelMayHaveLeaked(total: Int)
  /// The clock stands this far behind the last stamp.
  case clockBehindStamps(by: Duration)
  /// The stamps lie so far ahead that phones would drop them: the activity is ended, another is a person's decision.
  case stampsOutOfReach(by: Duration)
  /// What was told is not followed.
  case ignored(reason: String)
  /// The store takes nothing: updates go on, a create, start or end waits.
  case storeFailing
  case storeRecovered

  /// Whether somebody has to look.
  package var isAlarm: Bool {
    switch self {
    case .died, .broadcastStopped, .channelMayHaveLeaked, .clockBehindStamps, .stampsOutOfReach, .storeFailing, .parked:
      true
    case .moved, .successorWanted, .startSkipped, .alertSent, .alertDropped, .ignored, .storeRecovered: false
    }
  }
}

/// A lane at a glance, for status.
package struct LaneReport: Hashable, Sendable {
  /// A word of the lifecycle.
  package var state: String
  /// States and alerts that wait to leave.
  package var queued: Int
  /// What was asked and is not answered.
  package var inFlight: String?
  package var counts: OutboxCounts
  /// How long the oldest change that phones do not have has been waiting.
  package var oldestAge: Duration?
  package var unansweredCreates: Int
  /// Attempts of creates that may each have left a channel behind that nobody can name.
  package var leakedChannels: Int
  /// Urgent pushes that the phone's budget still has room for.
  package var urgentLeft: Int
  /// Updates were refused so often that only the next change, minutes later, finds out whether the broadcast lives.
  package var isBroadcastStopped: Bool
  /// Why nothing leaves, or why the activity is what it is; nil when all is well.
  package var reason: String?
}
