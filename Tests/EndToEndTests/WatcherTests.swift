import Foundation
import StandIn
import Testing

/// Somebody far away who has only the broker to go by, or the daemon's own server: is he ever told that all is well when
/// it is not?
@Suite("A watcher far away", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct WatcherTests {
  /// A daemon without a provider, and its server's port.
  private static func options() throws -> (Rig.Options, place: String) {
    var options = MQTTTests.options
    let port = try Broker.freePort()
    options.configLines = ["http: {listen: 127.0.0.1, port: \(port)}"]
    return (options, "http://127.0.0.1:\(port)")
  }

  private func online(_ rig: Rig) throws -> Subscription {
    let topics = try #require(rig.broker).subscribe("\(Rig.topics)/#")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    return topics
  }

  /// The `status` command's screen, once it says a text; what it said last is in the failure.
  private func screen(_ rig: Rig, _ words: [String], says texts: String...) throws {
    var last = ""
    for _ in 0..<40 {
      let screen = try rig.command(["status"] + words)
      last = "\(screen)"
      if texts.contains(where: screen.out.contains) {
        #expect(screen.code == 1, "\(last)")
        return
      }
      Thread.sleep(forTimeInterval: 0.25)
    }
    Issue.record("the status never said \(texts): \(last)")
  }

  @Test("B71: a second client with our id is found out: the status says so, and we come back in half a minute at best")
  func takenID() throws {
    let (options, place) = try Self.options()
    try withRig(options) { rig throws in
      try rig.start()
      let broker = try #require(rig.broker)
      _ = try online(rig)
      let ours = try #require(broker.log.split(separator: "\n").first { $0.contains(" as scoreboard-bridge-") })
      let words = ours.components(separatedBy: " as ").last?.split(separator: " ") ?? []
      let id = try #require(words.first)
      // It comes back as stubbornly as we would.
      let other = try Child(
        try #require(Child.find("mosquitto_sub")),
        ["-h", "127.0.0.1", "-p", "\(broker.port)", "-i", String(id), "-k", "61", "-t", "nothing"])
      defer { other.terminate() }
      try screen(rig, ["--http", place], says: "client id in use")
      func connections() -> Int {
        broker.log.split(separator: "\n").count { $0.contains("as \(id) ") && !$0.contains("k61") }
      }
      let known = connections()
      #expect(known <= 4)
      Thread.sleep(forTimeInterval: 3)
      #expect(connections() == known)
      #expect(rig.log.components(separatedBy: "client id in use").count == 2)
    }
  }

  @Test("B64: a command that the broker had kept is refused and counted, by the daemon that finds it at its start")
  func retainedCommand() throws {
    try withRig(MQTTTests.options) { rig throws in
      let broker = try #require(rig.broker)
      try broker.publish("\(Rig.court)/cmd/score", "home +1", retained: true)
      let replies = try broker.subscribe("\(Rig.court)/reply")
      try rig.start()
      #expect(replies.message(on: "\(Rig.court)/reply")?.payload.contains("retained") == true)
      let topics = try online(rig)
      #expect(topics.message(on: "\(Rig.court)/state")?.json?["home"]?["score"]?.integer == 0)
      // The next change of the status carries the count.
      try rig.command("practice", "on")
      let status = topics.message(on: "\(Rig.topics)/status") {
        $0.json?["commands"]?["retainedRefused"]?.integer == 1
      }
      #expect(status != nil)
    }
  }

  @Test("B72: the same command twice, word for word, is answered twice and counts once")
  func twice() throws {
    try withRig(MQTTTests.options) { rig throws in
      try rig.start()
      let topics = try online(rig)
      for _ in 1...2 { try rig.score("home", 1, id: "same") }
      try rig.score("away", 1, id: "last")
      #expect(topics.message(on: "\(Rig.court)/reply") { $0.payload.contains("last") } != nil)
      let answers = topics.messages.filter { $0.topic == "\(Rig.court)/reply" && $0.payload.contains("same") }
      #expect(answers.count == 2 && answers.allSatisfy { $0.json?["result"]?.string == "done" })
      let state = topics.message(on: "\(Rig.court)/state") { $0.json?["away"]?["score"]?.integer == 1 }
      #expect(state?.json?["home"]?["score"]?.integer == 1)
    }
  }

  @Test("R-01, B67: a daemon that hangs is lost within 1.5 times the keep-alive, and online when it goes on")
  func frozen() throws {
    try withRig(MQTTTests.options) { rig throws in
      try rig.start()
      let topics = try online(rig)
      let daemon = try #require(rig.daemon)
      daemon.signal(SIGSTOP)
      defer { daemon.signal(SIGCONT) }
      let lost = topics.message(on: "\(Rig.topics)/availability", within: .seconds(12)) { $0.payload == "lost" }
      #expect(lost != nil)
      let port = try #require(rig.broker?.port)
      let late = try rig.command(["status", "--mqtt", "127.0.0.1:\(port)"])
      #expect(late.code == 1 && late.out.contains("lost"), "\(late)")
      daemon.signal(SIGCONT)
      let broker = try #require(rig.broker)
      for _ in 0..<40
      where try broker.subscribe("\(Rig.topics)/availability").message(
        on: "\(Rig.topics)/availability")?.payload != "online"
      { Thread.sleep(forTimeInterval: 0.25) }
      #expect(
        try broker.subscribe("\(Rig.topics)/availability").message(on: "\(Rig.topics)/availability")?.payload
          == "online")
    }
  }

  @Test("two boards with one venue's config: both say that there is another one, and the one that stays is online")
  func twoDaemons() throws {
    let unshare = try #require(Child.find("unshare"))
    guard geteuid() == 0, FileManager.default.fileExists(atPath: "/etc/machine-id") else {
      print("skipped: needs root and /etc/machine-id, to give the second daemon another machine's name")
      return
    }
    let (options, place) = try Self.options()
    try withRig(options) { rig throws in
      try rig.start()
      let topics = try online(rig)
      let broker = try #require(rig.broker)
      let folder = "\(rig.folder)/other"
      try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
      try "0123456789abcdef0123456789abcdef\n".write(toFile: "\(folder)/id", atomically: true, encoding: .utf8)
      let config = rig.config.replacingOccurrences(of: rig.stateFolder, with: folder)
        .replacingOccurrences(of: options.configLines[0] + "\n", with: "")
      try config.write(toFile: "\(folder)/config.yaml", atomically: true, encoding: .utf8)
      let program = try #require(Rig.program)
      let run = "mount --bind \(folder)/id /etc/machine-id && exec '\(program)' run --config '\(folder)/config.yaml'"
      let other = try Child(
        unshare, ["--mount", "/bin/sh", "-c", run], environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
      defer { other.terminate() }
      try #require(other.line { $0.contains("broker connected") } != nil, "\(other.text(.error))")
      // Ours says it on its own server, both on the topic that they share.
      try screen(rig, ["--http", place], says: "another-daemon")
      let said = topics.messages.filter { $0.topic == "\(Rig.topics)/status" && $0.payload.contains("another-daemon") }
      _ = topics.message(on: "\(Rig.topics)/status") { message in
        message.payload.contains("another-daemon")
          && said.first.map { $0.json?["run"]?.string != message.json?["run"]?.string } ?? false
      }
      let runs = topics.messages.filter { $0.topic == "\(Rig.topics)/status" && $0.payload.contains("another-daemon") }
        .compactMap { $0.json?["run"]?.string }
      #expect(Set(runs).count == 2)
      try screen(rig, ["--mqtt", "127.0.0.1:\(broker.port)"], says: "another-daemon")
      let before = topics.messages.count
      #expect(other.terminate() == 0)
      // Its farewell is contradicted by the one that is still there.
      for _ in 0..<40
      where topics.messages.dropFirst(before).last(where: { $0.topic.hasSuffix("availability") })?.payload
        != "online"
      { Thread.sleep(forTimeInterval: 0.1) }
      let words = topics.messages.dropFirst(before).filter { $0.topic.hasSuffix("/availability") }.map(\.payload)
      #expect(words.contains("offline") && words.last == "online")
    }
  }

  @Test(
    "B73: what a broker is too small for, or forbids, is in the status, and the link stays up",
    arguments: [
      ("max_packet_size 600", "message-too-large"), ("message_size_limit 600", "not-published"),
      ("acl", "not-published"),
    ])
  func narrowBroker(_ line: String, _ code: String) throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("acl-\(UUID().uuidString.prefix(8))")
      .path
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    // The state is forgotten in this list.
    try """
    topic readwrite \(Rig.topics)/availability
    topic readwrite \(Rig.topics)/status
    topic write \(Rig.court)/activity
    topic write \(Rig.court)/event
    """.write(toFile: "\(folder)/acl", atomically: true, encoding: .utf8)
    let broker = try Broker(folder: folder, lines: ["user root", line == "acl" ? "acl_file \(folder)/acl" : line])
    defer { broker.stop() }
    var (options, place) = try Self.options()
    options.hasBroker = false
    options.configLines.append("mqtt: {brokers: [{host: 127.0.0.1, port: \(broker.port)}], keep_alive: 8s}")
    try withRig(options) { rig throws in
      try rig.start()
      // Newer libraries do not take the answer of a broker to which a message is too large, and hang up themselves, once
      // for each kind of message that is too large.
      let isCut = line.hasPrefix("message_size_limit")
      try screen(rig, ["--http", place], says: code, isCut ? "message-too-large" : code)
      Thread.sleep(forTimeInterval: 2)
      let connections = broker.log.split(separator: "\n").count { $0.contains(" as scoreboard-bridge-") }
      #expect(connections == 1 || isCut && connections <= 4)
      #expect(try !rig.command(["status", "--http", place]).out.contains("client id in use"))
      #expect(
        try broker.subscribe("\(Rig.topics)/availability").message(on: "\(Rig.topics)/availability")?.payload
          == "online")
    }
  }

  @Test("where several venues share a broker and none is named, nobody is healthy by somebody else's word")
  func severalVenues() throws {
    try withRig(MQTTTests.options) { rig throws in
      try rig.start()
      _ = try online(rig)
      let broker = try #require(rig.broker)
      let words = ["--mqtt", "127.0.0.1:\(broker.port)", "--config", "\(rig.folder)/none.yaml"]
      #expect(try rig.command(["status"] + words).out.contains("Riverside Arena"))
      try broker.publish("scoreboard/harbor/availability", "online", retained: true)
      try broker.publish("scoreboard/harbor/status", #"{"health":"ok"}"#, retained: true)
      try screen(rig, words, says: "scoreboard/harbor, scoreboard/riverside")
      #expect(try rig.command(["status", "--topic", "scoreboard/riverside"] + words).out.contains("Riverside Arena"))
    }
  }
}
