import Foundation

/// The table of `game-life.md`: what each verb does in each state.
enum GameLifeDocument {
  static func rows() throws -> [String: [String: String]] {
    let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let text = try String(contentsOf: root.appending(path: "Sources/GameCore/game-life.md"), encoding: .utf8)
    var rows: [String: [String: String]] = [:]
    var columns: [String] = []
    for line in text.split(separator: "\n") where line.hasPrefix("|") {
      let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: CharacterSet(charactersIn: " `")) }
      if cells[0] == "verb" { columns = cells }
      guard !columns.isEmpty, cells.count == columns.count else { continue }
      rows[cells[0]] = Dictionary(zip(columns, cells)) { first, _ in first }
    }
    return rows
  }
}
