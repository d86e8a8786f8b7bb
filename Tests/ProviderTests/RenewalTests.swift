import Document
import GameCore
import LiveContract
import Platform
import Publishing
import Testing

@testable import Bridge

@Suite("A game that outlives its tile") struct RenewalTests {
  /// A game on phones, with a press every half hour.
  private func marathon(renews: Bool, hours: Int64) throws -> EngineTalk {
    var talk = try EngineTalk(phones: "{ios: {renew: \(renews)}, android: {enabled: false}}")
    for _ in 0..<(hours * 2) {
      talk.press("h")
      talk.pass(.seconds(1800))
    }
    return talk
  }

  private func calls(_ talk: EngineTalk) -> [String] {
    talk.sent.compactMap { request in
      let kind = EngineTalk.kind(request)
      guard ["create", "start", "broadcast", "end"].contains(kind) else { return nil }
      let id = request.target.split(separator: "/").dropFirst(2).first.map { " \($0)" } ?? ""
      return kind + (kind == "create" ? "" : id)
    }
  }

  @Test("B111: with renewal configured the new tile is accepted first, then the old one ends; the game goes on in it")
  func renewed() throws {
    let talk = try marathon(renews: true, hours: 8)
    let calls = calls(talk)
    let start = try #require(calls.firstIndex(of: "start b-2"))
    let end = try #require(calls.firstIndex(of: "end b-1"))
    #expect(calls.filter { $0.hasPrefix("create") }.count == 2)
    #expect(calls.filter { $0.hasPrefix("start") } == ["start b-1", "start b-2"])
    #expect(start < end)
    #expect(!calls[end...].contains("broadcast b-1"))
    #expect(calls[end...].contains("broadcast b-2"))
    #expect(!calls.contains("end b-2"))
    let began = try #require(talk.sent.firstIndex { $0.target.contains("/b-1/start") })
    let ended = try #require(talk.sent.firstIndex { $0.target.contains("/b-1/end") })
    let age = talk.times[ended].instant - talk.times[began].instant
    #expect((.seconds(7 * 3600 + 1800)...(.seconds(7 * 3600 + 1810))).contains(age))
  }

  @Test("B111: when no new tile can be had, one last update says where to follow, then the end")
  func notRenewed() throws {
    var refusing = try marathon(renews: true, hours: 7)
    refusing.failingCreates = .max
    for _ in 0..<4 {
      refusing.press("h")
      refusing.pass(.seconds(1800))
    }
    #expect(calls(refusing).filter { $0.hasPrefix("start") } == ["start b-1"])
    #expect(calls(refusing).last == "end b-1")
    let ended = try #require(refusing.sent.firstIndex { $0.target.contains("/b-1/end") })
    #expect(refusing.times[ended].instant - refusing.times[0].instant < .seconds(8 * 3600))
  }

  @Test("B111: a modelled phone has a tile that takes updates all the time, and never keeps two")
  func phone() throws {
    let talk = try marathon(renews: true, hours: 8)
    var phone = Phone(contract: .standard)
    var gaps = 0
    var doubles: [Moment] = []
    for (request, at) in zip(talk.sent, talk.times) {
      let body = try #require(try? JSONDocument.parse(request.body.isEmpty ? Array("{}".utf8) : request.body))
      let channel = request.target.contains("/b-2/") ? "YWJj2" : "YWJj1"
      switch EngineTalk.kind(request) {
      case "start": #expect(try phone.receiveStart(apns: #require(body["apns"]), at: at.wall) == .alerted)
      case "broadcast", "end":
        let outcome = try phone.receiveBroadcast(
          channel: channel, apns: #require(body["apns"]), priority: body["headers"]?["apns-priority"]?.text, at: at.wall
        )
        if case .dropped = outcome { Issue.record("\(outcome) at \(at)") }
      default: continue
      }
      let live = phone.views(at: at.wall).filter { !$0.isOver }
      if live.isEmpty { gaps += 1 }
      if phone.views(at: at.wall).count > 1 { doubles.append(at) }
    }
    #expect(gaps == 0)
    // Two only between the start of the new one and the end of the old one.
    #expect(doubles.count <= 1)
    #expect(phone.views(at: talk.now.wall).map(\.isOver) == [false])
    #expect(phone.views(at: talk.now.wall).first?.state.homeScore == 2 * 8 * 2)
  }

  @Test(
    "a power cut around the renewal makes no third tile, and the one that follows is started inside its own window",
    arguments: [1])
  func powerCut(seconds: Int64) throws {
    var talk = try marathon(renews: true, hours: 7)
    let first = try #require(talk.sent.firstIndex { $0.target.contains("/b-1/start") })
    talk.pass(talk.times[first].instant + .seconds(7 * 3600 + 1800 + seconds) - talk.now.instant)
    talk.restart()
    for _ in 0..<3 {
      talk.press("h")
      talk.pass(.seconds(1800))
    }
    let calls = calls(talk)
    #expect(calls.filter { $0.hasPrefix("create") }.count == 2)
    #expect(calls.filter { $0.hasPrefix("start") } == ["start b-1", "start b-2"])
    #expect(calls.filter { $0.hasPrefix("end") } == ["end b-1"])
  }
}
