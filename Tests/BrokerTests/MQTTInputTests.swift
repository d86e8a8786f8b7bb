import Document
import GameCore
import Input
import Platform
import Testing

@testable import Bridge

@Suite struct MQTTInputTests {
  private func message(_ topic: String, _ payload: String, retained: Bool = false) -> MQTTMessage {
    MQTTMessage(topic: topic, payload: Array(payload.utf8), isRetained: retained)
  }

  private func parse(_ bytes: [UInt8]) -> Node? { try? JSONDocument.parse(bytes) }

  private func at(_ second: Int64) -> Instant { Instant(nanoseconds: second * 1_000_000_000) }

  // MARK: - Scoreboards

  private static let places: [MQTTBoard.Place] = [
    .init(.homeScore, topic: "hall", path: ["teams", "0", "score"]), .init(.awayScore, topic: "hall", path: ["guest"]),
    .init(.clock, topic: "hall/clock"), .init(.clockRunning, topic: "hall/running"),
    .init(.period, topic: "hall/period"),
    .init(.possession, topic: "hall", path: ["serve"]),
  ]

  @Test("paths and plain texts become one report, which is told when it changes and when both scores are known")
  func board() {
    var board = MQTTBoard(name: "hall", places: Self.places, lostAfter: .seconds(60))
    func say(_ topic: String, _ text: String) -> [MQTTBoard.Action] {
      board.received(message(topic, text), json: parse, at: at(0))
    }
    #expect(say("hall/clock", " 12:34 ") == [] && board.word == "waiting for score")
    var report = Report()
    (report.home.score, report.away.score) = (3, 4)
    report.clock = Report.Clock(reading: .seconds(754))
    report.possession = .home
    #expect(say("hall", #"{"teams":[{"score":3}],"guest":"4","serve":"Home","other":[]}"#) == [.report(report)])
    #expect(say("hall", #"{"teams":[{"score":3}],"guest":"4","serve":"Home"}"#) == [])
    report.clock?.running = true
    #expect(say("hall/running", "ON") == [.report(report)])
    report.periodNumber = 2
    #expect(say("hall/period", "\"2\"") == [.report(report)])
    (report.periodNumber, report.periodText) = (nil, "OT")
    #expect(say("hall/period", "OT") == [.report(report)])
    #expect(board.counts == FrameCounts(good: 6, bad: 0) && board.word == "fresh")
  }

  @Test(
    "what cannot be read is counted and named, and changes nothing",
    arguments: [
      ("hall", "not json"), ("hall", #"{"guest":-1}"#), ("hall", #"{"guest":1.5}"#), ("hall", #"{"guest":"A"}"#),
      ("hall", #"{"guest":99999}"#), ("hall/clock", "12:61"), ("hall/clock", "-1:00"), ("hall/running", "maybe"),
      ("hall/period", ""), ("hall", #"{"serve":"left"}"#),
    ])
  func unreadable(_ topic: String, _ text: String) {
    var board = MQTTBoard(name: "hall", places: Self.places, lostAfter: .seconds(60))
    #expect(board.received(message(topic, text), json: parse, at: at(0)) == [])
    #expect(board.counts.good == 0 && board.counts.bad > 0 && board.lastUnread != nil && board.word == "waiting")
  }

  @Test("a stored message is of yesterday, perhaps: it is neither a report nor a sign of life")
  func storedBoard() {
    var board = MQTTBoard(name: "hall", places: Self.places, lostAfter: .seconds(60))
    let text = #"{"teams":[{"score":88}],"guest":77}"#
    #expect(board.received(message("hall", text, retained: true), json: parse, at: at(0)) == [])
    #expect(board.word == "waiting")
  }

  @Test("a silent board is lost after its time, once, and back with its next message")
  func silence() {
    var board = MQTTBoard(name: "hall", places: [.init(.period, topic: "p")], lostAfter: .seconds(60))
    _ = board.received(message("p", "1"), json: parse, at: at(0))
    #expect(board.timePassed(at: at(59)) == [] && board.nextDeadline == at(60))
    #expect(board.timePassed(at: at(60)) == [.wentLost] && board.timePassed(at: at(99)) == [] && board.word == "lost")
    #expect(board.received(message("p", "1"), json: parse, at: at(100)) == [.cameBack])
  }

  // MARK: - Buttons

  static let presses: [(MQTTButton.Maker, String, Int?, String, [String]?)] = [
    (.zigbee2MQTT, "zigbee2mqtt/hall/remote", nil, #"{"action":"single","battery":91,"linkquality":60}"#, ["single"]),
    (.zigbee2MQTT, "zigbee2mqtt/r", nil, #"{"battery":91}"#, nil),
    (.zigbee2MQTT, "zigbee2mqtt/r", nil, #"{"action":"","battery":91}"#, nil),
    (.zigbee2MQTT, "zigbee2mqtt/r/action", nil, "1_hold", ["1_hold"]),
    (.zigbee2MQTT, "zigbee2mqtt/r", nil, #"{"action":null}"#, nil),
    (
      .shellyGen2, "s/events/rpc", 1,
      #"{"src":"s","method":"NotifyEvent","params":{"ts":1.5,"events":[{"component":"input:1","id":1,"event":"single_push","ts":1.5}]}}"#,
      ["single_push"]
    ),
    (
      .shellyGen2, "s/events/rpc", 0,
      #"{"method":"NotifyEvent","params":{"ts":1,"events":[{"component":"input:1","event":"single_push","ts":1}]}}"#,
      nil
    ),
    (
      .shellyGen2, "s/events/rpc", 0, #"{"method":"NotifyStatus","params":{"ts":1,"input:0":{"id":0,"state":true}}}"#,
      nil
    ),
    (
      .shellyGen2, "s/events/rpc", 0,
      #"{"method":"NotifyEvent","params":{"ts":2,"events":[{"component":"input:0","event":"btn_down","ts":1},{"component":"sys","event":"config_changed","ts":2},{"component":"input:0","event":"long_push","ts":2}]}}"#,
      ["btn_down", "long_push"]
    ),
    (.tasmota, "stat/t/RESULT", nil, #"{"Button1":{"Action":"SINGLE"}}"#, ["SINGLE"]),
    (.tasmota, "stat/t/BUTTON2", 2, #"{"BUTTON2":{"ACTION":"HOLD"}}"#, ["HOLD"]),
    (.tasmota, "stat/t/RESULT", 2, #"{"Switch2":{"Action":"ON"}}"#, ["ON"]),
    (.tasmota, "stat/t/RESULT", nil, #"{"POWER":"ON"}"#, nil),
    (.tasmota, "stat/t/RESULT", nil, #"{"Button2":{"Action":"SINGLE"}}"#, nil),
    (.espHome, "n/event/b/state", nil, #"{"event_type":"double"}"#, ["double"]),
    (.espHome, "n/binary_sensor/b/state", nil, "ON", ["ON"]),
    (.espHome, "n/binary_sensor/b/state", nil, "", nil),
  ]

  @Test("each maker's message is the press that it says, and everything else is none", arguments: presses)
  func press(_ maker: MQTTButton.Maker, _ topic: String, _ input: Int?, _ payload: String, _ words: [String]?) {
    var button = MQTTButton(name: "b", maker: maker, topic: topic, input: input)
    let answer = button.received(message(topic, payload), json: parse)
    if let words { #expect(answer == .pressed(words)) } else { #expect(!answer.isPress) }
    // B64: the same, stored, is never a press.
    var other = MQTTButton(name: "b", maker: maker, topic: topic, input: input)
    let stored = other.received(message(topic, payload, retained: true), json: parse)
    #expect(stored == .ignored(reason: "a stored message is no press") && other.retained == 1)
    let strange = other.received(message(topic + "x", payload), json: parse)
    #expect(strange == .ignored(reason: "another topic"))
  }

  @Test("a Shelly of the first generation presses when its counter moves: the first one seen, and repeats, are none")
  func counter() {
    var button = MQTTButton(name: "b", maker: .shellyGen1, topic: "i", input: nil)
    func event(_ count: Int, _ word: String = "S", retained: Bool = false) -> MQTTButton.Answer {
      button.received(message("i", #"{"event":"\#(word)","event_cnt":\#(count)}"#, retained: retained), json: parse)
    }
    #expect(!event(7).isPress && !event(7).isPress && event(8) == .pressed(["S"]) && !event(8).isPress)
    #expect(event(9, "SS") == .pressed(["SS"]) && !event(10, "").isPress && event(65535) == .pressed(["S"]))
    #expect(event(0) == .pressed(["S"]))
    // A stored copy says where the counter stands, also after we were away.
    #expect(!event(41, retained: true).isPress && !event(41).isPress && event(42, "L") == .pressed(["L"]))
    #expect(button.isHold("L") && button.isHold("LS") && !button.isHold("S"))
  }

  @Test("B72: an event that a later Shelly sends twice has the same time and is one press")
  func redelivered() {
    var button = MQTTButton(name: "b", maker: .shellyGen2, topic: "i", input: 0)
    func event(_ time: Double) -> MQTTButton.Answer {
      button.received(
        message(
          "i",
          #"{"method":"NotifyEvent","params":{"events":[{"component":"input:0","event":"btn_down","ts":\#(time)}]}}"#),
        json: parse)
    }
    #expect(event(1.25).isPress && !event(1.25).isPress && event(1.5).isPress && !event(1.25).isPress)
  }

  @Test("a button on the broker counts for its court, its words in any case, and a long press arms")
  func engine() throws {
    var venue = try Venue(
      court: """
        mqtt_buttons:
          - {name: remote, maker: zigbee2mqtt, topic: z/r, actions: {single: home +1, Double: home +2, hold: game end}}
          - {name: wall, maker: shelly-gen2, topic: s/events/rpc, actions: {single_push: away +1}}
        """)
    #expect(venue.command("game", "start").result == "done")
    venue.say("z/r", #"{"action":"single"}"#)
    venue.say("z/r", #"{"action":"DOUBLE"}"#)
    venue.say("z/r", #"{"action":"single"}"#, retained: true)
    venue.say("z/r", #"{"action":"triple"}"#)
    #expect(venue.score == [3, 0])
    let event = venue.newest("\(Venue.main)/event")
    #expect(event?["source"]?.text == "button" && event?["from"]?.text == "remote")
    // Just after a start even a hold does not end the game.
    venue.pass(.seconds(60))
    venue.say("z/r", #"{"action":"hold"}"#)
    #expect(venue.newest("\(Venue.main)/state")?["phase"]?.text == "finished")
    let quality = Dictionary(uniqueKeysWithValues: venue.engine.subscriptions.map { ($0.filter, $0.qos) })
    #expect(
      quality == [
        "\(Venue.main)/cmd/+": .atLeastOnce, "z/r": .atMostOnce, "s/events/rpc": .atLeastOnce,
        "\(Venue.prefix)/availability": .atLeastOnce, "\(Venue.prefix)/status": .atMostOnce,
      ])
  }
}

extension MQTTButton.Answer {
  fileprivate var isPress: Bool { if case .pressed = self { true } else { false } }
}
