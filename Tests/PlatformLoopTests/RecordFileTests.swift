import Foundation
import Platform
import PlatformTestSupport
import Testing

@Suite struct RecordFileTests {
  @Test("lines are added behind what is there, on a line of their own, and only the owner may read them")
  func adding() throws {
    let folder = TemporaryFolder()
    let path = folder.path + "/recording"
    try RecordFile(path).add(Array("one\n".utf8))
    try RecordFile(path).add(Array("two".utf8))
    try RecordFile(path).add(Array("three\n".utf8))
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\nthree\n")
    #expect(try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
  }

  @Test("a file that is full takes no more, and says so; what is no file is refused")
  func bounds() throws {
    let folder = TemporaryFolder()
    let file = try RecordFile(folder.path + "/recording", bound: 8)
    try file.add(Array("1234\n".utf8))
    #expect(throws: PlatformError.self) { try file.add(Array("5678\n".utf8)) }
    #expect(try String(contentsOfFile: folder.path + "/recording", encoding: .utf8) == "1234\n")
    #expect(throws: PlatformError.self) { try RecordFile(folder.path) }
    #expect(throws: PlatformError.self) { try RecordFile("/dev/null") }
    #expect(throws: PlatformError.self) { try RecordFile(folder.path + "/missing/recording") }
  }
}
