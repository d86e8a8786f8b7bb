import Foundation
import StandIn
import Testing

/// Real disks that go bad under a game: it goes on in memory, says so, and is on the disk again as soon as the disk
/// takes it.
@Suite("The built daemon and a bad disk", .enabled(if: Needs.daemon), .enabled(if: Needs.broker), .serialized)
struct DiskTests {
  enum Trouble: String, CaseIterable, CustomTestStringConvertible {
    case full, readOnly, inputOutputErrors

    var testDescription: String { rawValue }

    /// The kernel's answer, where a preload library gives it: what is open for writing keeps a real file system from
    /// becoming read-only.
    var errorNumber: Int32? {
      switch self {
      case .full: nil
      case .readOnly: EROFS
      case .inputOutputErrors: EIO
      }
    }

    static let possible = allCases.filter { $0.errorNumber == nil ? SmallDisk.canMount : Preload.faulty != nil }
  }

  private static func options(_ trouble: Trouble?) -> Rig.Options {
    var options = Rig.Options()
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    options.pattern = nil
    guard let number = trouble?.errorNumber else { return options }
    options.environment = ["LD_PRELOAD": Preload.faulty ?? "", "FAULTY_ERRNO": "\(number)"]
    options.environmentOfFolder = { ["FAULTY_LIVE": "\($0)/state", "FAULTY_WHEN": "\($0)/faulty"] }
    return options
  }

  @Test(
    "B102: presses on a bad disk are in memory only, and say so; when it is well it has them all, without a restart",
    arguments: Trouble.possible)
  func trouble(_ trouble: Trouble) throws {
    try withRig(Self.options(trouble)) { rig throws in
      let disk = trouble == .full ? try SmallDisk(at: rig.stateFolder) : nil
      defer { disk?.unmount() }
      let fault = "\(rig.folder)/faulty"
      try rig.start()
      let topics = try #require(rig.broker).subscribe(
        "\(Rig.court)/reply", "\(Rig.topics)/status", "\(Rig.topics)/availability")
      try #require(topics.message(on: "\(Rig.topics)/availability") { $0.payload == "online" } != nil)
      rig.press("h")
      try #require(rig.keyboard?.shows("counted", within: .seconds(10)) == true)
      try #require(rig.standIn.wait { $0.contains { $0.score == [1, 0] } } != nil)
      if let disk { try disk.fill() } else { _ = FileManager.default.createFile(atPath: fault, contents: nil) }
      for _ in 1...3 { rig.press("h") }
      try #require(rig.keyboard?.shows("in memory only", within: .seconds(10)) == true)
      try rig.score("home", 1, id: "by-broker")
      // Fans are told all the same.
      try #require(rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [5, 0] } } != nil)
      try #require(
        topics.message(on: "\(Rig.topics)/status", within: .seconds(10)) { $0.payload.contains("store-failing") } != nil
      )
      #expect(rig.keyboard?.text.contains("Riverton 4 – 0 Harbor City, Q1 · counted") != true)
      #expect(!topics.messages.contains { $0.topic == "\(Rig.court)/reply" && $0.payload.contains(#""done""#) })
      if let disk { try disk.free() } else { try FileManager.default.removeItem(atPath: fault) }
      try #require(rig.daemon?.line(within: .seconds(10)) { $0.contains("takes everything again") } != nil)
      let answer = topics.message(on: "\(Rig.court)/reply", within: .seconds(10)) { $0.payload.contains(#""done""#) }
      #expect(answer?.payload.contains("by-broker") == true)
      try rig.kill()
      try rig.start()
      rig.press("a")
      try #require(rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [5, 1] } } != nil)
    }
  }

  @Test(
    "a daemon that starts on a read-only disk reads what is there, and counts on in memory",
    .enabled(if: SmallDisk.canMount))
  func readOnlyAtStart() throws {
    try withRig(Self.options(nil)) { rig throws in
      let disk = try SmallDisk(at: rig.stateFolder)
      defer { disk.unmount() }
      try rig.start()
      rig.press("h")
      try #require(rig.keyboard?.shows("counted", within: .seconds(10)) == true)
      try rig.kill()
      try disk.remount("ro")
      try rig.start()
      rig.press("a")
      try #require(rig.keyboard?.shows("in memory only", within: .seconds(10)) == true)
      // After ten seconds of refusals fans are told on, past what the disk has reserved.
      try #require(rig.standIn.wait(within: .seconds(25)) { $0.contains { $0.score == [1, 1] } } != nil)
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

  /// To `ro` only while nothing is open for writing.
  func remount(_ mode: String) throws { try Self.run("mount", "-o", "remount,\(mode)", folder) }

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
