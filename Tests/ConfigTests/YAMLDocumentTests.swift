import Document
import GameCore
import Platform
import Testing

@Suite struct YAMLDocumentTests {
  @Test("a map keeps its order, its places and its texts")
  func order() throws {
    let node = try yaml("b: 1\na:\n  - x\n  - 'é y'  # note\n")
    #expect(node.members?.map(\.key) == ["b", "a"])
    #expect(node["a"]?.elements?[1].position == Position(line: 4, column: 5))
    #expect(node["a"]?.elements?.map(\.text) == ["x", "é y"])
    #expect(node.members?[1].keyPosition == Position(line: 2, column: 1))
  }

  @Test(
    "what YAML takes for something else stays the text that was written",
    arguments: [
      "no", "yes", "on", "off", "NO", "1e3", "012", "0o14", "0x1F", "22:30", "~", "null", "1.0", "1_000", ".inf",
      "2026-12-05", "12:30:45", "+1", "=", "true",
    ])
  func surprises(_ text: String) throws {
    let node = try yaml("key: \(text)\n")
    #expect(node["key"]?.content == .scalar(text, .plain))
    #expect(node["key"]?.text == text)
  }

  @Test("an alias stands for what its anchor holds, also several times")
  func aliases() throws {
    let node = try yaml("a: &team {name: Riverton}\nb: *team\nc: [*team, &x y, *x]\n")
    #expect(node["b"]?["name"]?.text == "Riverton")
    #expect(node["c"]?.elements?.map { $0["name"]?.text ?? $0.text } == ["Riverton", "y", "y"])
  }

  @Test("an anchor that is used again means the newest")
  func rebound() throws {
    let node = try yaml("a: &x 1\nb: *x\nc: &x 2\nd: *x\n")
    #expect(node["b"]?.text == "1")
    #expect(node["d"]?.text == "2")
  }

  @Test("a byte order mark, carriage returns, tabs before comments and in quotes do no harm")
  func harmless() throws {
    let mark = try YAMLDocument.parse([0xEF, 0xBB, 0xBF] + Array("a: 1\r\nb: 2\r\n".utf8))
    #expect(mark.members?.map(\.value.text) == ["1", "2"])
    #expect(mark.members?[0].keyPosition == Position(line: 1, column: 1))
    #expect(try yaml("a: 1  \t# note\n").members?.map(\.value.text) == ["1"])
    #expect(try yaml("a: \"x\\ty\"\n")["a"]?.text == "x\ty")
  }

  @Test("a block of several lines is one text")
  func block() throws {
    #expect(try yaml("a: |\n  one\n  two\nb: x\n")["a"]?.content == .scalar("one\ntwo\n", .quoted))
  }

  @Test(
    "what is not let in is refused where it stands",
    arguments: [
      ("a: 1\na: 2\n", 2, 1, "a second time"), ("a: !!int 1\n", 1, 4, "the tag !!int"),
      ("a: !thing x\n", 1, 4, "the tag !thing"), ("!!map {a: 1}\n", 1, 1, "the tag !!map"),
      ("a: !!seq []\n", 1, 4, "the tag !!seq"), ("!!str a: 1\n", 1, 1, "before a key"),
      ("a: {<<: {b: 1}}\n", 1, 5, "merge key"), ("a: 1\n---\nb: 2\n", 2, 1, "second document"),
      ("? [a]\n: 1\n", 1, 3, "plain word"), ("a:\n\t- 1\n", 2, 1, "a tab"), ("a: 1\n\t# note\n", 2, 1, "a tab"),
      ("a: 1\n\t\n", 2, 1, "a tab"), ("a:\n  \tb: 1\n", 2, 3, "a tab"),
      ("a: *b\n", 1, 4, "does not exist"), ("a: &b [*b]\n", 1, 8, "a part of"), ("", 1, 1, "empty"),
      ("---\n", 2, 1, ""), ("a: [1, 2\nb: 3\n", 1, 4, "not closed"), ("a: 'x\n", 1, 4, "never closed"),
      ("a: @x\n", 1, 4, "cannot begin"), ("- a\nb: 1\n", 2, 1, ""),
    ])
  func refused(_ text: String, _ line: Int, _ column: Int, _ words: String) throws {
    if text == "---\n" {
      #expect(try yaml(text).text == "")
      return
    }
    let issue = try #require(yamlIssue(text))
    #expect(issue.position == Position(line: line, column: column))
    #expect(issue.text.contains(words) || words.isEmpty, "\(issue.text)")
  }

  @Test("what is quoted is not a merge key")
  func quotedMergeKey() throws {
    #expect(try yaml("'<<': x\n")["<<"]?.text == "x")
  }

  @Test("size, depth and the number of values are bounded, with aliases counted as what they stand for")
  func bounds() throws {
    let small = YAMLDocument.Bounds(bytes: 60, depth: 3, nodes: 12)
    func fails(_ text: String) -> String? {
      do {
        _ = try YAMLDocument.parse(Array(text.utf8), bounds: small)
        return nil
      } catch { return error.text }
    }
    #expect(fails("a: [[[x]]]")?.contains("3 levels") == true)
    #expect(fails("a: [[x]]") == nil)
    #expect(fails("[a, b, c, d, e, f, g, h, i, j, k]") == nil)
    #expect(fails("[a, b, c, d, e, f, g, h, i, j, k, l]")?.contains("12 values") == true)
    #expect(fails("a: &a [x, x, x]\nb: [*a, *a]")?.contains("12 values") == true)
    #expect(fails("a: &a [[x]]\nb: [*a]")?.contains("3 levels") == true)
    #expect(fails("a: " + String(repeating: "x", count: 60))?.contains("63 bytes") == true)
  }

  @Test("bytes that are no text are refused where they stand, and never trap")
  func bytes() throws {
    var generator = SeededGenerator(seed: 7)
    for _ in 0..<3000 {
      let bytes = (0..<Int.random(in: 0..<40, using: &generator)).map { _ in
        Bool.random(using: &generator)
          ? UInt8.random(in: 0...255, using: &generator)
          : Array("a:-[]{}&*!|>'\"\n #,?".utf8).randomElement(using: &generator) ?? 0
      }
      do {
        _ = try YAMLDocument.parse(bytes)
      } catch { #expect(error.position.line > 0 && !error.text.isEmpty) }
    }
  }
}
