/// A schema as JSON Schema (draft 7, which YAML editors read), for completion and red lines while typing. It is the
/// milder of the two judges: what only the decoder can know (two owners of one line, a file that is missing) is not in it.
package enum EditorSchema {
  package static func json(for shape: Shape, title: String) -> [UInt8] {
    var writer = JSONWriter(reservingCapacity: 32_768)
    writer.object { writer in
      writer.member("$schema", "http://json-schema.org/draft-07/schema#")
      writer.member("title", title)
      members(of: shape, &writer)
    }
    return writer.bytes
  }

  private static func members(of shape: Shape, _ writer: inout JSONWriter) {
    switch shape {
    case .scalar(let scalar): members(of: scalar, &writer)
    case .list(let element, let count):
      writer.member("type", "array")
      writer.member("minItems", count.lowerBound)
      writer.member("maxItems", count.upperBound)
      writer.key("items")
      writer.object { members(of: element, &$0) }
    case .map(let keys, let values):
      writer.member("type", "object")
      if case .text(let pattern?) = keys.form {
        writer.key("propertyNames")
        writer.object { $0.member("pattern", pattern) }
      }
      writer.key("additionalProperties")
      writer.object { members(of: values, &$0) }
    case .record(let fields):
      properties(fields, &writer)
      let required = fields.filter { $0.presence == .required }.map(\.key)
      if !required.isEmpty {
        writer.key("required")
        writer.array { writer in for word in required { writer.string(word) } }
      }
    case .choice(let fields):
      properties(fields, &writer)
      writer.member("minProperties", 1)
      writer.member("maxProperties", 1)
    case .open(let about):
      writer.member("type", "object")
      writer.member("description", about)
    }
  }

  private static func properties(_ fields: [FieldShape], _ writer: inout JSONWriter) {
    writer.member("type", "object")
    writer.member("additionalProperties", false)
    writer.key("properties")
    writer.object { writer in
      for field in fields {
        writer.key(field.key)
        writer.object { property(field, &$0) }
      }
    }
  }

  private static func property(_ field: FieldShape, _ writer: inout JSONWriter) {
    if case .open(let about) = field.shape {
      writer.member("type", "object")
      writer.member("description", "\(field.about) \(about)")
      return
    }
    members(of: field.shape, &writer)
    switch field.presence {
    case .required: writer.member("description", field.about)
    case .defaulted(let text): writer.member("description", "\(field.about) Default: \(text).")
    case .optional(let sentence): writer.member("description", "\(field.about) When absent: \(sentence).")
    }
    if case .scalar = field.shape, !field.example.isEmpty {
      writer.key("examples")
      writer.array { $0.string(field.example) }
    }
  }

  /// An editor takes `012` or `no` for a number or a truth value; we take both for text, so text allows all three.
  private static func members(of scalar: ScalarShape, _ writer: inout JSONWriter) {
    switch scalar.form {
    case .text(let pattern?):
      writer.member("type", "string")
      writer.member("pattern", pattern)
    case .text(nil):
      writer.key("type")
      writer.array { writer in for word in ["string", "number", "boolean"] { writer.string(word) } }
    case .integer(let range):
      writer.member("type", "integer")
      writer.member("minimum", range.lowerBound)
      writer.member("maximum", range.upperBound)
    case .truth: writer.member("type", "boolean")
    case .words(let words):
      writer.key("enum")
      writer.array { writer in for word in words { writer.string(word) } }
    }
  }
}
