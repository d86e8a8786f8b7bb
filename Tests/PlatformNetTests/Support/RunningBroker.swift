import Foundation
import GameCore
import Input
import Testing

@testable import Platform

/// A real mosquitto on a port of the test's own.
final class RunningBroker {
  let port: Int
  private let folder: TemporaryFolder
  private let configuration: String
  private var process: ChildProcess?

  static let isPresent = program("mosquitto") != nil

  init(_ lines: [String] = [], allowsAnonymous: Bool = true) throws {
    port = try freePort()
    folder = try TemporaryFolder()
    configuration = try folder.write(
      (["listener \(port) 127.0.0.1", "allow_anonymous \(allowsAnonymous)", "user root"] + lines)
        .joined(separator: "\n") + "\n",
      to: "mosquitto.conf")
    try start()
  }

  func start() throws {
    let process = try ChildProcess("mosquitto", ["-c", configuration, "-v"], output: folder.file("log"))
    self.process = process
    process.waitFor("running")
  }

  /// Everything that it kept is gone: it has no persistence.
  func stop() { process = nil }

  /// Waits until its log has a line with these words.
  func wait(for words: String) { process?.waitFor(words) }

  func freeze() { process?.signal(SIGSTOP) }

  func thaw() { process?.signal(SIGCONT) }
}

/// A connection on a loop, with what it told.
final class RunningConnection {
  let loop: EventLoop
  let connection: MQTTConnection
  private let gathered = Gathered<MQTTConnectionEvent>()

  var events: [MQTTConnectionEvent] { gathered.items }

  init(_ settings: MQTTSettings, on loop: EventLoop? = nil) throws {
    let loop = try loop ?? EventLoop()
    self.loop = loop
    let gathered = gathered
    connection = try MQTTConnection(settings: settings, loop: loop) { gathered.items.append($0) }
    connection.start()
  }

  /// The messages on a topic, as text, with an `r` where the retained flag is set.
  func messages(_ topic: String) -> [String] {
    events.compactMap { event in
      guard case .message(let message) = event, message.topic == topic else { return nil }
      return String(decoding: message.payload, as: UTF8.self) + (message.isRetained ? " r" : "")
    }
  }

  var losses: [MQTTConnectionEvent.Loss] {
    events.compactMap { event in
      if case .disconnected(let loss, _, _, _) = event { loss } else { nil }
    }
  }

  var sessions: [MQTTConnectionEvent.Session] {
    events.compactMap { event in
      if case .connected(let session) = event { session } else { nil }
    }
  }

  /// Turns until all subscriptions of the latest session are answered, for the given session from 1.
  func settle(session: Int = 1) throws {
    try loop.turn { self.events.filter { $0 == .subscribed(refused: []) }.count >= session }
  }

  func publish(_ topic: String, _ text: String, isRetained: Bool = false) -> MQTTPublishOutcome {
    connection.publish(MQTTPublication(topic: topic, payload: [UInt8](text.utf8), isRetained: isRetained))
  }

  func stop() throws {
    let done = Gathered<Bool>()
    connection.stop(within: .seconds(2)) { done.items.append(true) }
    try loop.turn { !done.items.isEmpty }
  }
}

/// Settings with defaults for all that a test is not about.
func settings(
  port: Int, host: String = "127.0.0.1", id: String = "bridge", tls: MQTTSettings.TLS? = nil,
  username: String? = nil, password: String? = nil, keepAlive: Duration = .seconds(10), topics: [String] = [],
  availability: String? = nil
) -> MQTTSettings {
  func say(_ text: String) -> MQTTPublication? {
    availability.map { MQTTPublication(topic: $0, payload: [UInt8](text.utf8), isRetained: true) }
  }
  return MQTTSettings(
    brokers: [.init(host: host, port: port, tls: tls)], clientID: id, username: username, password: password,
    keepAlive: keepAlive, will: say("lost"), farewell: say("offline"),
    subscriptions: topics.map { MQTTSettings.Subscription($0) })
}

/// Cuts this process's connections to a port without a word, as a pulled cable would in the broker's eyes.
func cutConnections(to port: Int) {
  for number: Int32 in 3..<1024 {
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let result = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getpeername(number, $0, &size) }
    }
    if result == 0, Int(UInt16(bigEndian: address.sin_port)) == port { shutdown(number, Int32(SHUT_RDWR)) }
  }
}
