import Testing

@testable import Document

@Suite("JSON writer") struct JSONWriterTests {
  @Test("members keep their order and texts are escaped as JSON demands, nothing more")
  func order() {
    var writer = JSONWriter()
    writer.object { json in
      json.member("b", "Aim & Chill Köln 🏒 / \"x\"\\ \n\u{1}")
      json.member("a", 7)
      json.key("list")
      json.array { list in
        list.truth(true)
        list.null()
        list.integer(-1)
        list.object { _ in }
      }
    }
    #expect(
      String(decoding: writer.bytes, as: UTF8.self)
        == #"{"b":"Aim & Chill Köln 🏒 / \"x\"\\ \n\u0001","a":7,"list":[true,null,-1,{}]}"#)
  }
}
