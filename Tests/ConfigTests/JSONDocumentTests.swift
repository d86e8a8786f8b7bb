import Document
import Platform
import Testing

@Suite struct JSONDocumentTests {
  @Test("values keep their order, their text and their kind")
  func values() throws {
    let node = try JSONDocument.parse(
      Array(#"{"b":1,"a":[-2,2.5,"x\u00e9 \"y\"","12",true,false,null],"c":{}}"#.utf8))
    #expect(node.members?.map(\.key) == ["b", "a", "c"])
    let list = try #require(node["a"]?.elements)
    #expect(list.map(\.text) == ["-2", "2.5", "xé \"y\"", "12", "true", "false", nil])
    #expect(list[0].content == .scalar("-2", .number) && list[3].content == .scalar("12", .quoted))
    #expect(list[4].content == .scalar("true", .truth) && list[6].content == .scalar("null", .null))
    #expect(node["c"]?.members?.isEmpty == true)
  }

  @Test("a bare word in JSON's own terms is a value as well")
  func bare() throws {
    #expect(try JSONDocument.parse(Array("12".utf8)).integer == 12)
    #expect(try JSONDocument.parse(Array("\"home\"".utf8)).text == "home")
  }

  @Test(
    "what is not JSON is refused with its place, and not repeated",
    arguments: [
      ("{\"a\":1,\n\"a\":2}", 2, "twice"), ("{\"a\":", 1, "too early"), ("", 1, "too early"),
      ("{\"a\":1} x", 1, "follows"), ("{a:1}", 1, "not valid"), ("[1,]", 1, "not valid"),
      ("{\"secret\":nonsense}", 1, "not valid"), ("[99999999999999999999]", 1, "too big"), ("[1e999]", 1, "too big"),
      ("[\"\\u0000\"]", 1, "null character"), ("[007]", 1, "not valid"), ("[\"\\ud800\"]", 1, ""),
    ])
  func refused(_ text: String, _ line: Int, _ words: String) throws {
    let issue = try #require(self.issue(Array(text.utf8)))
    #expect(issue.position.line == line)
    #expect(words.isEmpty || issue.text.contains(words), "\(issue.text)")
    #expect(!issue.sentence.contains("nonsense"))
  }

  @Test("size and depth are bounded; bytes that are no text are refused")
  func bounds() throws {
    let bounds = JSONDocument.Bounds(bytes: 30, depth: 3)
    #expect(issue(Array("[[[1]]]".utf8), bounds) == nil)
    #expect(issue(Array("[[[[1]]]]".utf8), bounds)?.text.contains("nested") == true)
    #expect(issue(Array("[[[{}]]]".utf8), bounds)?.text.contains("nested") == true)
    #expect(issue(Array(("[" + String(repeating: " ", count: 40) + "]").utf8), bounds)?.text.contains("42") == true)
    #expect(issue([0x5B, 0x22, 0xFF, 0x22, 0x5D], bounds)?.text.contains("UTF-8") == true)
    #expect(issue(Array(repeating: 0x5B, count: 5000))?.text.isEmpty == false)
  }

  @Test("what the writer writes, the reader reads")
  func roundTrip() throws {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("text", "a\"\\\n\t\u{1}é🏀")
      writer.member("number", Int64.min)
      writer.member("truth", true)
    }
    let node = try JSONDocument.parse(writer.bytes)
    #expect(node["text"]?.text == "a\"\\\n\t\u{1}é🏀")
    #expect(node["number"]?.integer == Int64.min)
    #expect(node["truth"]?.text == "true")
  }

  private func issue(_ bytes: [UInt8], _ bounds: JSONDocument.Bounds = .init()) -> DocumentIssue? {
    do {
      _ = try JSONDocument.parse(bytes, bounds: bounds)
      return nil
    } catch { return error }
  }
}
