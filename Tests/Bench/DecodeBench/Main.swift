import Foundation
import GameCore
import Input
import Platform

/// How fast bytes become frames, and frames reports, on one core: `swift run -c release decode-bench`.
/// A console sends 2 kB/s; the numbers only show that nothing is silly.
@main struct Main {
  private static let megabytes = 4

  static func main() throws {
    print("protocol                 decode MB/s   with reports MB/s")
    for console in ConsoleProtocol.allCases {
      let stream = try stream(of: console)
      var decoder = try settings(console).makeDecoder().get()
      let decoding = processorSeconds { decoder.feed(stream) }
      var feed = try ConsoleFeed(settings(console))
      let reporting = processorSeconds {
        // The daemon reads what has arrived: a few dozen bytes at a time.
        for start in stride(from: 0, to: stream.count, by: 64) {
          _ = feed.received(stream[start..<min(start + 64, stream.count)], at: Instant(nanoseconds: Int64(start)))
        }
      }
      let name = console.rawValue.padding(toLength: 24, withPad: " ", startingAt: 0)
      print(name, rate(stream.count, decoding), "        ", rate(stream.count, reporting))
    }
  }

  /// Time of this process, not of the wall, so that a busy machine does not slow the number.
  private static func processorSeconds(_ work: () -> Void) -> Double {
    let before = clock()
    work()
    return Double(clock() - before) / Double(CLOCKS_PER_SEC)
  }

  private static func rate(_ bytes: Int, _ seconds: Double) -> String {
    String(format: "%8.1f", Double(bytes) / seconds / 1e6)
  }

  private static func settings(_ console: ConsoleProtocol) -> DecoderSettings {
    let pattern = #"^HOME +(?P<home_score>\d+) GUEST +(?P<guest_score>\d+) +(?P<clock>[\d:.]+) P(?P<period>\d)"#
    return DecoderSettings(
      console: console, sport: console == .faveroFA05 ? nil : .basketball,
      options: console == .genericLine ? [("pattern", pattern)] : [], compile: Pattern.compile)
  }

  /// One typical game's frames, over and over.
  private static func stream(of console: ConsoleProtocol) throws -> [UInt8] {
    let (folder, names) =
      switch console {
      case .daktronicsRTD: ("daktronics-rtd", ["two-packets-in-one-read", "clock-only-says-nothing-else"])
      case .bodetScorepad: ("bodet-scorepad", ["basketball", "last-minute-follows-message-36"])
      case .stramatelTV: ("stramatel-tv", ["basketball", "chatter-between-frames"])
      case .stramatelAmericanFootball: ("stramatel-tv", ["american-football-24-bytes"])
      case .ctsGen6: ("cts-gen6", ["worked-example", "channel-0-interrupts-a-lane"])
      case .faveroFA05: ("favero-fa05", ["makers-example", "two-frames-in-one-read"])
      case .swissTimingOSM6: ("swisstiming-osm6", ["finish", "keep-alive-between-the-parts"])
      case .daktronicsAllSportCG: ("daktronics-allsport-cg", ["basketball", "basketball-tenths-and-time-out"])
      case .fairPlayMP70: ("fairplay-mp70", ["hockey-score-frame-keeps-the-clock"])
      case .genericLine: ("generic-line", ["carriage-return-line-feed-and-both"])
      }
    let fixtures = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("SerialTests/Fixtures/\(folder)")
    let bytes = try names.flatMap { name in
      try String(contentsOf: fixtures.appendingPathComponent(name + ".hex"), encoding: .utf8).split(separator: "\n")
        .flatMap { line in line.prefix { $0 != "#" }.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
    }
    return Array(repeatElement(bytes, count: megabytes * 1_000_000 / bytes.count).joined())
  }
}
