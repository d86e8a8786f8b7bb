import Foundation

/// A folder of the test's own, gone with it; in memory where that exists, as most tests need no disk to sync.
final class TemporaryFolder {
  let path: String

  init(in parent: String? = nil) throws {
    let memory = "/dev/shm"
    let parent = parent ?? (FileManager.default.isWritableFile(atPath: memory) ? memory : NSTemporaryDirectory())
    path = "\(parent)/net-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  func file(_ name: String) -> String { "\(path)/\(name)" }

  func write(_ text: String, to name: String) throws -> String {
    try Data(text.utf8).write(to: URL(fileURLWithPath: file(name)))
    return file(name)
  }
}

func bytes(of path: String) -> [UInt8] { FileManager.default.contents(atPath: path).map { [UInt8]($0) } ?? [] }

func write(_ bytes: [UInt8], to path: String) throws { try Data(bytes).write(to: URL(fileURLWithPath: path)) }

/// Where a program is, looked for on the path and where Debian keeps daemons.
func program(_ name: String) -> String? {
  let folders = (ProcessInfo.processInfo.environment["PATH"] ?? "").split(separator: ":").map(String.init)
  return (folders + ["/usr/sbin", "/sbin"]).map { "\($0)/\(name)" }
    .first { FileManager.default.isExecutableFile(atPath: $0) }
}
