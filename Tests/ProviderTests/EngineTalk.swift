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
  private(set) var log: [LogLine] = []
  /// The answer to the question for the push log.
  var pushLog = HTTPResponse(status: 200, headers: Self.json, body: Array("[]".utf8))
  /// Attempts of creates that the service answers with 503, which leaves open what it did.
  var failingCreates = 0
  /// Answers in place of the usual ones, by the kind of the request's target.
  var answers: [String: HTTPResponse] = [:]
  /// What each turn sent, by the kind of its target: to see what stands first.
  private(set) var turns: [[String]] = []
  private let config: Config
  private let court: CourtSettings
  private let settings: AblySettings

  private static let json = [HTTPHeader("Content-Type", "application/json")]

  init() throws {
    let text = """
      venue: {name: Riverside Arena}
      ably: {key: {env: KEY}}
      courts:
        - {name: Main court, sport: basketball, game: {home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}}}
      """
    let decoded = Config.decode(try YAMLDocument.parse(Array(text.utf8)))
    guard let config = decoded.config, case .rules(let rules) = Rules.named("basketball") else {
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
    self.config = config
    court = CourtSettings(config: config.courts[0], rules: rules, texts: Texts(), feeds: [], keys: keys)
    engine = Engine(
      config: config, courts: [court],
      provider: .service(settings, json: ports.json, hmac: ports.hmac), ports: ports,
      identity: Identity(version: "0", boot: "test"), seed: 1, at: now)
    tell(.clockChecked(isSynchronised: true))
    tell(.started(StoreContents()))
  }

  /// The config is read anew, and says what it said.
  mutating func reload() {
    let provider = Provider.service(settings, json: { try? JSONDocument.parse($0) }, hmac: { _, _ in [] })
    tell(.reload(Reload(config: config, courts: [court], provider: provider)))
  }

  mutating func press(_ key: Character) { tell(.key(key)) }

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
          turn.append(Self.kind(attempt.request))
          stimuli.append(.answered(call: attempt.call, .answered(answer(to: attempt.request))))
        case .persist(let batch): stimuli.append(.stored(.persisted(through: batch.number)))
        case .log(let line): log.append(line)
        case .publish, .show, .readLine, .light, .stop: break
        }
      }
      if !turn.isEmpty { turns.append(turn) }
    }
  }

  private mutating func answer(to request: HTTPRequest) -> HTTPResponse {
    let kind = Self.kind(request)
    if let given = answers[kind] { return given }
    if kind == "create", failingCreates > 0 {
      failingCreates -= 1
      return HTTPResponse(status: 503)
    }
    return switch kind {
    case "time": HTTPResponse(status: 200, headers: Self.json, body: Array("[\(now.wall.milliseconds)]".utf8))
    case "create":
      HTTPResponse(status: 201, headers: Self.json, body: Array(#"{"id":"b-1","apnsChannelId":"YWJj"}"#.utf8))
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
