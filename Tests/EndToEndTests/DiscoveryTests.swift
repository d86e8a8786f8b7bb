import Foundation
import GameCore
import LiveContract
import StandIn
import Testing

/// How an app finds the game: one value on MQTT, on the court's Ably channel and over HTTP.
@Suite(
  "The built daemon and apps that look for the game", .enabled(if: Needs.daemon), .enabled(if: Needs.broker),
  .serialized)
struct DiscoveryTests {
  @Test("the same value is retained on MQTT, newest on the court's channel and answered over HTTP, and no phone wakes")
  func oneValue() throws {
    let port = try Broker.freePort()
    var options = Rig.Options()
    options.pattern = nil
    options.configLines = ["http: {listen: 127.0.0.1, port: \(port), host_names: [scores.arena.example]}"]
    try withRig(options) { rig throws in
      try rig.start()
      let topics = try #require(rig.broker).subscribe("\(Rig.court)/activity")
      try rig.openGame()
      let retained = try #require(
        topics.message(on: "\(Rig.court)/activity") { $0.json?["status"]?.string == "started" }?.json)
      let isThere = rig.standIn.wait { Rig.courtValues($0).last?.text == retained.text }
      try #require(isThere != nil, "\(rig.courtValues)")
      let answer = try HTTPAsk.send("GET /app/courts/1 HTTP/1.1\r\nHost: 127.0.0.1:\(port)\r\n\r\n", to: port)
      #expect(answer.status == 200 && answer.body == retained.text)
      #expect(try HTTPAsk.send("GET /app/courts/main HTTP/1.1\r\nHost: localhost\r\n\r\n", to: port).status == 200)

      let channel = rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.first?.appleChannel }
      #expect(retained["apnsChannelId"]?.string == channel)
      #expect(retained["androidChannel"]?.string?.hasPrefix("live-android:bb-") == true)
      // Full values, each once, never two at a time, and nothing that a phone would be woken by.
      let messages = rig.standIn.requests(.publish).filter { $0.subject == "scoreboard:riverside:main" }
      #expect(messages.allSatisfy { $0.message?["extras"] == nil && $0.message?["encoding"]?.string == "json" })
      #expect(Set(messages.compactMap { $0.message?["id"]?.string }).count == messages.count)
      #expect(rig.standIn.refusals.map { "\($0.target) \($0.ownAnswer?.body ?? "")" } == [])
    }
  }

  @Test("the court's channel goes on with the newest value after an outage, and the lanes are not held up by it")
  func outage() throws {
    var options = Rig.Options()
    options.pattern = nil
    options.ablyLines = ["  open_timeout: 1s", "  request_timeout: 2s"]
    try withRig(options) { rig throws in
      rig.standIn.inject(Fault(.stall, on: [.publish], targetContains: "scoreboard%3A", times: 2))
      try rig.start()
      try rig.openGame()
      rig.press("h")
      try #require(
        rig.standIn.wait(within: .seconds(15)) { $0.contains { $0.score == [1, 0] && $0.call == .broadcast } } != nil)
      let isCurrent = rig.standIn.wait(within: .seconds(20)) {
        Rig.courtValues($0).last?["status"]?.string == "updating"
      }
      try #require(isCurrent != nil, "\(rig.courtValues)")
      let messages = rig.standIn.requests(.publish).filter { $0.subject == "scoreboard:riverside:main" }
      let bodies = Dictionary(grouping: messages) { $0.message?["id"]?.string ?? "" }
      #expect(bodies.allSatisfy { $0.value.allSatisfy { [body = $0.value[0].body] in $0.body == body } })
    }
  }

  @Test(
    "traps 24 and 36: a thrown-out app shows nothing of what is accepted: one start, no word of delivery, found by hand"
  )
  func thrownOut() throws {
    var options = Rig.Options()
    options.pattern = nil
    try withRig(options) { rig throws in
      rig.standIn.phones { $0.change(iPhone: "iphone") { $0.isForceQuit = true } }
      try rig.start()
      let status = try #require(rig.broker).subscribe("\(Rig.topics)/status")
      try rig.openGame()
      for home in 1...3 {
        rig.press("h")
        try #require(
          rig.standIn.wait { $0.contains { $0.score == [home, 0] && $0.call == .broadcast && $0.processed } } != nil)
      }
      let told = status.message(on: "\(Rig.topics)/status", within: .seconds(10)) { message in
        let lanes = message.json?["courts"]?.elements?.first?["outbox"]?.elements ?? []
        return lanes.contains { $0["sink"]?.string == "ably-ios" && $0["state"]?.string == "updating" }
      }
      let text = try #require(told).payload
      #expect(!text.contains("deliver") && !rig.log.contains("deliver"))
      #expect(rig.standIn.requests(.start).count == 1)
      rig.standIn.phones { phones in
        #expect(phones[iPhone: "iphone"]?.tiles.isEmpty == true)
        #expect(phones[iPhone: "iphone"]?.drops == [.forceQuit])
      }

      // The fan opens the app, which reads the court's channel and joins the broadcast.
      let value = try #require(rig.courtValues.last)
      let channel = try #require(value["apnsChannelId"]?.string)
      let teams = GameAttributes(
        homeTeam: value["teams"]?["home"]?["name"]?.string ?? "",
        awayTeam: value["teams"]?["away"]?["name"]?.string ?? "")
      rig.standIn.phones {
        $0.change(iPhone: "iphone") {
          $0.startLocally(
            teams,
            GameAttributes.ContentState(
              homeScore: 0, awayScore: 0, gameStatus: .scheduled, period: "", clock: "", lastPlay: "", clockDir: .stop,
              clockAnchorMs: 0, seq: 0), appleChannel: channel, at: Clock.now().wall)
        }
      }
      rig.press("a")
      try #require(
        rig.standIn.waitForPhones(within: .seconds(10)) {
          $0[iPhone: "iphone"]?.tiles.map { [$0.state.homeScore, $0.state.awayScore] } == [[3, 1]]
        })
      #expect(rig.standIn.requests(.start).count == 1 && teams.homeTeam == "Riverton")
    }
  }

  @Test("the local server is off unless it is switched on")
  func off() throws {
    var options = Rig.Options()
    options.hasProvider = false
    options.pattern = nil
    try withRig(options) { rig throws in
      try rig.start()
      let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
      let listening = try Listening.ports(of: try #require(rig.daemon).pid)
      #expect(listening == [])
    }
  }

  @Test("the local server: its names only, small requests only, not too many connections, and it only reads")
  func limits() throws {
    let port = try Broker.freePort()
    var options = Rig.Options()
    options.hasProvider = false
    options.pattern = nil
    options.configLines = ["http: {listen: 127.0.0.1, port: \(port), host_names: [scores.arena.example]}"]
    try withRig(options) { rig throws in
      try rig.start()
      let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
      #expect(try Listening.ports(of: try #require(rig.daemon).pid) == [port])
      let large = String(repeating: "x", count: 70_000)
      for (request, status) in [
        ("GET /app/courts/1 HTTP/1.1\r\nHost: scores.arena.example\r\n\r\n", 200),
        ("GET /app/courts/1 HTTP/1.1\r\nHost: evil.example\r\n\r\n", 421),
        ("GET /app/courts/1 HTTP/1.0\r\n\r\n", 400),
        ("GET /app/courts/2 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /app/courts/-1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("GET /app/courts/ HTTP/1.1\r\nHost: localhost\r\n\r\n", 404),
        ("DELETE /app/courts/1 HTTP/1.1\r\nHost: localhost\r\n\r\n", 405),
        ("POST /app/courts/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 2\r\n\r\n{}", 405),
        ("POST /app/courts/1 HTTP/1.1\r\nHost: localhost\r\nContent-Length: 70000\r\n\r\n\(large)", 413),
      ] {
        #expect(try HTTPAsk.send(request, to: port).status == status, "\(request.prefix(60))")
      }
      // Beyond 16 from one address the next one is closed unread; when they are gone, all is well again.
      let open = try (1...16).map { _ in try HTTPAsk.connect(to: port) }
      #expect(try HTTPAsk.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", to: port).status == 0)
      for fd in open { close(fd) }
      #expect(
        try (1...20).contains { _ in
          Thread.sleep(forTimeInterval: 0.1)
          return try HTTPAsk.send("GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n", to: port).status == 200
        })
    }
  }
}

/// A request as bytes, so that a test decides about every header.
enum HTTPAsk {
  static func connect(to port: UInt16) throws -> Int32 {
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var patience = timeval(tv_sec: 5, tv_usec: 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVTIMEO, &patience, socklen_t(MemoryLayout<timeval>.size))
    let isConnected = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        Foundation.connect(fd, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      defer { close(fd) }
      throw POSIXError(.ECONNREFUSED)
    }
    return fd
  }

  /// The answer's status, 0 when the connection was closed without one, and its body.
  static func send(_ request: String, to port: UInt16) throws -> (status: Int, body: String) {
    let fd = try connect(to: port)
    defer { close(fd) }
    let bytes = Array(request.utf8)
    var sent = 0
    while sent < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(fd, $0.baseAddress! + sent, bytes.count - sent, Int32(MSG_NOSIGNAL))
      }
      guard count > 0 else { break }
      sent += count
    }
    var text = ""
    var buffer = [UInt8](repeating: 0, count: 4_096)
    while !isWhole(text) {
      let count = recv(fd, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      text += String(decoding: buffer[..<count], as: UTF8.self)
    }
    let words = text.split(separator: " ", maxSplits: 2)
    let body = text.range(of: "\r\n\r\n").map { String(text[$0.upperBound...]) } ?? ""
    return (words.count > 1 ? Int(words[1]) ?? 0 : 0, body)
  }

  private static func isWhole(_ text: String) -> Bool {
    guard let end = text.range(of: "\r\n\r\n") else { return false }
    let length = text[..<end.lowerBound].lowercased().split(separator: "\r\n")
      .first { $0.hasPrefix("content-length:") }
      .flatMap { Int($0.split(separator: " ").last ?? "") }
    return length.map { text[end.upperBound...].utf8.count >= $0 } ?? false
  }
}

/// The TCP ports that a process listens on, as the kernel tells it.
enum Listening {
  static func ports(of pid: Int32) throws -> [UInt16] {
    let folder = "/proc/\(pid)/fd"
    let sockets = Set(
      try FileManager.default.contentsOfDirectory(atPath: folder).compactMap {
        (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)"))
          .flatMap { $0.hasPrefix("socket:[") ? String($0.dropFirst(8).dropLast()) : nil }
      })
    let table = try String(contentsOfFile: "/proc/\(pid)/net/tcp", encoding: .utf8)
    return table.split(separator: "\n").dropFirst().compactMap { line in
      let words = line.split(separator: " ")
      // The state 0A is LISTEN; the tenth word is the socket's number.
      guard words.count > 9, words[3] == "0A", sockets.contains(String(words[9])) else { return nil }
      return words[1].split(separator: ":").last.flatMap { UInt16($0, radix: 16) }
    }
  }
}
