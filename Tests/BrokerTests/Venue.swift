import Document
import Foundation
import GameCore
import Input
import Outbox
import Platform
import Publishing
import Testing

@testable import Bridge
@testable import scoreboard_bridge

/// The engine with a model of its disk and a broker that remembers what it was told. Time stands until it is moved.
struct Venue {
  static let prefix = "scoreboard/riverside"
  static let main = "scoreboard/riverside/court/main"
  static let start = Moment(
    instant: Instant(nanoseconds: 1_000_000_000_000), wall: WallTime(milliseconds: 1_796_000_000_000))

  private(set) var engine: Engine
  private(set) var now = Venue.start
  /// In the order in which they left.
  private(set) var published: [MQTTPublication] = []
  private(set) var lines: [String] = []
  private var disk = MemoryStore()
  /// While false, every commit waits.
  var diskAnswers = true
  private var commits: [StoreBatch] = []
  private let config: Config

  init(court: String = "", mqtt: String = "", connected: Bool = true, sport: String = "basketball") throws {
    let text = """
      venue: {name: Riverside Arena, slug: riverside}
      mqtt:
        brokers: [{host: 127.0.0.1}]
      \(mqtt.split(separator: "\n").map { "  \($0)" }.joined(separator: "\n"))
      courts:
        - name: Main court
          slug: main
          sport: \(sport)
      \(court.split(separator: "\n").map { "    \($0)" }.joined(separator: "\n"))
      """
    let decoded = Config.decode(try YAMLDocument.parse(Array(text.utf8)), checks: .rooms)
    config = try #require(decoded.config, "\(decoded.issues)")
    engine = try Venue.engine(config, at: now)
    take(.clockChecked(isSynchronised: true))
    take(.started(disk.contents))
    if connected { connect() }
  }

  private static func engine(_ config: Config, at now: Moment) throws -> Engine {
    Engine(
      config: config, courts: try config.courts.map { try CourtSettings($0, texts: []) },
      provider: try Provider.named(in: config, key: nil), ports: .platform,
      identity: Identity(version: "0", boot: "boot"), seed: 7, at: now)
  }

  /// The daemon dies and comes back with what its disk holds.
  mutating func restart() throws {
    commits = []
    engine = try Venue.engine(config, at: now)
    take(.clockChecked(isSynchronised: true))
    take(.started(disk.contents))
    connect()
  }

  mutating func connect(maximumPacketSize: Int? = nil) {
    take(.broker(.connected(broker: "127.0.0.1:1883", maximumPacketSize: maximumPacketSize)))
  }

  mutating func lose() { take(.broker(.lost(reason: "the cable"))) }

  mutating func take(_ stimulus: Stimulus) {
    for action in engine.handle(stimulus, at: now) + engine.endTurn(at: now) {
      switch action {
      case .publish(let publication): published.append(publication)
      case .persist(let batch): commits.append(batch)
      case .log(let line): lines.append(line.event)
      case .send, .show, .readLine, .light, .stop: break
      }
    }
    while diskAnswers, !commits.isEmpty {
      let batch = commits.removeFirst()
      disk.commit(batch.operations)
      take(.stored(.persisted(through: batch.number)))
    }
  }

  mutating func refuseCommits() {
    guard let first = commits.first?.number, let last = commits.last?.number else { return }
    commits = []
    take(.stored(.failed(from: first, through: last, reason: "disk full")))
  }

  /// Moves the time, with a turn at each deadline.
  mutating func pass(_ duration: Duration) {
    let end = now.instant + duration
    while let due = engine.nextDeadline, due <= end {
      step(to: max(due, now.instant))
      take(.deadline)
      if engine.nextDeadline == due { break }
    }
    step(to: end)
    take(.deadline)
  }

  private mutating func step(to instant: Instant) {
    now = Moment(instant: instant, wall: now.wall + (instant - now.instant))
  }

  // MARK: - Messages

  mutating func say(_ topic: String, _ payload: String, retained: Bool = false) {
    take(.message(MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: retained)))
  }

  /// Sends a command and gives the answer.
  mutating func command(_ verb: String, _ payload: String, retained: Bool = false) -> Reply {
    let before = published.count
    say("\(Venue.main)/cmd/\(verb)", payload, retained: retained)
    let reply = published[before...].last { $0.topic == "\(Venue.main)/reply" }
    return Reply(reply.flatMap { try? JSONDocument.parse($0.payload) })
  }

  struct Reply: Equatable, CustomStringConvertible {
    var id: String?
    var result: String?
    var reason: String?
    var note: String?

    init(_ node: Node?) {
      (id, result) = (node?["id"]?.text, node?["result"]?.text)
      (reason, note) = (node?["reason"]?.text, node?["note"]?.text)
    }

    var description: String { "\(result ?? "no reply"): \(reason ?? "")" }
  }

  /// The newest payload of a topic; nil when it never was one.
  func newest(_ topic: String) -> Node? {
    published.last { $0.topic == topic }.flatMap { try? JSONDocument.parse($0.payload) }
  }

  func text(_ topic: String) -> String? {
    published.last { $0.topic == topic }.map { String(decoding: $0.payload, as: UTF8.self) }
  }

  var score: [Int64?] {
    let state = try? JSONDocument.parse(
      Told.state(engine.courts[0], projected: engine.contentState(of: 0, at: now), at: now))
    return [state?["home"]?["score"]?.integer, state?["away"]?["score"]?.integer]
  }

  var status: Node? { try? JSONDocument.parse(engine.statusJSON(at: now)) }

  var reasons: [String] { status?["reasons"]?.elements?.compactMap { $0["code"]?.text } ?? [] }
}
