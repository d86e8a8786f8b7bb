import Foundation
import GameCore
import Testing

@testable import Bridge

@Suite struct OutageMemoryTests {
  /// Of five minutes each. With SCOREBOARD_OUTAGE_GAMES=288 it is the 24 hours of the row, in a quarter of an hour.
  private static let games = ProcessInfo.processInfo.environment["SCOREBOARD_OUTAGE_GAMES"].flatMap(Int.init) ?? 3

  /// Pages that are in memory now.
  private static var resident: Int {
    let text = (try? String(contentsOfFile: "/proc/self/statm", encoding: .utf8)) ?? ""
    return Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0
  }

  @Test("B80: games without the broker, an event a second, leave the memory within 10 %")
  func games() throws {
    var venue = try Venue(connected: false)
    var after: [Int] = []
    for game in 1...Self.games {
      for second in 1...300 {
        venue.take(
          .input(
            .scored(.home, points: second % 2 == 0 ? 1 : -1, player: nil, play: nil), word: "home",
            from: Source(.button, "home"), court: 0))
        if second % 60 == 0 { venue.pass(.seconds(60)) }
      }
      #expect(venue.command("game", "abandon").result == nil)
      #expect(venue.command("game", #"{"id":"new-\#(game)","action":"new"}"#).result == nil)
      after.append(Self.resident)
    }
    #expect(venue.published.isEmpty)
    // The test's own disk is in memory too, and keeps as many games as the rule of the history says.
    let first = after.count > 60 ? after[54] : after[0]
    #expect(Double(after.last ?? 0) <= Double(first) * 1.1, "\(after)")
    print("B80: \(after) pages after each of \(Self.games) games")
  }
}
