import Foundation
import Testing

// The arrows between the rooms are what keeps the engine free of sockets and clocks. The compiler lets an undeclared room
// through when the whole package is built, so this test reads the import lines.

/// Which module each room may import. A folder under `Sources` that is not in this table has no place in the house.
private let allowed: [String: Set<String>] = {
  let pure: Set<String> = ["Document", "GameCore", "Input", "Outbox", "Publishing"]
  let libraries: Set<String> = [
    "CCrypto", "CCurl", "CGPIO", "CJansson", "CLinux", "CMicroHTTPD", "CMosquitto", "CPCRE2", "CQREncode", "CSQLite",
    "CYAML",
  ]
  return [
    "Document": [],
    "LiveContract": ["ActivityKit"],
    "GameCore": [],
    "Input": ["GameCore", "Document"],
    "Outbox": ["GameCore"],
    "Publishing": ["GameCore", "LiveContract", "Outbox", "Document"],
    "Bridge": pure.union(["LiveContract"]),
    "Simulation": pure.union(["LiveContract", "Bridge"]),
    "Platform": pure.union(libraries).union(["Glibc", "Synchronization"]),
    "scoreboard-bridge": pure.union(["Bridge", "Platform", "Simulation"]),
  ]
}()

private let root = URL(fileURLWithPath: #filePath)
  .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

struct SourceFile: Sendable, CustomTestStringConvertible {
  var room: String
  var path: String
  var text: String

  var testDescription: String { path }

  /// The module of every import line, whatever stands before the word.
  var imports: [String] {
    text.split(separator: "\n").compactMap { line in
      let words = line.split(separator: " ")
      guard let place = words.firstIndex(of: "import"), place + 1 < words.count,
        words[..<place].allSatisfy({
          ["package", "internal", "public", "private", "fileprivate"].contains($0) || $0.hasPrefix("@")
        })
      else { return nil }
      // `import struct Foundation.Data` names its module in the word after the kind.
      let kinds: Set<Substring> = ["struct", "class", "enum", "protocol", "func", "var", "let", "typealias"]
      let name = kinds.contains(words[place + 1]) && place + 2 < words.count ? words[place + 2] : words[place + 1]
      return String(name.prefix { $0 != "." && $0 != ";" })
    }
  }

  static let all: [SourceFile] = files(under: "Sources", withExtension: "swift")
  static let shims: [SourceFile] = files(under: "Sources/C", withExtension: "h")

  static func files(under folder: String, withExtension suffix: String) -> [SourceFile] {
    let base = root.appendingPathComponent(folder).path
    let names = FileManager.default.enumerator(atPath: base)?.compactMap { $0 as? String } ?? []
    return names.filter { $0.hasSuffix("." + suffix) }.sorted().map { name in
      SourceFile(
        room: String(name.prefix { $0 != "/" }), path: folder + "/" + name,
        text: (try? String(contentsOfFile: base + "/" + name, encoding: .utf8)) ?? "")
    }
  }
}

/// What is wrong with a file's imports; empty when nothing is.
private func violations(in file: SourceFile) -> [String] {
  guard let rooms = allowed[file.room] else { return ["there is no room \(file.room)"] }
  return file.imports.filter { !rooms.contains($0) }.map { "\(file.room) may not import \($0)" }
}

@Suite struct ImportArrows {
  @Test("every import stands in the table of rooms and arrows; none is Foundation or Dispatch")
  func arrows() {
    #expect(SourceFile.all.count > 10, "The sources were not found.")
    for file in SourceFile.all {
      #expect(violations(in: file) == [], "\(file.path)")
    }
  }

  @Test(
    "a forbidden import is seen, however it is written",
    arguments: [
      ("GameCore", "import Glibc"), ("Bridge", "internal import Platform"), ("Input", "package import CPCRE2"),
      ("Outbox", "@preconcurrency import Publishing"), ("Platform", "import Foundation"),
      ("Platform", "import struct Foundation.Data"), ("Platform", "import FoundationEssentials"),
      ("Platform", "internal import Dispatch"), ("scoreboard-bridge", "import Glibc"), ("Cellar", "// no room"),
    ])
  func forbidden(room: String, line: String) {
    let file = SourceFile(room: room, path: "example", text: "// first line\n\(line)\n")
    #expect(violations(in: file).count == 1)
  }

  @Test("a C library is two files, a module map and a header, and the header says why it exists")
  func shims() throws {
    let folder = root.appendingPathComponent("Sources/C").path
    for library in try FileManager.default.contentsOfDirectory(atPath: folder).sorted() {
      let files = try FileManager.default.contentsOfDirectory(atPath: folder + "/" + library).sorted()
      #expect(files == ["module.modulemap", "shim.h"], "\(library)")
    }
    for shim in SourceFile.shims {
      let lines = shim.text.split(separator: "\n")
      guard let helper = lines.firstIndex(where: { $0.hasPrefix("static ") }) else { continue }
      #expect(lines[..<helper].contains { $0.hasPrefix("//") }, "\(shim.path) does not say why its helpers must exist")
    }
  }

  @Test("a source file has at most 400 lines; past that, look for the second noun")
  func length() {
    for file in SourceFile.all {
      #expect(file.text.split(separator: "\n", omittingEmptySubsequences: false).count <= 401, "\(file.path)")
    }
  }

  @Test("nothing is left to do in a comment")
  func unfinished() {
    let marks = ["TO" + "DO", "FIX" + "ME", "XX" + "X:"]
    for file in SourceFile.all {
      #expect(!marks.contains { file.text.contains($0) }, "\(file.path)")
    }
  }
}
