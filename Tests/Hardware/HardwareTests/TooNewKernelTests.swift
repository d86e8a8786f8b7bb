import Testing

@Suite(
  "HardwareTests of a kernel without the ABI that libgpiod 1 speaks",
  .enabled(if: SimulatedChip.isPresent, "no simulated GPIO chip; run with Tests/Hardware/run-in-vm"),
  .enabled(if: HardwareRig.refusal != nil, "this library and this kernel understand each other"), .serialized)
struct TooNewKernelHardwareTests {
  @Test("a kernel that has only GPIO ABI v2 is named as such, with the way out, for every line; the daemon goes on")
  func named() throws {
    let rig = try HardwareRig()
    defer { rig.close() }
    try rig.run(waitingFor: "lamp lost court=main lamp=ready")
    for line in ["button=home+1", "button=away+1", "button=start", "lamp=counted", "lamp=ready"] {
      let told = rig.log.split(separator: "\n").first { $0.contains("lost court=main \(line)") }
      #expect(told?.contains("this kernel has only GPIO ABI v2, and libgpiod 1.x cannot speak it") == true)
      #expect(told?.contains("use the build for Debian 13") == true)
    }
    #expect(rig.daemon?.isRunning == true)
  }
}
