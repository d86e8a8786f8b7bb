import Foundation
import StandIn
import Testing

/// A real file system that fills up: the game goes on in memory, says so, and is on the disk again
/// as soon as the disk takes it.
@Suite(
  "The built daemon and a bad disk", .enabled(if: Needs.daemon), .enabled(if: Needs.broker),
  .enabled(if: SmallDisk.canMount), .serialized)
struct DiskTests {
  @Test(
    "B102: three presses while the disk is full are in memory only, and say so; freed, it has three, without a restart")
  func full() throws {
    var options = Rig.Options()
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    options.pattern = nil
    try withRig(options) { rig throws in
      let disk = try SmallDisk(at: rig.stateFolder)
      defer { disk.unmount() }
      try rig.start()
      rig.press("h")
      try #require(rig.keyboard?.shows("counted", within: .seconds(10)) == true)
      try #require(rig.standIn.wait { $0.contains { $0.score == [1, 0] } } != nil)
      try disk.fill()
      for _ in 1...3 { rig.press("h") }
      try #require(rig.keyboard?.shows("in memory only", within: .seconds(10)) == true)
      // Fans are told all the same.
      try #require(rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [4, 0] } } != nil)
      #expect(rig.keyboard?.text.contains("Riverton 4 – 0 Harbor City, Q1 · counted") != true)
      try disk.free()
      try #require(rig.daemon?.line(within: .seconds(10)) { $0.contains("takes everything again") } != nil)
      try rig.kill()
      try rig.start()
      rig.press("a")
      try #require(rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [4, 1] } } != nil)
    }
  }
}

/// A file system of its own in memory, small enough to fill.
final class SmallDisk {
  private struct Refused: Error {}

  private let folder: String
  private var filler: String { folder + "/filler" }

  init(at folder: String) throws {
    self.folder = folder
    try Self.run("mount", "-t", "tmpfs", "-o", "size=4m", "tmpfs", folder)
  }

  func free() throws { try FileManager.default.removeItem(atPath: filler) }

  func fill() throws {
    _ = FileManager.default.createFile(atPath: filler, contents: nil)
    let file = try FileHandle(forWritingTo: URL(fileURLWithPath: filler))
    let block = Data(count: 4096)
    while (try? file.write(contentsOf: block)) != nil {}
    try? file.close()
  }

  func unmount() { try? Self.run("umount", "-l", folder) }

  private static func run(_ name: String, _ arguments: String...) throws {
    guard let program = Child.find(name) else { throw Refused() }
    let run = try Child.run(program, arguments, environment: ["PATH": "/usr/sbin:/usr/bin:/sbin:/bin"])
    guard run.code == 0 else { throw Refused() }
  }

  static let canMount: Bool = {
    let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mount-\(getpid())").path
    try? FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    guard let disk = try? SmallDisk(at: folder) else {
      print("skipped: a file system can only be mounted by root")
      return false
    }
    disk.unmount()
    return true
  }()
}
