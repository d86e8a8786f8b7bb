import GameCore
import LiveContract
import Outbox

// What time says: floors, stamps, staleness, age, and when to ask again.
extension ActivityLane {
  var hardLimit: Duration { sink == .ablyIOS ? .seconds(1) : .zero }

  func hardLimitPassed(at now: Instant) -> Bool { lastPush.map { $0 + hardLimit <= now } ?? true }

  /// The wall time that may be told: never behind the last stamp while nobody vouches for the clock.
  func wall(at moment: Moment) -> WallTime { trust == .untrusted ? stamps.floorTime(at: moment.wall) : moment.wall }

  /// The newest state as a phone may be told it now: an anchor that has passed, or that rests on a clock nobody trusts,
  /// is a stopped clock with its text.
  func told(at moment: Moment) -> GameAttributes.ContentState {
    var state =
      newest
      ?? GameAttributes.ContentState(
        homeScore: 0, awayScore: 0, gameStatus: .scheduled, period: "", clock: "", lastPlay: "", clockDir: .stop,
        clockAnchorMs: 0, seq: 0)
    let earliest = (moment.wall + Self.deliveryTime).milliseconds
    let runsOut = state.clockDir == .down && Int64(state.clockAnchorMs) < earliest
    if state.clockDir != .stop, runsOut || trust != .trusted {
      state.clockDir = .stop
      state.clockAnchorMs = 0
    }
    return state
  }

  /// Equal for a viewer: the number does not count.
  func isSame(_ left: GameAttributes.ContentState?, _ right: GameAttributes.ContentState?) -> Bool {
    guard var left, var right else { return false }
    left.seq = 0
    right.seq = 0
    return left == right
  }

  /// A clock that stopped and went on within a second of what phones count anyway needs no message.
  func isOnCourse(_ state: GameAttributes.ContentState, _ reasons: [UpdateKind]) -> Bool {
    guard reasons.allSatisfy({ $0 == .clockStarted || $0 == .clockStopped }), var shown = accepted,
      state.clockDir != .stop, state.clockDir == shown.clockDir, abs(state.clockAnchorMs - shown.clockAnchorMs) < 1000
    else { return false }
    shown.clock = state.clock
    shown.clockAnchorMs = state.clockAnchorMs
    return isSame(shown, state)
  }

  /// When phones should stop believing what is sent now: counted from the last frame, not from the send.
  func staleAt(reasons: [UpdateKind], at moment: Moment) -> WallTime? {
    let now = wall(at: moment)
    let lasting = reasons.last(where: \.isLast)
    let standing: UpdateKind? = isDelayed && reasons == [.heartbeat] ? .delayed : nil
    let kind = lasting ?? standing ?? reasons.last { $0 != .detail } ?? .heartbeat
    let left = breakUntil.map { max(.zero, $0 - moment.instant) } ?? .zero
    let lastFrame: WallTime
    switch feed {
    case .none: lastFrame = now
    case .alive(let frame), .lost(let frame): lastFrame = now + (frame - moment.instant)
    }
    let stale = settings.rules[kind].staleAt(
      now: now, lastFrame: lastFrame, breakLeft: left, scheduledStart: opening?.scheduled ?? now)
    guard kind == .heartbeat, left > .zero else { return stale }
    return stale.map { $0 + left }
  }

  // MARK: Numbers

  struct Numbers {
    var stamp: Int64
    var sequence: Int64
  }

  /// A stamp and a number for one message, or nothing of either.
  mutating func takeNumbers(at moment: Moment) -> Numbers? {
    guard sequence.hasNext || store.isBroken(at: moment.instant), let stamp = takeStamp(at: moment),
      let number = nextNumber(of: stamp, at: moment)
    else { return nil }
    return Numbers(stamp: stamp, sequence: number)
  }

  /// Stamps may stand ahead of the clock by what was reserved, and the next life begins with the same reserve: so past
  /// the floor a number is the clock's second, which no later life has, and the stamp's only where the clock is behind.
  mutating func nextNumber(of stamp: Int64, at moment: Moment) -> Int64? {
    let second = max(stamps.unit == .seconds ? stamp : stamp / 1000, moment.wall.seconds)
    return sequence.next(pastFloor: store.isBroken(at: moment.instant) ? second : nil)
  }

  mutating func takeStamp(at moment: Moment) -> Int64? {
    stampsFrom = nil
    switch stamps.next(at: moment.wall, trust: trust, mayExceedFloor: store.isBroken(at: moment.instant)) {
    case .take(let stamp): return stamp
    case .wait(let time):
      stampsFrom = moment.instant + time
      return nil
    case .uncovered:
      store.renew(stamp: stamps.renewIfShort(at: moment, trust: trust), sequence: nil, keys: floorKeys)
      return nil
    }
  }

  /// Floors run ahead of use, whether or not anything is sent, so that a press after a quiet time waits for no disk.
  mutating func renewFloors(at moment: Moment) {
    guard !lifecycle.isOver, store.retryAt == nil, opening != nil || store.isKnown else { return }
    let stamp =
      stamps.renewal(at: moment.instant) <= moment.instant ? stamps.renew(at: moment, trust: trust) : nil
    store.renew(stamp: stamp, sequence: sequence.renew(), keys: floorKeys)
  }

  var floorKeys: FloorKeys { FloorKeys(game: game, sink: sink, round: round) }
  var laneName: String { "\(game)/\(sink.place(round: round))" }

  // MARK: Age

  /// What the clocks have to say about this activity, before anything is decided.
  mutating func judgeTime(at moment: Moment) {
    guard !lifecycle.isOver, lifecycle.endIntent == nil, trust != .untrusted else { return }
    judgeGap(at: moment)
    let age = lifecycle.age(at: moment.instant) ?? .zero
    switch sink {
    case .ablyIOS:
      // A channel is made when its game is announced, which may be days before it is used.
      let unused = [
        lifecycle.ageOfChannel(at: moment.instant) ?? .zero,
        (opening?.scheduled ?? store.scheduled).map { moment.wall - $0 },
      ]
      let isUnused = lifecycle.startedAt == nil && unused.compactMap { $0 }.allSatisfy { $0 > Self.unusedAge }
      if age > Self.forgottenAge || isUnused {
        forget()
      } else if age >= Self.plannedEnd, finish == nil {
        if settings.renews, age < Self.plannedEnd + Self.renewalTime {
          askForSuccessor()
        } else {
          endBeforeTheSystem(at: moment)
        }
      }
    // Android has no limit of its own; only a game that nobody feeds any more is swept away.
    case .ablyAndroid:
      let isQuiet = lastChange.map { moment.instant - $0 > Self.quietAge } ?? true
      if age > Self.forgottenAge, isQuiet { forget() }
    }
  }

  private mutating func judgeGap(at moment: Moment) {
    let gap = stamps.gap(at: moment.wall)
    if gap <= Self.alarmingGap {
      toldGap = false
    } else if !toldGap {
      toldGap = true
      notices.append(.clockBehindStamps(by: gap))
    }
    // Phones drop a stamp eight hours ahead of them. Another activity would be another tile: a person decides.
    if gap > Self.hopelessGap, sink == .ablyIOS, finish != .outOfReach, finish != .forgotten, lifecycle.mayUpdate {
      finish = .outOfReach
      notices.append(.stampsOutOfReach(by: gap))
      store.recordChanged()
    }
  }

  mutating func forget() {
    guard finish != .forgotten else { return }
    finish = .forgotten
    store.recordChanged()
  }

  /// The next tile has this long to be there before the old one ends in any case.
  private mutating func askForSuccessor() {
    guard !hasSuccessor else { return }
    hasSuccessor = true
    notices.append(.successorWanted)
  }

  /// The system would end the tile at eight hours, wherever the game stands; better with a word about where it goes on.
  private mutating func endBeforeTheSystem(at moment: Moment) {
    guard var last = newest else { return forget() }
    finish = .beforeTheSystem
    last.lastPlay = settings.followInApp
    newest = last
    put(last, kind: .finalCorrection, at: moment)
    store.recordChanged()
  }

  // MARK: Asking again

  func alertDue(at now: Instant) -> Bool {
    guard let head = alerts.head, !isCatchingUp else { return false }
    return head.readyAt <= now
  }

  /// When silence itself is to be broken: phones must be able to tell a quiet game from a dead bridge.
  func heartbeatDue() -> Instant? {
    guard finish == nil, !awaitsPicture, lifecycle.mayUpdate, lifecycle.start != .due, !isSame(newest, refused) else {
      return nil
    }
    if case .lost = feed { return nil }
    switch newest?.gameStatus {
    case .live, .halftime: break
    case .scheduled, .finished, nil: return nil
    }
    return lastPush.map { $0 + (isDelayed ? Self.delayedHeartbeat : settings.heartbeat) }
  }

  /// The next instant at which time alone changes what is to be done. What waits for news is not among it.
  func deadline(at moment: Moment) -> Instant? {
    let now = moment.instant
    guard !lifecycle.isOver else { return nil }
    var candidates: [Instant?] = [
      store.retryAt, store.handOverDue, outbox.opens(at: now), alerts.head?.readyAt,
      alerts.head.map { $0.notAfter + .milliseconds(1) },
      waiting?.due(afterSendAt: lastPush, atLeast: hardLimit), updatesFrom, stampsFrom, heartbeatDue(),
      lifecycle.settlingUntil, lastPush.map { $0 + hardLimit },
    ]
    if store.retryAt == nil, opening != nil || store.isKnown { candidates.append(stamps.renewal(at: now)) }
    if lifecycle.mayStart, case .wait(let until) = startDecision(at: moment) { candidates.append(until) }
    if sink == .ablyIOS, let startedAt = lifecycle.startedAt?.instant {
      candidates += [startedAt + Self.plannedEnd, startedAt + Self.plannedEnd + Self.renewalTime]
    }
    return candidates.compactMap { $0 }.filter { $0 > now }.min()
  }

  private static let deliveryTime: Duration = .milliseconds(1500)
  private static let alarmingGap: Duration = .seconds(30)
  private static let hopelessGap: Duration = .seconds(7 * 3600)
  private static let plannedEnd: Duration = .seconds(7 * 3600 + 1800)
  private static let renewalTime: Duration = .seconds(600)
  private static let forgottenAge: Duration = .seconds(9 * 3600)
  private static let unusedAge: Duration = .seconds(24 * 3600)
  private static let quietAge: Duration = .seconds(3600)
  private static let delayedHeartbeat: Duration = .seconds(900)
}
