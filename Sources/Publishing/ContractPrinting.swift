import Document

/// The forms in which an app's makers may take the contract.
package enum ContractFormat: String, Hashable, Sendable, CaseIterable {
  case jsonSchema = "json-schema"
  case swift
  case kotlin
}

extension Contract {
  /// The contract as a text for the app's makers, with an example of a start, an update and an end.
  package func printed(as format: ContractFormat) -> String {
    switch format {
    case .jsonSchema: jsonSchema
    case .swift: swiftFile
    case .kotlin: kotlinFile
    }
  }
}

// MARK: - JSON schema

extension Contract {
  private var jsonSchema: String {
    var writer = JSONWriter(reservingCapacity: 4096)
    writer.object { json in
      json.member("$schema", "https://json-schema.org/draft/2020-12/schema")
      json.member("title", attributesType)
      json.key("$defs")
      json.object { defs in
        defs.key("attributes")
        defs.object { Self.writeSchema(of: attributes, into: &$0) }
        defs.key("contentState")
        defs.object { Self.writeSchema(of: wholeState, into: &$0) }
        defs.key("liveUpdate")
        defs.object { Self.writeSchema(of: AndroidField.all, into: &$0) }
      }
      json.key("examples")
      json.array { examples in
        for example in ContractExample.all(of: self) {
          examples.object { both in
            both.key("apns")
            both.raw(example.activity.apnsJSON())
            both.key("liveUpdate")
            both.raw(example.update.dataJSON)
          }
        }
      }
    }
    return String(decoding: writer.bytes, as: UTF8.self) + "\n"
  }

  private static func writeSchema(of fields: [Field], into json: inout JSONWriter) {
    json.member("type", "object")
    json.key("properties")
    json.object { properties in
      for field in fields {
        properties.key(field.name)
        properties.object { write(field, into: &$0) }
      }
    }
    json.key("required")
    json.array { list in
      for field in fields where !field.isOptional { list.string(field.name) }
    }
    json.member("additionalProperties", true)
  }

  private static func write(_ field: Field, into json: inout JSONWriter) {
    switch field.type {
    case .text: json.member("type", "string")
    case .integer: json.member("type", "integer")
    case .integer32:
      json.member("type", "integer")
      json.member("minimum", Int32.min)
      json.member("maximum", Int32.max)
    case .number: json.member("type", "number")
    case .truth: json.member("type", "boolean")
    case .date:
      json.member("type", "number")
      json.member("description", "seconds since 2001-01-01T00:00:00Z")
    case .dateRange:
      json.member("type", "array")
      json.member("minItems", 2)
      json.member("description", "two instants, each in seconds since 2001-01-01T00:00:00Z, the earlier first")
    }
    guard !field.allowed.isEmpty else { return }
    json.key("enum")
    json.array { list in for word in field.allowed { list.string(word) } }
  }
}

// MARK: - Swift

extension Contract {
  private var swiftFile: String {
    // A server or a test without ActivityKit may decode with the same types.
    var lines = ["#if canImport(ActivityKit)", "import ActivityKit", "#endif", "import Foundation", ""]
    lines.append("/// What never changes during a game.")
    lines.append("struct \(attributesType): Codable, Hashable {")
    lines += Self.swiftProperties(attributes, indent: "  ")
    lines += ["", "  /// Sent whole in every push. A default value here would not make a key optional."]
    lines.append("  struct ContentState: Codable, Hashable {")
    lines += Self.swiftProperties(wholeState, indent: "    ")
    lines.append("  }")
    for field in attributes + wholeState where !field.allowed.isEmpty {
      lines += ["", "  enum \(Self.typeName(field)): String, Codable, Hashable {"]
      lines += field.allowed.map { "    case \(Self.swiftName($0))" + (Self.isPlain($0) ? "" : " = \"\($0)\"") }
      lines.append("  }")
    }
    lines += ["}", "", "#if canImport(ActivityKit)", "extension \(attributesType): ActivityAttributes {}", "#endif"]
    for example in ContractExample.all(of: self) {
      lines += ["", "// \(example.name): " + String(decoding: example.activity.apnsJSON(), as: UTF8.self)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private static func swiftProperties(_ fields: [Field], indent: String) -> [String] {
    fields.map { "\(indent)var \(swiftName($0.name)): \(swiftType($0))\($0.isOptional ? "?" : "")" }
  }

  private static func swiftType(_ field: Field) -> String {
    guard field.allowed.isEmpty else { return typeName(field) }
    return switch field.type {
    case .text: "String"
    case .integer: "Int"
    case .integer32: "Int32"
    case .number: "Double"
    case .truth: "Bool"
    case .date: "Date"
    case .dateRange: "ClosedRange<Date>"
    }
  }

  /// The enum of a field with fixed words. Our own two keep the names that `LiveContract` gives them.
  private static func typeName(_ field: Field) -> String {
    field.name == "clockDir" ? "ClockDirection" : field.name.prefix(1).uppercased() + field.name.dropFirst()
  }

  private static func isPlain(_ word: String) -> Bool {
    guard let first = word.unicodeScalars.first, first.properties.isXIDStart || first == "_" else { return false }
    return word.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }

  /// A word as a Swift name: odd characters become underscores, and back ticks protect keywords.
  private static func swiftName(_ word: String) -> String {
    let letters = word.unicodeScalars.map { $0.properties.isXIDContinue ? String($0) : "_" }.joined()
    guard isPlain(letters) else { return "_\(letters)" }
    return keywords.contains(letters) ? "`\(letters)`" : letters
  }

  private static let keywords: Set<String> = [
    "Any", "Self", "as", "associatedtype", "break", "case", "catch", "class", "continue", "default", "defer", "deinit",
    "do", "else", "enum", "extension", "fallthrough", "false", "fileprivate", "for", "func", "guard", "if", "import",
    "in", "init", "inout", "internal", "is", "let", "nil", "operator", "precedencegroup", "private", "protocol",
    "public", "repeat", "rethrows", "return", "self", "static", "struct", "subscript", "super", "switch", "throw",
    "throws", "true", "try", "typealias", "var", "where", "while",
  ]
}

// MARK: - Kotlin

/// The keys of Android's map. Every value is a text; the type says what the text spells.
private enum AndroidField {
  static let all: [Contract.Field] =
    [
      Contract.Field("event", .text, allowed: LiveUpdatePayload.Event.allCases.map(\.rawValue)),
      Contract.Field("gameId", .text),
    ] + texts(Contract.standard.attributes) + texts(Contract.standard.state) + [
      Contract.Field("timestamp", .text), Contract.Field("staleAtMs", .text, isOptional: true),
      Contract.Field("alertTitle", .text, isOptional: true), Contract.Field("alertBody", .text, isOptional: true),
    ]

  /// What a number's text spells; `staleAtMs` and the stamp are Unix milliseconds.
  static let longs: Set<String> = ["timestamp", "staleAtMs", "clockAnchorMs", "seq"]
  static let integers: Set<String> = ["homeScore", "awayScore"]

  private static func texts(_ fields: [Contract.Field]) -> [Contract.Field] {
    fields.map { Contract.Field($0.name, .text, isOptional: $0.isOptional, allowed: $0.allowed) }
  }
}

extension Contract {
  /// The Android map is ours alone: the app's own attributes type has no say in it.
  private var kotlinFile: String {
    let fields = AndroidField.all
    var lines = ["/** Everything of a game, sent whole in every data message; every value travels as a text. */"]
    lines.append("data class LiveUpdate(")
    lines += Self.listed(fields.map { "    val \($0.name): \(Self.kotlinType($0))\($0.isOptional ? "?" : "")" })
    lines += [
      ") {", "    /** For the status bar's chip. Null where it would be cut: a cut score is a wrong one. */",
      #"    val chip: String? get() = "$homeScore–$awayScore".takeIf { it.length < 7 }"#, "", "    companion object {",
    ]
    lines.append(
      "        /** Null when a fact is missing or is not what it should be. Drop what is older than shown. */")
    lines.append("        fun from(data: Map<String, String>): LiveUpdate? {")
    lines.append("            return LiveUpdate(")
    lines += Self.listed(
      fields.map { field in
        let value = "data[\"\(field.name)\"]\(Self.kotlinConversion(field))"
        return "                \(field.name) = \(value)\(field.isOptional ? "" : " ?: return null")"
      })
    lines += ["            )", "        }", "    }", "}"]
    for example in ContractExample.all(of: self) {
      lines += ["", "// \(example.name): " + String(decoding: example.update.dataJSON, as: UTF8.self)]
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// With commas between them and none behind the last, which Kotlin before 1.4 does not take.
  private static func listed(_ lines: [String]) -> [String] {
    lines.enumerated().map { $0 < lines.count - 1 ? $1 + "," : $1 }
  }

  private static func kotlinType(_ field: Field) -> String {
    if AndroidField.longs.contains(field.name) { return "Long" }
    return AndroidField.integers.contains(field.name) ? "Int" : "String"
  }

  private static func kotlinConversion(_ field: Field) -> String {
    if AndroidField.longs.contains(field.name) { return "?.toLongOrNull()" }
    if AndroidField.integers.contains(field.name) { return "?.toIntOrNull()" }
    // A game without a team's name is none, as in the Swift of it.
    if Contract.standard.attributes.contains(where: { $0.name == field.name }) { return "?.takeIf { it.isNotBlank() }" }
    guard !field.allowed.isEmpty else { return "" }
    return "?.takeIf { it in setOf(" + field.allowed.map { "\"\($0)\"" }.joined(separator: ", ") + ") }"
  }
}

extension LiveUpdatePayload {
  /// The map alone, as the app receives it.
  package var dataJSON: [UInt8] {
    var writer = JSONWriter()
    writer.object { json in
      for datum in data { json.member(datum.key, datum.value.text ?? "") }
    }
    return writer.bytes
  }
}
