import Foundation
import Input
import Testing

@Suite struct CaptureTests {
  @Test("every capture decodes to each of its checkpoints", arguments: Capture.all)
  func checkpoints(_ capture: Capture) throws {
    var decoder = try capture.makeDecoder()
    var fed = 0
    for checkpoint in capture.checkpoints {
      decoder.feed(capture.bytes[fed..<checkpoint.bytes])
      fed = checkpoint.bytes
      let differences = try decoder.json().differences(from: checkpoint.state)
      #expect(differences.isEmpty, "\(capture.name) after \(fed) bytes: \(differences)")
    }
    decoder.feed(capture.bytes[fed...])
    print("\(capture.name): \(decoder.counts)")
  }
}
