import Foundation
import StandIn
import Testing

@Suite("The rig, without a daemon", .enabled(if: Needs.broker)) struct RigTests {
  @Test("writes a config file with everything in its place, holds no secret in it, and leaves nothing behind")
  func config() throws {
    let rig = try Rig()
    let text = try String(contentsOfFile: rig.configFile, encoding: .utf8)
    let console = try #require(rig.console?.path)
    let broker = try #require(rig.broker?.port)
    for part in [
      "port: \(rig.standIn.port)", "ca_file: \(rig.standIn.caFile)", console, "port: \(broker)", "slug: main",
    ] {
      #expect(text.contains(part))
    }
    #expect(!text.contains(rig.options.ablyKey ?? "none"))
    rig.close()
    #expect(!FileManager.default.fileExists(atPath: rig.folder))
  }

  @Test("carries what is typed, sent on the line and published to whoever stands in the daemon's place")
  func inputs() throws {
    try withRig { rig throws in
      let line = try Child("/usr/bin/head", ["-n", "1", try #require(rig.console?.path)])
      rig.line(home: 3, away: 2)
      #expect(line.line { _ in true }?.hasPrefix("HOME 3 GUEST 2") == true)
      let commands = try #require(rig.broker).subscribe("\(Rig.court)/cmd/#")
      try rig.score("home", 2, id: "x")
      #expect(commands.message(on: "\(Rig.court)/cmd/score")?.json?["points"]?.integer == 2)
    }
  }
}
