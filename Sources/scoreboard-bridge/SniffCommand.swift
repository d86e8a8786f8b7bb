import Bridge
import GameCore
import Input
import Platform

/// `scoreboard-bridge sniff`: what a port speaks, for whoever wires a console.
enum SniffCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "sniff", about: "Listens on a port and says which console speaks there, and how sure that is.",
        options: [
          Option("--seconds", "N", "How long to listen with each setting (5)."),
          Option("--experimental", nil, "Tries protocols that nobody has proved yet as well."),
        ],
        operands: ["DEVICE|HOST:PORT"],
        notes: """
          A device is tried at every speed and parity that a known console uses; an Ethernet box is connected to.
          It only listens: RTS and DTR are dropped, and never a byte is sent. The daemon must leave the port alone
          meanwhile. Ctrl-C ends, and says what was heard so far.
          Exit code: 0 a console was recognised, 1 none was, 2 the command line has a problem.
          Example: scoreboard-bridge sniff /dev/ttyUSB0
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    guard let target = arguments.operands.first else { return refuse("name the DEVICE, or the box's HOST:PORT") }
    guard let seconds = Int(arguments["--seconds"] ?? "5"), (1...600).contains(seconds) else {
      return refuse("--seconds wants a whole number from 1 to 600")
    }
    let place: SniffSession.Place
    if target.hasPrefix("/") {
      place = .device(target)
    } else if let box = HostPort(target) {
      place = .box(box)
    } else {
      return refuse("\(target) is neither a device such as /dev/ttyUSB0 nor HOST:PORT")
    }
    do throws(PlatformError) {
      return try SniffSession(place, listening: .seconds(seconds), isExperimental: arguments.has("--experimental"))
        .run()
    } catch {
      StandardStreams.error("scoreboard-bridge sniff: \(error)\n")
      return .problem
    }
  }

  private static func refuse(_ sentence: String) -> Command.Exit {
    StandardStreams.error("scoreboard-bridge sniff: \(sentence)\nSee scoreboard-bridge sniff --help\n")
    return .usage
  }
}

/// One port, from the first setting to the verdict or to Ctrl-C.
private final class SniffSession {
  enum Place {
    case device(String)
    case box(HostPort)
  }

  private let place: Place
  private let patience: Duration
  private let isExperimental: Bool
  private let loop: EventLoop
  private var plan: [ConsoleLine?]
  private var line: ConsoleLine?
  private var source: (any ByteSource)?
  private var bytes: [UInt8] = []
  private var wasOpen = false
  private var began = SystemClock.now().instant
  private var timer: LoopTimer?
  private var signals: Signals?
  private var report = SniffReport()
  private var failure: PlatformError?

  /// More proves nothing more.
  private static let mostBytes = 65_536
  private static let lookEvery = Duration.seconds(1)

  init(_ place: Place, listening patience: Duration, isExperimental: Bool) throws(PlatformError) {
    self.place = place
    self.patience = patience
    self.isExperimental = isExperimental
    loop = try EventLoop()
    switch place {
    case .device: plan = Sniffer.plan(experimental: isExperimental)
    case .box: plan = [nil]
    }
    signals = try Signals(on: loop) { [unowned self] signal in
      switch signal {
      case .interrupt, .terminate, .hangUp: end()
      case .resumed: break
      }
    }
    timer = loop.timer { [unowned self] in look() }
  }

  func run() throws(PlatformError) -> Command.Exit {
    let settings = plan.count == 1 ? "" : " at each of \(plan.count) settings"
    let start = loop.timer { [unowned self] in
      next()
      if failure == nil {
        StandardStreams.out("listening for \(patience.milliseconds / 1000) s\(settings); Ctrl-C ends\n")
      }
    }
    start.set(after: .zero)
    try loop.run()
    if let failure { throw failure }
    let setting =
      switch place {
      case .device(let path): "device: \(path)"
      case .box(let box): "connect: \"\(box)\""
      }
    StandardStreams.out(report.conclusion(place: setting))
    return report.best == nil ? .problem : .fine
  }

  private func next() {
    guard !report.isCertain, !plan.isEmpty else { return loop.stop() }
    line = plan.removeFirst()
    bytes = []
    wasOpen = false
    began = SystemClock.now().instant
    let handler: ByteHandler = { [unowned self] event, _ in heard(event) }
    switch place {
    case .device(let path):
      source = SerialPort(path: path, settings: SerialSettings(line ?? ConsoleLine(9600)), on: loop, handler)
    case .box(let box): source = TCPDialer(host: box.host, port: box.port, on: loop, handler)
    }
    timer?.set(after: min(Self.lookEvery, patience))
    source?.start()
  }

  private func heard(_ event: ByteSourceEvent) {
    switch event {
    case .up:
      wasOpen = true
      began = SystemClock.now().instant
    case .bytes(let more): if bytes.count < Self.mostBytes { bytes += more }
    case .down(let error):
      StandardStreams.error("\(error)\n")
      // An adaptor that cannot do one speed may do the next; a port that cannot be had at all never will.
      if !wasOpen { error.operation == "set up" ? timer?.set(after: .zero) : fail(error) }
    }
  }

  private func fail(_ error: PlatformError) {
    failure = error
    loop.stop()
  }

  /// Every second: enough heard, or go on.
  private func look() {
    let verdict = Sniffer.judge(bytes, on: line, experimental: isExperimental)
    let isOver = SystemClock.now().instant - began >= patience || verdict.matches.first?.certainty == .certain
    // A port that is not open yet is waited for, and one that refuses these settings is left.
    guard wasOpen ? isOver : source?.isDown ?? true else {
      timer?.set(after: min(Self.lookEvery, patience))
      return
    }
    take(verdict)
    next()
  }

  private func take(_ verdict: Sniffer.Verdict) {
    source?.stop()
    source = nil
    let hearing = SniffReport.Hearing(line: line, bytes: bytes.count, verdict: verdict)
    report.add(hearing)
    StandardStreams.out(hearing.summary + "\n")
  }

  /// Ctrl-C: what came until now is judged all the same.
  private func end() {
    if source != nil { take(Sniffer.judge(bytes, on: line, experimental: isExperimental)) }
    loop.stop()
  }
}

extension ByteSource {
  fileprivate var isDown: Bool {
    if case .down = state { return true }
    return false
  }
}
