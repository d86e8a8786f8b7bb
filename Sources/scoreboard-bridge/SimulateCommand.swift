import Bridge
import Document
import GameCore
import Platform
import Publishing
import Simulation

/// `scoreboard-bridge simulate`: whole games through the real engine, with a world made of a seed.
enum SimulateCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "simulate",
        about: "Plays whole games through the daemon's own engine, and shows what phones would get.",
        options: [
          Option("--sport", "NAME", "What is played (basketball)."),
          Option("--seed", "N", "Which game; the same seed plays the same game (1)."),
          Option("--games", "M", "So many games, from that seed on, with one line each."),
          Option("--faults", nil, "The network, the disk, the clock and the power fail all the time."),
        ],
        notes: """
          Nothing is sent and nothing is kept.
          Exit code: 0 everything held that must hold, 1 something did not, 2 the command line has a problem.
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    let sport = arguments["--sport"] ?? Sport.basketball.rawValue
    guard case .rules(let rules) = Rules.named(sport) else {
      let names = Sport.allCases.map(\.rawValue).joined(separator: ", ")
      StandardStreams.error("scoreboard-bridge simulate: there is no sport \(sport); there are \(names)\n")
      return .usage
    }
    guard let seed = UInt64(arguments["--seed"] ?? "1"), let games = UInt64(arguments["--games"] ?? "1"),
      (1...1_000_000).contains(games)
    else {
      StandardStreams.error("scoreboard-bridge simulate: --seed and --games want whole numbers\n")
      return .usage
    }
    let faults = arguments.has("--faults") ? FaultPlan.rough : .none
    var exit = Command.Exit.fine
    for number in 0..<games {
      let court = SimulatedCourt(rules)
      var world = World(court: court, seed: seed &+ number, faults: faults, ports: .simulated)
      var lines: [String] = []
      let broken = world.play { push, at in
        if games == 1, let line = push.line { lines.append("\(clock(at))  \(line)\n") }
      }
      StandardStreams.out(lines.joined() + summary(of: world, isLong: games == 1))
      for one in broken {
        StandardStreams.out("BROKEN  seed \(world.seed): \(one)\n")
        exit = .problem
      }
    }
    return exit
  }

  private static func clock(_ time: Duration) -> String {
    let seconds = time.components.seconds
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    return "\(seconds / 3600):\(two(seconds / 60 % 60)):\(two(seconds % 60))"
  }

  private static func summary(of world: World, isLong: Bool) -> String {
    let tally = world.tally
    let state = world.engine?.game(onCourt: 0).published
    let score = state.map { "\($0.score.home)–\($0.score.away)" } ?? "no power"
    let numbers =
      "\(tally.counted) presses counted, \(tally.requests) requests, \(tally.powerCuts) power cuts, "
      + "\(tally.troubles) troubles, \(tally.diskFailures) commits refused"
    guard isLong else { return "seed \(world.seed): \(score), \(numbers)\n" }
    let shown = world.engine.map { $0.shownState(onCourt: 0, at: world.clock.moment) }
    return """

      Final   \(score)\(shown.map { " · \($0.period)" } ?? "")
      Took    \(clock(world.clock.elapsed)) of the rig's time; \(numbers)
      Held    phones show the game · stamps and numbers only rise · one start, one end · alerts once
              budget and spacing kept · every counted press kept, once · run \(String(tally.digest, radix: 16))

      """
  }
}

extension EnginePorts {
  /// The same on every machine: the venue's day is the day in UTC.
  static var simulated: EnginePorts {
    var ports = EnginePorts.platform
    ports.localDay = { CalendarDay(daysSince1970: $0.seconds / 86_400) }
    ports.wallTime = { WallTime(milliseconds: $0.secondsAsIfUTC * 1000) }
    return ports
  }
}

extension SeenPush {
  /// For whoever watches; nil for what no phone hears.
  fileprivate var line: String? {
    let alert = alert.map { " · alert “\($0)”" } ?? ""
    let state = shown?.line ?? ""
    switch call {
    case .create: return "iPhones  broadcast channel made"
    case .start: return "iPhones  start   \(state)\(alert)"
    case .update: return "iPhones  update  \(state)\(alert)\(isUrgent ? " · urgent" : "")"
    case .end: return "iPhones  end     \(state)"
    case .message(_, let event):
      return "Android  \(event)\(String(repeating: " ", count: max(1, 8 - event.count)))\(state)\(alert)"
    case .time, .publish, .other: return nil
    }
  }
}
