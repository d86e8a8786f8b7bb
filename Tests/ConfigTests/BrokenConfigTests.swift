import Foundation
import Platform
import Testing
import scoreboard_bridge

/// `Broken/<fault>.yaml` is a config with one class of fault, `Broken/<fault>.txt` all that `check` says about it.
@Suite struct BrokenConfigTests {
  static let faults: [String] = {
    let files = (try? FileManager.default.contentsOfDirectory(atPath: Place.broken.path)) ?? []
    return files.filter { $0.hasSuffix(".yaml") }.map { String($0.dropLast(5)) }.sorted()
  }()

  static let environment = [
    "ABLY_API_KEY": "app.key:whole", "PATH": "app.key:whole", "CREDENTIALS_DIRECTORY": "/nonexistent",
    "SCOREBOARD_BRIDGE_TEST_MALFORMED": "nocolonhere",
  ]

  static func report(_ fault: String) -> CheckReport {
    let path = Place.broken.appendingPathComponent("\(fault).yaml").path
    return CheckReport(ConfigFile(path: path, secrets: Secrets(environment: { environment[$0] })))
  }

  @Test("a broken config is refused with what a person needs to mend it", arguments: faults)
  func broken(_ fault: String) throws {
    let report = Self.report(fault)
    let wanted = try String(contentsOf: Place.broken.appendingPathComponent("\(fault).txt"), encoding: .utf8)
    #expect(report.text.replacingOccurrences(of: Place.broken.path + "/", with: "") == wanted)
    #expect(!report.isFine)
  }

  @Test("no message repeats a secret, as text or as JSON, and none lacks its place")
  func silence() throws {
    #expect(Self.faults.count >= 60)
    for fault in Self.faults {
      let report = Self.report(fault)
      for secret in ["s3cr3t", "hunter2", "xVLyHw", "nocolonhere"] {
        #expect(!report.text.contains(secret) && !report.json.contains(secret), "\(fault)")
      }
      let object = try JSONSerialization.jsonObject(with: Data(report.json.utf8)) as? [String: Any]
      let issues = try #require(object?["issues"] as? [[String: Any]])
      #expect(object?["fine"] as? Bool == false)
      for issue in issues {
        #expect((issue["line"] as? Int ?? 0) > 0 && (issue["column"] as? Int ?? 0) > 0, "\(fault)")
        #expect(issue["remedy"] as? String != "", "\(fault): \(issue["text"] ?? "")")
      }
    }
  }
}
