import Bridge
import Document
import Foundation
import GameCore
import LiveContract
import Outbox
import Platform
import Publishing

/// The real engine, the real store on its own thread and the real log in a time that goes as fast as the machine can:
/// from deadline to deadline. The service is a function that answers at once, or nobody.
final class LongRig {
  private(set) var now = Moment(
    instant: Instant(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_796_432_400_000))
  /// False: every request meets a closed door.
  var isOnline = true
  private(set) var requests = 0
  private(set) var logBytes = 0
  /// What reached phones since `forget`, by sink, with the time.
  private(set) var pushes: [(sink: Sink, home: Int, at: Instant)] = []
  private(set) var firstAnswerAt: Instant?
  private var engine: Engine
  private let loop: EventLoop
  private var store: SQLiteStore!
  private var log: Log!
  private var outcomes: [StoreOutcome] = []
  private var hasStopped = false
  private var broadcasts = 0

  init(folder: String) throws {
    loop = try EventLoop()
    guard case .rules(let rules) = Rules.named("basketball") else { fatalError("basketball has rules") }
    var court = CourtConfig()
    court.name = "Main court"
    court.slug = "main"
    court.sport = .basketball
    court.phones.ios.spacing = .seconds(1)
    var config = Config()
    config.venue = VenueConfig(name: "Riverside Arena", slug: "riverside")
    config.mqtt = MQTTConfig()
    config.courts = [court]
    let ports = EnginePorts(
      json: { try? JSONDocument.parse($0) }, hmac: { key, message in Crypto.hmacSHA256(message, key: key) },
      localDay: { CalendarDay(daysSince1970: $0.seconds / 86_400) },
      wallTime: { WallTime(milliseconds: $0.secondsAsIfUTC * 1000) })
    let settings = try AblySettings(
      hosts: AblyHosts(), credential: .key(AblyKey("endurance.rig:nothing")), agent: "scoreboard-bridge/endurance")
    engine = Engine(
      config: config, courts: [CourtSettings(config: court, rules: rules, texts: Texts(), feeds: [], keys: [:])],
      provider: .service(settings, json: ports.json, hmac: ports.hmac), ports: ports,
      identity: Identity(version: "0", boot: "endurance"), seed: 1, at: now)
    store = try SQLiteStore(path: folder + "/bridge.db", loop: loop) { [unowned self] in outcomes.append($0) }
    log = Log(
      style: .plain, leastLevel: .info, clock: { [unowned self] in now },
      write: { [unowned self] line in
        logBytes += line.count
        return true
      })
    let contents = store.load()
    try store.start()
    try take(.clockChecked(isSynchronised: true))
    try take(.started(contents))
  }

  // MARK: - What happens

  func give(_ kind: GameEvent.Kind) throws {
    try take(.input(kind, word: "test", from: Source(.button, "test"), court: 0))
  }

  func pass(_ span: Duration) throws {
    let end = now.instant + span
    while let due = engine.nextDeadline, due <= end {
      advance(to: max(due, now.instant))
      try take(.deadline)
    }
    advance(to: end)
  }

  /// From now on only what comes is remembered.
  func forget() {
    pushes = []
    firstAnswerAt = nil
  }

  /// The daemon is told to end; the store is closed.
  func end() throws {
    try take(.terminate)
    var isClosed = false
    store.close { isClosed = true }
    while !isClosed { try loop.turn() }
  }

  private func advance(to instant: Instant) {
    now = Moment(instant: instant, wall: now.wall + (instant - now.instant))
  }

  private func take(_ stimulus: Stimulus) throws {
    var stimuli = [stimulus]
    while !stimuli.isEmpty {
      for action in engine.handle(stimuli.removeFirst(), at: now) + engine.endTurn(at: now) {
        switch action {
        case .send(let attempt): stimuli.append(.answered(call: attempt.call, answer(to: attempt.request)))
        case .persist(let batch):
          store.submit(batch)
          while outcomes.isEmpty { try loop.turn() }
          stimuli += outcomes.map { .stored($0) }
          outcomes = []
        case .log(let line): write(line)
        case .publish, .show, .readLine, .light, .stop: break
        }
      }
    }
  }

  private func write(_ line: LogLine) {
    let level: Log.Level =
      switch line.level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug: .debug
      }
    log.log(level, line.event, line.fields.map { (key: $0.key, value: $0.value) })
  }

  // MARK: - The service

  private func answer(to request: HTTPRequest) -> TransportResult {
    guard isOnline else { return .notSent(TransportFault(.notConnected, detail: "nobody listens")) }
    requests += 1
    firstAnswerAt = firstAnswerAt ?? now.instant
    let path = request.target.prefix { $0 != "?" }
    if path == "/time" { return ok("[\(now.wall.milliseconds)]") }
    note(request, String(path))
    guard path.hasSuffix("/apnsBroadcastChannels") else { return ok("{}") }
    broadcasts += 1
    return ok(#"{"id":"b-\#(broadcasts)","apnsChannelId":"YWJj"}"#)
  }

  private func note(_ request: HTTPRequest, _ path: String) {
    guard let body = try? JSONDocument.parse(request.body) else { return }
    if let state = body["apns"]?["aps"]?["content-state"], let home = state["homeScore"]?.integer {
      pushes.append((.ablyIOS, Int(home), now.instant))
    } else if path.hasPrefix("/channels/live-android"),
      let home = body.elements?.first?["extras"]?["push"]?["data"]?["homeScore"]?.integer
    {
      pushes.append((.ablyAndroid, Int(home), now.instant))
    }
    if pushes.count > 64 { pushes.removeFirst(32) }
  }

  private func ok(_ json: String) -> TransportResult {
    .answered(
      HTTPResponse(status: 201, headers: [HTTPHeader("Content-Type", "application/json")], body: Array(json.utf8)))
  }
}
