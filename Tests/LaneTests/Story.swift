import Document
import Foundation
import GameCore
import LiveContract
import Outbox
import Publishing

/// A lane told as a story: what happens, how much time passes, what leaves. The disk and the provider answer at once and
/// well unless the story says otherwise.
struct Story {
  /// One request as it left.
  struct Sent {
    var call: AblyCall
    var token: AttemptToken
    var at: Moment
  }

  var lane: ActivityLane
  var androidStamps = StampFloor(unit: .milliseconds)
  var now: Moment
  var disk = Disk()
  /// False keeps commits waiting until `commit()`.
  var diskAnswers = true
  /// Commits fail while true.
  var diskFails = false
  /// Answers for the next requests, in order; then everything is accepted.
  var answers: [Verdict] = []
  /// False leaves requests unanswered until `answer(_:)`.
  var providerAnswers = true
  var sent: [Sent] = []
  var notices: [LaneNotice] = []
  private(set) var pending: [(StoreBatchOfLane, WriteToken)] = []
  private var broadcasts = 0
  let settings: LaneSettings

  typealias StoreBatchOfLane = [StoreOperation]

  init(
    _ sink: Sink = .ablyIOS, game: String = "bb-20261205-riv-har", settings: LaneSettings? = nil,
    trust: ClockTrust = .trusted, at wall: Int64 = 1_796_432_400_000
  ) {
    now = Moment(instant: Instant(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: wall))
    self.settings = settings ?? .standard(sink)
    lane = ActivityLane(game: game, sink: sink, settings: self.settings, at: now)
    tell(.trustChanged(trust))
  }

  /// A lane whose game is on: opened, started and playing, with nothing waiting.
  static func playing(
    _ sink: Sink = .ablyIOS, settings: LaneSettings? = nil, hasFeed: Bool = false, game: String = "bb-20261205-riv-har"
  ) -> Story {
    var story = Story(sink, game: game, settings: settings)
    story.open(hasFeed: hasFeed)
    story.pass(.seconds(3))
    story.change(.playStarted, state(status: .live))
    story.pass(.seconds(10))
    return story
  }

  mutating func open(named: Bool = true, scheduled: Int64? = nil, hasFeed: Bool = false) {
    tell(
      .opened(
        GameOpening(
          attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"), isNamed: named,
          scheduled: scheduled.map { WallTime(milliseconds: $0) },
          startAlert: Alert(title: "Harbor City at Riverton", body: "Tip-off in 10 minutes"), hasFeed: hasFeed,
          state: state())))
  }

  mutating func change(
    _ kind: UpdateKind, _ state: GameAttributes.ContentState, alert: AlertCandidate? = nil, lastMinutes: Bool = false,
    breakLeft: Duration? = nil
  ) {
    tell(
      .changed(LaneChange(state: state, kind: kind, alert: alert, lastMinutes: lastMinutes, breakLeft: breakLeft)))
  }

  /// Time passes, the lane is woken at each of its deadlines.
  mutating func pass(_ duration: Duration) {
    let end = now.instant + duration
    var wakes = 0
    while let deadline = lane.nextDeadline, deadline <= end {
      wakes += 1
      precondition(wakes < 1_000_000, "the lane never rests")
      advance(to: max(deadline, now.instant))
      tell(.deadlineReached)
    }
    advance(to: end)
  }

  /// The wall clock is set; the monotonic one does not notice.
  mutating func stepWall(_ duration: Duration) { now.wall = now.wall + duration }

  private mutating func advance(to instant: Instant) {
    now.wall = now.wall + (instant - now.instant)
    now.instant = instant
  }

  mutating func tell(_ event: LaneEvent) {
    perform(lane.handle(event, at: now, androidStamps: &androidStamps, random: 25))
  }

  private mutating func perform(_ actions: [LaneAction]) {
    for action in actions {
      switch action {
      case .persist(let operations, let token):
        pending.append((operations, token))
        if diskAnswers { commit() }
      case .send(let call, let token):
        sent.append(Sent(call: call, token: token, at: now))
        if providerAnswers { answer(answers.isEmpty ? accepted(call) : answers.removeFirst()) }
      case .tell(let notice): notices.append(notice)
      }
    }
  }

  /// The disk takes what waits now, in order.
  mutating func commit() {
    for _ in 0..<pending.count {
      let (operations, token) = pending.removeFirst()
      if diskFails {
        tell(.persistFailed(token))
      } else {
        disk.take(operations)
        tell(.persisted(token))
      }
    }
  }

  mutating func answer(_ verdict: Verdict) {
    guard let last = sent.last else { return }
    tell(.answered(last.token, verdict))
  }

  mutating func accepted(_ call: AblyCall) -> Verdict {
    guard case .create(let policy) = call else { return .accepted(.plain) }
    broadcasts += 1
    return .accepted(.created(Broadcast(id: "apb_\(broadcasts)", apnsChannelID: "Y2hhbm5lbA==", policy: policy)))
  }

  /// The power goes, and comes back after a while: the lane is what the disk says it is.
  mutating func powerCut(for duration: Duration = .seconds(5), trust: ClockTrust = .trusted) {
    pending = []
    advance(to: now.instant + duration)
    let restored = RestoredLanes(disk.contents, at: now, settings: { [settings] _, _ in settings }, parse: node)
    androidStamps = restored.androidStamps
    guard let lane = restored.lanes.first else {
      self.lane = ActivityLane(game: lane.game, sink: lane.sink, settings: settings, at: now)
      tell(.trustChanged(trust))
      return
    }
    self.lane = lane
    tell(.trustChanged(trust))
    tell(.restored)
  }

  /// What left since the story had this many requests.
  func calls(from index: Int = 0) -> [String] { sent.dropFirst(index).map { name($0.call) } }

  /// What the request with this number said; nothing where the story did not come so far.
  func facts(_ index: Int) -> Facts { sent.indices.contains(index) ? sent[index].facts : Facts() }
  func call(_ index: Int) -> AblyCall { sent.indices.contains(index) ? sent[index].call : .time }
  func at(_ index: Int) -> Moment { sent.indices.contains(index) ? sent[index].at : now }

  func name(_ call: AblyCall) -> String {
    if case .publish(_, let messages) = call, let id = messages.first?.id {
      return String(id.split(separator: "-").last?.split(separator: ":").first ?? "publish")
    }
    return call.name
  }
}

/// The store's model: what survived.
struct Disk {
  var contents = StoreContents()

  mutating func take(_ operations: [StoreOperation]) {
    for operation in operations {
      switch operation {
      case .event(let game, let sequence, let body):
        contents.events.append(.init(game: game, sequence: sequence, body: body))
      case .entry(let lane, let sequence, let body):
        contents.entries.removeAll { $0.lane == lane && $0.sequence == sequence }
        contents.entries.append(.init(lane: lane, sequence: sequence, body: body))
      case .mark(let key, let value): contents.marks[key] = value
      case .forgetGame(let game):
        contents.events.removeAll { $0.game == game }
        contents.entries.removeAll { $0.lane.hasPrefix("\(game)/") }
      case .forgetEntries(let lane, let below):
        contents.entries.removeAll { $0.lane == lane && $0.sequence < below }
      }
    }
  }

  /// The history: sequence, kind and fate of each entry.
  var history: [String] {
    contents.entries.sorted { $0.sequence < $1.sequence }.map { entry in
      let json = node(entry.body)
      return "\(json?["kind"]?.text ?? "?") \(json?["fate"]?.text ?? "?")"
    }
  }
}

func state(
  home: Int = 0, away: Int = 0, status: GameAttributes.GameStatus = .scheduled, period: String = "Q1",
  clock: String = "12:00", lastPlay: String = "", anchor: Int = 0
) -> GameAttributes.ContentState {
  GameAttributes.ContentState(
    homeScore: home, awayScore: away, gameStatus: status, period: period, clock: clock, lastPlay: lastPlay,
    clockDir: anchor == 0 ? .stop : .down, clockAnchorMs: anchor, seq: 0)
}

func goal(_ id: String, home: Int) -> AlertCandidate {
  AlertCandidate(id: id, alert: Alert(title: "Goal", body: "\(home)"), claim: .homeScore(atLeast: home))
}

func refusal(
  _ status: Int, code: Int? = nil, action: AblyAction = .drop, retryAfter: Duration? = nil, message: String = "no"
) -> Refusal {
  Refusal(code: code, status: status, message: message, action: action, retryAfter: retryAfter)
}

let notSent = Verdict.notSent(TransportFault(.notConnected, detail: "test"))
let noAnswer = Verdict.ambiguous(.unanswered(TransportFault(.timedOut, detail: "test")))
let throttled = Verdict.refused(refusal(429, action: .retry))
let unavailable = Verdict.ambiguous(.answered(refusal(503, action: .fallback)))

/// The facts of a request that tests ask for, whichever sink it went to.
struct Facts {
  var event = ""
  var state: GameAttributes.ContentState?
  var stamp: Int64?
  var staleAt: Int64?
  var alert: Alert?
  var priority: String?
  var expiration: Int64?
  var dismissal: Int64?
  var id: String?
  var ttl: Duration?

  init() {}

  init(_ call: AblyCall) {
    self.init()
    switch call {
    case .create: event = "create"
    case .start(_, _, let payload), .update(_, let payload), .end(_, let payload):
      event = payload.event.word
      state = payload.state
      stamp = payload.stampSeconds
      alert = payload.alert
      priority = payload.headers?.priority.rawValue
      expiration = payload.headers?.expirationSeconds
      switch payload.event {
      case .start(_, _, _, let stale, _): staleAt = stale
      case .update(let stale, _): staleAt = stale
      case .end(let seconds): dismissal = seconds
      }
    case .publish(_, let messages):
      self.init(message: messages[0])
    case .publishToDevice, .publishToDevices, .time, .pushLog, .requestToken: event = call.name
    }
  }

  private init(message: AblyMessage) {
    self.init()
    var texts: [String: String] = [:]
    for datum in message.push?.data ?? [] { texts[datum.key] = datum.value.text }
    event = texts["event"] ?? "?"
    id = message.id
    stamp = texts["timestamp"].flatMap { Int64($0) }
    staleAt = texts["staleAtMs"].flatMap { Int64($0) }
    alert = texts["alertTitle"].map { Alert(title: $0, body: texts["alertBody"] ?? "") }
    priority = message.push?.fcm?.priority.rawValue
    ttl = message.push?.fcm?.timeToLive
    state = GameAttributes.ContentState(
      homeScore: Int(texts["homeScore"] ?? "") ?? -1, awayScore: Int(texts["awayScore"] ?? "") ?? -1,
      gameStatus: GameAttributes.GameStatus(rawValue: texts["gameStatus"] ?? "") ?? .scheduled,
      period: texts["period"] ?? "", clock: texts["clock"] ?? "", lastPlay: texts["lastPlay"] ?? "",
      clockDir: GameAttributes.ClockDirection(rawValue: texts["clockDir"] ?? "") ?? .stop,
      clockAnchorMs: Int(texts["clockAnchorMs"] ?? "") ?? 0, seq: Int(texts["seq"] ?? "") ?? 0)
  }
}

extension Story.Sent {
  var facts: Facts { Facts(call) }
}

/// JSON as a node tree, for tests only.
func node(_ bytes: [UInt8]) -> Node? {
  guard let value = try? JSONSerialization.jsonObject(with: Data(bytes), options: [.fragmentsAllowed]) else {
    return nil
  }
  return node(value)
}

private func node(_ value: Any) -> Node {
  let place = Position(line: 1, column: 1)
  switch value {
  case let map as [String: Any]:
    let members = map.sorted { $0.key < $1.key }.map {
      Node.Member(key: $0.key, keyPosition: place, value: node($0.value))
    }
    return Node(.map(members), at: place)
  case let list as [Any]: return Node(.list(list.map(node)), at: place)
  case let text as String: return Node(.scalar(text, .quoted), at: place)
  case let truth as Bool where "\(type(of: value))".contains("Bool"):
    return Node(.scalar(truth ? "true" : "false", .truth), at: place)
  case let number as NSNumber: return Node(.scalar(number.stringValue, .number), at: place)
  default: return Node(.scalar("null", .null), at: place)
  }
}
