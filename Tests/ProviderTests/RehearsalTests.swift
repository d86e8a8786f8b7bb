import Document
import GameCore
import LiveContract
import Outbox
import Platform
import Publishing
import Testing

@testable import Bridge

@Suite("A rehearsal and its phones") struct RehearsalTests {
  private let now = Moment(
    instant: Instant(nanoseconds: 5_000_000_000), wall: WallTime(milliseconds: 1_796_431_800_000))
  private let lane = LaneID(number: 1)

  private func provider(_ contract: Contract = .standard) throws -> Provider {
    var settings = try AblySettings(
      hosts: AblyHosts(), credential: .key(AblyKey("rehearsal.rehearsal:rehearsal")), agent: "scoreboard-bridge/0")
    settings.contract = contract
    return .rehearsal(settings, json: { try? JSONDocument.parse($0) })
  }

  private func ask(_ provider: inout Provider, _ call: AblyCall) -> (pushes: [RehearsedPush], verdict: Verdict?) {
    var random = SeededGenerator(seed: 1)
    let token = AttemptToken(number: 1)
    var pushes: [RehearsedPush] = []
    var verdict: Verdict?
    for action in provider.ask(call, from: lane, token: token, at: now, random: &random) {
      if case .rehearsed(let lane, let push) = action, lane == self.lane { pushes.append(push) }
      if case .answered(_, let answered, _, let outcome) = action, answered == token { verdict = outcome.verdict }
    }
    return (pushes, verdict)
  }

  private static func state(_ home: Int, _ play: String = "") -> GameAttributes.ContentState {
    GameAttributes.ContentState(
      homeScore: home, awayScore: 0, gameStatus: .live, period: "Q1", clock: "9:58", lastPlay: play, clockDir: .stop,
      clockAnchorMs: 0, seq: home + 1)
  }

  private func start(_ broadcast: Broadcast) -> AblyCall {
    .start(
      broadcast, audience: .channels(["live-ios:g"]),
      LiveActivityPayload(
        stampSeconds: now.wall.seconds,
        event: .start(
          attributesType: "GameAttributes", attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"),
          inputPushChannel: broadcast.apnsChannelID, staleSeconds: now.wall.seconds + 600,
          alert: Alert(title: "A", body: "B")),
        state: Self.state(0), headers: nil))
  }

  private func update(_ broadcast: Broadcast, _ state: GameAttributes.ContentState, after seconds: Int64) -> AblyCall {
    .update(
      broadcast,
      LiveActivityPayload(
        stampSeconds: now.wall.seconds + seconds, event: .update(staleSeconds: nil, alert: nil), state: state,
        headers: nil))
  }

  private func created(_ provider: inout Provider) throws -> Broadcast {
    guard case .accepted(.created(let broadcast))? = ask(&provider, .create(.newest)).verdict else {
      throw RehearsalFailure()
    }
    return broadcast
  }

  private struct RehearsalFailure: Error {}

  @Test("what is shown is what is on the phone: a start makes the tile, an update changes it, an older one does not")
  func tile() throws {
    var provider = try provider()
    let broadcast = try created(&provider)
    let start = ask(&provider, start(broadcast))
    #expect(start.verdict == .accepted(.plain))
    #expect(start.pushes.map(\.seen) == ["Riverton 0, Harbor City 0 | Q1 9:58 · rings"])
    let update1 = ask(&provider, update(broadcast, Self.state(2, "Two points"), after: 5))
    #expect(update1.pushes.map(\.seen) == ["Riverton 2, Harbor City 0 | Q1 9:58 | Two points"])
    let older = ask(&provider, update(broadcast, Self.state(1), after: 4))
    #expect(older.verdict == .accepted(.plain), "the service does not know of it either")
    #expect(
      older.pushes.map(\.seen) == [
        "dropped by the phone: timestamp; still Riverton 2, Harbor City 0 | Q1 9:58 | Two points"
      ])
  }

  @Test("the app's own keys are on board, and a text that is too long is cut as it would be on its way")
  func prepared() throws {
    var contract = Contract.standard
    contract.extra = [Contract.Extra("league", .text("U19"))]
    var provider = try provider(contract)
    let broadcast = try created(&provider)
    _ = ask(&provider, start(broadcast))
    let long = ask(&provider, update(broadcast, Self.state(2, String(repeating: "🏀", count: 1500)), after: 5))
    #expect(long.verdict == .accepted(.plain))
    guard case .update(_, let payload)? = long.pushes.first?.call else {
      Issue.record("no update was rehearsed")
      return
    }
    #expect(payload.extra == contract.extra)
    #expect(payload.state.lastPlay.hasSuffix("🏀…") && payload.apnsJSON().count < 4096)
    #expect(long.pushes.first?.views.first?.state.lastPlay == payload.state.lastPlay)
  }

  @Test("B126: a push that does not fit the app's contract is refused as the service's client would, and named")
  func misfit() throws {
    var contract = Contract.standard
    contract.state.append(Contract.Field("leaders", .text))
    var provider = try provider(contract)
    let broadcast = try created(&provider)
    let start = ask(&provider, start(broadcast))
    #expect(start.pushes.isEmpty)
    guard case .refused(let refusal)? = start.verdict else {
      Issue.record("was taken")
      return
    }
    #expect(refusal.message.contains("leaders"))
  }

  @Test("Android: one card, and an update after the end brings it back")
  func android() throws {
    var provider = try provider()
    func push(_ event: LiveUpdatePayload.Event, _ home: Int, stamp: Int64) -> AblyCall {
      .publish(
        channel: "live-android:g",
        [
          LiveUpdatePayload(
            event: event, gameID: "g", attributes: GameAttributes(homeTeam: "Riverton", awayTeam: "Harbor City"),
            state: Self.state(home), stampMilliseconds: stamp, staleAtMilliseconds: nil, alert: nil,
            fcm: FCMOptions(priority: .high, timeToLive: .seconds(60))
          ).message
        ])
    }
    let lines = [push(.start, 0, stamp: 1), push(.end, 2, stamp: 2), push(.update, 3, stamp: 2)]
      .map { ask(&provider, $0).pushes.first?.seen }
    #expect(
      lines == [
        "Riverton 0, Harbor City 0 | Q1 9:58", "Riverton 2, Harbor City 0 | Q1 9:58 | (over)",
        "Riverton 3, Harbor City 0 | Q1 9:58",
      ])
  }
}
