import Foundation
import StandIn

/// A copy of what was synced, kept by a preload library, and how the power is cut.
enum PowerLine {
  static let isBuildable = Preload.power != nil

  static func shadow(_ folder: String) -> String { "\(folder)/shadow" }

  static func options(isOff: Bool) -> Rig.Options {
    var options = Rig.Options()
    options.pattern = nil
    options.hasKeyboard = false
    options.ablyLines = ["  open_timeout: 1s", "  request_timeout: 2s"]
    options.environment = ["LD_PRELOAD": Preload.power ?? ""]
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
