import Foundation
import StandIn

/// A library that stands between the daemon and the kernel's files, built once from its source in `Power`.
enum Preload {
  static let power = build("power")
  static let faulty = build("faulty")

  /// Nil where there is no C compiler.
  private static func build(_ name: String) -> String? {
    guard let compiler = Child.find("cc") else {
      print("skipped: there is no C compiler")
      return nil
    }
    let source = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("Power/\(name).c")
    let result = FileManager.default.temporaryDirectory.appendingPathComponent("\(name)-\(getpid()).so").path
    let run = try? Child.run(
      compiler, ["-shared", "-fPIC", "-O1", "-o", result, source.path, "-ldl", "-lpthread"],
      environment: ["PATH": "/usr/bin:/bin"])
    precondition(run?.code == 0, "\(source.path) does not compile: \(run.map { "\($0)" } ?? "no compiler ran")")
    return result
  }
}
