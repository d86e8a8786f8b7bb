import Foundation
import GameCore
import StandIn
import Testing

/// The uplink as it fails in arenas: refused, hanging, answering nonsense, dead without a word.
@Suite("The built daemon and a bad uplink", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct OutageTests {
  enum Outage: String, CaseIterable, CustomTestStringConvertible {
    case closed, hanging, answers503, captivePortal

    var testDescription: String { rawValue }

    func begin(_ standIn: StandIn) {
      switch self {
      case .closed: standIn.die()
      case .hanging:
        standIn.setSilent(true)
        standIn.freezeConnections()
      case .answers503: standIn.inject(.status(503))
      case .captivePortal: standIn.inject(Fault(.answer(.html(200))))
      }
    }

    func end(_ standIn: StandIn) {
      switch self {
      case .closed: standIn.comeBack()
      case .hanging:
        standIn.setSilent(false)
        standIn.thawConnections()
        standIn.closeConnections()
      case .answers503, .captivePortal: standIn.clearFaults()
      }
    }
  }

  static var options: Rig.Options {
    var options = Rig.Options()
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    options.ablyLines = ["  open_timeout: 1s", "  request_timeout: 2s"]
    return options
  }

  @Test(
    "after the uplink's return the newest state is there within two seconds, once, and nothing old",
    arguments: Outage.allCases)
  func outage(_ outage: Outage) throws {
    try withRig(OutageTests.options) { rig throws in
      try warm(rig)
      outage.begin(rig.standIn)
      let first = rig.standIn.requests.count
      for _ in 1...10 {
        rig.press("h")
        Thread.sleep(forTimeInterval: 0.3)
      }
      let returned = Clock.now().instant
      outage.end(rig.standIn)
      let told = rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [11, 0] && $0.processed } }
      let newest = try #require(told?.first { $0.score == [11, 0] && $0.processed })
      #expect(newest.at.instant - returned < .seconds(2))
      Thread.sleep(forTimeInterval: 1)
      let card = rig.standIn.phones { $0[android: "android"] }
      #expect(card?.card?.homeScore == 11)
      #expect(card?.drops == [])
      // One message id never carries two states.
      let messages = rig.standIn.requests.filter { $0.number >= first && Rig.isAndroid($0) }
      let states = Dictionary(grouping: messages) { $0.message?["id"]?.string ?? "" }
      #expect(states.allSatisfy { $0.value.allSatisfy { [body = $0.value[0].body] in $0.body == body } })
    }
  }

  @Test("a press on a warm connection is a request on it: no handshake in between")
  func warmConnection() throws {
    try withRig(OutageTests.options) { rig throws in
      try warm(rig)
      let connections = rig.standIn.connectionCount
      // Longer than the five seconds after which other clients hang up.
      Thread.sleep(forTimeInterval: 7)
      rig.press("h")
      try #require(rig.standIn.wait { $0.contains { $0.score == [2, 0] } } != nil)
      #expect(rig.standIn.connectionCount == connections)
    }
  }

  @Test("a connection that timed out is not used again")
  func deadConnection() throws {
    try withRig(OutageTests.options) { rig throws in
      try warm(rig)
      let before = rig.standIn.requests.count
      rig.standIn.freezeConnections()
      rig.press("h")
      let told = rig.standIn.wait(within: .seconds(8)) { $0.contains { $0.score == [2, 0] && $0.processed } }
      let push = try #require(told?.first { $0.score == [2, 0] })
      let old = Set(rig.standIn.requests.filter { $0.number < before }.map(\.connection))
      #expect(!old.contains(push.connection))
      rig.standIn.thawConnections()
      rig.press("h")
      let next = rig.standIn.wait { $0.contains { $0.score == [3, 0] } }?.first { $0.score == [3, 0] }
      #expect(next.map { !old.contains($0.connection) } == true)
    }
  }

  @Test("on a warm connection nothing but the request itself leaves after a press: seen in a trace of the sockets")
  func trace() throws {
    let strace = try #require(Child.find("strace"))
    try withRig(OutageTests.options) { rig throws in
      try warm(rig)
      let daemon = try #require(rig.daemon)
      let calls = "trace=socket,connect,read,write,sendto,sendmsg"
      let tracer = try Child(strace, ["-f", "-tt", "-s", "16", "-e", calls, "-p", "\(daemon.pid)"])
      guard tracer.line(within: .seconds(5), where: { $0.contains("attached") }) != nil else {
        print("skipped: this machine does not let processes be traced")
        return
      }
      // The tracer says so before it holds every thread.
      Thread.sleep(forTimeInterval: 1)
      rig.press("h")
      try #require(rig.standIn.wait { $0.contains { $0.score == [2, 0] } } != nil)
      _ = tracer.line(within: .seconds(3)) { $0.contains(#""h""#) }
      Thread.sleep(forTimeInterval: 0.3)
      tracer.signal(SIGINT)
      _ = tracer.exitCode()
      let lines = tracer.lines.map(\.text)
      let press = try #require(
        lines.firstIndex { $0.contains("read(") && $0.contains(#""h""#) }, "no press in the trace")
      // A TLS record says what it is in its first byte: 23 is data, 22 a handshake.
      let request = try #require(
        lines[press...].firstIndex { $0.contains(#""\27\3\3"#) && !$0.contains("read(") }, "no request in the trace")
      let between = lines[press...request]
      #expect(between.allSatisfy { !$0.contains("connect(") && !$0.contains("socket(") && !$0.contains(#""\26\3"#) })
      print("between the press and the request's bytes:", between.joined(separator: "\n"), separator: "\n")
    }
  }

  @Test("the daemon speaks HTTP/2 where the service has it, and HTTP/1.1 where not", arguments: [true, false])
  func protocols(http2: Bool) throws {
    var options = OutageTests.options
    options.service.http2 = http2
    try withRig(options) { rig throws in
      try warm(rig)
      #expect(Set(rig.standIn.requests.map(\.spoken)) == [http2 ? "h2" : "http/1.1"])
      #expect(rig.standIn.refusals.map { "\($0.target) \($0.ownAnswer?.body ?? "")" } == [])
    }
  }

  enum DeadHost: String, CaseIterable, CustomTestStringConvertible {
    /// Nobody listens: that is known at once.
    case refuses
    /// Connections are taken and then nothing comes.
    case hangs

    var testDescription: String { rawValue }
  }

  @Test(
    "a dead first host costs one opening time at most, once, and then the good one is asked first",
    arguments: DeadHost.allCases)
  func deadFirstHost(_ dead: DeadHost) throws {
    var options = OutageTests.options
    options.endpoint = "127.0.0.2"
    options.ablyLines.append("  fallback_hosts: [127.0.0.1]")
    try withRig(options) { rig throws in
      var elsewhere = StandIn.Options()
      elsewhere.address = "127.0.0.2"
      elsewhere.port = rig.standIn.port
      let silent = dead == .hangs ? try StandIn(elsewhere) : nil
      silent?.setSilent(true)
      defer { silent?.stop() }
      try warm(rig, within: .seconds(15))
      let tries = silent?.connectionCount ?? 0
      let pressed = Clock.now().instant
      rig.press("h")
      let told = rig.standIn.wait(within: .seconds(5)) { $0.contains { $0.score == [2, 0] && $0.processed } }
      let push = try #require(told?.first { $0.score == [2, 0] })
      // The fallback is pinned by now: the dead host costs nothing any more.
      #expect(push.at.instant - pressed < .milliseconds(700))
      #expect(silent?.connectionCount ?? 0 == tries)
      // Nothing was asked twice for it: the dead host had certainly not processed anything.
      #expect(rig.standIn.requests.count { $0.score == [1, 0] } == 1)
    }
  }

  /// The daemon is up, its connection is open, and one score has been told.
  private func warm(_ rig: Rig, within limit: Duration = .seconds(10)) throws {
    try rig.start()
    let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    rig.press("h")
    try #require(rig.standIn.wait(within: limit) { $0.contains { $0.score == [1, 0] } } != nil)
  }
}
