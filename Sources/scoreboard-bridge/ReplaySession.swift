import Bridge
import GameCore
import Platform
import Publishing
import Simulation

/// One replay, from the first run of the file to the last.
final class ReplaySession {
  private let file: RecordingFile
  private let start: DaemonStart
  private let speed: Double
  private let loop: EventLoop
  private let http: HTTPClient
  private var timer: LoopTimer?
  private var signals: Signals?
  private var replay: Replay?
  private var header: RecordingHeader?
  private var began = SystemClock.now().instant
  private var flying = 0
  private var counts = (runs: 0, inputs: 0, requests: 0)
  private var failure: (any Error)?

  /// So that Ctrl-C is heard between them.
  private static let stepsPerTurn = 500

  init(_ file: RecordingFile, _ start: DaemonStart, speed: Double) throws(PlatformError) {
    self.file = file
    self.start = start
    self.speed = speed
    loop = try EventLoop()
    http = try HTTPClient(loop: loop, caFile: start.config.ably?.caFile)
    signals = try Signals(on: loop) { [unowned self] signal in
      switch signal {
      case .interrupt, .terminate, .hangUp: loop.stop()
      case .resumed: break
      }
    }
    timer = loop.timer { [unowned self] in turn() }
  }

  func run() throws -> Command.Exit {
    timer?.set(after: .zero)
    try loop.run()
    if let failure { throw failure }
    StandardStreams.out("\(counts.runs) run(s), \(counts.inputs) inputs, \(counts.requests) requests sent\n")
    return .fine
  }

  private func turn() {
    do {
      if replay == nil, try !nextRun() { return loop.stop() }
    } catch {
      failure = error
      return loop.stop()
    }
    for _ in 0..<Self.stepsPerTurn {
      guard let time = replay?.nextTime else { return endRun() }
      let due = realTime(of: time)
      guard due <= SystemClock.now().instant else {
        timer?.set(to: due)
        return
      }
      if let step = replay?.advance() { perform(step) }
    }
    timer?.set(after: .zero)
  }

  private func nextRun() throws -> Bool {
    guard let next = try file.nextRun() else { return false }
    let courts = start.config.courts.map(\.slug)
    guard courts == next.courts else {
      throw RecordingFile.Refusal(
        sentence: "the recording has the courts \(next.courts.joined(separator: ", ")), the config "
          + "\(courts.joined(separator: ", ")); give the config of the recorded daemon")
    }
    let engine = Engine(
      config: start.config, courts: start.courts, provider: start.provider, ports: .platform,
      identity: Identity(version: next.version, boot: next.boot), seed: next.seed, at: next.began)
    header = next
    began = SystemClock.now().instant
    replay = Replay(next, engine: engine) { [file] in file.nextInput() }
    counts.runs += 1
    return true
  }

  /// The inputs are over; what is under way is waited for, and every call has an end.
  private func endRun() {
    guard flying == 0 else { return }
    counts.inputs += replay?.inputs ?? 0
    replay = nil
    timer?.set(after: .zero)
  }

  private func realTime(of instant: Instant) -> Instant {
    guard let header else { return began }
    let passed = Double((instant - header.began.instant).nanoseconds) / speed
    return began + .nanoseconds(Int64(min(passed, 9e18)))
  }

  private func perform(_ step: Replay.Step) {
    for action in step.actions {
      switch action {
      case .send(let attempt): send(attempt)
      case .show(let line): tell(line.text, at: step.at)
      case .log(let line):
        guard line.level == .error || line.level == .warning || line.level == .notice else { continue }
        tell(line.event + line.fields.map { " \($0.key)=\($0.value)" }.joined(), at: step.at)
      // Its own answers the replay gives itself; the broker and the lines are another daemon's, or nobody's.
      case .persist, .publish, .readLine, .light, .stop: break
      }
    }
  }

  private func send(_ attempt: AblyAttempt) {
    counts.requests += 1
    flying += 1
    let options = HTTPClient.Options(openTimeout: attempt.openTimeout, deadline: attempt.timeout)
    http.send(attempt.request, options: options) { [unowned self] result, _ in
      flying -= 1
      defer { timer?.set(after: .zero) }
      guard let header else { return }
      let passed = Double((SystemClock.now().instant - began).nanoseconds) * speed
      let now = header.began.instant + .nanoseconds(Int64(min(passed, 9e18)))
      let told = result.toldAt(Moment(at: now, wallOffset: header.began.wallOffset), to: attempt.request)
      if let step = replay?.answered(call: attempt.call, told, at: now) { perform(step) }
    }
  }

  private func tell(_ text: String, at moment: Moment) {
    guard let header else { return }
    let milliseconds = (moment.instant - header.began.instant).milliseconds
    let fraction = String(1000 + milliseconds % 1000).dropFirst()
    StandardStreams.out("\(milliseconds / 1000).\(fraction)  \(text)\n")
  }
}

extension TransportResult {
  /// The service's time is the recording's: what it says of today is no news to a game of last week.
  fileprivate func toldAt(_ now: Moment, to request: HTTPRequest) -> TransportResult {
    guard request.target == "/time", case .answered(var response) = self, response.status == 200 else { return self }
    response.body = Array("[\(now.wall.milliseconds)]".utf8)
    return .answered(response)
  }
}
