import Bridge
import Document
import GameCore
import Input
import Outbox
import Platform
import Publishing
import Simulation

/// The engine on a real machine: callbacks become stimuli, actions become calls. All of it lives on the loop's thread.
final class Daemon {
  private let loop: EventLoop
  let log: Log
  var config: Config
  var engine: Engine
  private let store: SQLiteStore
  private let http: HTTPClient
  private let systemd = Systemd()
  private let isTold: Bool
  private var timer: LoopTimer?
  private var clockTimer: LoopTimer?
  private var signals: Signals?
  private var terminal: Terminal?
  private var links: LinkMonitor?
  var broker: MQTTConnection?
  private var server: HTTPServer?
  var consoles: [any ByteSource] = []
  private var lines: LineDesk?
  private var recording: InputRecording?
  private var isEnding = false
  var mqttPassword: String?
  /// What the broker's connection said while a turn's actions were performed: a turn of its own each.
  private var brokerNews: [BrokerNews] = []
  var me: DaemonReference?
  let reread: () -> DaemonStart?

  /// Everything that is made before the first turn of the loop.
  init(
    _ start: DaemonStart, on loop: EventLoop, log: Log, reread: @escaping () -> DaemonStart?
  ) throws(PlatformError) {
    self.reread = reread
    mqttPassword = start.mqttPassword
    self.loop = loop
    self.log = log
    config = start.config
    isTold = start.isTerminal
    let header = RecordingHeader(
      version: Command.version, seed: Crypto.randomBytes(8).reduce(0) { $0 << 8 | UInt64($1) },
      boot: BootIdentity.read(), courts: start.config.courts.map(\.slug), began: SystemClock.now())
    recording = try start.recordingPath.map { path throws(PlatformError) in
      try InputRecording(path, header, log: log)
    }
    engine = Engine(
      config: start.config, courts: start.courts, provider: start.provider, ports: .platform,
      identity: Identity(version: header.version, boot: header.boot), seed: header.seed, at: header.began)
    http = try HTTPClient(loop: loop, caFile: start.config.ably?.caFile)
    // The handlers below need the daemon, which is not whole yet; they find it once it is.
    let me = DaemonReference()
    store = try SQLiteStore(path: start.stateDirectory + "/bridge.db", loop: loop) { outcome in
      me.daemon?.take(.stored(outcome))
    }
    timer = loop.timer { me.daemon?.take(.deadline) }
    clockTimer = loop.timer { me.daemon?.checkClock() }
    me.daemon = self
    loop.beforeSleep = { me.daemon?.endTurn() }
    try listen(start, me)
  }

  private func listen(_ start: DaemonStart, _ me: DaemonReference) throws(PlatformError) {
    signals = try Signals(on: loop) { signal in me.daemon?.received(signal) }
    links = try? LinkMonitor(on: loop) { _ in me.daemon?.take(.linkCameUp) }
    if start.isTerminal {
      terminal = try Terminal(on: loop) { key in me.daemon?.take(.key(key)) }
    }
    lines = LineDesk(start.config.courts, on: loop) { place, news, moment in
      me.daemon?.take(.line(place, news), at: moment)
    }
    try makeBroker(me)
    if let settings = start.config.http {
      server = try HTTPServer(
        settings: HTTPServer.Settings(
          address: settings.listen, port: Int(settings.port),
          allowedHosts: Set(settings.hostNames + [settings.listen, "localhost"])), loop: loop
      ) { request in
        me.daemon?.engine.response(to: request, at: SystemClock.now()) ?? HTTPResponse(status: 503)
      }
    }
    try makeConsoles(me)
    self.me = me
  }

  func makeBroker(_ me: DaemonReference) throws(PlatformError) {
    guard let mqtt = config.mqtt else { return }
    broker = try MQTTConnection(
      settings: MQTTSettings(mqtt, password: mqttPassword, engine: engine), loop: loop
    ) { event in me.daemon?.received(event) }
  }

  func makeConsoles(_ me: DaemonReference) throws(PlatformError) {
    var sources: [any ByteSource] = []
    for (court, courtConfig) in config.courts.enumerated() {
      for (console, consoleConfig) in courtConfig.consoles.enumerated() {
        let address = InputAddress(court: court, console: console)
        sources.append(
          try consoleConfig.source(on: loop) { event, moment in me.daemon?.received(event, from: address, at: moment) })
      }
    }
    consoles = sources
  }

  /// Turns until a signal ends it.
  func run() throws(PlatformError) {
    let contents = store.load()
    try store.start()
    take(.clockChecked(isSynchronised: SystemClock.isSynchronised))
    take(.started(contents))
    broker?.start()
    lines?.start()
    for console in consoles { console.start() }
    clockTimer?.set(after: .seconds(1))
    systemd.ready(status: "\(config.courts.count) court(s), \(config.isRehearsal ? "rehearsal" : "live")")
    systemd.startWatchdog(on: loop)
    try loop.run()
    terminal?.restore()
  }

  // MARK: - Stimuli

  func take(_ stimulus: Stimulus, at moment: Moment = SystemClock.now()) {
    recording?.note(stimulus, at: moment)
    for action in engine.handle(stimulus, at: moment) { perform(action) }
  }

  private func endTurn() {
    guard engine.isTurnOpen else { return }
    for action in engine.endTurn(at: SystemClock.now()) { perform(action) }
    timer?.set(to: engine.nextDeadline)
    guard !brokerNews.isEmpty else { return }
    let news = brokerNews
    brokerNews = []
    for one in news { take(.brokerSaid(one)) }
  }

  private func received(_ signal: Signals.Signal) {
    switch signal {
    case .terminate, .interrupt: end()
    case .hangUp: reload()
    case .resumed: try? terminal?.resume()
    }
  }

  private func received(_ event: ByteSourceEvent, from address: InputAddress, at moment: Moment) {
    switch event {
    case .up: take(.feedOpened(address), at: moment)
    case .bytes(let bytes): take(.bytes(bytes, from: address), at: moment)
    case .down(let error): take(.feedClosed(address, reason: error.description), at: moment)
    }
  }

  private func received(_ event: MQTTConnectionEvent) {
    switch event {
    case .connected(let session):
      let name = config.mqtt.map { "\($0.brokers[session.broker].host):\($0.brokers[session.broker].port)" } ?? ""
      for address in session.silentAddresses {
        log.warning("an address of the broker does not answer", ["broker": name, "address": address])
      }
      take(.broker(.connected(broker: name, maximumPacketSize: session.maximumPacketSize)))
    case .subscribed(let refused): take(.brokerSaid(.subscribed(refused: refused)))
    case .message(let message): take(.message(message))
    case .notPublished(let topic, let reason): take(.brokerSaid(.notPublished(topic: topic, reason: reason)))
    case .disconnected(let loss, _, let reason, _):
      switch loss {
      case .loginRefused: take(.broker(.loginRefused(reason: reason)))
      case .takenOver: take(.broker(.clientIDTaken))
      case .unreachable, .tlsFailed, .refused, .lost: take(.broker(.lost(reason: reason)))
      }
    }
  }

  /// Whoever waits for the clock, waits for it alone: while it is not believed, it is looked at every second.
  private func checkClock() {
    take(.clockChecked(isSynchronised: SystemClock.isSynchronised))
    clockTimer?.set(after: engine.believesClock ? Self.clockInterval : .seconds(1))
  }

  // MARK: - Actions

  private func perform(_ action: Action) {
    switch action {
    case .send(let attempt): send(attempt)
    case .persist(let batch): store.submit(batch)
    case .publish(let publication): publish(publication)
    case .readLine(let place): lines?.read(place)
    case .light(let place, let isLit): lines?.light(place, isLit)
    case .log(let line): write(line)
    case .show(let line): show(line)
    case .stop: finish()
    }
  }

  private func send(_ attempt: AblyAttempt) {
    let options = HTTPClient.Options(openTimeout: attempt.openTimeout, deadline: attempt.timeout)
    http.send(attempt.request, options: options) { [unowned self] result, _ in
      take(.answered(call: attempt.call, result))
    }
  }

  private func publish(_ publication: MQTTPublication) {
    guard let broker else { return }
    switch broker.publish(publication) {
    case .handedOver, .notConnected: break
    case .tooLarge(let limit): brokerNews.append(.tooLarge(topic: publication.topic, limit: limit))
    case .full: brokerNews.append(.tooSlow(topic: publication.topic))
    }
  }

  private func write(_ line: LogLine) {
    let fields = line.fields.map { (key: $0.key, value: $0.value) }
    let level: Log.Level =
      switch line.level {
      case .error: .error
      case .warning: .warning
      case .notice: .notice
      case .info: .info
      case .debug: .debug
      }
    // A person at the terminal reads presses, not the log of presses.
    if isTold, level >= .info { return }
    log.log(level, line.event, fields)
  }

  private func show(_ line: TerminalLine) {
    guard isTold else { return }
    var text = line.text
    if let since = line.since {
      let microseconds = (SystemClock.now().instant - since).nanoseconds / 1000
      text += " (\(microseconds / 1000).\(String(1000 + microseconds % 1000).dropFirst().prefix(2)) ms)"
    }
    StandardStreams.out(text + "\n")
  }

  // MARK: - The end

  /// Asked to end: five seconds at most, whatever hangs.
  private func end() {
    guard !isEnding else { return loop.stop() }
    isEnding = true
    systemd.stopping(status: "ending")
    let bound = loop.timer { [unowned self] in
      log.error("gave up waiting for the disk or the broker")
      loop.stop()
    }
    bound.set(after: Self.endBound)
    for console in consoles { console.stop() }
    lines?.stop()
    take(.terminate)
  }

  /// The last commit is on the disk; the broker hears goodbye, and the store is closed.
  private func finish() {
    let close: () -> Void = { [unowned self] in store.close { [unowned self] in loop.stop() } }
    guard let broker else { return close() }
    broker.stop(within: .seconds(1), done: close)
  }

  private static let clockInterval = Duration.seconds(60)
  private static let endBound = Duration.milliseconds(4500)
}

/// Lets callbacks find a daemon that was not whole when they were made.
final class DaemonReference {
  weak var daemon: Daemon?
}

extension SystemClock {
  /// Nil when the kernel would not tell.
  static var isSynchronised: Bool? {
    switch synchronisation() {
    case .synchronised: true
    case .unsynchronised: false
    case .unknown: nil
    }
  }
}
