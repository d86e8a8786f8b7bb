import Bridge
import Document
import GameCore
import Input
import Platform
import Publishing

/// Everything that is decided before the daemon is made.
struct DaemonStart {
  var config: Config
  var courts: [CourtSettings]
  var provider: Provider
  var stateDirectory: String
  var mqttPassword: String?
  /// Somebody watches and presses keys.
  var isTerminal: Bool
  /// Where everything that comes from outside is written.
  var recordingPath: String?
}

extension DaemonStart {
  /// Out of a file whose config is whole, and the command line.
  init(_ file: ConfigFile, _ arguments: Arguments) throws {
    guard var config = file.config else { preconditionFailure("A file with problems starts nothing.") }
    if let place = arguments["--mqtt"].flatMap({ HostPort($0) }) {
      var mqtt = config.mqtt ?? MQTTConfig()
      mqtt.use(place)
      config.mqtt = mqtt
    }
    var courts: [CourtSettings] = []
    for court in config.courts { courts.append(try CourtSettings(court, texts: config.texts)) }
    self.init(
      config: config, courts: courts, provider: try Provider.named(in: config, key: file.ablyKey),
      stateDirectory: arguments["--state"] ?? config.stateDirectory ?? StateDirectory.usual,
      mqttPassword: file.mqttPassword, isTerminal: StandardStreams.isTerminal)
  }
}

extension EnginePorts {
  static var platform: EnginePorts {
    EnginePorts(
      json: { try? JSONDocument.parse($0) },
      hmac: { key, message in Crypto.hmacSHA256(message, key: key) },
      localDay: VenueTimeZone.day(of:),
      wallTime: {
        VenueTimeZone.wallTime(ofLocal: $0.secondsAsIfUTC) ?? WallTime(milliseconds: $0.secondsAsIfUTC * 1000)
      })
  }
}

extension Provider {
  /// Where pushes go: nowhere in a rehearsal, and nowhere, loudly, when the named service's key is missing.
  static func named(in config: Config, key: AblyKey?) throws(LocalRefusal) -> Provider {
    let agent = "scoreboard-bridge/\(Command.version)"
    guard let ably = config.ably, !config.isRehearsal else {
      let key = try AblyKey("rehearsal.rehearsal:rehearsal")
      var settings = try AblySettings(hosts: try AblyHosts(), credential: .key(key), agent: agent)
      settings.contract = config.contract
      return .rehearsal(settings, json: EnginePorts.platform.json)
    }
    guard let key else { return .down(reason: "ably key missing") }
    let hosts = try AblyHosts(
      endpoint: ably.endpoint, fallbacks: ably.fallbackHosts, port: ably.port == 443 ? nil : Int(ably.port))
    var settings = try AblySettings(hosts: hosts, credential: .key(key), agent: agent)
    settings.contract = config.contract
    settings.openTimeout = ably.openTimeout
    settings.requestTimeout = ably.requestTimeout
    return .service(settings, json: EnginePorts.platform.json, hmac: EnginePorts.platform.hmac)
  }
}

extension MQTTSettings {
  init(_ mqtt: MQTTConfig, password: String?, engine: Engine) {
    self.init(
      mqtt, clientID: "scoreboard-bridge-" + (MachineIdentity.read()?.prefix(12) ?? "board"), password: password,
      subscriptions: engine.subscriptions.map { MQTTSettings.Subscription($0.filter, qos: $0.qos) })
    will = engine.will
    farewell = engine.farewell
  }

  /// The brokers of the config, without a will.
  init(_ mqtt: MQTTConfig, clientID: String, password: String?, subscriptions: [Subscription]) {
    self.init(
      brokers: mqtt.brokers.map { broker in
        MQTTSettings.Broker(
          host: broker.host, port: Int(broker.port),
          tls: broker.tls.map {
            MQTTSettings.TLS(
              caFile: $0.caFile, certificateFile: $0.certificateFile, keyFile: $0.keyFile, alpn: $0.alpn)
          })
      },
      clientID: clientID, username: mqtt.username, password: password, keepAlive: mqtt.keepAlive,
      subscriptions: subscriptions)
  }
}

extension ConsoleConfig {
  /// The port or socket that brings this console's bytes.
  func source(on loop: EventLoop, _ handler: @escaping ByteHandler) throws(PlatformError) -> any ByteSource {
    switch transport {
    case .device(let path, let line):
      return SerialPort(path: path, settings: SerialSettings(line), on: loop, handler)
    case .listen(let place):
      guard let address = SocketAddress(numeric: place.host, port: place.port) else {
        throw PlatformError(
          operation: "listen on", subject: place.description, reason: "this is not an address of this machine",
          hint: "write it in digits, such as 0.0.0.0:4001")
      }
      return TCPListener(at: address, on: loop, handler)
    case .connect(let place): return TCPDialer(host: place.host, port: place.port, on: loop, handler)
    case .udp(let place):
      guard let address = SocketAddress(numeric: place.host, port: place.port) else {
        throw PlatformError(
          operation: "listen on", subject: place.description, reason: "this is not an address",
          hint: "write it in digits, such as 224.51.105.104:21000")
      }
      return UDPReceiver(at: address, on: loop, handler)
    }
  }
}

extension SerialSettings {
  init(_ line: ConsoleLine) {
    self.init(
      baudRate: line.baudRate, dataBits: DataBits(rawValue: Int(line.dataBits)) ?? .eight,
      stopBits: StopBits(rawValue: Int(line.stopBits)) ?? .one)
    switch line.parity {
    case .none: parity = .none
    case .even: parity = .even
    case .odd: parity = .odd
    }
  }
}
