import GameCore
import Input
import Platform
import Testing

@Suite struct DecoderPropertyTests {
  private func decoders() throws -> [(ConsoleProtocol, any FrameDecoder)] {
    let sports: [ConsoleSport?] =
      [nil, .basketball, .hockey, .waterPolo, .swimming, .baseball, .americanFootball, .track, .handball]
    return try ConsoleProtocol.allCases.flatMap { console in
      try sports.map { sport in
        let options = console == .genericLine ? [(name: "pattern", value: #"(?P<home_score>\d+)"#)] : []
        return (
          console,
          try DecoderSettings(console: console, sport: sport, options: options, compile: Pattern.compile)
            .makeDecoder().get()
        )
      }
    }
  }

  @Test("damage never crashes a decoder, and a whole frame after it is read", arguments: GoldenFrame.all)
  func damage(_ frame: GoldenFrame) throws {
    var random = SeededGenerator(seed: UInt64(frame.bytes.count) + 7)
    for _ in 0..<20 {
      var decoder = try frame.makeDecoder()
      var bytes = frame.bytes
      for _ in 0...2 {
        let place = Int(random.next() % UInt64(bytes.count))
        switch random.next() % 3 {
        case 0: bytes[place] ^= 1 << UInt8(random.next() % 8)
        case 1: if bytes.count > 1 { bytes.remove(at: place) }
        default: bytes.insert(UInt8.random(in: 0...255, using: &random), at: place)
        }
      }
      decoder.feed(bytes)
      _ = decoder.image()
    }
  }

  @Test("random bytes of any kind never crash a decoder")
  func randomBytes() throws {
    var random = SeededGenerator(seed: 2)
    for (_, decoder) in try decoders() {
      var decoder = decoder
      for _ in 0..<4 {
        let starts: [UInt8] = [0x01, 0x02, 0x16, 0xF8, 0xFF, 0x03, 0x04, 0x0D, 0x20, 0x30]
        decoder.feed(
          (0..<400).map { _ in
            random.next() % 4 == 0 ? starts[Int(random.next() % 10)] : UInt8.random(in: 0...255, using: &random)
          })
        _ = decoder.image()
      }
      decoder.dropPartialFrame()
    }
  }

  @Test("unknown settings, sports and patterns are refused with what is possible")
  func refusals() {
    func reasons(_ settings: DecoderSettings) -> String {
      guard case .failure(let refusal) = settings.makeDecoder() else { return "" }
      return refusal.reasons.joined(separator: "; ")
    }
    let wrong = DecoderSettings(console: .daktronicsRTD, options: [("consle", "x")])
    #expect(reasons(wrong).contains("it has console, columns"))
    #expect(
      reasons(DecoderSettings(console: .daktronicsRTD, options: [("console", "x")])).contains("allsport or omnisport"))
    #expect(reasons(DecoderSettings(console: .faveroFA05, options: [("a", "b")])).contains("nor any other"))
    #expect(reasons(DecoderSettings(console: .genericLine, compile: Pattern.compile)).contains("needs a pattern"))
    let unknownGroup = DecoderSettings(
      console: .genericLine, options: [("pattern", "(?P<home_goals>.)")], compile: Pattern.compile)
    #expect(reasons(unknownGroup).contains("home_goals is no field"))
    let broken = DecoderSettings(console: .genericLine, options: [("pattern", "(")], compile: Pattern.compile)
    #expect(reasons(broken).contains("fails at character"))
    let channel = DecoderSettings(console: .ctsGen6, options: [("clock_channel", "99")])
    #expect(reasons(channel).contains("0 to 31"))
  }

  @Test("football is American on American consoles and soccer on the others")
  func football() {
    #expect(ConsoleSport("football", on: .daktronicsRTD) == .americanFootball)
    #expect(ConsoleSport("football", on: .bodetScorepad) == .soccer)
    #expect(ConsoleSport("American Football", on: .stramatelTV) == .americanFootball)
    #expect(ConsoleSport("hockey-family", on: .bodetScorepad) == .hockey)
    #expect(ConsoleSport("water polo", on: .ctsGen6) == .waterPolo)
    #expect(ConsoleSport("quidditch", on: .ctsGen6) == nil)
  }

  @Test("a line longer than any buffer keeps memory bounded and the next line is read")
  func endlessLine() throws {
    var decoder = try DecoderSettings(
      console: .genericLine, options: [("pattern", #"^H (?P<home_score>\d+)$"#)], compile: Pattern.compile
    ).makeDecoder().get()
    decoder.feed(repeatElement(0x41, count: 300_000))
    decoder.feed(Array("\nH 3\n".utf8))
    #expect(decoder.counts == FrameCounts(good: 1, bad: 1))
    #expect(decoder.image()["home_score"] == .number(3))
  }

  @Test(
    "clock texts in every face are the same moment",
    arguments: [
      (":16", 160), ("0:16", 160), ("16.0", 160), ("1:16.5", 765), ("12:34", 7540), ("59.9", 599), ("16", 160),
      ("1:05:30", 39300), (".5", 5),
    ])
  func clocks(_ text: String, _ tenths: Int) { #expect(ShownClock(reading: text)?.tenths == tenths) }

  @Test("what is no clock is none", arguments: ["", "OT", "1:", "a:10", "1:2:3:4", "12:34.567", "--", ":"])
  func noClock(_ text: String) { #expect(ShownClock(reading: text) == nil) }
}
