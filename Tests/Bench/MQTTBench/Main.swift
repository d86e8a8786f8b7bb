import Bridge
import Document
import Foundation
import GameCore
import Input
import Outbox
import Platform
import Publishing
import StandIn

/// How old a command is when the game has it, and how many a second go through, beside a plain C client that only holds
/// the message in its hands: `swift run -c release mqtt-bench`. One broker, one sender, blocks that take turns; read the
/// ratios, as the rest depends on the machine and on what else it does.
@main struct Main {
  private static let rounds = 7

  static func main() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mqtt-bench-\(getpid())").path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let broker = try Broker(folder: folder, lines: ["max_queued_messages 0"])
    defer { broker.stop() }
    try compare(broker, count: 400, perSecond: 200, "latency at 200 a second, us")
    try compare(broker, count: 4000, perSecond: 0, "at full speed")
  }

  private static func compare(_ broker: Broker, count: Int, perSecond: Int, _ title: String) throws {
    var figures: [Peer: [Figures]] = [:]
    for _ in 0..<rounds {
      for peer in Peer.allCases {
        figures[peer, default: []].append(try peer.receive(count, perSecond: perSecond, from: broker))
      }
    }
    print("\(title): \(rounds) blocks of \(count) messages each, medians of the blocks")
    print("                                     p50       p90       p99   messages/s   p50 to C   rate to C")
    for peer in Peer.allCases {
      func median(_ value: (Figures) -> Double) -> Double { Self.median((figures[peer] ?? []).map(value)) }
      func ratio(_ value: (Figures) -> Double) -> Double {
        Self.median(zip(figures[peer] ?? [], figures[.plainC] ?? []).map { value($0) / value($1) })
      }
      let name = peer.rawValue.padding(toLength: 32, withPad: " ", startingAt: 0)
      print(
        name,
        String(
          format: "%8.0f  %8.0f  %8.0f   %10.0f   %8.2f   %9.2f", median(\.p50), median(\.p90), median(\.p99),
          median(\.rate), ratio(\.p50), ratio(\.rate)))
    }
  }

  static func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }
}

/// Of one block, in microseconds and messages a second.
struct Figures {
  var p50: Double
  var p90: Double
  var p99: Double
  var rate: Double

  /// In nanoseconds, with the time between the first and the last.
  init(p50: Int64, p90: Int64, p99: Int64, span: Int64, count: Int) {
    (self.p50, self.p90, self.p99) = (Double(p50) / 1000, Double(p90) / 1000, Double(p99) / 1000)
    rate = Double(count - 1) / (Double(span) / 1e9)
  }
}

enum Peer: String, CaseIterable {
  case plainC = "plain C client, message in hand"
  case reducer = "ours, through the game"
  case answering = "ours, with event, reply and state"

  private static let topic = "scoreboard/riverside/court/main/cmd/score"

  func receive(_ count: Int, perSecond: Int, from broker: Broker) throws -> Figures {
    switch self {
    case .plainC:
      let client = try Self.floor(["receive", "\(broker.port)", Self.topic, "\(count)"])
      guard client.line(where: { $0 == "ready" }) != nil else { throw Failure(what: "the C client does not listen") }
      try Self.send(count, perSecond, to: broker) { _ = client.exitCode(within: .seconds(60)) }
      let words = client.text(.out).split(separator: "\n").last?.split(separator: " ").compactMap { Int64($0) } ?? []
      guard words.count == 4 else { throw Failure(what: "the C client lost messages: \(client.text(.error))") }
      return Figures(p50: words[0], p90: words[1], p99: words[2], span: words[3], count: count)
    case .reducer, .answering:
      let receiver = try Receiver(port: Int(broker.port), answers: self == .answering)
      try receiver.listen()
      try Self.send(count, perSecond, to: broker) { receiver.receive(count) }
      guard let figures = receiver.figures(of: count) else { throw Failure(what: "messages were lost") }
      return figures
    }
  }

  private static func send(_ count: Int, _ perSecond: Int, to broker: Broker, while work: () -> Void) throws {
    let sender = try floor(["send", "\(broker.port)", topic, "\(count)", "\(perSecond)"])
    work()
    guard sender.exitCode(within: .seconds(60)) == 0 else { throw Failure(what: "the sender failed") }
  }

  /// The C client lies beside this program.
  private static func floor(_ words: [String]) throws -> Child {
    let folder = URL(fileURLWithPath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    return try Child(folder.appendingPathComponent("mqtt-floor").path, words)
  }
}

struct Failure: Error {
  var what: String
}

/// The daemon's own way from the broker into the game: connection, mailbox, loop, engine. The disk answers at once.
final class Receiver {
  private let loop: EventLoop
  private var engine: Engine
  private var connection: MQTTConnection?
  private let answers: Bool
  private var isListening = false
  private var ages: [Int64] = []
  private var span: (first: Instant, last: Instant)?

  init(port: Int, answers: Bool) throws {
    self.answers = answers
    loop = try EventLoop()
    engine = try Self.engine()
    take(.clockChecked(isSynchronised: true), at: SystemClock.now())
    take(.started(StoreContents()), at: SystemClock.now())
    let settings = MQTTSettings(
      brokers: [.init(host: "127.0.0.1", port: port)], clientID: "mqtt-bench",
      subscriptions: engine.subscriptions.map { MQTTSettings.Subscription($0.filter, qos: $0.qos) })
    connection = try MQTTConnection(settings: settings, loop: loop) { [unowned self] in heard($0) }
  }

  private static func engine() throws -> Engine {
    var court = CourtConfig()
    (court.name, court.slug, court.sport) = ("Main court", "main", .basketball)
    var config = Config()
    config.venue = VenueConfig(name: "Riverside Arena", slug: "riverside")
    config.mqtt = MQTTConfig()
    config.courts = [court]
    guard case .texts(let texts) = Texts.make(language: "en", changes: []),
      case .rules(let rules) = Rules.named("basketball", settings: [])
    else { throw Failure(what: "no rules") }
    let settings = CourtSettings(config: court, rules: rules, texts: texts, feeds: [], keys: [:])
    let ports = EnginePorts(
      json: { try? JSONDocument.parse($0) }, hmac: { key, message in Crypto.hmacSHA256(message, key: key) },
      localDay: VenueTimeZone.day(of:), wallTime: { WallTime(milliseconds: $0.secondsAsIfUTC * 1000) })
    return Engine(
      config: config, courts: [settings], provider: .down(reason: "a benchmark"), ports: ports,
      identity: Identity(version: "0", boot: "boot"), seed: 1, at: SystemClock.now())
  }

  func listen() throws {
    connection?.start()
    while !isListening { try loop.turn(until: SystemClock.now().instant + .seconds(1)) }
  }

  func receive(_ count: Int) {
    let end = SystemClock.now().instant + .seconds(60)
    while ages.count < count, SystemClock.now().instant < end {
      try? loop.turn(until: SystemClock.now().instant + .seconds(1))
    }
    var isOver = false
    connection?.stop(within: .seconds(2)) { isOver = true }
    while !isOver { try? loop.turn(until: SystemClock.now().instant + .seconds(1)) }
  }

  func figures(of count: Int) -> Figures? {
    guard ages.count == count, let span else { return nil }
    let sorted = ages.sorted()
    return Figures(
      p50: sorted[count / 2], p90: sorted[count * 9 / 10], p99: sorted[count * 99 / 100],
      span: (span.last - span.first).nanoseconds, count: count)
  }

  private func heard(_ event: MQTTConnectionEvent) {
    switch event {
    case .connected(let session):
      take(.broker(.connected(broker: "", maximumPacketSize: session.maximumPacketSize)), at: SystemClock.now())
    case .subscribed: isListening = true
    case .message(let message): received(message)
    case .notPublished, .disconnected: break
    }
  }

  private func received(_ message: MQTTMessage) {
    guard let sent = Self.sentAt(message.payload) else { return take(.message(message), at: SystemClock.now()) }
    let actions = engine.handle(.message(message), at: SystemClock.now())
    let now = SystemClock.now().instant
    ages.append((now - sent).nanoseconds)
    span = (span?.first ?? now, now)
    perform(actions)
  }

  private func take(_ stimulus: Stimulus, at moment: Moment) { perform(engine.handle(stimulus, at: moment)) }

  private func perform(_ actions: [Action]) {
    for action in actions {
      switch action {
      case .persist(let batch): take(.stored(.persisted(through: batch.number)), at: SystemClock.now())
      case .publish(let publication): if answers { connection?.publish(publication) }
      case .send, .show, .log, .readLine, .light, .stop: break
      }
    }
  }

  /// The figures after `"id":"`, up to the hyphen.
  private static func sentAt(_ payload: [UInt8]) -> Instant? {
    let text = String(decoding: payload, as: UTF8.self)
    guard let start = text.range(of: "\"id\":\"")?.upperBound, let end = text[start...].firstIndex(of: "-") else {
      return nil
    }
    return Int64(text[start..<end]).map { Instant(nanoseconds: $0) }
  }
}
