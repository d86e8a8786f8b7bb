import GameCore
import LiveContract
import Testing

@testable import StandIn

@Suite("The modelled phones") struct PhoneTests {
  static let start = WallTime(milliseconds: 1_796_431_800_000)

  static func state(home: Int, seq: Int = 1) -> String {
    #"{"homeScore":\#(home),"awayScore":0,"gameStatus":"live","period":"Q1","clock":"","lastPlay":"","clockDir":"stop","clockAnchorMs":0,"seq":\#(seq)}"#
  }

  /// A fleet with one iPhone that shows a running game.
  static func running(policy: Int = 0) -> Fleet {
    var fleet = Fleet()
    fleet.add(IPhone(deviceID: "fan", channels: ["live-ios:x"]))
    fleet.open("Q0g=", policy: policy)
    fleet.start(JSON(Bodies.start("Q0g=").utf8)!, at: start)
    return fleet
  }

  static func update(
    _ fleet: inout Fleet, home: Int, at second: Int64, event: String = "update", after: Int64? = nil,
    expiration: String = "0", extra: String = "", priority: String = "5"
  ) {
    let body = Bodies.update(
      event, at: start.seconds + second, state: state(home: home), expiration: expiration, extra: extra)
    let json = JSON(body.replacing(#""apns-priority":"5""#, with: #""apns-priority":"\#(priority)""#).utf8)!
    fleet.broadcast("Q0g=", json, at: start + .seconds(after ?? second))
  }

  @Test("an older timestamp is dropped, an equal one is applied, and nothing follows an end")
  func order() throws {
    var fleet = PhoneTests.running()
    PhoneTests.update(&fleet, home: 2, at: 10)
    PhoneTests.update(&fleet, home: 1, at: 9)
    PhoneTests.update(&fleet, home: 3, at: 10)
    PhoneTests.update(&fleet, home: 4, at: 20, event: "end")
    PhoneTests.update(&fleet, home: 5, at: 30)
    let phone = try #require(fleet[iPhone: "fan"])
    #expect(phone.shown.map(\.homeScore) == [98, 2, 3, 4])
    #expect(phone.drops == [.older(than: PhoneTests.start.seconds + 10), .activityOver])
  }

  @Test("two starts are two tiles, and the eleventh in an hour is dropped")
  func starts() throws {
    var fleet = PhoneTests.running()
    for _ in 1...10 { fleet.start(JSON(Bodies.start("Q0g=").utf8)!, at: PhoneTests.start) }
    #expect(fleet[iPhone: "fan"]?.tiles.count == 10)
    #expect(fleet[iPhone: "fan"]?.drops == [.startBudget])
    fleet.start(JSON(Bodies.start("b3RoZXI=").utf8)!, at: PhoneTests.start)
    #expect(fleet[iPhone: "fan"]?.drops.last == .unknownChannel)
  }

  @Test(
    "a tile grows stale, is over after eight hours, and goes when its dismissal date says, after four hours at most")
  func looks() throws {
    var fleet = PhoneTests.running()
    PhoneTests.update(&fleet, home: 1, at: 10, extra: #","stale-date":\#(PhoneTests.start.seconds + 430)"#)
    func look(_ second: Int64) -> IPhone.Look? {
      fleet[iPhone: "fan"]?.tiles.first?.look(at: PhoneTests.start + .seconds(second))
    }
    #expect(
      [look(429), look(430), look(28_799), look(28_800), look(43_199), look(43_200)] == [
        .live, .stale, .stale, .final, .final, .gone,
      ])
    PhoneTests.update(&fleet, home: 2, at: 28_801)
    #expect(fleet[iPhone: "fan"]?.drops == [.activityOver])

    var ended = PhoneTests.running()
    PhoneTests.update(
      &ended, home: 1, at: 100, event: "end", extra: #","dismissal-date":\#(PhoneTests.start.seconds + 1_900)"#)
    #expect(ended[iPhone: "fan"]?.visible(at: PhoneTests.start + .seconds(1_899)).count == 1)
    #expect(ended[iPhone: "fan"]?.visible(at: PhoneTests.start + .seconds(1_900)).isEmpty == true)
  }

  @Test("a state that the stock decoder refuses leaves the old one, and nobody hears of it")
  func undecodable() throws {
    var fleet = PhoneTests.running()
    let body = Bodies.update(
      at: PhoneTests.start.seconds + 5, state: PhoneTests.state(home: 1).replacing(":1", with: #":"1""#))
    fleet.broadcast("Q0g=", JSON(body.utf8)!, at: PhoneTests.start + .seconds(5))
    #expect(fleet[iPhone: "fan"]?.tiles.first?.state.homeScore == 98)
    guard case .undecodable = fleet[iPhone: "fan"]?.drops.first else {
      Issue.record("not dropped")
      return
    }
    #expect(IPhone.decodes(contentState: PhoneTests.state(home: 102).replacing("102", with: "102.0")))
    #expect(!IPhone.decodes(contentState: PhoneTests.state(home: 1).replacing(#""live""#, with: #""Live""#)))
  }

  @Test("urgent pushes are bounded by a budget that refills; quiet ones are free")
  func budget() {
    var fleet = PhoneTests.running()
    for second in 1...40 { PhoneTests.update(&fleet, home: second.hashValue & 7, at: Int64(second), priority: "10") }
    let drops = fleet[iPhone: "fan"]?.drops.count ?? 0
    #expect(drops > 0 && drops < 10)
    PhoneTests.update(&fleet, home: 1, at: 41)
    #expect(fleet[iPhone: "fan"]?.drops.count == drops)
  }

  @Test(
    "an offline phone gets the stored broadcast under policy 1 until it expires, and nothing under policy 0",
    arguments: [0, 1])
  func offline(policy: Int) {
    var fleet = PhoneTests.running(policy: policy)
    fleet.goOffline("fan")
    let expiration = String(PhoneTests.start.seconds + 1_800)
    PhoneTests.update(&fleet, home: 7, at: 10, expiration: expiration)
    var late = fleet
    fleet.comeOnline("fan", at: PhoneTests.start + .seconds(1_799))
    #expect(fleet[iPhone: "fan"]?.tiles.first?.state.homeScore == (policy == 1 ? 7 : 98))
    late.comeOnline("fan", at: PhoneTests.start + .seconds(1_800))
    #expect(late[iPhone: "fan"]?.tiles.first?.state.homeScore == 98)
  }

  static func push(_ home: Int, _ timestamp: Int64, _ event: String = "update", ttl: Int = 180) -> JSON {
    let body = JSON(
      Bodies.message(id: "g:0", home: home, event: event, timestamp: timestamp).replacing("180s", with: "\(ttl)s").utf8)!
    return body.elements![0]["extras"]!["push"]!
  }

  @Test("Android has one slot: older is dropped, equal is applied, an update after the end revives the game")
  func android() throws {
    var fleet = Fleet()
    fleet.add(AndroidPhone(deviceID: "a", channels: ["c"]))
    for (home, timestamp, event) in [
      (1, 100, "update"), (2, 99, "update"), (3, 100, "update"), (4, 200, "end"), (5, 200, "update"),
    ] {
      fleet.message(on: "c", PhoneTests.push(home, Int64(timestamp), event), at: PhoneTests.start)
    }
    fleet.message(on: "elsewhere", PhoneTests.push(9, 900), at: PhoneTests.start)
    let phone = try #require(fleet[android: "a"])
    #expect(phone.shown.map(\.homeScore) == [1, 3, 4, 5])
    #expect(phone.drops == [.older(than: 100)])
    #expect(phone.revivals == 1)
    #expect(phone.card?.isFinal == false)
  }

  @Test("Android: what waits offline dies with its time to live; a final card clears itself after an hour")
  func androidTime() {
    var fleet = Fleet()
    fleet.add(AndroidPhone(deviceID: "a", channels: ["c"]))
    fleet.goOffline("a")
    fleet.message(on: "c", PhoneTests.push(1, 100, ttl: 10), at: PhoneTests.start)
    fleet.message(to: "a", PhoneTests.push(2, 50, "end", ttl: 100), at: PhoneTests.start)
    fleet.comeOnline("a", at: PhoneTests.start + .seconds(50))
    #expect(fleet[android: "a"]?.shown.map(\.homeScore) == [2])
    #expect(fleet[android: "a"]?.visible(at: PhoneTests.start + .seconds(3_649)) != nil)
    #expect(fleet[android: "a"]?.visible(at: PhoneTests.start + .seconds(3_650)) == nil)
  }
}
