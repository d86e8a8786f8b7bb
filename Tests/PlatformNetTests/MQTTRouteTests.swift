import Foundation
import GameCore
import Input
import Testing

@testable import Platform

/// Names, and addresses that swallow everything.
@Suite("The way to a broker", .enabled(if: RunningBroker.isPresent, "needs mosquitto"), .serialized)
struct MQTTRouteTests {
  @Test(
    "B78: behind a dead IPv6 address the live IPv4 one is found within a second, and the dead one is named",
    .enabled(
      if: SilentResolver.isPossible, "needs root, not in a chroot, to give one thread a table of names of its own"),
    arguments: [false, true])
  func deadIPv6(isTLS: Bool) throws {
    let tls = isTLS ? try TestTLS() : nil
    let server = try tls?.certificate("broker", for: "DNS:two.example", days: 2)
    let lines = server.map { ["cafile \(tls?.caFile ?? "")", "certfile \($0.file)", "keyfile \($0.key)"] } ?? []
    let broker = try RunningBroker(lines)
    let port = broker.port
    guard let hole = BlackHole("::1", port: port) else {
      print("skipped: this machine has no IPv6 address that can be made to swallow connections")
      return
    }
    let caFile = tls?.caFile
    let (session, took) = try OwnView.run("/etc/hosts", reads: "::1 two.example\n127.0.0.1 two.example\n") {
      let start = SystemClock.now().instant
      let bridge = try RunningConnection(
        settings(port: port, host: "two.example", tls: caFile.map { MQTTSettings.TLS(caFile: $0) }))
      try bridge.settle()
      let took = SystemClock.now().instant - start
      #expect(bridge.losses == [])
      try bridge.stop()
      return (bridge.sessions[0], took)
    }
    #expect(session.silentAddresses == ["[::1]:\(port)"])
    // Its own patience, and not the kernel's two minutes; the bug's row allows three seconds.
    #expect(took < .seconds(3))
    withExtendedLifetime(hole) {}
  }

  @Test("a name whose addresses are all dead is told with each of them, and the connection goes on trying")
  func allDead() throws {
    let port = try freePort()
    let result = MQTTRoute.find(.init(host: "127.0.0.1", port: port), isWary: true)
    guard case .failure(let error) = result else { throw WaitedInVain() }
    #expect(error.reason == "127.0.0.1:\(port): Connection refused")
    // One address, and no reason to doubt it: nothing is tried, nothing is looked up twice.
    guard case .success(let route) = MQTTRoute.find(.init(host: "127.0.0.1", port: port), isWary: false) else {
      throw WaitedInVain()
    }
    #expect(route.host == "127.0.0.1" && route.bindAddress == nil)
  }

  @Test("after an attempt that hung, the next finds out by itself, and no thread hangs in a connect")
  func hungOnce() throws {
    let broker = try RunningBroker()
    guard let hole = BlackHole("127.0.0.9", port: broker.port) else {
      print("skipped: this machine refuses what it cannot queue")
      return
    }
    let wary = MQTTRoute.find(.init(host: "127.0.0.9", port: broker.port), isWary: true)
    guard case .failure(let error) = wary else { throw WaitedInVain() }
    #expect(error.reason == "127.0.0.9:\(broker.port): no answer")
    withExtendedLifetime(hole) {}
  }

  @Test(
    "a name server that does not answer holds up neither the loop nor a stop",
    .enabled(if: SilentResolver.isPossible, "needs root, not in a chroot, to give one thread a name server of its own"))
  func silentNames() throws {
    let (turns, stopped) = try SilentResolver.run { resolver in
      let bridge = try RunningConnection(settings(port: 1883, host: "broker.silent.example"))
      let ticks = Gathered<Int>()
      var timer: LoopTimer?
      timer = bridge.loop.timer {
        ticks.items.append(1)
        timer?.set(after: .milliseconds(10))
      }
      timer?.set(after: .milliseconds(10))
      try bridge.loop.turn { ticks.items.count >= 20 && resolver.wasAsked }
      #expect(bridge.events.isEmpty)
      let start = SystemClock.now().instant
      try bridge.stop()
      return (ticks.items.count, SystemClock.now().instant - start)
    }
    #expect(turns >= 20 && stopped < .seconds(1))
  }

  @Test("a broker is asked for the application protocol that the config names", .enabled(if: TestTLS.isPresent))
  func alpn() throws {
    let tls = try TestTLS()
    let server = try tls.certificate("broker", for: "DNS:localhost", days: 2)
    let peer = try TLSServer(certificate: server, arguments: ["-alpn", "arena-mqtt"])
    let ours = MQTTSettings.TLS(caFile: tls.caFile, alpn: "arena-mqtt")
    let bridge = try RunningConnection(settings(port: peer.port, host: "localhost", tls: ours))
    try bridge.loop.turn { peer.received.contains("ALPN protocols selected: arena-mqtt") }
    try bridge.stop()
  }
}
