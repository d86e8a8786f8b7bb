import GameCore
import LiveContract
import Outbox
import Publishing

/// One lane between a provider that fails, a disk that loses what was not written, a clock that lies and a power line
/// that is cut; and the phones, as they judge what reaches them. Everything comes from one seed.
struct World {
  /// What the provider and the phones make of what reaches them.
  struct Phones {
    var broadcasts = 0
    var tiles = 0
    var shown: GameAttributes.ContentState?
    var lastStamp: Int64 = .min
    var ids: [String: (at: Instant, call: AblyCall)] = [:]
    var hasEnded = false
    var alerts: [String: Int] = [:]
  }

  private struct Request {
    var call: AblyCall
    var token: AttemptToken
    var answersAt: Instant
    var verdict: Verdict
  }

  let sink: Sink
  let settings: LaneSettings
  var lane: ActivityLane
  var android = StampFloor(unit: .milliseconds)
  var now: Moment
  var disk = Disk()
  var phones = Phones()
  var broken: [String] = []
  var isFaulty = true
  private(set) var log: [String] = []
  private var random: SeededGenerator
  private var requests: [Request] = []
  private var writes: [(operations: [StoreOperation], token: WriteToken, doneAt: Instant)] = []
  private var queue: [LaneAction] = []
  private var sends: [Instant] = []
  private var lifeBegan: Instant
  private var urgent: [(at: Instant, isFree: Bool)] = []
  private var lastStampSent: Int64 = .min
  private var lastSequenceSent: Int64 = .min
  private var probeAt: Instant?
  private var trust = ClockTrust.trusted
  /// True time, which no step of the wall clock touches.
  private var wallError: Duration = .zero
  private(set) var score = 0
  private(set) var isFinal = false
  var refusedForGood: [GameAttributes.ContentState] = []

  init(seed: UInt64) {
    random = SeededGenerator(seed: seed)
    sink = seed % 2 == 0 ? .ablyIOS : .ablyAndroid
    settings = .standard(sink)
    now = Moment(
      instant: Instant(nanoseconds: 5_000_000_000_000), wall: WallTime(milliseconds: 1_796_432_400_000))
    lifeBegan = now.instant
    lane = ActivityLane(game: "g", sink: sink, settings: settings, at: now)
    tell(.trustChanged(trust))
  }

  var state: GameAttributes.ContentState {
    LaneTests.state(home: score, status: isFinal ? .finished : (score > 0 ? .live : .scheduled), period: "Q1")
  }

  // MARK: One step

  mutating func open() {
    tell(
      .opened(
        GameOpening(
          attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"), isNamed: true, scheduled: nil,
          startAlert: Alert(title: "start", body: "start"), hasFeed: false, state: state)))
  }

  mutating func step() {
    switch random.next() % 100 {
    case 0..<30: scored()
    case 30..<34: corrected()
    case 34..<38: if isFaulty { cutPower() }
    case 38..<40: if isFaulty { stepClock() }
    case 40..<42: if isFaulty { tell(.linkCameUp) }
    default: break
    }
    pass(.milliseconds(Int64(random.next() % 4000)))
  }

  private mutating func scored() {
    guard !isFinal else { return }
    score += 1
    let id = "goal-\(log.count)-\(score)"
    let alert = AlertCandidate(id: id, alert: Alert(title: "Goal", body: id), claim: .homeScore(atLeast: score))
    let rings = random.next() % 2 == 0
    tell(.changed(LaneChange(state: state, kind: rings ? .goal : .basket, alert: rings ? alert : nil)))
  }

  private mutating func corrected() {
    guard score > 1 else { return }
    score -= 1
    tell(.changed(LaneChange(state: state, kind: isFinal ? .finalCorrection : .correction)))
  }

  mutating func declareFinal() {
    isFinal = true
    score = max(score, 1)
    tell(.changed(LaneChange(state: state, kind: .final)))
  }

  private mutating func stepClock() {
    let steps: [Int64] = [-3600, -20, -2, 3, 40]
    let step: Duration = .seconds(steps[Int(random.next() % 5)])
    now.wall = now.wall + step
    note("W \(step)")
    if random.next() % 2 == 0 {
      trust = trust == .trusted ? .rough : .trusted
      tell(.trustChanged(trust))
    }
  }

  /// Between any two actions: what was not written is lost, what was asked may arrive all the same.
  private mutating func cutPower() {
    note("power")
    queue = []
    writes = []
    requests = []
    probeAt = nil
    move(to: now.instant + .milliseconds(Int64(random.next() % 20_000)))
    let restored = RestoredLanes(disk.contents, at: now, settings: { [settings] _, _ in settings }, parse: node)
    android = restored.androidStamps
    lane =
      restored.lanes.first ?? ActivityLane(game: "g", sink: sink, settings: settings, at: now)
    lifeBegan = now.instant
    tell(.trustChanged(trust))
    if !restored.lanes.isEmpty { tell(.restored) }
    if !lane.isOver {
      open()
      tell(.changed(LaneChange(state: state, kind: isFinal ? .final : .detail)))
    }
  }

  // MARK: Time

  mutating func pass(_ duration: Duration) {
    let end = now.instant + duration
    for _ in 0..<200_000 {
      settle()
      let events: [Instant?] = [
        lane.nextDeadline, requests.map(\.answersAt).min(), writes.first?.doneAt,
        lane.waitsForProbe ? probeAt : nil,
      ]
      if lane.waitsForProbe, probeAt == nil { probeAt = now.instant + .seconds(1) }
      guard let next = events.compactMap({ $0 }).min(), next <= end else { break }
      move(to: max(next, now.instant))
      happen()
    }
    move(to: end)
  }

  private mutating func move(to instant: Instant) {
    now.wall = now.wall + (instant - now.instant)
    now.instant = instant
  }

  private mutating func happen() {
    if let write = writes.first, write.doneAt <= now.instant {
      writes.removeFirst()
      let fails = isFaulty && random.next() % 20 == 0
      if !fails { disk.take(write.operations) }
      return tell(fails ? .persistFailed(write.token) : .persisted(write.token))
    }
    if let index = requests.firstIndex(where: { $0.answersAt <= now.instant }) {
      let request = requests.remove(at: index)
      return tell(.answered(request.token, request.verdict))
    }
    if lane.waitsForProbe, let at = probeAt, at <= now.instant {
      probeAt = now.instant + .seconds(1)
      if !isFaulty || random.next() % 3 == 0 { return tell(.providerReachable) }
    }
    if let deadline = lane.nextDeadline, deadline <= now.instant { tell(.deadlineReached) }
  }

  mutating func tell(_ event: LaneEvent) {
    queue += lane.handle(event, at: now, androidStamps: &android, random: random.next())
    // Once in a while the power goes between two actions.
    if isFaulty, queue.count > 1, random.next() % 60 == 0 {
      settle(only: Int(random.next() % UInt64(queue.count)))
      cutPower()
    }
    settle()
  }

  private mutating func settle(only count: Int = .max) {
    var left = count
    while !queue.isEmpty, left > 0 {
      left -= 1
      switch queue.removeFirst() {
      case .persist(let operations, let token):
        let last = writes.last?.doneAt ?? now.instant
        writes.append(
          (operations, token, max(last, now.instant + .milliseconds(Int64(random.next() % (isFaulty ? 300 : 10))))))
      case .send(let call, let token): leave(call, token)
      case .tell(let notice): note("\(notice)")
      }
    }
  }

  // MARK: The provider

  private mutating func leave(_ call: AblyCall, _ token: AttemptToken) {
    let facts = Facts(call)
    note(
      "send \(facts.event) seq \(facts.state?.seq ?? 0) stamp \(facts.stamp ?? 0) home \(facts.state?.homeScore ?? -1)")
    judge(call, facts)
    let dice = isFaulty ? random.next() % 100 : 99
    let delay: Duration = .milliseconds(20 + Int64(random.next() % (isFaulty ? 3000 : 200)))
    let verdict: Verdict
    var arrives = false
    switch dice {
    case 0..<8: verdict = notSent
    case 8..<14: verdict = throttled
    case 14..<17: verdict = .refused(refusal(429, code: 42922, action: .retry, retryAfter: .seconds(7)))
    case 17..<22:
      verdict = unavailable
      arrives = random.next() % 2 == 0
    case 22..<30:
      verdict = noAnswer
      arrives = random.next() % 2 == 0
    default:
      arrives = true
      verdict = .accepted(.plain)
    }
    var answer = verdict
    if arrives { answer = reach(call, facts, verdict) }
    requests.append(Request(call: call, token: token, answersAt: now.instant + delay, verdict: answer))
  }

  /// The call arrives at the provider, and what it carries at the phones.
  private mutating func reach(_ call: AblyCall, _ facts: Facts, _ verdict: Verdict) -> Verdict {
    if case .create(let policy) = call {
      phones.broadcasts += 1
      guard case .accepted = verdict else { return verdict }
      return .accepted(
        .created(Broadcast(id: "b\(phones.broadcasts)", apnsChannelID: "Yg==", policy: policy)))
    }
    if phones.hasEnded {
      if facts.event != "end" { broken.append("\(facts.event) arrived after the end") }
      if sink == .ablyIOS { return .refused(refusal(404, code: 40400)) }
    }
    if let id = facts.id {
      if let known = phones.ids[id] {
        if known.call != call { broken.append("id \(id) carries another state") }
        if now.instant - known.at < .seconds(120) { return verdict }
      }
      phones.ids[id] = (now.instant, call)
    }
    if facts.event == "start" { phones.tiles += 1 }
    if let alert = facts.alert, facts.event == "update" { phones.alerts[alert.body, default: 0] += 1 }
    if let stamp = facts.stamp, stamp > phones.lastStamp {
      phones.lastStamp = stamp
      phones.shown = facts.state
    } else if facts.event != "end" {
      broken.append("a phone drops \(facts.event): stamp \(facts.stamp ?? 0) after \(phones.lastStamp)")
    }
    if facts.event == "end" { phones.hasEnded = true }
    return verdict
  }

  // MARK: Invariants

  /// What must hold for every request that leaves.
  private mutating func judge(_ call: AblyCall, _ facts: Facts) {
    if requests.contains(where: { $0.answersAt > now.instant }) { broken.append("two requests in flight") }
    if let stamp = facts.stamp {
      let isRepeat = facts.event == "end" || facts.id.map { phones.ids[$0] != nil || sink == .ablyAndroid } ?? false
      if isRepeat ? stamp < lastStampSent : stamp <= lastStampSent {
        broken.append("stamp \(stamp) after \(lastStampSent)")
      }
      lastStampSent = max(lastStampSent, stamp)
    }
    if let number = facts.state.map({ Int64($0.seq) }), facts.stamp != nil {
      let mayRepeat = facts.event == "end" || sink == .ablyAndroid
      if mayRepeat ? number < lastSequenceSent : number <= lastSequenceSent {
        broken.append("seq \(number) after \(lastSequenceSent)")
      }
      lastSequenceSent = max(lastSequenceSent, number)
    }
    if let last = sends.last, last >= lifeBegan, sink == .ablyIOS, facts.stamp != nil, now.instant - last < .seconds(1)
    {
      broken.append("closer than a second")
    }
    if facts.stamp != nil { sends.append(now.instant) }
    budget(facts)
  }

  private mutating func budget(_ facts: Facts) {
    guard sink == .ablyIOS, facts.priority == "10", facts.event == "update" else { return }
    urgent.append((now.instant, facts.state?.gameStatus == .finished))
    // In any span the bucket gives at most its six and one for each half minute.
    let counted = urgent.filter { !$0.isFree }.map(\.at).suffix(40)
    guard let last = counted.last else { return }
    for (index, first) in counted.reversed().enumerated() {
      let span = last - first
      if index + 1 > 6 + Int(span.components.seconds / 30) + 1 { broken.append("too many urgent pushes") }
    }
  }

  /// What must hold at every moment.
  mutating func check() {
    if phones.tiles > 1 { broken.append("\(phones.tiles) starts arrived") }
    if phones.broadcasts > 2 { broken.append("\(phones.broadcasts) broadcasts") }
    for (alert, count) in phones.alerts where count > 1 { broken.append("alert \(alert) rang \(count) times") }
    let report = lane.report(at: now.instant)
    if report.queued > 17 { broken.append("a queue of \(report.queued)") }
  }

  /// What must hold when the faults are over and time has passed.
  mutating func checkPeace() {
    guard lane.record.dead == nil else { return }
    if phones.shown.map({ same($0, state) }) != true, phones.shown != nil || score > 0 {
      broken.append("phones show \(phones.shown?.homeScore ?? -1), the score is \(score)")
    }
  }

  mutating func checkOver() {
    guard lane.record.dead == nil else { return }
    if !lane.isOver { broken.append("not over: \(lane.report(at: now.instant).state)") }
    if phones.shown != nil, !phones.hasEnded { broken.append("the end never arrived") }
  }

  private func same(_ left: GameAttributes.ContentState, _ right: GameAttributes.ContentState) -> Bool {
    var left = left
    left.seq = right.seq
    return left == right
  }

  private mutating func note(_ line: String) {
    log.append("\(now.instant.nanoseconds / 1_000_000) \(line)")
  }
}
