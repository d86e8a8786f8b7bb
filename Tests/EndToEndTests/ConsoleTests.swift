import Foundation
import StandIn
import Testing

/// A console's game through the built daemon to the stand-in's phones.
@Suite(.serialized, .enabled(if: Needs.daemon && Needs.broker)) struct ConsoleTests {
  private struct NotThere: Error {
    var score: [Int]
  }

  /// A console that is plugged in under a stable name, with whatever number the kernel gives it.
  private final class Adaptor {
    private let stable: String
    private var line: PseudoTerminal?

    init(stable: String) { self.stable = stable }

    var path: String? { line?.path }

    func plug() throws {
      let new = try PseudoTerminal()
      try? FileManager.default.removeItem(atPath: stable)
      try FileManager.default.createSymbolicLink(atPath: stable, withDestinationPath: new.path)
      line = new
    }

    func unplug() throws {
      try FileManager.default.removeItem(atPath: stable)
      line = nil
    }

    /// Score and clock of a basketball game, as a Bodet console tells them.
    func show(home: Int, away: Int, clock: String) {
      line?.send(Bodet.frame("30", "5\(pad(home))\(pad(away))"))
      show(clock: clock)
    }

    /// The clock alone, which stands.
    func show(clock: String) { line?.send(Bodet.frame("18", [0x82] + Array("5\(clock)00  1 ".utf8))) }

    private func pad(_ number: Int) -> String { String(repeating: " ", count: 3 - "\(number)".count) + "\(number)" }
  }

  @Test("a console's game reaches phones; unplugged in the middle and plugged in under another number it goes on")
  func replugged() throws {
    var options = Rig.Options()
    options.pattern = nil
    options.keys = nil
    try withRig(options) { rig throws in
      let stable = "\(rig.folder)/usb-Console-if00"
      let config = rig.config + "    consoles: [{name: console, protocol: bodet-scorepad, device: \(stable)}]\n"
      try config.write(toFile: rig.configFile, atomically: true, encoding: .utf8)
      let adaptor = Adaptor(stable: stable)
      try adaptor.plug()
      let first = adaptor.path
      try rig.start()
      try rig.openGame()
      try rig.command("game", "start")

      func arrives(_ home: Int, _ away: Int) throws {
        // A console repeats itself; so does this one until the phones show it.
        let limit = Date(timeIntervalSinceNow: 20)
        while Date() < limit {
          adaptor.show(home: home, away: away, clock: " 945")
          let isThere = rig.standIn.waitForPhones(within: .milliseconds(300)) {
            $0[iPhone: "iphone"]?.tiles.last?.state.homeScore == home
              && $0[iPhone: "iphone"]?.tiles.last?.state.awayScore == away
              && $0[android: "android"]?.card?.homeScore == home && $0[android: "android"]?.card?.awayScore == away
          }
          if isThere { return }
        }
        throw NotThere(score: [home, away])
      }

      try arrives(0, 0)
      try arrives(2, 0)
      try arrives(2, 3)
      try adaptor.unplug()
      let daemon = try #require(rig.daemon)
      _ = try #require(daemon.line { $0.contains("console closed") }, "not noticed")
      // Somebody else takes the old number, at the latest when nobody of another test holds it any more.
      var others = [try PseudoTerminal()]
      try adaptor.plug()
      while adaptor.path == first, others.count < 20 {
        try adaptor.unplug()
        others.append(try PseudoTerminal())
        try adaptor.plug()
      }
      #expect(adaptor.path != first)
      try arrives(4, 3)

      // What phones saw rose step by step, and nothing came from half a frame.
      let scores = rig.lanes().ios.compactMap(\.score)
      var steps: [[Int]] = []
      for score in scores where steps.last != score { steps.append(score) }
      #expect(steps == [[0, 0], [2, 0], [2, 3], [4, 3]] || steps == [[2, 0], [2, 3], [4, 3]], "\(steps)")
      let closed = daemon.lines.filter { $0.text.contains("console closed") }
      #expect(closed.count == 1, "one message for one break")
    }
  }

  @Test("a console that falls silent is told in the hall first, then to phones, and its first frame takes that back")
  func silence() throws {
    var options = Rig.Options()
    options.pattern = nil
    options.keys = nil
    try withRig(options) { rig throws in
      let stable = "\(rig.folder)/usb-Console-if00"
      let console = "{name: console, protocol: bodet-scorepad, device: \(stable), lost_after: 12s}"
      try (rig.config + "    consoles: [\(console)]\n").write(toFile: rig.configFile, atomically: true, encoding: .utf8)
      let adaptor = Adaptor(stable: stable)
      try adaptor.plug()
      let daemon = try rig.start()
      try rig.openGame()
      try rig.command("game", "start")
      _ = try #require(daemon.line { $0.contains("console opened") })
      adaptor.show(home: 2, away: 0, clock: " 945")
      try #require(
        rig.standIn.waitForPhones(within: .seconds(10)) { $0[iPhone: "iphone"]?.tiles.last?.state.homeScore == 2 })
      // This console's clock stands, so that ten seconds of silence are nothing yet.
      let silent = try #require(daemon.line(within: .seconds(15)) { $0.contains("console silent") })
      #expect(!daemon.text(.error).contains("console lost"), "\(silent)")
      _ = try #require(daemon.line(within: .seconds(10)) { $0.contains("console lost") })
      try #require(
        rig.standIn.waitForPhones(within: .seconds(10)) {
          $0[iPhone: "iphone"]?.tiles.last?.state.lastPlay == "Scoreboard signal lost"
        }, "phones were not told")
      #expect(rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.last?.state.homeScore } == 2)
      adaptor.show(home: 2, away: 0, clock: " 945")
      try #require(
        rig.standIn.waitForPhones(within: .seconds(10)) {
          $0[iPhone: "iphone"]?.tiles.last.map { $0.state.lastPlay != "Scoreboard signal lost" } ?? false
        }, "phones were not told that it is back")
      #expect(daemon.text(.error).contains("console back"))
    }
  }
}
