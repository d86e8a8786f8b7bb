import Foundation
import GameCore
import LiveContract
import Testing

@testable import Publishing

@Suite("Payloads") struct PayloadTests {
  @Test("B123: an update of the clock alone still carries both scores and every other key")
  func whole() throws {
    let state = Fixture.state(home: 7, away: 0, clock: "", lastPlay: "")
    let json = try #require(JSONText.parse(state.json()))
    #expect(
      json.keys == [
        "awayScore", "clock", "clockAnchorMs", "clockDir", "gameStatus", "homeScore", "lastPlay", "period", "seq",
      ])
    #expect(json["awayScore"]?.meaning == "0" && json["clock"]?.meaning == "\"\"")
    let data = Fixture.android(state: state).data
    #expect(Set(data.map(\.key)).isSuperset(of: json.keys + ["homeTeam", "awayTeam", "event", "gameId", "timestamp"]))
    #expect(!String(decoding: state.json(), as: UTF8.self).contains("null"))
  }

  @Test("trap 4: iOS gets numbers, Android gets texts, of the same state")
  func types() throws {
    let state = Fixture.state()
    #expect(try #require(JSONText.parse(state.json()))["homeScore"]?.meaning == "98")
    let data = Fixture.android(state: state).dataJSON
    let map = try #require(JSONSerialization.jsonObject(with: Data(data)) as? [String: String])
    #expect(map["homeScore"] == "98" && map["timestamp"] == "1767225600250")
  }

  @Test("traps 12 and 19: a start always has its alert, an end always its state")
  func starts() throws {
    let start = try #require(JSONText.parse(Fixture.start().apnsJSON()))["aps"]
    #expect(start?["alert"]?.keys == ["body", "title"])
    let end = try #require(JSONText.parse(Fixture.end().apnsJSON()))["aps"]
    #expect(end?.keys == ["content-state", "dismissal-date", "event", "timestamp"])
  }

  @Test("absent dates and alerts leave no key behind")
  func absent() throws {
    let update = LiveActivityPayload(
      stampSeconds: 1, event: .update(staleSeconds: nil, alert: nil), state: Fixture.state(), headers: nil)
    #expect(try #require(JSONText.parse(update.apnsJSON()))["aps"]?.keys == ["content-state", "event", "timestamp"])
    let end = LiveActivityPayload(
      stampSeconds: 1, event: .end(dismissalSeconds: nil), state: Fixture.state(), headers: nil)
    #expect(try #require(JSONText.parse(end.apnsJSON()))["aps"]?.keys == ["content-state", "event", "timestamp"])
    var card = Fixture.android()
    card.staleAtMilliseconds = nil
    #expect(!card.data.contains { $0.key == "staleAtMs" || $0.key == "alertTitle" || $0.key == "alertBody" })
  }

  @Test("the policy decides the expiration, in one place")
  func policy() {
    let now = WallTime(milliseconds: 1_796_521_321_250)
    #expect(StoragePolicy.nothing.expirationSeconds(keeping: .seconds(1800), at: now) == 0)
    #expect(StoragePolicy.newest.expirationSeconds(keeping: .seconds(1800), at: now) == 1_796_523_121)
  }

  @Test("the end repeats the number of the last update, and is another message all the same")
  func endID() {
    #expect(Fixture.android(event: .update).messageID == "lal-bos-412-update:0")
    #expect(Fixture.android(event: .end).messageID == "lal-bos-412-end:0")
  }
}

@Suite("Fitting") struct FittingTests {
  private static let longTexts = [
    String(repeating: "x", count: 6000), String(repeating: "é", count: 3000),
    String(repeating: "👩‍👩‍👧‍👦", count: 240), String(repeating: "🇩🇪🏒", count: 400),
    String(repeating: "\"\\\n", count: 2000), String(repeating: "e\u{301}", count: 2000),
    "x" + String(repeating: "\u{301}", count: 3000), String(repeating: "\u{1}", count: 2000),
  ]

  @Test("B115: a last play of thousands of bytes is cut between characters, and the payload fits")
  func lastPlay() throws {
    for text in Self.longTexts {
      for payload in [
        Fixture.start(state: Fixture.state(lastPlay: text)), Fixture.update(state: Fixture.state(lastPlay: text)),
        Fixture.update(state: Fixture.state(lastPlay: text), alert: Fixture.alert),
        Fixture.end(state: Fixture.state(lastPlay: text)),
      ] {
        let fitted = payload.fitted()
        #expect(fitted.state.json().count <= 1024 && fitted.apnsJSON().count <= 3000)
        try expectCut(of: text, fitted.state.lastPlay)
        var same = fitted
        same.state.lastPlay = payload.state.lastPlay
        #expect(same == payload, "nothing else is cut")
        #expect(JSONText.parse(fitted.apnsJSON()) != nil)
      }
      let card = Fixture.android(state: Fixture.state(lastPlay: text)).fitted()
      #expect(card.push.dataBytes <= 2000)
      try expectCut(of: text, card.state.lastPlay)
    }
  }

  private func expectCut(of text: String, _ cut: String) throws {
    guard !cut.isEmpty else { return }
    #expect(cut.hasSuffix("…"))
    let kept = Array(cut.dropLast())
    #expect(kept == Array(text.prefix(kept.count)), "whole characters of the beginning")
  }

  @Test("as much of the text is kept as fits, and a text that fits is not touched")
  func asMuchAsFits() {
    let room = 1024 - Fixture.state(lastPlay: "").json().count
    let fits = Fixture.update(state: Fixture.state(lastPlay: String(repeating: "x", count: room)))
    #expect(fits.fitted() == fits)
    let tooLong = Fixture.update(state: Fixture.state(lastPlay: String(repeating: "x", count: room + 1))).fitted()
    #expect(tooLong.state.lastPlay == String(repeating: "x", count: room - 3) + "…")
    #expect(tooLong.state.json().count == 1024)
  }

  @Test("names are cut after the last play, the longer first, and never to nothing; numbers never")
  func names() {
    let long = GameAttributes(homeTeam: String(repeating: "Ri", count: 2000), awayTeam: "Harbor City")
    let start = Fixture.start(attributes: long).fitted()
    #expect(start.apnsJSON().count <= 3000 && start.state.lastPlay.isEmpty)
    #expect(start.attributes?.awayTeam == "Harbor City" && start.attributes?.homeTeam.hasPrefix("RiRi") == true)
    let both = GameAttributes(
      homeTeam: String(repeating: "é", count: 3000), awayTeam: String(repeating: "ü", count: 2900))
    for card in [
      Fixture.android(attributes: both), Fixture.android(event: .start, attributes: both, alert: Fixture.alert),
    ] {
      let fitted = card.fitted()
      #expect(fitted.push.dataBytes <= 2000)
      #expect(!fitted.attributes.homeTeam.isEmpty && !fitted.attributes.awayTeam.isEmpty)
      #expect(fitted.state.homeScore == card.state.homeScore && fitted.state.clock == card.state.clock)
      #expect(fitted.stampMilliseconds == card.stampMilliseconds && fitted.messageID == card.messageID)
    }
    let monster = GameAttributes(homeTeam: "x" + String(repeating: "\u{301}", count: 4000), awayTeam: "B")
    #expect(Fixture.start(attributes: monster).fitted().attributes?.homeTeam == "x")
  }

  @Test("trap 35: an alert counts, and its body is cut before any name")
  func alerts() {
    let alert = Alert(title: "Goal", body: String(repeating: "b", count: 6000))
    let update = Fixture.update(alert: alert).fitted()
    #expect(update.apnsJSON().count <= 5120 && update.alert?.title == "Goal")
    let start = Fixture.start(alert: alert).fitted()
    #expect(start.apnsJSON().count <= 3000 && start.attributes == Fixture.attributes)
    let card = Fixture.android(alert: alert).fitted()
    #expect(card.push.dataBytes <= 2000 && card.attributes == Fixture.attributes && card.alert?.title == "Goal")
  }
}

@Suite("Event rules") struct EventRulesTests {
  private let now = WallTime(milliseconds: 1_000_000_000_000)

  @Test("every kind's row is the facts' row")
  func rows() {
    func row(_ rule: EventRule) -> String {
      let stale: String
      switch rule.staleness {
      case .afterFrame(let span): stale = "frame+\(span.components.seconds)"
      case .afterFrameAndBreak(let span): stale = "break+\(span.components.seconds)"
      case .afterNow(let span): stale = "now+\(span.components.seconds)"
      case .afterScheduledStart(let span): stale = "kickoff+\(span.components.seconds)"
      case .never: stale = "never"
      }
      let urgency: String
      switch rule.urgency {
      case .now: urgency = "10"
      case .convenient: urgency = "5"
      case .nowInLastMinutes: urgency = "5/10"
      case .nowAfterQuiet(let span): urgency = "5/10/\(span.components.seconds)"
      }
      let alert: String
      switch rule.alert {
      case .none: alert = "no"
      case .atOnce: alert = "yes"
      case .afterSettling(let span): alert = "after \(span.components.seconds)"
      }
      let wait: String
      switch rule.wait {
      case .atMost(let span): wait = "\(span.components.seconds)"
      case .spacing: wait = "spacing"
      case .ridesAlong: wait = "rides"
      }
      let expiration = rule.expiration.components.seconds
      return "\(urgency) \(alert) \(wait) \(expiration) \(stale) \(rule.fcmPriority.rawValue) "
        + "\(rule.timeToLive.components.seconds)"
    }
    let expected: [UpdateKind: String] = [
      .playStarted: "10 no 1 1800 frame+420 HIGH 180", .basket: "5/10/60 no 1 1800 frame+420 HIGH 180",
      .goal: "10 after 4 1 1800 frame+420 HIGH 180", .correction: "10 no 1 1800 frame+420 HIGH 180",
      .clockStarted: "5/10 no spacing 1800 frame+420 NORMAL 120",
      .clockStopped: "5/10 no spacing 1800 frame+420 NORMAL 120",
      .clockSet: "5 no spacing 1800 frame+420 NORMAL 120", .penalty: "10 no 2 1800 frame+420 HIGH 180",
      .detail: "5 no rides 1800 frame+420 NORMAL 120", .timeoutCalled: "5 no spacing 1800 frame+420 NORMAL 120",
      .periodEnded: "10 no 1 1800 break+420 HIGH 600", .breakClock: "5 no spacing 1800 break+420 NORMAL 600",
      .periodStarted: "10 no 1 1800 frame+420 HIGH 180", .overtimeStarted: "10 yes 1 1800 frame+420 HIGH 180",
      .shootoutAttempt: "10 no 2 1800 frame+300 HIGH 180", .delayed: "10 yes 1 1800 frame+1800 HIGH 1800",
      .resumed: "10 yes 1 1800 frame+420 HIGH 180", .heartbeat: "5 no spacing 1800 frame+420 NORMAL 120",
      .feedLost: "10 no 1 1800 now+60 HIGH 600", .feedRestored: "10 no 1 1800 frame+420 HIGH 180",
      .final: "10 yes 1 14400 now+14400 HIGH 14400", .finalCorrection: "10 no 1 14400 now+14400 HIGH 14400",
      .calledOff: "10 yes 1 14400 never HIGH 14400", .shutdown: "10 no 1 1800 now+60 HIGH 600",
    ]
    let rules = EventRules()
    for kind in UpdateKind.allCases { #expect(row(rules[kind]) == expected[kind], "\(kind)") }
    #expect(row(rules.start) == "10 yes 0 600 kickoff+900 HIGH 600")
    #expect(row(rules.end) == "10 no 0 14400 never HIGH 14400")
  }

  @Test("trap 7: all updates of a running game share one expiration")
  func oneExpiration() {
    let rules = EventRules()
    let spans = Set(UpdateKind.allCases.filter { !$0.isLast }.map { rules[$0].expiration })
    #expect(spans == [.seconds(1800)])
  }

  @Test("a basket is urgent after a quiet minute or in the last two minutes, and convenient else")
  func priority() {
    let basket = EventRules()[.basket]
    #expect(basket.priority(sinceLastNow: nil, lastMinutes: false) == .now)
    #expect(basket.priority(sinceLastNow: .seconds(60), lastMinutes: false) == .now)
    #expect(basket.priority(sinceLastNow: .milliseconds(59_999), lastMinutes: false) == .convenient)
    #expect(basket.priority(sinceLastNow: .seconds(1), lastMinutes: true) == .now)
    let clock = EventRules()[.clockStopped]
    #expect(clock.priority(sinceLastNow: nil, lastMinutes: false) == .convenient)
    #expect(clock.priority(sinceLastNow: .zero, lastMinutes: true) == .now)
    #expect(EventRules()[.heartbeat].priority(sinceLastNow: nil, lastMinutes: true) == .convenient)
  }

  @Test("B114 and traps 14, 15: a stale date follows the board's last frame, and is never less than a minute ahead")
  func stale() {
    func at(_ kind: UpdateKind, frameAgo: Int = 0, breakLeft: Int = 0) -> Int64? {
      let time = EventRules()[kind].staleAt(
        now: now, lastFrame: now - .seconds(frameAgo), breakLeft: .seconds(breakLeft), scheduledStart: now)
      return time.map { $0.seconds - now.seconds }
    }
    #expect(at(.basket) == 420 && at(.basket, frameAgo: 100) == 320)
    #expect(at(.heartbeat, frameAgo: 400) == 60 && at(.heartbeat, frameAgo: 9000) == 60)
    #expect(at(.periodEnded, breakLeft: 900) == 1320 && at(.feedLost, frameAgo: 9000) == 60)
    #expect(at(.final) == 14_400 && at(.calledOff) == nil)
    #expect(
      EventRules().start.staleAt(now: now, lastFrame: now, breakLeft: .zero, scheduledStart: now + .seconds(600))
        == now + .seconds(1500))
    for kind in UpdateKind.allCases where kind != .calledOff { #expect((at(kind, frameAgo: 9000) ?? 0) >= 60) }
  }

  @Test("the configuration changes one row and leaves the others")
  func changed() {
    var rules = EventRules()
    rules[.basket].urgency = .now
    rules[.basket].timeToLive = .seconds(90)
    #expect(rules[.basket].fcm == FCMOptions(priority: .high, timeToLive: .seconds(90)))
    #expect(rules[.goal] == EventRules()[.goal] && rules != EventRules())
  }
}

extension WallTime {
  fileprivate static func - (time: WallTime, span: Duration) -> WallTime { time + .zero - span.milliseconds }
  fileprivate static func - (time: WallTime, milliseconds: Int64) -> WallTime {
    WallTime(milliseconds: time.milliseconds - milliseconds)
  }
}
