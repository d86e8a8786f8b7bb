import Foundation
import StandIn
import Testing

/// The built daemon and a real broker, as they part and meet again.
@Suite("The built daemon and its broker", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct MQTTTests {
  static var options: Rig.Options {
    var options = Rig.Options()
    options.hasProvider = false
    options.hasKeyboard = false
    options.pattern = nil
    options.game = "{home: {name: Riverton, code: riv}, away: {name: Harbor City, code: har}}"
    return options
  }

  private func online(_ rig: Rig) throws -> Subscription {
    let topics = try #require(rig.broker).subscribe("\(Rig.topics)/#")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    return topics
  }

  @Test("a thousand commands with ids through a broker's restart: each is answered, none is applied twice")
  func thousand() throws {
    try withRig(MQTTTests.options) { rig throws in
      try rig.start()
      let broker = try #require(rig.broker)
      let topics = try online(rig)
      var open = Set((1...1000).map { "c\($0)" })
      var answers: [String: String] = [:]
      var rounds = 0
      let limit = Date().addingTimeInterval(90)
      while !open.isEmpty, Date() < limit {
        rounds += 1
        let sender = try send(open, rig)
        if rounds == 1 {
          // Somewhere in the middle of it.
          _ = topics.message(on: "\(Rig.court)/reply") { $0.payload.contains("\"done\"") }
          broker.stop()
          Thread.sleep(forTimeInterval: 0.3)
          try broker.start()
        }
        _ = sender.exitCode(within: .seconds(20))
        sender.terminate()
        var known = -1
        while known != answers.count {
          known = answers.count
          Thread.sleep(forTimeInterval: 1.5)
          for message in topics.messages where message.topic == "\(Rig.court)/reply" {
            if let id = message.json?["id"]?.string { answers[id] = message.json?["result"]?.string }
          }
        }
        open.subtract(answers.keys)
      }
      #expect(open.isEmpty, "\(open.count) are unanswered after \(rounds) rounds")
      #expect(answers.values.allSatisfy { $0 == "done" })
      let state = topics.messages.last { $0.topic == "\(Rig.court)/state" }
      #expect(state?.json?["home"]?["score"]?.integer == 1000)
      print("1000 commands in \(rounds) rounds")
    }
  }

  /// One connection, as fast as it goes.
  private func send(_ ids: Set<String>, _ rig: Rig) throws -> Child {
    let lines = ids.sorted().map { #"{"id":"\#($0)","team":"home","points":1}"# }.joined(separator: "\n") + "\n"
    let file = "\(rig.folder)/commands-\(UUID().uuidString.prefix(6))"
    try lines.write(toFile: file, atomically: true, encoding: .utf8)
    let port = try #require(rig.broker?.port)
    return try Child(
      "/bin/sh",
      ["-c", "exec mosquitto_pub -h 127.0.0.1 -p \(port) -q 1 -t \(Rig.court)/cmd/score -l < '\(file)'"],
      environment: ["PATH": "/usr/bin:/bin"])
  }

  @Test("B60, B68: a broker that comes back without its memory knows everything again, and commands are heard")
  func wiped() throws {
    var options = MQTTTests.options
    options.configLines = []
    try withRig(options) { rig throws in
      try rig.start()
      let broker = try #require(rig.broker)
      _ = try online(rig)
      try rig.score("home", 2, id: "before")
      broker.stop()
      try broker.start()
      let topics = try broker.subscribe("\(Rig.topics)/#")
      for topic in ["availability", "status", "court/main/state", "court/main/activity"] {
        #expect(topics.message(on: "\(Rig.topics)/\(topic)", within: .seconds(5)) != nil, "\(topic) is not back")
      }
      try rig.score("home", 3, id: "after")
      #expect(
        topics.message(on: "\(Rig.court)/state") { $0.json?["home"]?["score"]?.integer == 5 } != nil)
    }
  }

  @Test("B66: what changed while the broker was away is told once, the newest value, and never an older one after it")
  func newest() throws {
    var options = MQTTTests.options
    options.pattern = Rig.Options().pattern
    try withRig(options) { rig throws in
      try rig.start()
      let broker = try #require(rig.broker)
      _ = try online(rig)
      rig.line(home: 1, away: 0)
      let first = try broker.subscribe("\(Rig.court)/state")
      try #require(first.message(on: "\(Rig.court)/state") { $0.json?["home"]?["score"]?.integer == 1 } != nil)
      broker.stop()
      for home in 2...4 {
        rig.line(home: home, away: 0)
        Thread.sleep(forTimeInterval: 0.1)
      }
      try broker.start()
      let topics = try broker.subscribe("\(Rig.court)/state")
      try #require(topics.message(on: "\(Rig.court)/state") { $0.json?["home"]?["score"]?.integer == 4 } != nil)
      Thread.sleep(forTimeInterval: 1)
      #expect(Set(topics.messages.compactMap { $0.json?["home"]?["score"]?.integer }) == [4])
    }
  }

  @Test("the access list in the documentation, as it stands there, lets each account do its part and no more")
  func rights() throws {
    let page = try String(
      contentsOf: URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().appendingPathComponent("Sources/Bridge/topics.md"), encoding: .utf8)
    let behind = try #require(page.components(separatedBy: "```acl\n").dropFirst().first)
    let recipe = try #require(behind.components(separatedBy: "```").first)
    let program = try #require(Child.find("mosquitto_passwd"))
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("acl-\(UUID().uuidString.prefix(8))")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    try recipe.write(toFile: "\(folder)/acl", atomically: true, encoding: .utf8)
    for (number, user) in ["bridge", "watcher", "desk"].enumerated() {
      let flags = number == 0 ? ["-c", "-b"] : ["-b"]
      #expect(try Child.run(program, flags + ["\(folder)/passwords", user, "secret-\(user)"]).code == 0)
    }
    try "secret-bridge\n".write(toFile: "\(folder)/password", atomically: true, encoding: .utf8)
    chmod("\(folder)/password", 0o600)
    let broker = try Broker(
      folder: folder,
      lines: ["allow_anonymous false", "user root", "acl_file \(folder)/acl", "password_file \(folder)/passwords"])
    defer { broker.stop() }
    var options = MQTTTests.options
    options.hasBroker = false
    options.configLines = [
      "mqtt:", "  brokers: [{host: 127.0.0.1, port: \(broker.port)}]", "  username: bridge",
      "  password: {file: \(folder)/password}", "  keep_alive: 8s",
    ]
    try withRig(options) { rig throws in
      try rig.start()
      func listen(_ user: String, _ filter: String) throws -> Child {
        try Child(
          try #require(Child.find("mosquitto_sub")),
          ["-h", "127.0.0.1", "-p", "\(broker.port)", "-u", user, "-P", "secret-\(user)", "-t", filter, "-v"])
      }
      func publish(_ user: String, _ topic: String, _ payload: String) throws {
        _ = try Child.run(
          try #require(Child.find("mosquitto_pub")),
          [
            "-h", "127.0.0.1", "-p", "\(broker.port)", "-u", user, "-P", "secret-\(user)", "-q", "1", "-t", topic, "-m",
            payload,
          ])
      }
      let watcher = try listen("watcher", "#")
      let desk = try listen("desk", "#")
      defer {
        watcher.terminate()
        desk.terminate()
      }
      #expect(watcher.line { $0 == "\(Rig.topics)/availability online" } != nil)
      #expect(watcher.line { $0.hasPrefix("\(Rig.topics)/status {") } != nil)
      #expect(desk.line { $0.hasPrefix("\(Rig.court)/state {") } != nil)
      // Neither the watcher nor the desk may speak in the daemon's name, and the watcher may not command.
      try publish("watcher", "\(Rig.court)/cmd/score", #"{"id":"w","team":"away","points":9}"#)
      try publish("desk", "\(Rig.topics)/availability", "offline")
      try publish("desk", "\(Rig.court)/cmd/score", #"{"id":"d","team":"home","points":2}"#)
      #expect(desk.line { $0.contains("\(Rig.court)/reply") && $0.contains("\"d\"") && $0.contains("done") } != nil)
      #expect(watcher.line { $0.hasPrefix("\(Rig.court)/state") && $0.contains("\"score\":2") } != nil)
      #expect(watcher.line { $0.hasPrefix("\(Rig.court)/event") && $0.contains("mqtt-d") } != nil)
      let heard = (watcher.lines + desk.lines).map(\.text)
      #expect(!heard.contains { $0.contains("mqtt-w") || $0.hasSuffix("availability offline") })
      #expect(!watcher.lines.contains { $0.text.contains("/cmd/") || $0.text.contains("/reply") })
      #expect(!desk.lines.contains { $0.text.contains("/cmd/") || $0.text.contains("/status") })
      #expect(!rig.log.contains("secret-bridge"))
    }
  }

  @Test("B69: a refused login is said once, with what it is, and the password stays out of the log")
  func login() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("login-\(UUID().uuidString.prefix(8))")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = try #require(Child.find("mosquitto_passwd"))
    _ = try Child.run(program, ["-c", "-b", "\(folder)/passwords", "bridge", "right"])
    try "wrong-secret\n".write(toFile: "\(folder)/password", atomically: true, encoding: .utf8)
    chmod("\(folder)/password", 0o600)
    let broker = try Broker(
      folder: folder, lines: ["allow_anonymous false", "user root", "password_file \(folder)/passwords"])
    defer { broker.stop() }
    let port = try Broker.freePort()
    var options = MQTTTests.options
    options.hasBroker = false
    options.configLines = [
      "mqtt: {brokers: [{host: 127.0.0.1, port: \(broker.port)}], username: bridge, password: {file: \(folder)/password}}",
      "http: {listen: 127.0.0.1, port: \(port)}",
    ]
    try withRig(options) { rig throws in
      try rig.start()
      #expect(rig.daemon?.line { $0.contains("login refused") } != nil)
      Thread.sleep(forTimeInterval: 4)
      #expect(rig.log.components(separatedBy: "login refused").count == 2)
      #expect(!rig.log.contains("wrong-secret"))
      // The same on the watcher's screen, over HTTP.
      let screen = try rig.command(["status", "--http", "http://127.0.0.1:\(port)"])
      #expect(screen.code == 1 && screen.out.contains("login refused") && screen.out.hasPrefix("DEGRADED"), "\(screen)")
    }
  }

  @Test("status tells a healthy daemon from a stopped, a killed and a missing one, on the broker")
  func status() throws {
    try withRig(MQTTTests.options) { rig throws in
      let port = try #require(rig.broker?.port)
      let words = ["status", "--mqtt", "127.0.0.1:\(port)"]
      #expect(try rig.command(words).code == 1)
      try rig.start()
      _ = try online(rig)
      let whole = try rig.command(words + ["--json"])
      #expect(JSON(whole.out.utf8)?["venue"]?.string == "Riverside Arena")
      let screen = try rig.command(words)
      // The clock of a test machine may not be synchronised: healthy is what the status says.
      let health = JSON(whole.out.utf8)?["health"]?.string ?? "?"
      #expect(screen.code == (health == "ok" ? 0 : 1) && screen.out.hasPrefix(health.uppercased()), "\(screen)")
      #expect(screen.out.split(separator: "\n").count <= 24 && screen.out.contains("court main"))
      #expect(try rig.command(words + ["--topic", "scoreboard/nowhere"]).code == 1)
      try rig.kill()
      Thread.sleep(forTimeInterval: 1)
      let lost = try rig.command(words)
      #expect(lost.code == 1 && lost.out.contains("lost"), "\(lost)")
      try rig.start()
      Thread.sleep(forTimeInterval: 2)
      #expect(rig.daemon?.terminate() == 0)
      let stopped = try rig.command(words)
      #expect(stopped.code == 1 && stopped.out.contains("stopped"), "\(stopped)")
      #expect(try rig.command(["status", "--mqtt", "nowhere"]).code == 2)
    }
  }
}
