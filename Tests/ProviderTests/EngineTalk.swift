import Document
import GameCore
import Input
import LiveContract
import Outbox
import Platform
import Publishing

@testable import Bridge

/// The engine with one court and a service that answers at once, both in a test's own time.
struct EngineTalk {
  private(set) var engine: Engine
  private(set) var now: Moment
  /// What left, in order.
  private(set) var sent: [HTTPRequest] = []
  /// When each of them left.
  private(set) var times: [Moment] = []
  private(set) var disk = MemoryStore()
  /// While set, every attempt meets this instead of an answer.
  var fault: TransportFault?
  /// While set, no attempt is answered.
  var hangs = false
  /// The engine has said that the daemon may end.
  private(set) var hasStopped = false
  private(set) var log: [LogLine] = []
  /// Answers to commands, as they were said.
  private(set) var replies: [[UInt8]] = []
  /// The answer to the question for the push log.
  var pushLog = HTTPResponse(status: 200, headers: Self.json, body: Array("[]".utf8))
  /// Attempts of creates that the service answers with 503, which leaves open what it did.
  var failingCreates = 0
  /// Answers in place of the usual ones, by the kind of the request's target.
  var answers: [String: HTTPResponse] = [:]
  /// What each turn sent, by the kind of its target: to see what stands first.
  private(set) var turns: [[String]] = []
  private let config: Config
  private let courts: [CourtSettings]
  private let settings: AblySettings

  private static let json = [HTTPHeader("Content-Type", "application/json")]

  private let ports: EnginePorts
  private var broadcasts = 0
  private var boots = 0

  /// `phones`, `game` and `more` are the court's, as the config writes them.
  init(
    phones: String = "{}", more: String = "",
    game: String = "{home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}}",
    courts: [String] = ["Main court"]
  ) throws {
    let list = courts.map { "{name: \($0), sport: basketball, game: \(game), phones: \(phones)\(more)}" }
    let text = """
      venue: {name: Riverside Arena}
      ably: {key: {env: KEY}}
      mqtt: {brokers: [{host: 127.0.0.1}]}
      courts: [\(list.joined(separator: ", "))]
      """
    let decoded = Config.decode(try YAMLDocument.parse(Array(text.utf8)))
    guard let config = decoded.config, case .rules(let rules) = Rules.named("basketball"),
      case .texts(let texts) = Texts.make(language: config.courts[0].language, changes: [])
    else {
      preconditionFailure("\(decoded.issues)")
    }
    now = Moment(instant: Instant(nanoseconds: 1_000_000_000), wall: WallTime(milliseconds: 1_796_431_800_000))
    settings = try AblySettings(
      hosts: AblyHosts(endpoint: "localhost", fallbacks: ["127.0.0.1"]), credential: .key(AblyKey("a.b:c")),
      agent: "bridge/0")
    let ports = EnginePorts(
      json: { try? JSONDocument.parse($0) }, hmac: { _, _ in [] },
      localDay: { _ in CalendarDay(year: 2026, month: 12, day: 5) }, wallTime: { _ in WallTime(milliseconds: 0) })
    let keys: [Character: (word: String, binding: Binding)] = [
      "h": ("home +2", .game(.scored(.home, points: 2, player: nil, play: nil)))
    ]
    self.courts = config.courts.enumerated().map { place, court in
      CourtSettings(config: court, rules: rules, texts: texts, feeds: [], keys: place == 0 ? keys : [:])
    }
    (self.config, self.ports) = (config, ports)
    engine = Engine(
      config: config, courts: self.courts,
      provider: .service(settings, json: ports.json, hmac: ports.hmac), ports: ports,
      identity: Identity(version: "0", boot: "test"), seed: 1, at: now)
    tell(.clockChecked(isSynchronised: true))
    tell(.started(StoreContents()))
    tell(.broker(.connected(broker: "test", maximumPacketSize: nil)))
  }

  private var provider: Provider { .service(settings, json: ports.json, hmac: ports.hmac) }

  /// The config is read anew, and says what it said but for `change`.
  mutating func reload(_ change: (inout CourtSettings) -> Void = { _ in }) {
    var (config, courts) = (config, courts)
    for place in courts.indices {
      change(&courts[place])
      config.courts[place] = courts[place].config
    }
    tell(.reload(Reload(config: config, courts: courts, provider: provider)))
  }

  /// The power goes and comes back: the engine is what the disk says it is, less what `damage` does to it.
  mutating func restart(
    after span: Duration = .seconds(5), clockIsInStep: Bool = true, damage: (inout StoreContents) -> Void = { _ in }
  ) {
    advance(to: now.instant + span)
    boots += 1
    engine = Engine(
      config: config, courts: courts, provider: provider, ports: ports,
      identity: Identity(version: "0", boot: "test-\(boots)"), seed: UInt64(boots + 1), at: now)
    tell(.clockChecked(isSynchronised: clockIsInStep))
    var contents = disk.contents
    damage(&contents)
    tell(.started(contents))
    tell(.broker(.connected(broker: "test", maximumPacketSize: nil)))
  }

  mutating func press(_ key: Character) { tell(.key(key)) }

  /// While set, everything is answered with it.
  var page: HTTPResponse?
  /// The service never heard of any broadcast from now on.
  var knowsNothing = false

  mutating func terminate() { tell(.terminate) }

  mutating func linkCameUp() { tell(.linkCameUp) }

  mutating func command(_ verb: String, _ json: String) {
    tell(
      .message(
        MQTTMessage(
          topic: engine.courts[0].topics.base + "/cmd/" + verb, payload: Array(json.utf8), isRetained: false)))
  }

  mutating func input(_ kind: GameEvent.Kind, court: Int = 0) {
    tell(.input(kind, word: "test", from: Source(.button, "test"), court: court))
  }

  mutating func hear(_ topic: String, _ payload: String) {
    tell(.message(MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: false)))
  }

  mutating func check(clockIsInStep: Bool) { tell(.clockChecked(isSynchronised: clockIsInStep)) }

  /// The wall clock is set; the monotonic one does not notice.
  mutating func stepWall(_ span: Duration) { now.wall = now.wall + span }

  /// Time goes by, deadline by deadline.
  mutating func pass(_ span: Duration) {
    let end = now.instant + span
    while let due = engine.nextDeadline, due <= end {
      advance(to: max(due, now.instant))
      tell(.deadline)
    }
    advance(to: end)
  }

  var status: Node? { try? JSONDocument.parse(engine.statusJSON(at: now)) }

  private mutating func advance(to instant: Instant) {
    now = Moment(instant: instant, wall: now.wall + (instant - now.instant))
  }

  private mutating func tell(_ stimulus: Stimulus) {
    var stimuli = [stimulus]
    while !stimuli.isEmpty {
      var actions = engine.handle(stimuli.removeFirst(), at: now)
      actions += engine.endTurn(at: now)
      var turn: [String] = []
      for action in actions {
        switch action {
        case .send(let attempt):
          sent.append(attempt.request)
          times.append(now)
          turn.append(Self.kind(attempt.request))
          if hangs { continue }
          stimuli.append(
            .answered(call: attempt.call, fault.map { .notSent($0) } ?? .answered(answer(to: attempt.request))))
        case .persist(let batch):
          disk.commit(batch.operations)
          stimuli.append(.stored(.persisted(through: batch.number)))
        case .log(let line): log.append(line)
        case .publish(let publication):
          if publication.topic.hasSuffix("/reply") { replies.append(publication.payload) }
        case .stop: hasStopped = true
        case .show, .readLine, .light: break
        }
      }
      if !turn.isEmpty { turns.append(turn) }
    }
  }

  private mutating func answer(to request: HTTPRequest) -> HTTPResponse {
    if let page { return page }
    let kind = Self.kind(request)
    if let given = answers[kind] { return given }
    if kind == "create", failingCreates > 0 {
      failingCreates -= 1
      return HTTPResponse(status: 503)
    }
    if kind == "create" { broadcasts += 1 }
    if knowsNothing, ["broadcast", "end"].contains(kind) {
      return HTTPResponse(
        status: 404, headers: Self.json,
        body: Array(#"{"error":{"code":40400,"statusCode":404,"message":"gone"}}"#.utf8))
    }
    return switch kind {
    case "time": HTTPResponse(status: 200, headers: Self.json, body: Array("[\(now.wall.milliseconds)]".utf8))
    case "create":
      HTTPResponse(
        status: 201, headers: Self.json,
        body: Array(#"{"id":"b-\#(broadcasts)","apnsChannelId":"YWJj\#(broadcasts)"}"#.utf8))
    case "push-log": pushLog
    case _: HTTPResponse(status: 201, headers: Self.json, body: Array("{}".utf8))
    }
  }

  static func kind(_ request: HTTPRequest) -> String {
    let path = request.target.prefix { $0 != "?" }
    if path == "/time" { return "time" }
    if path.hasSuffix("/apnsBroadcastChannels") { return "create" }
    if path.hasPrefix("/channels/%5Bmeta%5D") { return "push-log" }
    if path.hasPrefix("/channels/scoreboard%3A") { return "court" }
    if path.hasPrefix("/channels/live-android") { return "android" }
    return path.split(separator: "/").last.map(String.init) ?? ""
  }
}
