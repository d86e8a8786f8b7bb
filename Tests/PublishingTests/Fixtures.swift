import Document
import GameCore
import LiveContract

@testable import Publishing

/// Things as the conformance list names them. A test sets only what it is about.
enum Fixture {
  /// Made up, useless anywhere.
  static let keyText = "hG7xQ2.Kd93Lw:Test0nly-S3cret_Value-0123456789abcdEFGH"
  static let key = try! AblyKey(keyText)
  static let basic = "Basic aEc3eFEyLktkOTNMdzpUZXN0MG5seS1TM2NyZXRfVmFsdWUtMDEyMzQ1Njc4OWFiY2RFRkdI"

  static func settings(
    endpoint: String? = nil, fallbacks: [String]? = nil, scheme: String = "https", clientID: String? = nil,
    credential: AblyCredential = .key(key)
  ) throws(LocalRefusal) -> AblySettings {
    try AblySettings(
      hosts: AblyHosts(endpoint: endpoint, fallbacks: fallbacks, scheme: scheme), credential: credential,
      agent: "score-bridge/0.4.0", clientID: clientID)
  }

  static let broadcast = Broadcast(id: "b-9", apnsChannelID: "YWJj", policy: .newest)

  static func state(
    home: Int = 98, away: Int = 99, status: GameAttributes.GameStatus = .live, period: String = "Q4",
    clock: String = "1:12", lastPlay: String = "HAR #11 three-pointer",
    direction: GameAttributes.ClockDirection = .stop,
    anchor: Int = 0, seq: Int = 412
  ) -> GameAttributes.ContentState {
    GameAttributes.ContentState(
      homeScore: home, awayScore: away, gameStatus: status, period: period, clock: clock, lastPlay: lastPlay,
      clockDir: direction, clockAnchorMs: anchor, seq: seq)
  }

  static let headers = LiveActivityPayload.Headers(priority: .now, expirationSeconds: 1_767_229_200)
  static let attributes = GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City")
  static let alert = Alert(title: "Harbor City at Riverton", body: "Tip-off in 10 minutes")

  static func start(
    state: GameAttributes.ContentState = state(), attributes: GameAttributes = attributes, channel: String = "YWJj",
    alert: Alert = alert, headers: LiveActivityPayload.Headers? = headers
  ) -> LiveActivityPayload {
    LiveActivityPayload(
      stampSeconds: 1_767_225_600,
      event: .start(
        attributesType: "GameAttributes", attributes: attributes, inputPushChannel: channel,
        staleSeconds: 1_767_229_200, alert: alert),
      state: state, headers: headers)
  }

  static func update(
    state: GameAttributes.ContentState = state(), alert: Alert? = nil, headers: LiveActivityPayload.Headers? = headers
  ) -> LiveActivityPayload {
    LiveActivityPayload(
      stampSeconds: 1_767_225_601, event: .update(staleSeconds: 1_767_226_000, alert: alert), state: state,
      headers: headers)
  }

  static func end(
    state: GameAttributes.ContentState = state(), headers: LiveActivityPayload.Headers? = headers
  ) -> LiveActivityPayload {
    LiveActivityPayload(
      stampSeconds: 1_767_225_602, event: .end(dismissalSeconds: 1_767_227_402), state: state, headers: headers)
  }

  static func android(
    event: LiveUpdatePayload.Event = .update, gameID: String = "lal-bos", state: GameAttributes.ContentState = state(),
    attributes: GameAttributes = attributes, alert: Alert? = nil
  ) -> LiveUpdatePayload {
    LiveUpdatePayload(
      event: event, gameID: gameID, attributes: attributes, state: state, stampMilliseconds: 1_767_225_600_250,
      staleAtMilliseconds: 1_767_226_000_000, alert: alert,
      fcm: FCMOptions(priority: .high, timeToLive: .seconds(180)))
  }

  static let calls: [AblyCall] = [
    .create(.newest), .start(broadcast, audience: .channels(["live-ios:g"]), start()), .update(broadcast, update()),
    .end(broadcast, end()), .publish(channel: "c", [android().message]), .publishToDevice(id: "D1", android()),
    .publishToDevices(ids: ["D1"], android()), .time, .pushLog(limit: 100),
  ]
}

extension HTTPResponse {
  static func json(_ status: Int, _ body: String, _ headers: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "application/json")] + headers, body: Array(body.utf8))
  }

  /// As the service writes a refusal.
  static func error(_ status: Int, code: Int, _ message: String = "m", _ headers: [HTTPHeader] = []) -> HTTPResponse {
    json(status, "{\"error\":{\"code\":\(code),\"statusCode\":\(status),\"message\":\"\(message)\"}}", headers)
  }
}

extension TransportResult {
  static func status(_ status: Int) -> TransportResult { .answered(HTTPResponse(status: status)) }
  static func error(_ status: Int, _ code: Int) -> TransportResult { .answered(.error(status, code: code)) }
  static let timedOut = TransportResult.ambiguous(TransportFault(.timedOut, detail: "no answer"))
  static let connectTimedOut = TransportResult.notSent(TransportFault(.timedOut, detail: "no connection"))
  static let refusedConnection = TransportResult.notSent(TransportFault(.notConnected, detail: "refused"))
}

/// A client with a clock that is turned by hand: a test says what each attempt gets for an answer.
struct Conversation {
  var client: AblyClient
  var now = Moment(instant: Instant(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_767_225_600_000))
  var requests: [HTTPRequest] = []
  /// How long each attempt was allowed to last.
  var timeouts: [Duration] = []
  var newerWaits = false
  private var random: SeededGenerator
  private var number: UInt64 = 0

  init(_ settings: AblySettings, seed: UInt64 = 7) {
    client = AblyClient(settings: settings, json: { JSONText.parse($0) }, hmac: Digest.hmac)
    random = SeededGenerator(seed: seed)
  }

  init(endpoint: String? = nil, fallbacks: [String]? = nil, seed: UInt64 = 7) throws {
    self.init(try Fixture.settings(endpoint: endpoint, fallbacks: fallbacks), seed: seed)
  }

  var hosts: [String] { requests.map(\.host) }

  mutating func pass(_ span: Duration) {
    now.instant = now.instant + span
    now.wall = now.wall + span
  }

  /// Makes one call and answers its attempts in turn; the last answer goes on for ever. A time-out takes its time.
  mutating func call(_ call: AblyCall, _ answers: TransportResult...) -> CallOutcome {
    requests = []
    timeouts = []
    number += 1
    var actions = client.begin(call, number: number, at: now, random: &random)
    var answered = 0
    while let action = actions.first {
      switch action {
      case .finished(let finished, let outcome):
        precondition(finished == number && actions.count == 1)
        return outcome
      case .attempt(let attempt):
        precondition(answered < 40, "attempts without end")
        requests.append(attempt.request)
        timeouts.append(attempt.timeout)
        let result = answers[min(answered, answers.count - 1)]
        answered += 1
        if result == .timedOut || result == .connectTimedOut { pass(attempt.timeout) }
        actions = client.attemptEnded(
          call: attempt.call, result, newerWaits: newerWaits, at: now, random: &random)
      }
    }
    preconditionFailure("the call ended without an outcome")
  }

  /// Begins a call and leaves its first attempt open.
  mutating func begin(_ call: AblyCall) -> [AblyClient.Action] {
    number += 1
    return client.begin(call, number: number, at: now, random: &random)
  }

  mutating func answer(_ attempt: AblyAttempt, _ result: TransportResult) -> [AblyClient.Action] {
    client.attemptEnded(call: attempt.call, result, newerWaits: newerWaits, at: now, random: &random)
  }
}

extension Verdict {
  var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }

  var refusal: Refusal? {
    switch self {
    case .refused(let refusal), .ambiguous(.answered(let refusal)): refusal
    case .accepted, .notSent, .ambiguous: nil
    }
  }

  var isAmbiguous: Bool {
    if case .ambiguous = self { true } else { false }
  }

  var isNotSent: Bool {
    if case .notSent = self { true } else { false }
  }
}
