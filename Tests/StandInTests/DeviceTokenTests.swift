import Document
import Foundation
import GameCore
import LiveContract
import Platform
import Publishing
import Testing

@testable import StandIn

@Suite("A fan's token") struct DeviceTokenTests {
  static let channel = "live-android:bb-20261205-riv-har"

  /// What the service makes of a call of ours under a token for this capability, the exchange included.
  private func verdict(_ call: AblyCall, under capability: Capability?) throws -> (verdict: Verdict?, seen: [Seen]) {
    let key = try AblyKey(StandIn.Options().key)
    let settings = try AblySettings(
      hosts: AblyHosts(endpoint: "localhost", fallbacks: []),
      credential: .renewable(key, TokenRequest(timeToLive: .seconds(3600), capability: capability)),
      agent: "scoreboard-bridge/0.1.0")
    var client = AblyClient(
      settings: settings, json: { try? JSONDocument.parse($0) },
      hmac: { key, message in Crypto.hmacSHA256(message, key: key) })
    var service = AblyService(key: StandIn.Options().key, anyClient: false)
    var random = SeededGenerator(seed: 7)
    let now = Moment(instant: Instant(nanoseconds: 0), wall: WallTime(milliseconds: 1_796_431_800_000))
    var seen: [Seen] = []
    var actions = client.begin(call, number: 1, at: now, random: &random)
    while let action = actions.first {
      actions.removeFirst()
      switch action {
      case .finished(_, let outcome): return (outcome.verdict, seen)
      case .attempt(let attempt):
        let request = attempt.request
        var headers = request.headers.map { (name: $0.name.lowercased(), value: $0.value) }
        if !request.body.isEmpty { headers.append(("content-length", String(request.body.count))) }
        var one = Seen(
          Incoming(method: request.method, target: request.target, headers: headers, body: request.body),
          number: seen.count, connection: 0, spoken: "h2", at: now)
        let answer = service.answer(&one)
        seen.append(one)
        let response = HTTPResponse(
          status: answer.status, headers: answer.headers.map { HTTPHeader($0.key, $0.value) },
          body: Array(answer.body.utf8))
        actions += client.attemptEnded(
          call: attempt.call, .answered(response), newerWaits: false, at: now, random: &random)
      }
    }
    return (nil, seen)
  }

  private var publish: AblyCall {
    .publish(channel: Self.channel, [AblyMessage(name: "live-update", body: .text("0:99"))])
  }

  @Test("D-07: under the documented capability a device's publish is refused with 401 and 40160")
  func publishRefused() throws {
    let (verdict, seen) = try verdict(publish, under: .device(channel: Self.channel))
    #expect(seen.map(\.call) == [.requestToken, .publish])
    #expect(seen.first?.processed == true, "the request itself is in order")
    guard case .refused(let refusal)? = verdict else {
      Issue.record("was \(String(describing: verdict))")
      return
    }
    #expect(refusal.status == 401 && refusal.code == 40160)
  }

  @Test("D-07: nor may it start, push or read the push log")
  func othersRefused() throws {
    for call in [AblyCall.create(.newest), .pushLog(limit: 100)] {
      let (verdict, _) = try verdict(call, under: .device(channel: Self.channel))
      guard case .refused(let refusal)? = verdict else {
        Issue.record("\(call.name) was taken")
        continue
      }
      #expect(refusal.code == 40160)
    }
  }

  @Test("the stand-in lets the holder of a right use it, and on its own channel alone")
  func granted() throws {
    #expect(try verdict(publish, under: Capability([Self.channel: ["publish"]])).verdict?.isAccepted == true)
    #expect(try verdict(publish, under: Capability(["other": ["publish"]])).verdict?.isAccepted != true)
    #expect(try verdict(publish, under: nil).verdict?.isAccepted == true)
  }
}

extension Verdict {
  fileprivate var isAccepted: Bool {
    if case .accepted = self { true } else { false }
  }
}
