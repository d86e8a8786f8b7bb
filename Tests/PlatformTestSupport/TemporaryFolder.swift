import Foundation

/// A folder that goes with the test.
package final class TemporaryFolder {
  package let path: String

  package init() {
    path = NSTemporaryDirectory() + "/scoreboard-bridge-" + UUID().uuidString
    try! FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  package func file(_ name: String) -> String { path + "/" + name }
}
