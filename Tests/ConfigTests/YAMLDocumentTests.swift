import Document
import Platform
import Testing

@Suite struct YAMLDocumentTests {
  @Test("a map keeps its order, its places and its texts")
  func order() throws {
    let node = try YAMLDocument.parse(Array("b: 1\na:\n  - 012\n  - no\n".utf8))
    #expect(node.members?.map(\.key) == ["b", "a"])
    #expect(node["a"]?.elements?[1].position == Position(line: 4, column: 5))
    #expect(node["a"]?.elements?.map(\.text) == ["012", "no"])
    let json = try JSONDocument.parse(Array(#"{"a":[1,2.5,"x",true,null]}"#.utf8))
    #expect(json["a"]?.elements?.map(\.text) == ["1", "2.5", "x", "true", nil])
  }
}
