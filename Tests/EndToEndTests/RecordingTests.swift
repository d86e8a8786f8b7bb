import Foundation
import StandIn
import Testing

/// `record` and `replay` as they were built: a session of the daemon against the stand-in, and the same session again.
@Suite(.serialized, .enabled(if: Needs.daemon && Needs.broker)) struct RecordingTests {
  /// A push without what is bound to the minute or to the service that it went to.
  private static func plain(_ seen: Seen) -> String {
    var text = "\(seen.method) \(seen.target) \(String(decoding: seen.body, as: UTF8.self))"
    let stamps = /"(timestamp|stale-date|staleAtMs|dismissal-date|clockAnchorMs|apns-expiration)":"?-?[0-9]+"?/
    text.replace(stamps) { "\"\($0.output.1)\":0" }
    text.replace(/request_id=[A-Za-z0-9_-]+/, with: "")
    text.replace(/apb_[0-9]+x[0-9]+/, with: "BROADCAST")
    text.replace(/"input-push-channel":"[^"]*"/, with: "\"input-push-channel\":\"CHANNEL\"")
    return text
  }

  /// What phones were told, lane by lane: what goes at once to both has no order.
  private static func told(_ standIn: StandIn) -> [String: [String]] {
    let pushes = standIn.requests.filter { [.create, .start, .broadcast, .end].contains($0.call) || Rig.isAndroid($0) }
    return Dictionary(grouping: pushes) { Rig.isAndroid($0) ? "android" : "ios" }.mapValues { $0.map(plain) }
  }

  @Test("a recorded session gives the same pushes again, byte for byte but for stamps, to a stand-in and in rehearsal")
  func sameAgain() throws {
    try withRig { rig throws in
      let path = "\(rig.folder)/game.recording"
      try rig.start(["record", path])
      _ = try #require(rig.standIn.wait(1, .start, within: .seconds(20)), "no activity was started")

      func score(_ home: Int, _ away: Int, _ input: () throws -> Void) throws {
        try input()
        let isThere = rig.standIn.waitForPhones(within: .seconds(20)) {
          $0[iPhone: "iphone"]?.tiles.last?.state.homeScore == home
            && $0[iPhone: "iphone"]?.tiles.last?.state.awayScore == away
            && $0[android: "android"]?.card?.homeScore == home && $0[android: "android"]?.card?.awayScore == away
        }
        try #require(isThere, "\(home)-\(away) did not arrive")
        // Far from the spacing of the lanes: an answer that takes a little longer must not let two become one.
        Thread.sleep(forTimeInterval: 0.3)
      }
      try rig.command("game", "start")
      try score(1, 0) { rig.press("h") }
      try score(1, 3) { try rig.score("away", 3) }
      try score(4, 3) { rig.line(home: 4, away: 3) }
      try score(4, 4) { rig.press("a") }
      try score(4, 3) { rig.press("u") }
      let daemon = try #require(rig.daemon)
      #expect(daemon.terminate() == 0)
      let live = Self.told(rig.standIn)
      #expect(live["ios"]?.count ?? 0 >= 6 && live["android"]?.count ?? 0 >= 6)

      // Nobody else may read it, and what it holds is no secret.
      let attributes = try FileManager.default.attributesOfItem(atPath: path)
      #expect(attributes[.posixPermissions] as? Int == 0o600)
      var recording = try String(contentsOfFile: path, encoding: .utf8)
      let secret = try #require((rig.options.ablyKey ?? "").split(separator: ":").last)
      #expect(!recording.contains(secret))
      for input in ["key", "message", "bytes", "feed opened", "broker", "clock", "started", "end"] {
        #expect(recording.contains("\"input\":\"\(input)\""), "no \(input) was recorded")
      }

      let again = try StandIn(rig.options.service)
      defer { again.stop() }
      let config = rig.config.replacing("port: \(rig.standIn.port)", with: "port: \(again.port)")
        .replacing(rig.standIn.caFile, with: again.caFile)
      try config.write(toFile: rig.configFile, atomically: true, encoding: .utf8)
      let replay = ["replay", path, "--config", rig.configFile]
      let sent = try rig.command(
        replay + ["--stand-in"], environment: rig.environment, within: .seconds(120))
      try #require(sent.code == 0, "\(sent.error)")
      let second = Self.told(again)
      #expect(live["ios"] == second["ios"])
      #expect(live["android"] == second["android"])
      // Apps that follow the court end where they ended; what they hear on the way depends on who answers first.
      #expect(Rig.courtValues(again.requests).last?["status"] == rig.courtValues.last?["status"])

      // The rehearsal needs no key, and says the same each time, at whatever speed.
      let fast = try rig.command(replay + ["--speed", "1000"])
      let faster = try rig.command(replay + ["--speed", "100000"])
      #expect(fast.code == 0 && fast.error == "", "\(fast.error)")
      #expect(fast.out == faster.out)
      #expect(fast.out.contains("Riverton 4") || fast.out.contains("4–3") || fast.out.contains("4:3"), "\(fast.out)")

      // The power goes while a line is written; the next run of the daemon adds its own behind it.
      recording += #"{"at":123,"input":"ke"#
      try recording.write(toFile: path, atomically: true, encoding: .utf8)
      let torn = try rig.command(replay + ["--speed", "100000"])
      #expect(torn.code == 0 && torn.out == fast.out)
      #expect(torn.error.contains("is torn or no line of a recording, and is skipped"))
      try rig.start(["record", path])
      try #require(rig.daemon?.line { $0.contains("listening for commands") } != nil)
      #expect(rig.daemon?.terminate() == 0)
      let both = try rig.command(replay + ["--speed", "100000"])
      #expect(both.code == 0 && both.out.contains("2 run(s), "), "\(both.out)")
      #expect(both.error.components(separatedBy: "is skipped").count == 2)
    }
  }

  @Test("a replay refuses a file that is none, another venue's recording, and a service that is not on this machine")
  func refusals() throws {
    var options = Rig.Options()
    options.pattern = nil
    options.endpoint = "main.realtime.ably.net"
    try withRig(options) { rig throws in
      let path = "\(rig.folder)/game.recording"
      let replay = ["replay", path, "--config", rig.configFile]
      #expect(try rig.command(replay).code == 1)
      try "hello\n".write(toFile: path, atomically: true, encoding: .utf8)
      let none = try rig.command(replay)
      #expect(none.code == 1 && none.error.contains("is no recording"))
      try #"{"recording":1,"version":"0","seed":"1","boot":"","courts":["other"],"at":1,"wall":1}"#
        .write(toFile: path, atomically: true, encoding: .utf8)
      let other = try rig.command(replay)
      #expect(other.code == 1 && other.error.contains("give the config of the recorded daemon"), "\(other.error)")
      let away = try rig.command(replay + ["--stand-in"], environment: rig.environment)
      #expect(away.code == 2 && away.error.contains("must not reach fans"), "\(away.error)")
      #expect(try rig.command(["replay"]).code == 2)
      #expect(try rig.command(replay + ["--speed", "0"]).code == 2)
      #expect(try rig.command(["record"]).code == 2)
      let folder = try rig.command(["record", rig.folder, "--config", rig.configFile])
      #expect(folder.code == 1 && folder.error.contains("cannot record to"), "\(folder.error)")
    }
  }
}

/// A dictionary has another order in every process; nothing that is said may depend on it.
@Suite("The same seed in another process", .enabled(if: Needs.daemon)) struct SameSeedTests {
  @Test("says the same, byte for byte", arguments: ["1", "5"])
  func same(_ seed: String) throws {
    let words = ["simulate", "--faults", "--seed", seed]
    let runs = try (1...3).map { _ in
      let child = try Child(try #require(Rig.program), words, environment: ["PATH": "/usr/bin:/bin"])
      #expect(child.exitCode(within: .seconds(120)) == 0)
      return child.text(.out)
    }
    #expect(runs[0].contains("run "))
    #expect(Set(runs).count == 1)
  }
}
