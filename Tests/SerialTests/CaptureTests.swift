import Foundation
import GameCore
import Input
import Testing

@Suite struct CaptureTests {
  @Test("every capture decodes to each of its checkpoints, whole and byte by byte", arguments: Capture.all)
  func checkpoints(_ capture: Capture) throws {
    var faults: [String] = []
    for piece in [Int.max, 1] {
      faults += try faultsOf(capture, label: "pieces of \(piece)") { _ in piece }
    }
    #expect(faults.isEmpty, "\(capture.name): \(faults.prefix(3))")
  }

  @Test("captures decode the same in random pieces, whatever the seed", arguments: Capture.all)
  func randomPieces(_ capture: Capture) throws {
    var faults: [String] = []
    for seed in 1...8 as ClosedRange<UInt64> {
      var random = SeededGenerator(seed: seed)
      faults += try faultsOf(capture, label: "seed \(seed)") { _ in Int(random.next() % 97) + 1 }
    }
    #expect(faults.isEmpty, "\(capture.name): \(faults.prefix(3))")
  }

  /// Large files are split at some places only, a small one at every one; SCOREBOARD_EVERY_SPLIT splits all at every one.
  @Test("captures decode the same split in two at any place", arguments: Capture.all)
  func split(_ capture: Capture) throws {
    let end = try #require(capture.checkpoints.last)
    let isThorough = ProcessInfo.processInfo.environment["SCOREBOARD_EVERY_SPLIT"] != nil
    let step = isThorough || end.bytes <= 2000 ? 1 : end.bytes / 40
    var faults: [String] = []
    for place in stride(from: 1, to: end.bytes, by: step) {
      var decoder = try capture.makeDecoder()
      decoder.feed(capture.bytes[..<place])
      decoder.feed(capture.bytes[place..<end.bytes])
      faults += try decoder.json().differences(from: end.state).map { "split at \(place): \($0)" }
    }
    #expect(faults.isEmpty, "\(capture.name): \(faults.prefix(3))")
  }

  static let withAllowedScores = Capture.all.filter { $0.allowed != .null }

  @Test("a damaged capture never shows a score that was not on the board", arguments: withAllowedScores)
  func allowedScores(_ capture: Capture) throws {
    let pairs = capture.allowed["score_pairs"]?.elements.map { $0.elements.compactMap(\.integer) }
    let highestHome = capture.allowed["highest_home_score"]?.integer ?? 999
    let highestAway = capture.allowed["highest_away_score"]?.integer ?? 999
    var decoder = try capture.makeDecoder()
    var wrong: [[Int]] = []
    for byte in capture.bytes where decoder.take(byte) {
      let image = decoder.image()
      guard let home = image["home_score"].number, let away = image["away_score"].number else { continue }
      if pairs?.contains([home, away]) == false || home > highestHome || away > highestAway {
        wrong.append([home, away])
      }
    }
    #expect(wrong.isEmpty, "\(capture.name)")
  }

  private func faultsOf(
    _ capture: Capture, label: String, piece: (Int) -> Int
  ) throws -> [String] {
    var decoder = try capture.makeDecoder()
    var fed = 0
    var faults: [String] = []
    for checkpoint in capture.checkpoints {
      while fed < checkpoint.bytes {
        let end = min(checkpoint.bytes, fed + min(piece(fed), capture.bytes.count))
        decoder.feed(capture.bytes[fed..<end])
        fed = end
      }
      faults += try decoder.json().differences(from: checkpoint.state).map { "\(label), after \(fed): \($0)" }
    }
    return faults
  }
}
