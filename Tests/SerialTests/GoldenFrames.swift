import Foundation
import Input
import Platform
import Testing

/// Bytes we made ourselves with what they must show, in `Fixtures/<console>/<case>.hex` and `.json`, named for the case
/// or the defect.
struct GoldenFrame: CustomTestStringConvertible, Sendable {
  var name: String
  var console: ConsoleProtocol
  var sport: String?
  var options: [String: String]
  var bytes: [UInt8]
  var state: JSONValue
  var counts: FrameCounts?

  var testDescription: String { name }

  static let all: [GoldenFrame] = {
    let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Fixtures")
    let names = FileManager.default.subpaths(atPath: folder.path) ?? []
    return names.filter { $0.hasSuffix(".hex") }.sorted().map { name in
      do {
        return try GoldenFrame(folder, String(name.dropLast(4)))
      } catch {
        preconditionFailure("the fixture \(name) cannot be read: \(error)")
      }
    }
  }()

  private init(_ folder: URL, _ name: String) throws {
    self.name = name
    let description = try JSONValue(parsing: Data(contentsOf: folder.appendingPathComponent(name + ".json")))
    guard let console = description["protocol"]?.text.flatMap(ConsoleProtocol.init(rawValue:)),
      let state = description["state"]
    else { throw Capture.Unreadable(what: name) }
    self.console = console
    self.state = state
    sport = description["sport"]?.text
    options = description["set"]?.members.compactMapValues(\.text) ?? [:]
    counts = description["frames"].map { frames in
      FrameCounts(
        good: frames["good"]?.integer ?? 0, bad: frames["bad"]?.integer ?? 0, other: frames["other"]?.integer ?? 0)
    }
    bytes = try hexadecimal(String(contentsOf: folder.appendingPathComponent(name + ".hex"), encoding: .utf8))
  }

  func makeDecoder() throws -> any FrameDecoder {
    let sport = try sport.map { name in
      guard let sport = ConsoleSport(name, on: console) else { throw Capture.Unreadable(what: "sport \(name)") }
      return sport
    }
    return try DecoderSettings(
      console: console, sport: sport, options: options.map { (name: $0.key, value: $0.value) }, compile: Pattern.compile
    ).makeDecoder().get()
  }

  /// What is wrong after these pieces; empty when all is right.
  func faults(_ pieces: [ArraySlice<UInt8>], as way: String) throws -> [String] {
    var decoder = try makeDecoder()
    for piece in pieces { decoder.feed(piece) }
    return try decoder.json().differences(from: state).map { "\(way): \($0)" }
  }
}

/// Pairs of digits, with comments from `#` to the line's end.
private func hexadecimal(_ text: String) throws -> [UInt8] {
  try text.split(separator: "\n").flatMap { line in
    try line.prefix { $0 != "#" }.split(separator: " ").map { pair in
      guard let byte = UInt8(pair, radix: 16) else { throw Capture.Unreadable(what: String(pair)) }
      return byte
    }
  }
}

@Suite struct GoldenFrameTests {
  /// Bytes that start nothing in any protocol, and end a line.
  private static let noise: [UInt8] = [0x00, 0x41, 0x1B, 0x7F, 0x0D, 0x0A]

  @Test(
    "B54: each golden frame reads the same whole, byte by byte, split at every place, twice, after noise and after half of itself",
    arguments: GoldenFrame.all)
  func goldenFrame(_ frame: GoldenFrame) throws {
    let bytes = frame.bytes
    var faults = try frame.faults([bytes[...]], as: "whole")
    faults += try frame.faults(bytes.indices.map { bytes[$0...$0] }, as: "byte by byte")
    for place in stride(from: 1, to: bytes.count, by: max(1, bytes.count / 50)) {
      faults += try frame.faults([bytes[..<place], bytes[place...]], as: "split at \(place)")
    }
    faults += try frame.faults([bytes[...], bytes[...]], as: "back to back")
    faults += try frame.faults([GoldenFrameTests.noise[...], bytes[...]], as: "after noise")
    // Half a line and a whole one are one line: only a line end parts them.
    let parting = frame.console == .genericLine ? GoldenFrameTests.noise : []
    faults += try frame.faults([bytes[..<(bytes.count / 2)], parting[...], bytes[...]], as: "after half of itself")
    var decoder = try frame.makeDecoder()
    decoder.feed(bytes)
    if let counts = frame.counts, counts != decoder.counts { faults.append("counts: \(decoder.counts)") }
    #expect(faults.isEmpty, "\(frame.name): \(faults.prefix(4))")
  }

  @Test("every protocol has golden frames, among them one that was cut")
  func everyProtocolIsCovered() {
    let covered = Set(GoldenFrame.all.map(\.console))
    #expect(covered == Set(ConsoleProtocol.allCases))
  }
}
