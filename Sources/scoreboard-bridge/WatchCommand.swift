import Bridge
import Document
import GameCore
import Input
import Platform

/// `scoreboard-bridge watch`: what the buttons' lines do, live, for whoever wires them.
enum WatchCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "watch", about: "Shows what the buttons' lines do, live, and which glitch and lockout would fit.",
        options: [
          Option("--config", "FILE", "Whose buttons (\(ConfigFile.usualPath))."),
          Option("--json", nil, "One JSON object per line instead of sentences."),
        ],
        notes: """
          Press every button some times, short and long. Ctrl-C ends and prints what was seen, with a suggestion per line.
          The daemon must not run: it holds the lines.
          Columns: time in ms, button, what happened. A change shows its edges and how long they bounced; noise is a burst
          that ended where it began.
          Exit code: 0 ended when asked to, 1 the config has a problem or no button's line could be had, 2 the command line
          has a problem.
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms)
    guard let config = file.config else {
      StandardStreams.error(CheckReport(file).text)
      return .problem
    }
    guard config.courts.contains(where: { !$0.buttons.isEmpty }) else {
      StandardStreams.error("scoreboard-bridge watch: this config has no buttons; give courts[].buttons first\n")
      return .problem
    }
    do throws(PlatformError) {
      return try WatchSession(config.courts, asJSON: arguments.has("--json")).run()
    } catch {
      StandardStreams.error("scoreboard-bridge watch: \(error)\n")
      return .problem
    }
  }
}

/// One look at the lines, from the start to Ctrl-C.
private final class WatchSession {
  private struct Seen {
    var name: String
    var watch: LineWatch?
    var place = ""
    var trouble: String?
  }

  private let loop: EventLoop
  private let asJSON: Bool
  private let places: [LinePlace]
  private var panels: [ButtonPanel]
  private var seen: [Seen]
  private var desk: LineDesk?
  private var signals: Signals?
  private var timer: LoopTimer?
  private let start = SystemClock.now().instant

  init(_ courts: [CourtConfig], asJSON: Bool) throws(PlatformError) {
    loop = try EventLoop()
    self.asJSON = asJSON
    var places: [LinePlace] = []
    var seen: [Seen] = []
    var withoutLamps = courts
    for (court, config) in courts.enumerated() {
      withoutLamps[court].lamps = []
      for (button, config) in config.buttons.enumerated() {
        places.append(LinePlace(court: court, part: .button(button)))
        seen.append(Seen(name: config.name))
      }
    }
    self.places = places
    self.seen = seen
    panels = courts.map(ButtonPanel.init)
    signals = try Signals(on: loop) { [unowned self] signal in
      switch signal {
      case .interrupt, .terminate, .hangUp: loop.stop()
      case .resumed: break
      }
    }
    timer = loop.timer { [unowned self] in timePassed() }
    desk = LineDesk(withoutLamps, on: loop) { [unowned self] place, news, moment in take(news, of: place, at: moment) }
  }

  func run() throws(PlatformError) -> Command.Exit {
    desk?.start()
    try loop.run()
    desk?.stop()
    for place in seen.indices { tellSummary(of: place) }
    return seen.contains { $0.watch != nil } ? .fine : .problem
  }

  private func take(_ news: LineNews, of place: LinePlace, at now: Moment) {
    guard let number = places.firstIndex(of: place), case .button(let button) = place.part else { return }
    switch news {
    case .opened(let level, let line, let warning):
      seen[number].watch = LineWatch(level: level)
      seen[number].place = line
      seen[number].trouble = nil
      panels[place.court].opened(button, level: level, at: now.instant)
      tell(number, at: now.instant, "ready", [("line", line), ("level", level.rawValue), ("warning", warning ?? "")])
    case .edges(let edges, let queueWasFull):
      for edge in edges {
        if let burst = seen[number].watch?.edge(edge) { tell(burst, of: number) }
        obey(panels[place.court].edge(button, edge), of: place.court)
      }
      if queueWasFull { obey(panels[place.court].queueWasFull(button), of: place.court) }
    case .read(let level): obey(panels[place.court].read(button, level, at: now.instant), of: place.court)
    case .down(let reason):
      seen[number].trouble = reason
      panels[place.court].closed(button, at: now.instant)
      tell(number, at: now.instant, "lost", [("reason", reason)])
    }
    setTimer()
  }

  private func timePassed() {
    let now = SystemClock.now().instant
    for number in seen.indices {
      if let burst = seen[number].watch?.timePassed(to: now) { tell(burst, of: number) }
    }
    for court in panels.indices { obey(panels[court].deadlineReached(at: now), of: court) }
    setTimer()
  }

  private func setTimer() {
    let next = seen.map { $0.watch?.nextDeadline } + panels.map(\.nextDeadline)
    timer?.set(to: next.compactMap { $0 }.min())
  }

  private func obey(_ actions: [ButtonPanel.Action], of court: Int) {
    func number(_ button: Int) -> Int {
      places.firstIndex(of: LinePlace(court: court, part: .button(button))) ?? 0
    }
    for action in actions {
      switch action {
      case .made(let gesture, let button, let at): tell(number(button), at: at, gesture.word, [])
      case .readLine(let button): desk?.read(LinePlace(court: court, part: .button(button)))
      case .mayHaveMissed(let button, let why):
        tell(number(button), at: SystemClock.now().instant, "missed", [("why", why.rawValue)])
      case .stuck(let button, let since): tell(number(button), at: since + Gestures.stuckAfter, "stuck", [])
      case .freed(let button): tell(number(button), at: SystemClock.now().instant, "free", [])
      }
    }
  }

  // MARK: - Telling

  private func tell(_ burst: LineWatch.Burst, of number: Int) {
    tell(
      number, at: burst.start, burst.isNoise ? "noise" : burst.to == .active ? "down" : "up",
      [("edges", "\(burst.edges)"), ("bounceUs", "\(burst.length.nanoseconds / 1000)")])
  }

  private func tellSummary(of number: Int) {
    guard let watch = seen[number].watch else {
      return tell(number, at: SystemClock.now().instant, "never ready", [("reason", seen[number].trouble ?? "")])
    }
    var fields = [
      ("line", seen[number].place), ("edges", "\(watch.edges)"), ("changes", "\(watch.bursts - watch.noiseBursts)"),
      ("noise", "\(watch.noiseBursts)"), ("longestBounceUs", "\(watch.longestBounce.nanoseconds / 1000)"),
    ]
    if let width = watch.shortestWidth { fields.append(("shortestWidthMs", "\(width.milliseconds)")) }
    if let (glitch, lockout) = watch.suggestion {
      fields += [("glitch", "\(glitch.milliseconds)ms"), ("lockout", "\(lockout.milliseconds)ms")]
    }
    tell(number, at: SystemClock.now().instant, "summary", fields)
  }

  /// Empty fields are left out.
  private func tell(_ number: Int, at instant: Instant, _ what: String, _ fields: [(key: String, value: String)]) {
    let fields = fields.filter { !$0.value.isEmpty }
    let milliseconds = (instant - start).milliseconds
    guard asJSON else {
      let time = String(repeating: " ", count: max(0, 8 - "\(milliseconds)".count)) + "\(milliseconds)"
      let words = fields.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
      return StandardStreams.out("\(time)  \(seen[number].name)  \(what)\(words.isEmpty ? "" : "  \(words)")\n")
    }
    var json = JSONWriter()
    json.object { json in
      json.member("ms", milliseconds)
      json.member("button", seen[number].name)
      json.member("event", what)
      for field in fields {
        if let number = Int64(field.value) {
          json.member(field.key, number)
        } else {
          json.member(field.key, field.value)
        }
      }
    }
    StandardStreams.out(String(decoding: json.bytes, as: UTF8.self) + "\n")
  }
}
