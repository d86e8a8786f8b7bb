import Foundation
import GameCore
import Input
import Testing

@testable import Platform

@Suite("The MQTT connection", .enabled(if: RunningBroker.isPresent, "needs mosquitto"))
struct MQTTConnectionTests {
  @Test("B64: messages arrive whole, and a stored copy is known by its flag")
  func messages() throws {
    let broker = try RunningBroker()
    let other = try RunningConnection(settings(port: broker.port, id: "desk"))
    try other.settle()
    #expect(other.publish("p/cmd/home", "+1", isRetained: true) == .handedOver)
    broker.wait(for: "Received PUBLISH from desk")
    let bridge = try RunningConnection(settings(port: broker.port, topics: ["p/cmd/#"]), on: other.loop)
    try bridge.settle()
    try bridge.loop.turn { bridge.messages("p/cmd/home").count == 1 }
    let asking = MQTTPublication(
      topic: "p/cmd/undo", payload: [0, 255], qos: .exactlyOnce, isRetained: false, correlation: [7, 0, 7])
    other.connection.publish(asking, properties: .init(responseTopic: "desk/reply"))
    #expect(other.publish("p/cmd/home", "+2", isRetained: true) == .handedOver)
    let expected = MQTTMessage(
      topic: "p/cmd/undo", payload: [0, 255], qos: .atLeastOnce, responseTopic: "desk/reply", correlation: [7, 0, 7])
    try bridge.loop.turn {
      bridge.messages("p/cmd/home").count == 2 && bridge.events.contains(.message(expected))
    }
    #expect(bridge.messages("p/cmd/home") == ["+1 r", "+2"])
    try other.stop()
    try bridge.stop()
  }

  @Test("B60: after the broker's restart without its memory a command is heard again")
  func restart() throws {
    let broker = try RunningBroker()
    let bridge = try RunningConnection(settings(port: broker.port, topics: ["p/cmd/+"]))
    try bridge.settle()
    broker.stop()
    try bridge.loop.turn { !bridge.losses.isEmpty }
    #expect(bridge.publish("p/status", "x") == .notConnected)
    try broker.start()
    try bridge.settle(session: 2)
    let desk = try RunningConnection(settings(port: broker.port, id: "desk"), on: bridge.loop)
    try desk.settle()
    _ = desk.publish("p/cmd/home", "+1")
    try bridge.loop.turn { bridge.messages("p/cmd/home") == ["+1"] }
    try desk.stop()
    try bridge.stop()
  }

  @Test("B62: a broker that falls silent is noticed within 1.5 times the keep-alive, and the connection comes back")
  func silence() throws {
    let broker = try RunningBroker()
    let bridge = try RunningConnection(settings(port: broker.port, keepAlive: .seconds(8)))
    try bridge.settle()
    broker.freeze()
    try bridge.loop.turn(for: .seconds(12)) { bridge.losses == [.lost] }
    broker.thaw()
    try bridge.loop.turn { bridge.sessions.count == 2 }
    try bridge.stop()
  }

  @Test("B67: the will says lost, the caller online, a clean stop offline; a late listener hears the same")
  func availability() throws {
    let broker = try RunningBroker()
    let watcher = try RunningConnection(settings(port: broker.port, id: "watcher", topics: ["p/availability"]))
    try watcher.settle()
    let bridge = try RunningConnection(settings(port: broker.port, availability: "p/availability"), on: watcher.loop)
    try bridge.settle()
    _ = bridge.publish("p/availability", "online", isRetained: true)
    try watcher.loop.turn { watcher.messages("p/availability") == ["online"] }
    cutConnections(to: broker.port)
    try watcher.settle(session: 2)
    try bridge.settle(session: 2)
    // Both were cut; the broker said the bridge's will before anybody was back.
    try watcher.loop.turn { watcher.messages("p/availability") == ["online", "lost r"] }
    _ = bridge.publish("p/availability", "online", isRetained: true)
    try bridge.stop()
    try watcher.loop.turn { watcher.messages("p/availability").last == "offline" }
    #expect(watcher.messages("p/availability") == ["online", "lost r", "online", "offline"])
    let late = try RunningConnection(
      settings(port: broker.port, id: "late", topics: ["p/availability"]), on: watcher.loop)
    try late.loop.turn { late.messages("p/availability") == ["offline r"] }
    try late.stop()
    try watcher.stop()
  }

  @Test("B69: a refused login is named and tried again in half a minute at the earliest")
  func refusedLogin() throws {
    let broker = try RunningBroker(allowsAnonymous: false)
    let bridge = try RunningConnection(settings(port: broker.port, username: "bridge", password: "SECRET"))
    try bridge.loop.turn { !bridge.events.isEmpty }
    guard case .disconnected(.loginRefused, 0, let reason, let pause) = bridge.events[0] else { throw WaitedInVain() }
    #expect(pause >= .seconds(30) && !reason.isEmpty && !reason.contains("SECRET"))
    #expect(bridge.publish("p", "x") == .notConnected)
    try bridge.stop()
  }

  @Test("B71: two clients with one id are found out, and ours goes slow")
  func takenOver() throws {
    let broker = try RunningBroker()
    let bridge = try RunningConnection(settings(port: broker.port, id: "same"))
    try bridge.settle()
    let other = try RunningConnection(settings(port: broker.port, id: "same"), on: bridge.loop)
    try bridge.loop.turn { (bridge.losses + other.losses).contains(.takenOver) }
    let pauses = (bridge.events + other.events).compactMap { event in
      if case .disconnected(.takenOver, _, _, let pause) = event { pause } else { nil }
    }
    #expect(pauses.allSatisfy { $0 >= .seconds(30) })
    #expect(bridge.sessions.count + other.sessions.count <= 7)
    try bridge.stop()
    try other.stop()
  }

  @Test("B73: a message larger than the broker takes is not sent, and the link stays up")
  func tooLarge() throws {
    let broker = try RunningBroker(["max_packet_size 1024"])
    let bridge = try RunningConnection(settings(port: broker.port, topics: ["p/#"]))
    try bridge.settle()
    #expect(bridge.sessions[0].maximumPacketSize == 1024)
    #expect(bridge.publish("p/status", String(repeating: "x", count: 4096)) == .tooLarge(limit: 1024))
    #expect(bridge.publish("p/state", "small") == .handedOver)
    try bridge.loop.turn { bridge.messages("p/state") == ["small"] }
    #expect(bridge.losses == [])
    try bridge.stop()
  }

  @Test("B73: a message that the broker takes and then refuses is told, with its topic")
  func refusedPublish() throws {
    let folder = try TemporaryFolder()
    let rights = try folder.write("topic read p/#\n", to: "acl")
    let broker = try RunningBroker(["acl_file \(rights)"])
    let bridge = try RunningConnection(settings(port: broker.port))
    try bridge.settle()
    _ = bridge.publish("p/status", "x")
    try bridge.loop.turn { bridge.events.contains(.notPublished(topic: "p/status", reason: "Not authorized")) }
    try bridge.stop()
  }

  @Test("B62: whatever the keep-alive, the library asks and waits less than 1.5 times of it, also with its slow clock")
  func keepAlive() {
    for seconds in Int64(8)...300 {
      let library = Int64(MQTTClient.seconds(.seconds(seconds)))
      let late = max(1000, library * 200)
      #expect(library >= 5 && 2 * (library * 1000 + late) <= seconds * 1500, "\(seconds): \(library)")
    }
  }

  @Test("the second broker is taken when the first is not there")
  func secondBroker() throws {
    let broker = try RunningBroker()
    var both = settings(port: try freePort())
    both.brokers.append(.init(host: "127.0.0.1", port: broker.port))
    let bridge = try RunningConnection(both)
    try bridge.settle()
    #expect(bridge.losses == [.unreachable])
    #expect(bridge.sessions.map(\.broker) == [1])
    try bridge.stop()
  }

  @Test("a broker that is not there is tried again, and a stop meanwhile is done at once")
  func nobodyThere() throws {
    let bridge = try RunningConnection(settings(port: try freePort()))
    try bridge.loop.turn { bridge.losses.count == 2 }
    #expect(bridge.losses == [.unreachable, .unreachable])
    try bridge.stop()
  }

  @Test(
    "TLS: chain and host name are checked, and a client certificate is shown",
    .enabled(if: TestTLS.isPresent, "needs the openssl program"),
    arguments: ["good", "client certificate", "no client certificate", "unknown authority", "wrong name", "expired"])
  func tls(kind: String) throws {
    let tls = try TestTLS()
    let names = kind == "wrong name" ? "DNS:other.example" : "DNS:localhost"
    let server = try tls.certificate("broker", for: names, days: kind == "expired" ? -1 : 2)
    var lines = ["cafile \(tls.caFile)", "certfile \(server.file)", "keyfile \(server.key)"]
    if kind.hasSuffix("client certificate") { lines.append("require_certificate true") }
    let broker = try RunningBroker(lines)
    var ours = MQTTSettings.TLS(caFile: kind == "unknown authority" ? try tls.strangerFile() : tls.caFile)
    if kind == "client certificate" {
      let client = try tls.certificate("client", for: "DNS:bridge")
      (ours.certificateFile, ours.keyFile) = (client.file, client.key)
    }
    let bridge = try RunningConnection(settings(port: broker.port, host: "localhost", tls: ours))
    try bridge.loop.turn { !bridge.events.isEmpty }
    switch kind {
    case "good", "client certificate": #expect(bridge.sessions.count == 1)
    case "no client certificate": #expect(bridge.sessions.isEmpty)
    default:
      guard case .disconnected(.tlsFailed, _, let reason, let pause) = bridge.events[0] else { throw WaitedInVain() }
      #expect(reason.contains("certificate verify failed") && pause >= .seconds(30))
    }
    try bridge.stop()
  }
}

@Suite("MQTT against a scripted broker") struct MQTTScriptedBrokerTests {
  @Test("B72: a second copy with the DUP flag is a second delivery: only its id tells it from another press")
  func duplicate() throws {
    let payload = Array(#"{"id":"a","team":"home"}"#.utf8)
    let server = try ScriptedServer { peer, _ in
      _ = peer.readPacket()
      peer.write([0x20, 3, 0, 0, 0])
      while let packet = peer.readPacket() {
        guard packet[0] == 0x82 else { continue }
        peer.write([0x90, 4, packet[2], packet[3], 0, 1])
        for flags: UInt8 in [0x32, 0x3A] {
          peer.write([flags, UInt8(payload.count + 8), 0, 3] + Array("cmd".utf8) + [0, 7, 0] + payload)
        }
      }
    }
    let bridge = try RunningConnection(settings(port: server.port, topics: ["cmd"]))
    try bridge.loop.turn { bridge.messages("cmd").count == 2 }
    #expect(bridge.messages("cmd") == Array(repeating: #"{"id":"a","team":"home"}"#, count: 2))
    try bridge.stop()
  }

  @Test(
    "B75: while a broker acknowledges nothing, events beyond the bound are dropped, and of each state the newest waits")
  func slowBroker() throws {
    let mayGoOn = Locked(false)
    let server = try ScriptedServer { peer, _ in
      _ = peer.readPacket()
      // It takes as many at once as the library has.
      peer.write([0x20, 6, 0, 0, 3, 0x21, 0xFF, 0xFF])
      var unanswered: [[UInt8]] = []
      while let packet = peer.readPacket() {
        guard packet[0] & 0xF0 == 0x30 else { continue }
        // The packet's id stands behind its topic; the length has one byte here.
        let place = 4 + Int(packet[3])
        unanswered.append([0x40, 2, packet[place], packet[place + 1]])
        guard mayGoOn.withLock({ $0 }) || unanswered.count == 1000 else { continue }
        while !mayGoOn.withLock({ $0 }) { usleep(1000) }
        for answer in unanswered { peer.write(answer) }
        unanswered = []
      }
    }
    let bridge = try RunningConnection(settings(port: server.port))
    try bridge.settle()
    var dropped = 0
    for number in 1...1040 {
      if bridge.publish("event", "\(number)") == .full { dropped += 1 }
    }
    #expect(dropped == 40)
    for number in 1...50 { #expect(bridge.publish("state", "\(number)", isRetained: true) == .handedOver) }
    #expect(bridge.publish("status", "ok", isRetained: true) == .handedOver)
    mayGoOn.withLock { $0 = true }
    try bridge.loop.turn { server.received.contains { $0.hasSuffix("ok") } }
    let states = server.received.filter { $0.contains("state") && !$0.contains("status") }
    #expect(states.count == 1 && states[0].hasSuffix("50"))
    #expect(server.received.count { $0.contains("event") } == 1000)
    #expect(bridge.losses == [])
    try bridge.stop()
  }

  @Test("a broker that only knows 3.1.1 is spoken to in 3.1.1", arguments: [true, false])
  func oldBroker(saysSo: Bool) throws {
    let server = try ScriptedServer { peer, _ in
      // The protocol's level stands behind its name.
      guard let greeting = peer.readPacket(), greeting[8] == 4 else {
        if saysSo { peer.write([0x20, 2, 0, 1]) }
        return
      }
      peer.write([0x20, 2, 0, 0])
      while let packet = peer.readPacket() {
        if packet[0] == 0x82 { peer.write([0x90, 3, packet[2], packet[3], 1]) }
      }
    }
    let bridge = try RunningConnection(settings(port: server.port, topics: ["a"]))
    try bridge.settle()
    #expect(bridge.sessions.map(\.protocolLevel) == [4])
    #expect(bridge.losses == [])
    try bridge.stop()
  }

  @Test("a refused subscription is told with its filter")
  func refusedSubscription() throws {
    let server = try ScriptedServer { peer, _ in
      _ = peer.readPacket()
      peer.write([0x20, 3, 0, 0, 0])
      while let packet = peer.readPacket() {
        if packet[0] == 0x82 { peer.write([0x90, 4, packet[2], packet[3], 0, 0x87]) }
      }
    }
    let bridge = try RunningConnection(settings(port: server.port, topics: ["a/#"]))
    try bridge.loop.turn { bridge.events.contains(.subscribed(refused: ["a/#"])) }
    try bridge.stop()
  }

  @Test("B71: a broker that names the take-over is believed at once")
  func namedTakeOver() throws {
    let server = try ScriptedServer { peer, _ in
      _ = peer.readPacket()
      peer.write([0x20, 3, 0, 0, 0])
      peer.write([0xE0, 1, 0x8E])
      peer.waitForEnd()
    }
    let bridge = try RunningConnection(settings(port: server.port))
    try bridge.loop.turn { bridge.losses == [.takenOver] }
    try bridge.stop()
  }

  @Test("B73: a message to which the broker answers what the library cannot take is not sent again")
  func misunderstood() throws {
    let server = try ScriptedServer { peer, _ in
      _ = peer.readPacket()
      peer.write([0x20, 3, 0, 0, 0])
      while let packet = peer.readPacket() {
        if packet.count > 1000 { return peer.write([0x00, 0]) }
      }
    }
    let bridge = try RunningConnection(settings(port: server.port))
    try bridge.settle()
    #expect(bridge.publish("big", String(repeating: "x", count: 4096)) == .handedOver)
    try bridge.loop.turn { bridge.losses == [.unreachable] }
    try bridge.settle(session: 2)
    guard case .tooLarge = bridge.publish("big", String(repeating: "x", count: 4096)) else { throw WaitedInVain() }
    try bridge.stop()
  }

  @Test("B73: where no limit is named, a message that costs the connection twice is not sent a third time")
  func poison() throws {
    let server = try ScriptedServer { peer, _ in
      guard let greeting = peer.readPacket(), greeting[8] == 4 else { return peer.write([0x20, 2, 0, 1]) }
      peer.write([0x20, 2, 0, 0])
      while let packet = peer.readPacket(), packet.count < 1000 {
        if packet[0] & 0xF0 == 0x30 { peer.write([0x40, 2, packet[5], packet[6]]) }
      }
    }
    let bridge = try RunningConnection(settings(port: server.port))
    let large = String(repeating: "x", count: 4096)
    for session in 1...2 {
      try bridge.settle(session: session)
      #expect(bridge.publish("big", large) == .handedOver)
      try bridge.loop.turn { bridge.losses.count == session }
    }
    try bridge.settle(session: 3)
    guard case .tooLarge(let limit) = bridge.publish("big", large) else { throw WaitedInVain() }
    #expect(limit > 4000)
    #expect(bridge.publish("abc", "small") == .handedOver)
    try bridge.stop()
  }
}
