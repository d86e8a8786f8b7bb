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

  /// The daemon is up, its connection is open, and one score has been told.
  private func warm(_ rig: Rig) throws {
    try rig.start()
    let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    rig.press("h")
    try #require(rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [1, 0] } } != nil)
  }
}
