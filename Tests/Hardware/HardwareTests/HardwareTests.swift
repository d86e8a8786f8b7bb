import Foundation
import StandIn
import Testing

@Suite(
  "The built daemon on a simulated chip of a real kernel",
  .enabled(if: SimulatedChip.isPresent, "no simulated GPIO chip; run with Tests/Hardware/run-in-vm"),
  .enabled(if: HardwareRig.refusal == nil, "this kernel has only GPIO ABI v2, which libgpiod 1 does not speak"),
  .serialized)
struct HardwareTests {
  /// Milliseconds; well inside the lockout.
  private static let longestBounce = 40.0

  private func withRig(_ body: (HardwareRig) throws -> Void) throws {
    let rig = try HardwareRig()
    defer { rig.close() }
    do { try body(rig) } catch {
      print(rig.log)
      throw error
    }
  }

  /// A daemon with its game on, and known to phones: what was pressed before would stand in their first card already.
  private func startGame(_ rig: HardwareRig) throws {
    SimulatedChip.bouncingPress(HardwareRig.start)
    try #require(rig.waits(for: "sink=ably-ios from=starting to=started"))
  }

  @Test("a bouncing press is one event and one push, and the lamp says that it was counted")
  func onePress() throws {
    try withRig { rig in
      try rig.run()
      try startGame(rig)
      let before = rig.scores.count
      let lamp = LampWatch(HardwareRig.counted)
      let bounce = SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(bounce < Self.longestBounce, "the host stalls its guest; run this on a quieter machine")
      try #require(HardwareRig.waits { lamp.wasLit })
      try #require(rig.pushedScore(1))
      usleep(1_500_000)
      #expect(rig.counted == 1)
      #expect(rig.scores.dropFirst(before).filter { $0 == 1 }.count == 1)
      #expect(!SimulatedChip.isLit(HardwareRig.counted))
      #expect(SimulatedChip.isLit(HardwareRig.ready))
    }
  }

  @Test("ten presses at 8 per second are ten, and the lamps go out with the daemon")
  func tenPresses() throws {
    try withRig { rig in
      try rig.run()
      try startGame(rig)
      for _ in 0..<10 {
        let bounce = SimulatedChip.bouncingPress(HardwareRig.home)
        try #require(bounce < Self.longestBounce, "the host stalls its guest; run this on a quieter machine")
        usleep(60_000)
      }
      try #require(rig.pushedScore(10))
      #expect(rig.counted == 10)
      #expect(SimulatedChip.isLit(HardwareRig.ready))
      rig.daemon?.terminate(within: .seconds(8))
      #expect(!SimulatedChip.isLit(HardwareRig.ready))
    }
  }

  @Test("a chip that goes is noticed, and its buttons count again when it is back")
  func chipGone() throws {
    try withRig { rig in
      try rig.run()
      try SimulatedChip.setLive(false)
      try #require(rig.waits(for: "button lost court=main button=home+1"))
      try SimulatedChip.setLive(true)
      for line in [HardwareRig.home, HardwareRig.away, HardwareRig.start] { SimulatedChip.press(line, false) }
      try #require(HardwareRig.waits { SimulatedChip.isLit(HardwareRig.ready) }, "the lines did not come back")
      usleep(300_000)
      SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(HardwareRig.waits { rig.counted == 1 })
    }
  }

  @Test("B13: busy lines are named with their holder and taken when they are free; watch tells what it saw")
  func busyLine() throws {
    try withRig { rig in
      let watch = try rig.watch()
      SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(HardwareRig.waits { watch.text(.out).contains("\"event\":\"press\"") })
      try rig.run(waitingFor: "line busy: held by scoreboard-bridge")
      watch.signal(SIGINT)
      #expect(watch.exitCode() == 0)
      #expect(watch.text(.out).contains("\"event\":\"summary\""))
      try #require(rig.waits(for: "button ready court=main button=home+1"))
      SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(HardwareRig.waits { rig.counted == 1 })
    }
  }

  @Test("B14: a button that is down when the daemon starts is told, and counts nothing until it was let go")
  func heldAtBoot() throws {
    try withRig { rig in
      SimulatedChip.press(HardwareRig.home, true)
      try rig.run()
      try #require(rig.waits(for: "held at boot court=main button=home+1"))
      #expect(!SimulatedChip.isLit(HardwareRig.ready))
      SimulatedChip.press(HardwareRig.home, false)
      usleep(200_000)
      #expect(rig.counted == 0)
      SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(HardwareRig.waits { rig.counted == 1 })
    }
  }

  @Test("a burst that overflows the kernel's queue invents nothing, and the line goes on counting")
  func overflow() throws {
    try withRig { rig in
      try rig.run()
      // A daemon that stands still cannot drain; what the kernel keeps of a thousand edges is what it gets.
      rig.daemon?.signal(SIGSTOP)
      for _ in 0..<1000 { SimulatedChip.play(HardwareRig.home, 20, 20) }
      SimulatedChip.press(HardwareRig.home, false)
      rig.daemon?.signal(SIGCONT)
      try #require(rig.waits(for: "a press may have been missed court=main button=home+1"))
      usleep(300_000)
      let before = rig.counted
      SimulatedChip.bouncingPress(HardwareRig.home)
      try #require(HardwareRig.waits { rig.counted == before + 1 })
    }
  }
}
