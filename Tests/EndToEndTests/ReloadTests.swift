import Foundation
import StandIn
import Testing

/// SIGHUP in the middle of a game, and settings that change between two runs.
@Suite("The built daemon reads its config anew", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct ReloadTests {
  private static var options: Rig.Options {
    var options = Rig.Options()
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    // Without a console the picture is whole as soon as the daemon is back.
    options.pattern = nil
    return options
  }

  @Test("B28: the config reloaded three times, one press: +1; the game goes on where it was, without a second start")
  func threeReloads() throws {
    try withRig(Self.options) { rig throws in
      try begin(rig)
      for _ in 1...3 {
        try write(rig) { $0.replacingOccurrences(of: "{h: home +1,", with: "{h: home +1, g: home +2,") }
        try reload(rig)
      }
      rig.press("h")
      try #require(told(rig, [2, 0]))
      rig.press("g")
      try #require(told(rig, [4, 0]))
      Thread.sleep(forTimeInterval: 1)
      #expect(rig.standIn.requests.compactMap(\.score).last == [4, 0])
      #expect(starts(rig) == 1)
    }
  }

  @Test(
    "a config that is wrong, or wants what only a restart can do, is refused whole: the log says why, the old one stays",
    arguments: [
      ("h: home +1, a: away +1", "h: home +7, a: away +2", "home +7"),
      ("slug: main", "slug: other", "list of courts"),
      ("sport: basketball", "sport: handball", "sport"),
      ("riverside}", "riverbank}", "venue"),
      ("{env: ABLY_API_KEY}", "{file: /nowhere/at/all}", "key"),
    ])
  func refused(old: String, new: String, says: String) throws {
    try withRig(Self.options) { rig throws in
      try begin(rig)
      try write(rig) { $0.replacingOccurrences(of: old, with: new) }
      rig.daemon?.signal(SIGHUP)
      try #require(rig.daemon?.line(within: .seconds(5)) { $0.contains("reload refused") } != nil)
      #expect(rig.log.contains(says))
      rig.press("a")
      try #require(told(rig, [1, 1]))
      #expect(starts(rig) == 1)
    }
  }

  @Test("I-11: a key rotated during a game: the new one is used at once, the game goes on")
  func rotation() throws {
    try withRig(Self.options) { rig throws in
      try begin(rig)
      let key = "hG7xQ2.Rotated:An0ther-S3cret_Value-0123456789abcdEFGH"
      let file = "\(rig.folder)/key"
      try key.write(toFile: file, atomically: true, encoding: .utf8)
      chmod(file, 0o600)
      rig.standIn.rotateKey(to: key)
      try write(rig) { $0.replacingOccurrences(of: "{env: ABLY_API_KEY}", with: "{file: \(file)}") }
      try reload(rig)
      rig.press("h")
      try #require(told(rig, [2, 0]))
      #expect(starts(rig) == 1)
      #expect(!rig.log.contains(key))
    }
  }

  @Test("B92: what waited under other settings is sent: three presses offline, a timeout changed, a restart online")
  func queueIdentity() throws {
    try withRig(Self.options) { rig throws in
      try begin(rig)
      rig.standIn.die()
      for _ in 1...3 { rig.press("h") }
      try #require(rig.keyboard?.shows("Riverton 4 – 0") == true)
      #expect(rig.daemon?.terminate() == 0)
      try write(rig) { $0.replacingOccurrences(of: "ca_file:", with: "request_timeout: 3s\n  ca_file:") }
      rig.standIn.comeBack()
      try rig.start()
      try #require(told(rig, [4, 0]))
      #expect(starts(rig) == 1)
    }
  }

  /// The daemon is up, and one score has been told.
  private func begin(_ rig: Rig) throws {
    try rig.start()
    let topics = try #require(rig.broker).subscribe("\(Rig.topics)/availability")
    try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
    // A start waits for a clock that is believed, which takes the service's first answer.
    _ = try #require(rig.standIn.wait(1, .time, within: .seconds(5)))
    Thread.sleep(forTimeInterval: 0.3)
    rig.press("h")
    try #require(told(rig, [1, 0]))
  }

  private func write(_ rig: Rig, _ change: (String) -> String) throws {
    let text = change(rig.config)
    #expect(text != rig.config)
    try text.write(toFile: rig.configFile, atomically: true, encoding: .utf8)
  }

  /// The log tells the first; repeats of it are summarised, so the others get their time.
  private func reload(_ rig: Rig) throws {
    rig.daemon?.signal(SIGHUP)
    try #require(rig.daemon?.line(within: .seconds(5)) { $0.contains("reloaded") } != nil, "the reload was not taken")
    Thread.sleep(forTimeInterval: 0.3)
  }

  private func told(_ rig: Rig, _ score: [Int]) -> Bool {
    rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == score && $0.answer?.status ?? 0 == 201 } } != nil
  }

  private func starts(_ rig: Rig) -> Int {
    rig.standIn.requests.count { Rig.isAndroid($0) && $0.fcmData?["event"]?.string == "start" }
  }
}
