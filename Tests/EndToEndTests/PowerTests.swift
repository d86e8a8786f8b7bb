import Foundation
import GameCore
import StandIn
import Testing

/// Power, not only process: what the disk had not synced is gone. *Counted* is an answer `done` that the harness saw.
@Suite(
  "The built daemon and the power line", .enabled(if: Needs.daemon), .enabled(if: Needs.broker),
  .enabled(if: PowerLine.isBuildable), .serialized)
struct PowerTests {
  private static let environment = ProcessInfo.processInfo.environment

  @Test("killed at random moments without its unsynced writes: nothing counted is gone, nothing is there twice")
  func cuts() throws {
    let kills = Self.environment["SCOREBOARD_POWER_KILLS"].flatMap { Int($0) } ?? 50
    var seed = Self.environment["SCOREBOARD_POWER_SEED"].flatMap { UInt64($0) } ?? 1
    var left = kills
    while left > 0 {
      try withRig(PowerLine.options(isOff: false)) { rig throws in
        var game = try PowerGame(rig, seed: seed)
        try game.begin()
        for _ in 1...min(left, Self.killsPerGame) { try game.playUntilPowerCut() }
        try game.finish()
        #expect(game.faults == [], "SCOREBOARD_POWER_SEED=\(seed)")
        expectSoundness(rig)
        left -= game.cuts
      }
      seed += 1
    }
  }

  @Test("the same with a disk that is never waited for: this test can see what is lost")
  func off() throws {
    try withRig(PowerLine.options(isOff: true)) { rig throws in
      var game = try PowerGame(rig, seed: 1)
      try? game.begin()
      for _ in 1...5 { if game.faults == [] { try? game.playUntilPowerCut() } }
      #expect(game.faults.contains { $0.contains("was counted, and is gone") })
    }
  }

  private func expectSoundness(_ rig: Rig) {
    let requests = rig.standIn.requests
    #expect(requests.count { $0.call == .start && $0.processed } <= 1)
    #expect(rig.standIn.phones { $0[iPhone: "iphone"]?.tiles.count ?? 0 } <= 1)
    #expect(Set(requests.filter { $0.call == .end }.map(\.body)).count <= 1)
    var bodies: [String: [UInt8]] = [:]
    for message in requests.filter(Rig.isAndroid) {
      let id = message.message?["id"]?.string ?? ""
      #expect(bodies[id] == nil || bodies[id] == message.body, "\(id) carries two states")
      bodies[id] = message.body
    }
    // On iOS, start, updates and end share one counter.
    let tile = requests.filter { [.start, .broadcast, .end].contains($0.call) }
    for pushes in [tile, requests.filter(Rig.isAndroid)] {
      // The same bytes again, after silence, are the same push.
      var last: Seen?
      for push in pushes where push.stamp != nil {
        if let last, last.body != push.body {
          #expect(push.stamp! > last.stamp!, "stamp \(push.stamp!) after \(last.stamp!)")
        }
        last = push
      }
    }
    let android = requests.filter { Rig.isAndroid($0) && $0.processed }
    let starts = Set(
      android.filter { $0.fcmData?["event"]?.string == "start" }.compactMap { $0.message?["id"]?.string })
    let ends = Set(android.filter { $0.fcmData?["event"]?.string == "end" }.compactMap { $0.message?["id"]?.string })
    #expect(starts.count <= 1)
    #expect(ends.count == 1)
  }

  private static let killsPerGame = 50
}
