import Bridge
import Document
import GameCore
import Input
import Platform
import Publishing

/// `scoreboard-bridge status`: what a watcher needs, on one screen.
enum StatusCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "status", about: "Says how a daemon is: this machine's over HTTP, or any over its broker.",
        options: [
          Option("--config", "FILE", "Where the daemon is, unless said otherwise (\(ConfigFile.usualPath))."),
          Option("--http", "URL", "The daemon's own server, such as http://127.0.0.1:8080."),
          Option("--mqtt", "HOST:PORT", "A broker, instead; with the config's login and TLS, if it has them."),
          Option("--topic", "PREFIX", "The venue's topics on the broker, such as scoreboard/riverside."),
          Option("--json", nil, "Prints the status as it was received."),
        ],
        notes: """
          Exit code: 0 healthy, 1 degraded, down, silent or unreachable, 2 the command line has a problem.
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    func refuse(_ sentence: String) -> Command.Exit {
      StandardStreams.error("scoreboard-bridge status: \(sentence)\n")
      return .usage
    }
    if arguments["--http"] != nil, arguments["--mqtt"] != nil { return refuse("--http and --mqtt are two places") }
    let source: StatusSource
    if let text = arguments["--http"] {
      guard let place = HTTPPlace(text) else { return refuse("--http wants a URL such as http://127.0.0.1:8080") }
      source = .http(place)
    } else {
      let file = ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath)
      var mqtt = file.config?.mqtt
      if let text = arguments["--mqtt"] {
        guard let place = HostPort(text) else { return refuse("--mqtt wants HOST:PORT, such as 127.0.0.1:1883") }
        mqtt = mqtt ?? MQTTConfig()
        mqtt?.use(place)
      } else if let http = file.config?.http {
        let host = ["0.0.0.0", "::"].contains(http.listen) ? "127.0.0.1" : http.listen
        return tell(.http(HTTPPlace(host: host, port: Int(http.port))), asJSON: arguments.has("--json"))
      }
      guard let mqtt, !mqtt.brokers.isEmpty else {
        return refuse("the config names neither http nor mqtt; say --http URL or --mqtt HOST:PORT")
      }
      let prefix = arguments["--topic"] ?? file.config?.topicPrefix ?? "scoreboard/+"
      source = .broker(mqtt, password: file.mqttPassword, prefix: prefix)
    }
    return tell(source, asJSON: arguments.has("--json"))
  }

  private static func tell(_ source: StatusSource, asJSON: Bool) -> Command.Exit {
    do throws(PlatformError) {
      let heard = try source.ask()
      let page = StatusPage(heard, now: SystemClock.now().wall)
      if asJSON {
        guard let status = heard.status else {
          StandardStreams.error(page.text)
          return .problem
        }
        StandardStreams.out(String(decoding: status, as: UTF8.self) + "\n")
      } else {
        StandardStreams.out(page.text)
      }
      return page.isHealthy ? .fine : .problem
    } catch {
      StandardStreams.error("scoreboard-bridge status: \(error)\n")
      return .problem
    }
  }
}

/// Scheme, host and port of a daemon's server.
struct HTTPPlace: Equatable {
  var host: String
  var port: Int

  init(host: String, port: Int) {
    self.host = host
    self.port = port
  }

  init?(_ url: String) {
    guard url.hasPrefix("http://") else { return nil }
    var rest = url.dropFirst(7)
    while rest.last == "/" { rest.removeLast() }
    guard !rest.holds("/"), !rest.holds("@") else { return nil }
    guard let place = HostPort(String(rest)) ?? HostPort("\(rest):80") else { return nil }
    self.init(host: place.host, port: Int(place.port))
  }
}

/// What was learned of a daemon.
struct StatusHeard: Equatable {
  /// Of the broker; nil over HTTP, where an answer is proof enough.
  var availability: String?
  var status: [UInt8]?
  /// Why there is nothing more.
  var trouble: String?

  /// All that a broker has to say of a venue.
  var isWhole: Bool { status != nil && availability != nil }
}

enum StatusSource {
  case http(HTTPPlace)
  case broker(MQTTConfig, password: String?, prefix: String)

  private static let patience = Duration.seconds(4)

  /// Asks once and waits a few seconds at most.
  func ask() throws(PlatformError) -> StatusHeard {
    switch self {
    case .http(let place): try Self.ask(place)
    case .broker(let mqtt, let password, let prefix): try Self.listen(mqtt, password: password, prefix: prefix)
    }
  }

  private static func ask(_ place: HTTPPlace) throws(PlatformError) -> StatusHeard {
    let loop = try EventLoop()
    let client = try HTTPClient(loop: loop)
    var heard = StatusHeard()
    let request = HTTPRequest(method: "GET", scheme: "http", host: place.host, port: place.port, target: "/status")
    client.send(request, options: HTTPClient.Options(deadline: patience)) { result, _ in
      switch result {
      case .answered(let response) where response.status == 200: heard.status = response.body
      case .answered(let response): heard.trouble = "the server answers \(response.status)"
      case .notSent(let fault), .ambiguous(let fault): heard.trouble = fault.detail
      }
      loop.stop()
    }
    try loop.run()
    return heard
  }

  private static func listen(
    _ mqtt: MQTTConfig, password: String?, prefix: String
  ) throws(PlatformError) -> StatusHeard {
    let loop = try EventLoop()
    var trouble: String? = "the broker does not answer"
    var venues: [String: StatusHeard] = [:]
    let bound = loop.timer { loop.stop() }
    let number = Crypto.randomBytes(6).map { String($0, radix: 16) }.joined()
    let settings = MQTTSettings(
      mqtt, clientID: "scoreboard-status-\(number)", password: password,
      subscriptions: ["\(prefix)/availability", "\(prefix)/status"].map {
        MQTTSettings.Subscription($0, qos: .atMostOnce)
      })
    let connection = try MQTTConnection(settings: settings, loop: loop) { event in
      switch event {
      case .connected, .notPublished: break
      case .subscribed: trouble = "the broker knows nothing of \(prefix)"
      case .disconnected(_, _, let reason, _): trouble = "broker: \(reason)"
      case .message(let message):
        guard let end = message.topic.lastIndex(of: "/") else { return }
        let name = String(message.topic[..<end])
        switch message.topic[message.topic.index(after: end)...] {
        case "availability":
          venues[name, default: .init()].availability = String(decoding: message.payload, as: UTF8.self)
        case "status": venues[name, default: .init()].status = message.payload
        case _: return
        }
        guard venues[name]?.isWhole == true else { return }
        // Where no venue was named, another one may be about to speak.
        if prefix.holds("+") { bound.set(after: .milliseconds(500)) } else { loop.stop() }
      }
    }
    bound.set(after: patience)
    connection.start()
    try loop.run()
    guard venues.count < 2 else {
      let names = venues.keys.sorted().joined(separator: ", ")
      return StatusHeard(trouble: "several venues are on this broker (\(names)); name one with --topic")
    }
    var heard = venues.values.first ?? StatusHeard()
    if !heard.isWhole { heard.trouble = trouble }
    return heard
  }
}
