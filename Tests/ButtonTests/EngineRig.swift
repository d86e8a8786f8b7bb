import Bridge
import Foundation
import GameCore
import Input
import Outbox
import Publishing

/// The engine with buttons and lamps, a rehearsing provider, a disk that answers when the test says so, and a prompt loop.
struct EngineRig {
  var engine: Engine
  private(set) var now: Moment
  private(set) var shown: [String] = []
  private(set) var logged: [String] = []
  private(set) var events = 0
  private(set) var written: [StoreBatch] = []
  private(set) var lamps: [Int: Bool] = [:]
  private(set) var pushes = 0
  private var levels: [LinePlace: LineLevel] = [:]
  private var waiting: [StoreBatch] = []
  /// Nil: the disk answers nothing.
  var diskDelay: Duration? = .milliseconds(3)

  static func button(_ name: String, _ change: (inout ButtonConfig) -> Void) -> ButtonConfig {
    var button = ButtonConfig()
    button.name = name
    change(&button)
    return button
  }

  static func lamp(_ shows: LampConfig.Receipt...) -> LampConfig {
    var lamp = LampConfig()
    lamp.name = shows.map(\.rawValue).joined(separator: " ")
    lamp.shows = shows
    return lamp
  }

  static let standardButtons = [
    button("home+1") { $0.press = "home +1" },
    button("home+1 too") { $0.press = "home +1" },
    button("end") {
      $0.press = "horn"
      $0.hold = "game end"
    },
    button("practice") { $0.press = "practice" },
    button("start") { $0.press = "game start" },
  ]

  init(buttons: [ButtonConfig] = standardButtons, lamps: [LampConfig] = []) throws {
    var court = CourtConfig()
    court.name = "Main court"
    court.slug = "main"
    court.buttons = buttons
    court.lamps = lamps
    var config = Config()
    config.venue = VenueConfig(name: "Riverside Arena", slug: "riverside")
    config.courts = [court]
    guard case .rules(let rules) = Rules.named("basketball"),
      case .texts(let texts) = Texts.make(language: "en", changes: [])
    else { preconditionFailure("Basketball and English exist.") }
    var settings = CourtSettings(config: court, rules: rules, texts: texts, feeds: [], keys: [:])
    settings.buttons = ButtonBindings.make(of: court, rules: rules).bindings
    now = Moment(instant: .at(1000), wall: WallTime(milliseconds: 1_796_000_000_000))
    let ports = EnginePorts(
      json: { _ in nil }, hmac: { _, _ in [] }, localDay: { _ in CalendarDay(year: 2026, month: 12, day: 5) },
      wallTime: { _ in WallTime(milliseconds: 0) })
    engine = Engine(
      config: config, courts: [settings],
      provider: .rehearsal(
        try AblySettings(
          hosts: try AblyHosts(), credential: .key(try AblyKey("app.key:secret")), agent: "test"), json: { _ in nil }),
      ports: ports, identity: Identity(version: "test", boot: "boot"), seed: 1, at: now)
    take(.started(StoreContents()))
    for button in buttons.indices { open(.button(button)) }
    for lamp in lamps.indices { open(.lamp(lamp)) }
  }

  mutating func open(_ part: LinePlace.Part, level: LineLevel = .inactive) {
    levels[LinePlace(court: 0, part: part)] = level
    take(.line(LinePlace(court: 0, part: part), .opened(level, place: "chip 0", warning: nil)))
  }

  /// Presses and lets go, with bounce at both ends.
  mutating func press(_ button: Int, for duration: Duration = .milliseconds(80)) {
    change(button, to: .active)
    pass(duration)
    change(button, to: .inactive)
    pass(.milliseconds(60))
  }

  mutating func change(_ button: Int, to level: LineLevel) {
    let place = LinePlace(court: 0, part: .button(button))
    for step in [level, level.other, level] {
      levels[place] = step
      take(.line(place, .edges([LineEdge(step, at: now.instant)], queueWasFull: false)))
      now.instant = now.instant + .microseconds(100)
    }
  }

  mutating func take(_ stimulus: Stimulus) {
    for action in engine.handle(stimulus, at: now) { perform(action) }
    for action in engine.endTurn(at: now) { perform(action) }
  }

  /// Lets time pass, deadline by deadline.
  mutating func pass(_ duration: Duration) {
    let end = now.instant + duration
    while true {
      let disk = diskDelay == nil ? nil : diskDue
      guard let next = [engine.nextDeadline, disk].compactMap({ $0 }).min(), next <= end else { break }
      move(to: max(next, now.instant))
      if let disk, disk <= now.instant, let batch = waiting.first {
        waiting.removeFirst()
        diskDue = waiting.isEmpty ? nil : now.instant + (diskDelay ?? .zero)
        take(.stored(.persisted(through: batch.number)))
      } else {
        take(.deadline)
      }
    }
    move(to: end)
  }

  /// Time passes, and the loop does not run.
  mutating func stall(_ duration: Duration) { move(to: now.instant + duration) }

  mutating func stepWallClock(_ step: Duration) { now.wall = now.wall + step }

  private var diskDue: Instant?

  private mutating func move(to instant: Instant) {
    now = Moment(instant: instant, wall: now.wall + (instant - now.instant))
  }

  private mutating func perform(_ action: Action) {
    switch action {
    case .persist(let batch):
      written.append(batch)
      waiting.append(batch)
      if diskDue == nil { diskDue = now.instant + (diskDelay ?? .zero) }
    case .readLine(let place): take(.line(place, .read(levels[place] ?? .inactive)))
    case .light(let place, let isLit): if case .lamp(let lamp) = place.part { lamps[lamp] = isLit }
    case .show(let line):
      shown.append(line.text)
      if line.text.contains("→") { pushes += 1 }
    case .log(let line): logged.append(([line.event] + line.fields.map(\.value)).joined(separator: " "))
    case .send, .publish, .stop: break
    }
  }

  /// What the state topic and status tell.
  var status: String { String(decoding: engine.statusJSON(at: now), as: UTF8.self) }
  func shows(_ text: String) -> Bool { shown.contains { $0.contains(text) } }
  func logs(_ text: String) -> Bool { logged.contains { $0.contains(text) } }
  /// When the events were made that the disk was handed.
  var wallTimes: [Int64] {
    written.flatMap(\.operations).compactMap { operation in
      guard case .event(_, _, let body) = operation,
        let node = try? JSONSerialization.jsonObject(with: Data(body)) as? [String: Any]
      else { return nil }
      return node["wall"] as? Int64
    }
  }
  /// Events of the game's log that were handed to the disk.
  var writtenEvents: Int {
    written.flatMap(\.operations).count { if case .event = $0 { true } else { false } }
  }
}
