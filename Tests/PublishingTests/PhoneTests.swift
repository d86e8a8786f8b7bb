import Document
import GameCore
import LiveContract
import Testing

@testable import Publishing

@Suite("Modelled iPhone") struct PhoneTests {
  private let began = WallTime(milliseconds: 1_767_225_600_000)
  private let channel = "YWJj"

  private func node(_ payload: LiveActivityPayload) throws -> Node { try #require(JSONText.parse(payload.apnsJSON())) }

  private func update(_ stamp: Int64, _ state: GameAttributes.ContentState = Fixture.state(), alert: Alert? = nil)
    throws
    -> Node
  {
    try node(
      LiveActivityPayload(
        stampSeconds: stamp, event: .update(staleSeconds: stamp + 420, alert: alert), state: state, headers: nil))
  }

  private func started(budget: Int = 180) throws -> Phone {
    var phone = Phone(contract: .standard, hourlyBudget: budget)
    #expect(try phone.receiveStart(apns: node(Fixture.start()), at: began) == .alerted)
    return phone
  }

  @Test("a start makes a tile, an update changes it, an end leaves it for a while")
  func life() throws {
    var phone = try started()
    #expect(phone.views(at: began).map(\.line) == ["Riverton 98, Harbor City 99 | Q4 1:12 | HAR #11 three-pointer"])
    let state = Fixture.state(home: 101, clock: "0:58", direction: .down, anchor: 1_767_225_700_000)
    let stamp = began.seconds + 42
    #expect(
      try phone.receiveBroadcast(channel: channel, apns: update(stamp, state), priority: "10", at: began + .seconds(42))
        == .shown)
    #expect(phone.views(at: began + .seconds(45)).first?.clock == "0:55", "the clock runs by itself")
    #expect(phone.views(at: began + .seconds(42 + 420)).first?.isStale == true)
    let end = Fixture.end(state: Fixture.state(home: 104, status: .finished, period: "Final", clock: "", lastPlay: ""))
    var last = end
    last.stampSeconds = stamp + 1
    #expect(
      try phone.receiveBroadcast(channel: channel, apns: node(last), priority: "10", at: began + .seconds(60)) == .shown
    )
    #expect(phone.views(at: began + .seconds(61)).map(\.line) == ["Riverton 104, Harbor City 99 | Final | (over)"])
    #expect(phone.views(at: WallTime(milliseconds: 1_767_227_402_000)).isEmpty)
    #expect(
      try phone.receiveBroadcast(channel: channel, apns: update(stamp + 5), priority: "10", at: began + .seconds(70))
        == .dropped("no tile"))
  }

  @Test("an older stamp is dropped, an equal one is not, and one far ahead is")
  func stamps() throws {
    var phone = try started()
    let stamp = began.seconds + 100
    func receive(_ stamp: Int64, home: Int) throws -> PhoneOutcome {
      try phone.receiveBroadcast(
        channel: channel, apns: update(stamp, Fixture.state(home: home)), priority: "5", at: began + .seconds(100))
    }
    #expect(try receive(stamp, home: 1) == .shown)
    #expect(try receive(stamp - 1, home: 2) == .dropped("timestamp"))
    #expect(try receive(stamp, home: 3) == .shown)
    #expect(try receive(stamp + 8 * 3600 + 1, home: 4) == .dropped("timestamp"))
    #expect(phone.views(at: began).first?.state.homeScore == 3)
  }

  @Test("trap 13: a second start makes a second tile")
  func twoStarts() throws {
    var phone = try started()
    _ = try phone.receiveStart(apns: node(Fixture.start()), at: began)
    #expect(phone.views(at: began).count == 2)
  }

  @Test("a start that a phone would not show makes no tile")
  func badStarts() throws {
    let whole = String(decoding: Fixture.start().apnsJSON(), as: UTF8.self)
    for (old, new, key) in [
      (#""title":"Harbor City at Riverton","#, "", "alert"),
      (#""GameAttributes""#, #""MatchAttributes""#, "attributes-type"),
      (#""homeTeam":"#, #""home":"#, "homeTeam"), (#""homeScore":98"#, #""homeScore":"98""#, "homeScore"),
      (#""YWJj""#, #""""#, "input-push-channel"), ("1767229200", "1767225600", "stale-date"),
      (#""event":"start""#, #""event":"update""#, "not a start"),
    ] {
      var phone = Phone(contract: .standard)
      let node = try #require(JSONText.parse(replaced(whole, old, new)))
      #expect(phone.receiveStart(apns: node, at: began) == .dropped(key))
      #expect(phone.views(at: began).isEmpty)
    }
  }

  private func replaced(_ text: String, _ old: String, _ new: String) -> String {
    text.split(separator: old, maxSplits: 1, omittingEmptySubsequences: false).joined(separator: new)
  }

  @Test("B126: an update that does not decode is dropped without a word, and the old state stays")
  func badUpdate() throws {
    var phone = try started()
    let text = replaced(String(decoding: Fixture.update().apnsJSON(), as: UTF8.self), #""clock":"#, #""clok":"#)
    let node = try #require(JSONText.parse(text))
    #expect(phone.receiveBroadcast(channel: channel, apns: node, priority: "10", at: began) == .dropped("clock"))
    #expect(phone.views(at: began).first?.state == Fixture.state())
    #expect(
      try phone.receiveBroadcast(channel: "other", apns: update(began.seconds + 1), priority: "5", at: began)
        == .dropped("no tile"))
  }

  @Test("B113: past the hourly budget an urgent push is not shown, a convenient one and the end are")
  func budget() throws {
    var phone = try started(budget: 2)
    func receive(_ second: Int, _ priority: String?) throws -> PhoneOutcome {
      try phone.receiveBroadcast(
        channel: channel, apns: update(began.seconds + Int64(second)), priority: priority, at: began + .seconds(second))
    }
    #expect(try receive(1, "10") == .shown && receive(2, nil) == .shown)
    #expect(try receive(3, "10") == .throttled)
    #expect(try receive(4, "5") == .shown)
    #expect(try receive(3601, "10") == .shown, "an hour after the first")
    var end = Fixture.end()
    end.stampSeconds = began.seconds + 3602
    #expect(
      try phone.receiveBroadcast(channel: channel, apns: node(end), priority: "10", at: began + .seconds(3602))
        == .shown)
  }

  @Test("B111: a tile lives eight hours, and stays four more on the lock screen")
  func eightHours() throws {
    var phone = try started()
    let late = began + .seconds(8 * 3600)
    #expect(phone.views(at: began + .seconds(8 * 3600 - 1)).first?.isOver == false)
    #expect(phone.views(at: late).first?.isOver == true)
    #expect(
      try phone.receiveBroadcast(channel: channel, apns: update(late.seconds), priority: "5", at: late)
        == .dropped("no tile"))
    #expect(phone.views(at: began + .seconds(12 * 3600)).isEmpty)
  }

  @Test("a tile that the app made itself gets the same updates")
  func localStart() throws {
    var phone = Phone(contract: .standard)
    phone.follow(channel: channel, attributes: Fixture.attributes, state: Fixture.state(home: 0, away: 0), at: began)
    #expect(
      try phone.receiveBroadcast(
        channel: channel, apns: update(began.seconds, alert: Fixture.alert), priority: "10", at: began)
        == .alerted)
    #expect(phone.views(at: began).first?.state.homeScore == 98)
  }

  @Test("trap 40: an end's dismissal is cut to four hours")
  func dismissal() throws {
    var phone = try started()
    let end = LiveActivityPayload(
      stampSeconds: began.seconds + 9, event: .end(dismissalSeconds: began.seconds + 99_999), state: Fixture.state(),
      headers: nil)
    _ = try phone.receiveBroadcast(channel: channel, apns: node(end), priority: "10", at: began)
    #expect(phone.views(at: began + .seconds(4 * 3600 - 1)).count == 1)
    #expect(phone.views(at: began + .seconds(4 * 3600)).isEmpty)
  }
}

@Suite("Modelled Android phone") struct AndroidPhoneTests {
  private let now = WallTime(milliseconds: 1_767_225_600_250)

  private func data(
    _ event: LiveUpdatePayload.Event, stamp: Int64, state: GameAttributes.ContentState = Fixture.state(),
    attributes: GameAttributes = Fixture.attributes, alert: Alert? = nil
  ) -> [String: String] {
    var payload = Fixture.android(event: event, state: state, attributes: attributes, alert: alert)
    payload.stampMilliseconds = stamp
    return Dictionary(uniqueKeysWithValues: payload.data.map { ($0.key, $0.value.text!) })
  }

  @Test("any push makes the card; an older one is dropped, an equal one is not")
  func stamps() {
    var phone = AndroidPhone()
    #expect(phone.receive(data: data(.update, stamp: 10), at: now) == .shown)
    #expect(
      phone.receive(data: data(.update, stamp: 9, state: Fixture.state(home: 1)), at: now) == .dropped("timestamp"))
    #expect(
      phone.receive(data: data(.update, stamp: 10, state: Fixture.state(home: 2), alert: Fixture.alert), at: now)
        == .alerted)
    #expect(phone.view(at: now)?.state.homeScore == 2)
  }

  @Test("trap 21: an update after the end brings the game back to life; an older one does not")
  func revived() {
    var phone = AndroidPhone()
    _ = phone.receive(data: data(.end, stamp: 100), at: now)
    #expect(phone.view(at: now)?.isOver == true)
    #expect(phone.receive(data: data(.update, stamp: 99), at: now) == .dropped("timestamp"))
    _ = phone.receive(data: data(.update, stamp: 100), at: now)
    #expect(phone.view(at: now)?.isOver == false)
  }

  @Test("a final card clears itself after an hour, a live one never does, and the stamp outlives the card")
  func clears() {
    var phone = AndroidPhone()
    _ = phone.receive(data: data(.end, stamp: 100), at: now)
    #expect(phone.view(at: now + .milliseconds(3_599_999)) != nil && phone.view(at: now + .seconds(3600)) == nil)
    #expect(phone.receive(data: data(.start, stamp: 99), at: now + .seconds(9999)) == .dropped("timestamp"))
    _ = phone.receive(data: data(.update, stamp: 101), at: now)
    #expect(phone.view(at: now + .seconds(999_999))?.isOver == false)
    #expect(phone.view(at: now + .seconds(999_999))?.isStale == true)
  }

  @Test("trap 26: two games share the one slot, and the newer stamp has it")
  func oneSlot() {
    var phone = AndroidPhone()
    _ = phone.receive(data: data(.update, stamp: 10), at: now)
    let other = GameAttributes(homeTeam: "Northgate", awayTeam: "Lakeside")
    _ = phone.receive(data: data(.start, stamp: 11, attributes: other), at: now)
    #expect(phone.view(at: now)?.homeTeam == "Northgate")
  }

  @Test("trap 5: a score that is not a plain integer becomes 0, and a blank name drops the push")
  func odd() {
    for (key, value) in [("homeScore", "102.0"), ("homeScore", " 102"), ("homeScore", "102 "), ("homeScore", "")] {
      var phone = AndroidPhone()
      var data = data(.update, stamp: 1)
      data[key] = value
      _ = phone.receive(data: data, at: now)
      #expect(phone.view(at: now)?.state.homeScore == 0)
    }
    for (key, value) in [("homeTeam", " "), ("awayTeam", nil), ("event", "resume"), ("event", nil)]
      as [(String, String?)]
    {
      var phone = AndroidPhone()
      var data = data(.update, stamp: 1)
      data[key] = value
      guard case .dropped = phone.receive(data: data, at: now) else {
        Issue.record("\(key) must be dropped")
        continue
      }
      #expect(phone.view(at: now) == nil)
    }
    var phone = AndroidPhone()
    var data = data(.update, stamp: 1)
    data["gameStatus"] = "Live"
    data["timestamp"] = "soon"
    _ = phone.receive(data: data, at: now)
    #expect(phone.view(at: now)?.state.gameStatus == .live)
    #expect(phone.receive(data: self.data(.update, stamp: now.milliseconds - 1), at: now) == .dropped("timestamp"))
  }
}
