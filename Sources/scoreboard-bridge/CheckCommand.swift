import Bridge
import Document
import Platform

/// `scoreboard-bridge check`: what is wrong with a config, before a game finds out.
enum CheckCommand {
  static var command: Command {
    Command(
      usage: Usage(
        command: "check", about: "Says everything that is wrong with a config file, and how to mend it.",
        options: [
          Option("--config", "FILE", "The file to check (\(ConfigFile.usualPath))."),
          Option("--json", nil, "Answers with one JSON object."),
          Option("--reference", nil, "Prints the page of every setting, in Markdown."),
          Option("--schema", nil, "Prints the JSON schema for editors."),
        ],
        notes: """
          Exit code: 0 the file is fine, 1 it has problems, 2 the command line has.
          Example: scoreboard-bridge check --config Config/raspberry-pi.yaml
          """),
      run: run)
  }

  private static func run(_ arguments: Arguments) -> Command.Exit {
    if arguments.has("--reference") {
      StandardStreams.out(Config.reference())
      return .fine
    }
    if arguments.has("--schema") {
      StandardStreams.out(String(decoding: Config.editorSchema(), as: UTF8.self))
      return .fine
    }
    let report = CheckReport(ConfigFile(path: arguments["--config"] ?? ConfigFile.usualPath, checks: .rooms))
    StandardStreams.out(arguments.has("--json") ? report.json : report.text)
    return report.isFine ? .fine : .problem
  }
}

/// The findings of a check, for people and for programs.
package struct CheckReport {
  private let file: ConfigFile
  private let issues: [DocumentIssue]

  package init(_ file: ConfigFile) {
    self.file = file
    issues = (file.issues + file.secretIssues).sorted { left, right in
      (left.position.line, left.position.column) < (right.position.line, right.position.column)
    }
  }

  /// Warnings do not stop the daemon, so they do not fail the check.
  package var isFine: Bool { problemCount == 0 }

  private var problemCount: Int { issues.count { $0.severity == .problem } }

  /// One paragraph per finding: place and path, what was found, what to do.
  package var text: String {
    var lines: [String] = []
    for issue in issues {
      let place = "\(file.path):\(issue.position.line):\(issue.position.column): "
      let path = issue.path.isEmpty ? "" : "\(issue.path): "
      let kind = issue.severity == .warning ? "warning: " : ""
      lines.append("\(place)\(kind)\(path)\(issue.text)")
      if !issue.remedy.isEmpty { lines.append("    \(issue.remedy)") }
    }
    lines.append(summary)
    return lines.joined(separator: "\n") + "\n"
  }

  package var json: String {
    var writer = JSONWriter()
    writer.object { writer in
      writer.member("file", file.path)
      writer.member("fine", isFine)
      writer.member("problems", problemCount)
      writer.member("warnings", issues.count - problemCount)
      writer.key("issues")
      writer.array { writer in
        for issue in issues { write(issue, &writer) }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private func write(_ issue: DocumentIssue, _ writer: inout JSONWriter) {
    writer.object { writer in
      writer.member("severity", issue.severity == .problem ? "problem" : "warning")
      writer.member("line", issue.position.line)
      writer.member("column", issue.position.column)
      writer.member("path", issue.path)
      writer.member("text", issue.text)
      writer.member("remedy", issue.remedy)
    }
  }

  private var summary: String {
    let warnings = issues.count - problemCount
    let warningText = warnings == 0 ? "" : warnings == 1 ? ", 1 warning" : ", \(warnings) warnings"
    guard isFine, let config = file.config else {
      return "\(file.path): \(problemCount) problem\(problemCount == 1 ? "" : "s")\(warningText)"
    }
    let courts = config.courts.count == 1 ? "1 court" : "\(config.courts.count) courts"
    let mode = config.isRehearsal ? "a rehearsal, nothing is sent to phones" : "phones are told through Ably"
    return "\(file.path): fine\(warningText). \(config.venue.name), \(courts), \(mode)"
  }
}
