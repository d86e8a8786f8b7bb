import Document
import Testing

@Suite struct SchemaTests {
  @Test(
    "a duration is a number with its unit, coarse before fine",
    arguments: [
      ("25ms", Duration.milliseconds(25)), ("3s", .seconds(3)), ("10m", .seconds(600)), ("2h", .seconds(7200)),
      ("7h30m", .seconds(27_000)), ("1.5s", .milliseconds(1500)), ("0s", .zero), ("500us", .microseconds(500)),
      ("1m0.5s", .milliseconds(60_500)),
    ])
  func durations(_ text: String, _ duration: Duration) {
    #expect(DurationText.parse(text) == duration)
    #expect(DurationText.parse(DurationText.write(duration)) == duration)
  }

  @Test(
    "anything else is no duration",
    arguments: [
      "", "3", "s", "3 s", "-3s", "+3s", "3S", "3sec", "1s1m", "1s1s", "1.s", ".5s", "1,5s", "3s ", "9999999999999h",
      "99999999999h", "0.0000001s", "1e3s", "٣s", "1d",
    ])
  func noDurations(_ text: String) { #expect(DurationText.parse(text) == nil) }

  @Test(
    "the nearest name is the one that was meant, and a far one is not suggested",
    arguments: [
      ("spede", "speed"), ("storage-policy", "storage_policy"), ("Speed", "speed"), ("sped", "speed"),
      ("policy", "storage_policy"), ("policy storage", "storage_policy"), ("x", nil), ("colour", nil), ("", nil),
    ])
  func nearest(_ typed: String, _ meant: String?) {
    #expect(NearestName.to(typed, among: ["speed", "storage_policy", "parity", "hold_after"]) == meant)
  }

  @Test(
    "a whole number is digits only, in range",
    arguments: [
      ("0", 0), ("-5", -5), ("10", 10), ("11", nil), ("-6", nil), ("010", nil), ("1.0", nil), ("1e1", nil), ("", nil),
      ("+1", nil), ("0x1", nil), ("1_0", nil), ("99999999999999999999", nil),
    ])
  func numbers(_ text: String, _ number: Int?) {
    let decoded = Schema<Int>.integer(-5...10).decode(Node(.scalar(text, .plain), at: Position(line: 3, column: 7)))
    #expect(decoded.value == number)
    #expect(decoded.issues.map(\.position) == (number == nil ? [Position(line: 3, column: 7)] : []))
  }

  @Test(
    "what may be a secret is not shown, and what is shown is short and harmless",
    arguments: [
      ("fast", "“fast”"), ("app.key:secret12", "a text that may be a secret"),
      ("bridge:pw@host", "a text that may be a secret"),
      ("A1b2C3d4E5f6G7h8I9j0K1l2M3", "a text that may be a secret"), ("a\u{1B}[31m\nb", "“a [31m b”"),
      ("2026-02-30T19:00", "“2026-02-30T19:00”"),
      ("a long sentence about nothing in particular, really", "“a long sentence about nothing in particu…”"),
    ])
  func quoting(_ text: String, _ shown: String) { #expect(Quoted.text(text) == shown) }

  @Test("a record takes its defaults from one place and reports every problem with its path")
  func records() throws {
    struct Pair: Equatable {
      var left = 1
      var right = 2
      var names: [String] = []
    }
    let schema = Schema.record(
      Pair(),
      [
        .required("left", \.left, .integer(0...9), "Left.", example: "3"),
        .setting("right", \.right, .integer(0...9), "Right.", example: "4"),
        .setting("names", \.names, .list(of: .text(), count: 0...2), "Names.", example: "[a]"),
      ])
    func node(_ members: [(String, Node.Content)]) -> Node {
      let place = Position(line: 1, column: 1)
      return Node(.map(members.map { .init(key: $0.0, keyPosition: place, value: Node($0.1, at: place)) }), at: place)
    }
    #expect(schema.decode(node([("left", .scalar("3", .plain))])).value == Pair(left: 3))
    let wrong = schema.decode(
      node([("rihgt", .scalar("x", .plain)), ("names", .list([Node(.map([]), at: .init(line: 2, column: 2))]))]))
    #expect(wrong.value == nil)
    #expect(wrong.issues.map(\.path) == ["rihgt", "left", "names[0]"])
    guard case .record(let fields) = schema.shape else { return }
    #expect(fields.map(\.presence) == [.required, .defaulted("2"), .defaulted("[]")])
  }

  @Test("JSON is laid out with one member per line, and texts stay as they are")
  func indentation() {
    let compact = Array(#"{"a":[1,{"b":"x,{}:\"y"}],"c":{},"d":[]}"#.utf8)
    let wanted = """
      {
        "a": [
          1,
          {
            "b": "x,{}:\\"y"
          }
        ],
        "c": {},
        "d": []
      }

      """
    #expect(String(decoding: JSONIndentation.indented(compact), as: UTF8.self) == wanted)
  }
}
