import Document
import GameCore
import Input
import Platform
import Publishing
import Testing

@testable import Bridge

@Suite struct StatusTests {
  @Test("a trouble that passes by itself is not raised; one that stays is, and is cleared only when it stays away")
  func hysteresis() {
    var conditions = Conditions()
    func look(_ second: Int64, _ there: Bool) -> Bool {
      conditions.look(there ? [Self.broker] : [], at: Instant(nanoseconds: second * 1_000_000_000))
      return !conditions.standing.isEmpty
    }
    #expect([look(0, true), look(2, true), look(2, false), look(5, false)] == [false, false, false, false])
    #expect([look(10, true), look(12, true), look(13, true)] == [false, false, true])
    #expect(
      [look(14, false), look(18, true), look(19, false), look(28, false), look(29, false)]
        == [true, true, true, true, false])
    // Raised a second time within the minute: it stays until it has been away for one.
    #expect(
      [look(30, true), look(33, true), look(34, false), look(50, false), look(93, false), look(94, false)]
        == [false, true, true, true, true, false])
  }

  @Test("a condition that comes and goes every few seconds for two hours is told four times at most")
  func storm() {
    var conditions = Conditions()
    var changes = 0
    var wasStanding = false
    for second in 0..<7200 {
      conditions.look(
        second % 9 < 5 ? [Self.broker] : [], at: Instant(nanoseconds: Int64(second) * 1_000_000_000))
      let isStanding = !conditions.standing.isEmpty
      if isStanding != wasStanding { changes += 1 }
      wasStanding = isStanding
    }
    #expect(changes <= 4)
  }

  @Test("what is down is told at once")
  func down() {
    var conditions = Conditions()
    let complaint = Engine.Complaint(health: .down, code: "provider-down", subject: "", text: "no key")
    conditions.look([complaint], at: Instant(nanoseconds: 0))
    #expect(conditions.standing == [complaint])
  }

  @Test("a two-hour outage of an input is two alerts; between them the status speaks once a minute")
  func outage() throws {
    var venue = try Venue(
      court: "mqtt_scoreboards: [{name: hall, lost_after: 10s, fields: {home_score: {topic: h}}}]")
    venue.say("h", "1")
    venue.pass(.seconds(100))
    let before = venue.published.count
    venue.pass(.seconds(7200))
    let told = venue.published[before...].filter { $0.topic == "\(Venue.prefix)/status" }
    #expect(told.count >= 119 && told.count <= 122)
    #expect(venue.reasons == ["input"])
    #expect(venue.status?["health"]?.text == "degraded")
    for _ in 0..<12 {
      venue.say("h", "2")
      venue.pass(.seconds(1))
    }
    #expect(venue.newest("\(Venue.prefix)/status")?["health"]?.text == "ok")
  }

  @Test("numbers alone do not make the status speak, and it speaks at every heartbeat")
  func heartbeat() throws {
    var venue = try Venue()
    // The first baskets open the game for phones, which the status tells.
    _ = venue.command("score", "home")
    venue.pass(.seconds(30))
    _ = venue.command("score", "home")
    venue.pass(.seconds(90))
    let before = venue.published.count
    for _ in 0..<20 { _ = venue.command("score", "home") }
    #expect(venue.published[before...].allSatisfy { $0.topic != "\(Venue.prefix)/status" })
    venue.pass(.seconds(60))
    #expect(venue.published[before...].count { $0.topic == "\(Venue.prefix)/status" } == 1)
    #expect(venue.status?["commands"]?["done"]?.integer == 22)
    #expect(venue.status?["heartbeatS"]?.integer == 60)
  }

  @Test("B64, R-01: availability says online on each connect, offline at the end, and lost by the will")
  func availability() throws {
    var venue = try Venue()
    #expect(venue.text("\(Venue.prefix)/availability") == "online")
    #expect(venue.engine.will.isRetained && String(decoding: venue.engine.will.payload, as: UTF8.self) == "lost")
    venue.take(.terminate)
    #expect(venue.text("\(Venue.prefix)/availability") == "offline")
  }

  @Test("B69, B71: a refused login and a client id in use are named on the daemon's own page, and logged once each")
  func brokerTroubles() throws {
    var venue = try Venue()
    for state in [BrokerState.loginRefused(reason: "not authorised"), .clientIDTaken] {
      for _ in 0..<10 { venue.take(.broker(state)) }
      venue.pass(.seconds(4))
      let text = venue.status?["reasons"]?.elements?.first?["text"]?.text
      #expect(text == "broker \(state.summary)" && venue.reasons == ["broker"])
      #expect(venue.lines.count { $0 == "broker \(state.summary)" } == 1)
    }
    venue.connect()
    venue.pass(.seconds(11))
    #expect(venue.status?["health"]?.text == "ok" && venue.status?["broker"]?.text == "connected")
  }

  private static let broker = Engine.Complaint(
    health: .degraded, code: "broker", subject: "", text: "broker lost: the cable")
}

/// What a broker may do to a watcher who believes the status.
@Suite struct BrokerNewsTests {
  private static let status = "\(Venue.prefix)/status"
  private static let availability = "\(Venue.prefix)/availability"

  @Test("two daemons on one venue: ours hears the other and says so until it is gone, and is online all the while")
  func rival() throws {
    var venue = try Venue()
    let ours = try #require(venue.text(Self.status))
    let run = try #require(venue.status?["run"]?.text)
    let other = ours.replacingOccurrences(of: run, with: "other")
    venue.say(Self.status, ours)
    // The run before, as the broker kept it.
    venue.say(Self.status, other, retained: true)
    venue.pass(.seconds(1))
    #expect(venue.reasons == [])
    venue.say(Self.status, other)
    #expect(venue.newest(Self.status)?["reasons"]?.elements?.first?["code"]?.text == "another-daemon")
    #expect(venue.newest(Self.status)?["health"]?.text == "degraded")
    // Only a live word that says something else than we do is contradicted.
    for (word, retained, isContradicted) in [
      ("online", false, false), ("lost", true, false), ("offline", false, true), ("lost", false, true),
    ] {
      let before = venue.published.count
      venue.say(Self.availability, word, retained: retained)
      let said = venue.published[before...].filter { $0.topic == Self.availability }
      #expect(said.map { String(decoding: $0.payload, as: UTF8.self) } == (isContradicted ? ["online"] : []), "\(word)")
    }
    venue.pass(.seconds(120))
    #expect(venue.reasons == ["another-daemon"])
    venue.pass(.seconds(60))
    #expect(venue.reasons == [])
    venue.take(.terminate)
    let end = venue.published.count
    venue.say(Self.availability, "lost")
    #expect(venue.published.count == end)
  }

  @Test("what the broker refuses is no secret of the log: the status is not ok, and it is tried again at the heartbeat")
  func refused() throws {
    var venue = try Venue(
      court: "mqtt_buttons: [{name: remote, maker: zigbee2mqtt, topic: z/r, actions: {single: home +1}}]")
    let state = "\(Venue.main)/state"
    venue.take(.brokerSaid(.notPublished(topic: state, reason: "Not authorized")))
    venue.take(.brokerSaid(.notPublished(topic: "desk/answers", reason: "Not authorized")))
    #expect(venue.reasons == ["not-published"] && venue.newest(Self.status)?["health"]?.text == "degraded")
    let before = venue.published.count
    venue.pass(.seconds(60))
    #expect(venue.published[before...].count { $0.topic == state } == 1)
    venue.pass(.seconds(10))
    #expect(venue.reasons == [])
    venue.take(.brokerSaid(.subscribed(refused: ["\(Venue.main)/cmd/+", "z/r"])))
    #expect(venue.reasons == ["not-subscribed", "not-subscribed"])
    let inputs = venue.status?["courts"]?.elements?.first?["inputs"]?.elements
    #expect(inputs?.first?["state"]?.text == "closed")
    venue.lose()
    venue.connect()
    venue.pass(.seconds(70))
    #expect(venue.reasons == [])
  }

  @Test("B73: a message that the connection holds to be too large is in the status until a smaller one leaves")
  func tooLarge() throws {
    var venue = try Venue()
    let state = "\(Venue.main)/state"
    venue.take(.brokerSaid(.tooLarge(topic: state, limit: 100)))
    #expect(venue.reasons == ["message-too-large"])
    _ = venue.command("score", "home")
    venue.pass(.seconds(11))
    #expect(venue.reasons == [])
  }

  @Test("an event that finds no room at a slow broker is counted as dropped")
  func tooSlow() throws {
    var venue = try Venue()
    venue.take(.brokerSaid(.tooSlow(topic: "\(Venue.main)/event")))
    #expect(venue.status?["messagesDropped"]?.integer == 1)
  }

  @Test("online is the last word of every connect: whoever reads it finds the rest")
  func onlineLast() throws {
    var venue = try Venue(mqtt: "discovery: {}")
    #expect(venue.published.last?.topic == Self.availability)
    venue.lose()
    _ = venue.command("score", "home")
    venue.connect()
    #expect(venue.published.last?.topic == Self.availability)
  }

  @Test(
    "online is forgotten by a broker that does not hear it again, and said at every heartbeat; the other words stay")
  func onlineExpires() throws {
    var venue = try Venue()
    func words() -> [MQTTPublication] { venue.published.filter { $0.topic == Self.availability } }
    venue.pass(.seconds(600))
    #expect(words().count == 11 && words().allSatisfy { $0.expiry == .seconds(150) && $0.isRetained })
    #expect(venue.published.allSatisfy { $0.topic == Self.availability || $0.expiry == nil })
    venue.take(.terminate)
    #expect(words().last?.expiry == nil && venue.engine.will.expiry == nil && venue.engine.farewell.expiry == nil)
  }

  @Test("a status that is told at a connect is of this moment, and says that there is a connection")
  func freshStatus() throws {
    var venue = try Venue(connected: false)
    venue.pass(.seconds(30))
    venue.connect()
    #expect(venue.newest(Self.status)?["broker"]?.text == "connected")
    #expect(venue.newest(Self.status)?["at"]?.text == venue.now.wall.iso8601)
  }

  @Test(
    "whatever number of a court is asked for, the daemon answers", arguments: [0, 2, Int.min, Int.max])
  func numbers(_ number: Int) throws {
    let venue = try Venue()
    let request = HTTPRequest(method: "GET", host: "localhost", target: "/app/courts/\(number)")
    #expect(venue.engine.response(to: request, at: venue.now).status == 404)
  }
}
