/// A schema as a page of Markdown: one table per map, in the order in which the file is written.
package struct SchemaReference {
  private var page = ""

  package static func markdown(for shape: Shape, title: String, introduction: String) -> String {
    var reference = SchemaReference()
    reference.page = "# \(title)\n\n\(introduction)\n"
    reference.section(shape, path: "", about: "")
    return reference.page
  }

  private mutating func section(_ shape: Shape, path: String, about: String) {
    switch shape {
    case .record(let fields):
      heading(path, about)
      table(fields)
      for field in fields { section(field.shape, path: Self.join(path, field.key), about: field.about) }
    case .choice(let fields):
      heading(path, about)
      page += "\nExactly one of:\n"
      table(fields)
    case .list(let element, _): section(element, path: path + "[]", about: about)
    case .map(_, let values): section(values, path: Self.join(path, "NAME"), about: about)
    case .scalar, .open: break
    }
  }

  private mutating func heading(_ path: String, _ about: String) {
    page += path.isEmpty ? "\n## The file\n" : "\n## `\(path)`\n"
    if !about.isEmpty { page += "\n\(about)\n" }
  }

  private mutating func table(_ fields: [FieldShape]) {
    page += "\n| key | what it is | allowed | when absent | example |\n|---|---|---|---|---|\n"
    for field in fields {
      let cells = [
        "`\(field.key)`", field.about, Self.kind(field.shape), Self.absence(field.presence),
        field.example.isEmpty ? "" : "`\(field.example)`",
      ]
      page += "| " + cells.map(Self.cell).joined(separator: " | ") + " |\n"
    }
  }

  private static func absence(_ presence: FieldShape.Presence) -> String {
    switch presence {
    case .required: "**required**"
    case .defaulted(let text): "`\(text)`"
    case .optional(let sentence): sentence
    }
  }

  private static func kind(_ shape: Shape) -> String {
    switch shape {
    case .scalar(let scalar): scalar.allowed
    case .list(let element, let count):
      "list of \(count.lowerBound) to \(count.upperBound): \(kind(element))"
    case .map(let keys, let values): "map; keys: \(keys.allowed); values: \(kind(values))"
    case .record: "a map, see below"
    case .choice(let fields): "a map with one of " + fields.map { "`\($0.key)`" }.joined(separator: ", ")
    case .open(let about): about
    }
  }

  private static func join(_ path: String, _ key: String) -> String { path.isEmpty ? key : "\(path).\(key)" }

  /// A bar would end the cell.
  private static func cell(_ text: String) -> String {
    text.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
  }
}
