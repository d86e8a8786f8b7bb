import GameCore
import Input
import Platform
import Testing

@Suite struct PatternTests {
  private func match(_ pattern: String, _ line: String) throws -> [String: String]? {
    let compiled = try Pattern.compile(pattern).get()
    let bytes = line.unicodeScalars.map { UInt8($0.value) }
    // A slice that does not begin at 0, as the framing hands it over.
    let slice = ([0x02, 0x02] + bytes + [0x03])[2..<2 + bytes.count]
    guard case .matched(let ranges) = compiled.match(slice) else { return nil }
    var values: [String: String] = [:]
    for (name, range) in zip(compiled.groups, ranges) {
      if let range { values[name] = String(String.UnicodeScalarView(slice[range].map { UnicodeScalar($0) })) }
    }
    return values
  }

  @Test(
    "named groups come out as they stood in the line",
    arguments: [
      (#"^(?<home_score>\d+)-(?<away_score>\d+)$"#, "21-19", ["home_score": "21", "away_score": "19"]),
      (#"^(?<clock>\d+:\d\d)(?: (?<period>\d))?$"#, "10:00", ["clock": "10:00"]),
      (#"(?<period>\d*)$"#, "x", ["period": ""]),
      (#"^(\d)(?<home_score>\d)"#, "12", ["home_score": "2"]),
      (#"(?<home_name>Z.rich)"#, "FC Zürich", ["home_name": "Zürich"]),
      (#"(?<home_name>Zür)"#, "Zürich", ["home_name": "Zür"]),
      (#"^(?|H(?<score>\d)|A(?<score>\d))$"#, "A7", ["score": "7"]),
      (#"^$"#, "", [:]),
    ])
  func groups(pattern: String, line: String, values: [String: String]) throws {
    #expect(try match(pattern, line) == values)
  }

  @Test("a line that does not fit changes nothing", arguments: ["", "21:19", "21-19\n", "a21-19"])
  func noMatch(line: String) throws {
    #expect(try match(#"^(?<h>\d+)-(?<a>\d+)$"#, line) == nil)
  }

  @Test(
    "a wrong pattern says where and why",
    arguments: [
      (#"(?<home_score>\d+"#, 17, "parenthes"), (#"[a-"#, 3, "]"), (#"(?<1x>a)"#, 3, "name"),
      (#"a**"#, 2, "quantifier"),
      (#"(*UTF)a"#, 6, "disabled"), ("goal→", 4, "Latin-1"), (String(repeating: "a", count: 5000), 4096, "longer"),
      (#"(?<a>x)(?<a>y)"#, 12, "name"),
    ])
  func wrong(pattern: String, offset: Int, words: String) {
    switch Pattern.compile(pattern) {
    case .success: Issue.record("\(pattern) was taken.")
    case .failure(let fault):
      #expect(fault.offset == offset, "\(pattern): \(fault.message)")
      #expect(fault.message.contains(words), "\(pattern): \(fault.message)")
    }
  }

  @Test(
    "no line costs more than its bound, however greedy the pattern",
    arguments: [
      #"^(a+)+$"#, #"^(?<x>(a|aa)+)+$"#, #"(x+x+)+y"#, #"^(?:(?:a?){20}){20}a{40}$"#, #"(?<r>(?:a(?&r)?a?)+)b"#,
    ])
  func bounded(pattern: String) throws {
    let compiled = try Pattern.compile(pattern).get()
    let line = [UInt8](repeating: UInt8(ascii: pattern.contains("x+") ? "x" : "a"), count: 1000) + [UInt8(ascii: "!")]
    let start = SystemClock.now().instant
    let outcome = compiled.match(line[...])
    let cost = SystemClock.now().instant - start
    #expect(outcome == .tooCostly || outcome == .noMatch)
    // Without a bound the first of these takes longer than the universe has; the margin is for a busy machine.
    #expect(cost < .seconds(2), "\(cost)")
  }

  @Test("the bound is tight: what takes a million tries is given up, what takes a few hundred is not")
  func tight() throws {
    let compiled = try Pattern.compile(#"^(a+)+$"#).get()
    func outcome(_ count: Int) -> LineMatch {
      compiled.match(([UInt8](repeating: UInt8(ascii: "a"), count: count) + [UInt8(ascii: "!")])[...])
    }
    #expect(outcome(8) == .noMatch)
    #expect(outcome(20) == .tooCostly)
  }
}
