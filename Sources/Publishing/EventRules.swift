package import GameCore

/// How one kind of event is told to phones: a row of the table that the configuration may change.
package struct EventRule: Hashable, Sendable {
  /// Which of Apple's two priorities a push of this kind asks for.
  package enum Urgency: Hashable, Sendable {
    case now
    case convenient
    /// Convenient, but `now` in the last two minutes of the last period or overtime.
    case nowInLastMinutes
    /// As above, and also `now` when the last `now` lies this far back.
    case nowAfterQuiet(Duration)
  }

  package enum AlertRule: Hashable, Sendable {
    case none
    case atOnce
    /// Only when the claim has stood this long: operators press the wrong button and take it back.
    case afterSettling(Duration)
  }

  /// How long a change may wait for neighbours after the last send.
  package enum Wait: Hashable, Sendable {
    case atMost(Duration)
    /// As long as the lane's own spacing.
    case spacing
    /// Never sent alone: goes with the next push.
    case ridesAlong
  }

  /// When the shown state stops being trustworthy.
  package enum Staleness: Hashable, Sendable {
    /// Counted from the last frame of the scoreboard, not from the send: a silent board must look silent.
    case afterFrame(Duration)
    /// As above, and the rest of the break on top.
    case afterFrameAndBreak(Duration)
    case afterNow(Duration)
    case afterScheduledStart(Duration)
    case never
  }

  package var urgency: Urgency
  package var alert: AlertRule
  package var wait: Wait
  /// For the policy `newest` only; `StoragePolicy` turns it into the header's value.
  package var expiration: Duration
  package var staleness: Staleness
  package var fcmPriority: FCMOptions.Priority
  package var timeToLive: Duration

  package init(
    _ urgency: Urgency, alert: AlertRule = .none, wait: Wait, expiration: Duration = .seconds(1800),
    staleness: Staleness = .afterFrame(.seconds(420)), fcm fcmPriority: FCMOptions.Priority,
    timeToLive: Duration
  ) {
    self.urgency = urgency
    self.alert = alert
    self.wait = wait
    self.expiration = expiration
    self.staleness = staleness
    self.fcmPriority = fcmPriority
    self.timeToLive = timeToLive
  }

  /// The priority of a push of this kind, by how long ago the last urgent one was (nil: there was none).
  package func priority(sinceLastNow: Duration?, lastMinutes: Bool) -> PushPriority {
    switch urgency {
    case .now: .now
    case .convenient: .convenient
    case .nowInLastMinutes: lastMinutes ? .now : .convenient
    case .nowAfterQuiet(let quiet):
      lastMinutes || sinceLastNow.map { $0 >= quiet } ?? true ? .now : .convenient
    }
  }

  /// When a state becomes stale; never less than a minute ahead, because a stale date in the past hides the tile.
  package func staleAt(now: WallTime, lastFrame: WallTime, breakLeft: Duration, scheduledStart: WallTime) -> WallTime? {
    let wanted: WallTime
    switch staleness {
    case .afterFrame(let span): wanted = lastFrame + span
    case .afterFrameAndBreak(let span): wanted = lastFrame + breakLeft + span
    case .afterNow(let span): wanted = now + span
    case .afterScheduledStart(let span): wanted = scheduledStart + span
    case .never: return nil
    }
    return max(wanted, now + .seconds(60))
  }

  package var fcm: FCMOptions { FCMOptions(priority: fcmPriority, timeToLive: timeToLive) }
}

/// The rules for every kind of event, and for the two pushes that belong to no event: the start and the end.
package struct EventRules: Hashable, Sendable {
  package var start: EventRule
  package var end: EventRule
  private var changed: [UpdateKind: EventRule] = [:]

  /// The rules as the facts give them.
  package init() {
    start = EventRule(
      .now, alert: .atOnce, wait: .atMost(.zero), expiration: .seconds(600),
      staleness: .afterScheduledStart(.seconds(900)), fcm: .high, timeToLive: .seconds(600))
    end = EventRule(
      .now, wait: .atMost(.zero), expiration: Self.afterTheGame, staleness: .never, fcm: .high,
      timeToLive: Self.afterTheGame)
  }

  package subscript(kind: UpdateKind) -> EventRule {
    get { changed[kind] ?? Self.standard(kind) }
    set { changed[kind] = newValue }
  }

  private static let afterTheGame: Duration = .seconds(14_400)
  private static let second: EventRule.Wait = .atMost(.seconds(1))

  private static func standard(_ kind: UpdateKind) -> EventRule {
    switch kind {
    case .basket:
      EventRule(.nowAfterQuiet(.seconds(60)), wait: second, fcm: .high, timeToLive: .seconds(180))
    case .goal:
      EventRule(.now, alert: .afterSettling(.seconds(4)), wait: second, fcm: .high, timeToLive: .seconds(180))
    case .playStarted, .correction, .periodStarted, .feedRestored:
      EventRule(.now, wait: second, fcm: .high, timeToLive: .seconds(180))
    case .clockStarted, .clockStopped:
      EventRule(.nowInLastMinutes, wait: .spacing, fcm: .normal, timeToLive: .seconds(120))
    case .clockSet, .timeoutCalled, .heartbeat:
      EventRule(.convenient, wait: .spacing, fcm: .normal, timeToLive: .seconds(120))
    case .penalty:
      EventRule(.now, wait: .atMost(.seconds(2)), fcm: .high, timeToLive: .seconds(180))
    case .detail:
      EventRule(.convenient, wait: .ridesAlong, fcm: .normal, timeToLive: .seconds(120))
    case .shootoutAttempt:
      EventRule(
        .now, wait: .atMost(.seconds(2)), staleness: .afterFrame(.seconds(300)), fcm: .high,
        timeToLive: .seconds(180))
    case .overtimeStarted, .resumed:
      EventRule(.now, alert: .atOnce, wait: second, fcm: .high, timeToLive: .seconds(180))
    case .periodEnded, .breakClock, .delayed, .feedLost, .shutdown, .final, .finalCorrection, .calledOff:
      standardOfPauses(kind)
    }
  }

  /// The kinds after which play rests for a while or for good.
  private static func standardOfPauses(_ kind: UpdateKind) -> EventRule {
    switch kind {
    case .periodEnded:
      EventRule(
        .now, wait: second, staleness: .afterFrameAndBreak(.seconds(420)), fcm: .high, timeToLive: .seconds(600))
    case .breakClock:
      EventRule(
        .convenient, wait: .spacing, staleness: .afterFrameAndBreak(.seconds(420)), fcm: .normal,
        timeToLive: .seconds(600))
    case .delayed:
      EventRule(
        .now, alert: .atOnce, wait: second, staleness: .afterFrame(.seconds(1800)), fcm: .high,
        timeToLive: .seconds(1800))
    case .feedLost, .shutdown:
      EventRule(.now, wait: second, staleness: .afterNow(.seconds(60)), fcm: .high, timeToLive: .seconds(600))
    case .final:
      EventRule(
        .now, alert: .atOnce, wait: second, expiration: afterTheGame, staleness: .afterNow(afterTheGame), fcm: .high,
        timeToLive: afterTheGame)
    case .finalCorrection:
      EventRule(
        .now, wait: second, expiration: afterTheGame, staleness: .afterNow(afterTheGame), fcm: .high,
        timeToLive: afterTheGame)
    case .calledOff:
      EventRule(
        .now, alert: .atOnce, wait: second, expiration: afterTheGame, staleness: .never, fcm: .high,
        timeToLive: afterTheGame)
    case .playStarted, .basket, .goal, .correction, .clockStarted, .clockStopped, .clockSet, .penalty, .detail,
      .timeoutCalled, .periodStarted, .overtimeStarted, .shootoutAttempt, .resumed, .heartbeat, .feedRestored:
      standard(kind)
    }
  }
}
