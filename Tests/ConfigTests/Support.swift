import Bridge
import Document
import Foundation
import Platform
import Testing

/// The package's own folder and the fixtures in it.
enum Place {
  static let tests = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
  static let package = tests.deletingLastPathComponent().deletingLastPathComponent()
  static let broken = tests.appendingPathComponent("Broken")

  static func text(_ path: String) throws -> String {
    try String(contentsOf: package.appendingPathComponent(path), encoding: .utf8)
  }
}

func yaml(_ text: String) throws -> Node { try YAMLDocument.parse(Array(text.utf8)) }

/// The issue that a text is refused with; nil when it is taken.
func yamlIssue(_ text: String) -> DocumentIssue? {
  do {
    _ = try yaml(text)
    return nil
  } catch { return error as? DocumentIssue }
}

/// A config of one court with these lines at the top level and these in the court, which fails the test when it has
/// a problem.
func config(_ top: String = "", court: String = "", venue: String = "{name: Riverside Arena}") throws -> Config {
  let decoded = Config.decode(try yaml(document(top, court: court, venue: venue)))
  return try #require(decoded.config, "\(decoded.issues.map(\.sentence))")
}

func issues(
  _ top: String = "", court: String = "", venue: String = "{name: Riverside Arena}",
  checks: ConfigChecks = ConfigChecks()
) throws -> [DocumentIssue] {
  Config.decode(try yaml(document(top, court: court, venue: venue)), checks: checks).issues
}

private func document(_ top: String, court: String, venue: String) -> String {
  let inner = court.split(separator: "\n").map { "    \($0)\n" }.joined()
  return "venue: \(venue)\n\(top)\ncourts:\n  - name: Main court\n    sport: basketball\n\(inner)"
}

/// A folder that is gone when the test ends.
final class TemporaryFolder {
  let path: String

  init() throws {
    path = NSTemporaryDirectory() + "/scoreboard-config-\(UUID().uuidString)"
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(atPath: path) }

  @discardableResult
  func write(_ bytes: [UInt8], _ name: String, mode: Int = 0o600) throws -> String {
    let file = "\(path)/\(name)"
    try Data(bytes).write(to: URL(fileURLWithPath: file))
    try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    return file
  }
}
