import Foundation
import GameCore
import StandIn
import Testing

/// The daemon as a service: no network, quick crashes, and what is installed.
@Suite("The built daemon as a service", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct ServiceTests {
  private static var options: Rig.Options {
    var options = Rig.Options()
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    options.pattern = nil
    return options
  }

  @Test(
    "B95, B127: started without any network it counts; the network comes up: connected, and the newest state is told")
  func noNetwork() throws {
    try withRig(Self.options) { rig throws in
      rig.standIn.die()
      rig.broker?.stop()
      try rig.start()
      for _ in 1...3 { rig.press("h") }
      try #require(rig.keyboard?.shows("Riverton 3 – 0", within: .seconds(10)) == true)
      Thread.sleep(forTimeInterval: 2)
      #expect(rig.daemon?.isRunning == true)
      rig.standIn.comeBack()
      try rig.broker?.start()
      try #require(
        rig.standIn.wait(within: .seconds(15)) { $0.contains { $0.score == [3, 0] && $0.processed } } != nil)
      let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
      #expect(topics.message(on: "\(Rig.topics)/availability", within: .seconds(40)) { $0.payload == "online" } != nil)
    }
  }

  @Test("B96: five presses offline, killed without a word, started online: the total is five")
  func killedOffline() throws {
    try withRig(Self.options) { rig throws in
      rig.standIn.die()
      try rig.start()
      for _ in 1...5 { rig.press("h") }
      try #require(rig.keyboard?.shows("home +1 counted · Riverton 5 – 0", within: .seconds(10)) == true)
      try rig.kill()
      rig.standIn.comeBack()
      try rig.start()
      let told = rig.standIn.wait(within: .seconds(15)) { $0.contains { $0.score == [5, 0] && $0.processed } }
      #expect(told?.compactMap(\.score).allSatisfy { $0 == [5, 0] } == true, "nothing old comes first")
    }
  }

  enum Hanging: String, CaseIterable, CustomTestStringConvertible {
    case service, broker, disk

    var testDescription: String { rawValue }
  }

  @Test(
    "SIGTERM ends within five seconds, whatever hangs, and what was counted is kept",
    .enabled(if: Preload.faulty != nil), arguments: [Hanging.allCases, [.service], [.broker], [.disk]])
  func termination(_ hanging: [Hanging]) throws {
    var options = Self.options
    options.environment = ["LD_PRELOAD": Preload.faulty ?? "", "FAULTY_ERRNO": "0"]
    options.environmentOfFolder = { ["FAULTY_LIVE": "\($0)/state", "FAULTY_WHEN": "\($0)/faulty"] }
    try withRig(options) { rig throws in
      try rig.start()
      let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
      rig.press("h")
      try #require(rig.keyboard?.shows("home +1 counted", within: .seconds(10)) == true)
      if hanging.contains(.service) {
        rig.standIn.setSilent(true)
        rig.standIn.freezeConnections()
      }
      if hanging.contains(.broker) { rig.broker?.freeze() }
      if hanging.contains(.disk) { _ = FileManager.default.createFile(atPath: "\(rig.folder)/faulty", contents: nil) }
      defer { rig.broker?.thaw() }
      rig.press("h")
      Thread.sleep(forTimeInterval: 0.3)
      let asked = Clock.now().instant
      rig.daemon?.signal(SIGTERM)
      #expect(rig.daemon?.exitCode(within: .seconds(8)) != nil)
      #expect(Clock.now().instant - asked < .seconds(5))
      rig.standIn.setSilent(false)
      rig.standIn.thawConnections()
      rig.broker?.thaw()
      try? FileManager.default.removeItem(atPath: "\(rig.folder)/faulty")
      try rig.start()
      rig.press("a")
      let kept = hanging.contains(.disk) ? [1, 2] : [2]
      let told = rig.standIn.wait(within: .seconds(15)) { seen in
        seen.contains { one in kept.contains { one.score == [$0, 1] } }
      }
      #expect(told != nil)
    }
  }

  @Test("B132: twenty crashes in a row, a press in each life: afterwards it runs, and all twenty are counted")
  func crashes() throws {
    try withRig(Self.options) { rig throws in
      for number in 1...20 {
        try rig.start()
        rig.press("h")
        try #require(rig.keyboard?.shows("Riverton \(number) – 0", within: .seconds(10)) == true)
        try rig.kill()
      }
      try rig.start()
      rig.press("a")
      #expect(rig.keyboard?.shows("Riverton 20 – 1", within: .seconds(10)) == true)
    }
  }

  @Test("B127, B132: the unit never gives up, is watched, and is exposed no more than 2.0")
  func unit() throws {
    let file = Self.root + "/deploy/scoreboard-bridge.service"
    let unit = try String(contentsOfFile: file, encoding: .utf8)
    for line in ["StartLimitIntervalSec=0", "Restart=always", "Type=notify", "WatchdogSec=20s"] {
      #expect(unit.contains("\(line)\n"), "\(line)")
    }
    #expect(!unit.contains("network-online"))
    guard let program = Child.find("systemd-analyze") else { return print("skipped: there is no systemd-analyze") }
    let run = try Child.run(
      program, ["security", "--offline=true", "--no-pager", file], environment: ["PATH": "/usr/bin:/bin"])
    let last = run.out.split(separator: "\n").last { $0.contains("exposure level") }
    let level = last?.split(separator: " ").compactMap { Double($0) }.first
    #expect(try #require(level, "\(run.out.suffix(200)) \(run.error)") <= 2.0)
  }

  @Test("deploy/install puts everything into a folder, asks nothing, and keeps a config that is there")
  func install() throws {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("install-\(getpid())").path
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let program = try #require(Rig.program)
    func install() throws -> Int32 {
      try Child.run(
        "/usr/bin/env", ["bash", Self.root + "/deploy/install", "--destdir", folder, "--binary", program],
        environment: ["PATH": "/usr/bin:/bin"]
      ).code
    }
    #expect(try install() == 0)
    for file in [
      "usr/bin/scoreboard-bridge", "etc/systemd/system/scoreboard-bridge.service",
      "usr/lib/sysusers.d/scoreboard-bridge.conf", "usr/lib/tmpfiles.d/scoreboard-bridge.conf",
      "etc/scoreboard-bridge/config.yaml",
    ] {
      #expect(FileManager.default.fileExists(atPath: "\(folder)/\(file)"), "\(file)")
    }
    let config = "\(folder)/etc/scoreboard-bridge/config.yaml"
    try "mine\n".write(toFile: config, atomically: true, encoding: .utf8)
    #expect(try install() == 0)
    #expect(try String(contentsOfFile: config, encoding: .utf8) == "mine\n")
  }

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().path
}
