import Bridge
import Document
import GameCore
import Input
import Outbox
import Platform
import Publishing
import Simulation
import Testing

@Suite("Recordings") struct RecordingTests {
  private let header = RecordingHeader(
    version: "1.2.3", seed: .max, boot: "5f0c", courts: ["main", "second"],
    began: Moment(instant: Instant(nanoseconds: 1_000_000_000), wall: WallTime(milliseconds: 1_800_000_000_000)))

  private func moment(_ seconds: Double, setBack: Duration = .zero) -> Moment {
    let instant = Instant(nanoseconds: Int64(seconds * 1e9))
    return Moment(at: instant, wallOffset: header.began.wallOffset - setBack)
  }

  private func line(_ recorder: inout Recorder, _ stimulus: Stimulus, at moment: Moment) throws -> [UInt8] {
    let line = recorder.line(stimulus, at: moment)
    return try #require(line)
  }

  private var reader: RecordingReader { RecordingReader { try? JSONDocument.parse($0) } }

  /// One of each, with everything that may be absent there once and absent once.
  private var stimuli: [Stimulus] {
    var contents = StoreContents()
    contents.events = [.init(game: "g/1", sequence: 3, body: Array(#"{"a":"ü"}"#.utf8))]
    contents.entries = [.init(lane: "g/1/ios", sequence: 9, body: [0xFF, 0x00])]
    // One, as two have no order.
    contents.marks = ["boot": Array("5f0c".utf8)]
    let address = InputAddress(court: 1, console: 2)
    let button = LinePlace(court: 0, part: .button(4))
    let edges = [
      LineEdge(.active, at: Instant(nanoseconds: 77), sequence: 1), LineEdge(.inactive, at: Instant(nanoseconds: 99)),
    ]
    return [
      .started(contents), .started(StoreContents()),
      .bytes([0x16, 0x00, 0xFF, 0x41], from: address), .bytes(Array("HOME 3\r\n".utf8), from: address),
      .bytes([], from: address),
      .feedOpened(address), .feedClosed(address, reason: "cannot read \"x\": gone"),
      .key("ä"), .key(" "),
      .line(button, .opened(.inactive, place: "gpiochip0/4", warning: nil)),
      .line(button, .opened(.active, place: "chip", warning: "active-low?")),
      .line(button, .edges(edges, queueWasFull: true)), .line(button, .edges([], queueWasFull: false)),
      .line(LinePlace(court: 1, part: .lamp(0)), .read(.active)), .line(button, .down(reason: "unplugged")),
      .message(MQTTMessage(topic: "a/b", payload: Array("home +1".utf8))),
      .message(
        MQTTMessage(
          topic: "a/b", payload: [0, 1, 254], qos: .exactlyOnce, isRetained: true,
          responseTopic: "r", correlation: [7, 0])),
      .broker(.connecting), .broker(.connected(broker: "b:1883", maximumPacketSize: 9)),
      .broker(.connected(broker: "b:1883", maximumPacketSize: nil)), .broker(.loginRefused(reason: "no")),
      .broker(.clientIDTaken), .broker(.lost(reason: "cable")),
      .brokerSaid(.notPublished(topic: "a", reason: "no right")), .brokerSaid(.tooLarge(topic: "a", limit: 9)),
      .brokerSaid(.tooSlow(topic: "a")), .brokerSaid(.subscribed(refused: [])),
      .brokerSaid(.subscribed(refused: ["a/+", "b"])),
      .linkCameUp, .clockChecked(isSynchronised: true), .clockChecked(isSynchronised: false),
      .clockChecked(isSynchronised: nil), .terminate,
    ]
  }

  @Test("every input is read back as it was, at its own instant")
  func roundTrip() throws {
    var reader = reader
    guard case .header(let read)? = reader.read(Recorder.line(header)) else {
      Issue.record("no header")
      return
    }
    #expect(read == header)
    var recorder = Recorder(header)
    for (number, stimulus) in stimuli.enumerated() {
      let moment = moment(2 + Double(number) * 0.0101)
      let line = try line(&recorder, stimulus, at: moment)
      #expect(line.last == 0x0A && !line.dropLast().contains(0x0A))
      guard case .input(let back, let at)? = reader.read(line) else {
        Issue.record("\(String(decoding: line, as: UTF8.self)) is not read")
        continue
      }
      // A dictionary's words come in any order.
      if case .started(let read) = back, case .started(let written) = stimulus {
        #expect(read == written)
      } else {
        #expect("\(back)" == "\(stimulus)")
      }
      #expect(at == moment)
    }
  }

  @Test("a wall clock that is set is told, and one that only ticks is not")
  func wallClock() throws {
    var reader = reader
    _ = reader.read(Recorder.line(header))
    var recorder = Recorder(header)
    let steady = try line(&recorder, .linkCameUp, at: moment(5))
    #expect(!String(decoding: steady, as: UTF8.self).contains("wall"))
    for seconds in [6.0, 7.0] {
      let set = moment(seconds, setBack: .seconds(3600))
      guard case .input(_, let at)? = reader.read(try line(&recorder, .linkCameUp, at: set)) else {
        Issue.record("the line is not read")
        return
      }
      #expect(at == set)
    }
  }

  @Test("what the daemon made of its inputs, and what a config holds, is not written")
  func noSecrets() throws {
    var recorder = Recorder(header)
    let own: [Stimulus] = [
      .deadline, .stored(.persisted(through: 1)), .answered(call: 1, .answered(HTTPResponse(status: 200))),
    ]
    let written = own.compactMap { recorder.line($0, at: moment(2)) }
    #expect(written == [])
    let key = try AblyKey("app.id:terribly-secret")
    let settings = try AblySettings(hosts: try AblyHosts(), credential: .key(key), agent: "test")
    let reload = Reload(config: Config(), courts: [], provider: .rehearsal(settings) { _ in nil })
    let line = try line(&recorder, .reload(reload), at: moment(2))
    #expect(String(decoding: line, as: UTF8.self) == "{\"at\":2000000000,\"input\":\"reload\"}\n")
    var reader = reader
    _ = reader.read(Recorder.line(header))
    guard case .reload? = reader.read(line) else {
      Issue.record("the reload is not read")
      return
    }
  }

  @Test("a line that was torn at any byte is none, and the next one is read")
  func torn() throws {
    var recorder = Recorder(header)
    let message = MQTTMessage(topic: "a/b", payload: Array("home +1".utf8), correlation: [1])
    for stimulus: Stimulus in [.message(message), .bytes([0, 1], from: InputAddress(court: 0, console: 0))] {
      let line = try line(&recorder, stimulus, at: moment(3)).dropLast()
      for count in 0..<line.count {
        var reader = reader
        _ = reader.read(Recorder.line(header))
        let piece = reader.read(Array(line.prefix(count)))
        let whole = reader.read(Array(line))
        #expect(piece == nil, "\(count) bytes")
        #expect(whole != nil)
      }
    }
    var reader = reader
    let early = reader.read(try line(&recorder, .linkCameUp, at: moment(4)))
    #expect(early == nil, "without a header")
    let other = String(decoding: Recorder.line(header), as: UTF8.self)
      .replacing("\"recording\":1", with: "\"recording\":2")
    let foreign = reader.read(Array(other.utf8))
    #expect(foreign == nil)
  }
}
