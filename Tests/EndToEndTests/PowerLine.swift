import Foundation
import StandIn

/// The preload library that keeps a copy of what was synced, built once from its source.
enum PowerLine {
  static let library: String? = {
    guard let compiler = Child.find("cc") else { return nil }
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Power/power.c")
      .path
    let result = FileManager.default.temporaryDirectory.appendingPathComponent("power-\(getpid()).so").path
    let run = try? Child.run(
      compiler, ["-shared", "-fPIC", "-O1", "-o", result, source, "-ldl", "-lpthread"],
      environment: ["PATH": "/usr/bin:/bin"])
    return run?.code == 0 ? result : nil
  }()

  static let isBuildable: Bool = {
    if library == nil { print("skipped: there is no C compiler") }
    return library != nil
  }()

  static func shadow(_ folder: String) -> String { "\(folder)/shadow" }

  static func options(isOff: Bool) -> Rig.Options {
    var options = Rig.Options()
    options.pattern = nil
    options.hasKeyboard = false
    options.ablyLines = ["  open_timeout: 1s", "  request_timeout: 2s"]
    options.environment = ["LD_PRELOAD": library ?? ""]
    options.environmentOfFolder = { folder in
      ["POWER_LIVE": "\(folder)/state", "POWER_SHADOW": shadow(folder)].merging(isOff ? ["POWER_OFF": "1"] : [:]) { $1 }
    }
    return options
  }

  /// The daemon is dead: what it had not synced is gone.
  static func cut(_ rig: Rig) throws {
    let files = FileManager.default
    try files.removeItem(atPath: rig.stateFolder)
    try files.copyItem(atPath: shadow(rig.folder), toPath: rig.stateFolder)
  }
}
