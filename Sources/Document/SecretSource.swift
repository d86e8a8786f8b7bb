/// Where a secret is kept. The secret itself is never in the file, so a config may be shown, sent and kept in a
/// repository.
package enum SecretSource: Hashable, Sendable {
  /// The environment variable of this name.
  case environment(String)
  /// The file at this path.
  case file(String)
  /// A systemd credential: a file of this name in `$CREDENTIALS_DIRECTORY`.
  case credential(String)
}

extension Schema where Value == SecretSource {
  /// Refuses a text without repeating it.
  package static var secret: Schema {
    let environment = Schema<String>.name(
      "variable", allowed: "the name of an environment variable, letters, digits and _",
      pattern: "^[A-Za-z_][A-Za-z0-9_]*$", isVariable)
    let file = Schema<String>.name("path", allowed: "an absolute path", pattern: "^/", isPath)
    let credential = Schema<String>.name(
      "credential", allowed: "a file name without /", pattern: "^[^/]+$", isCredential)
    let choice = Schema.choice([
      secretCase("env", "An environment variable.", "ABLY_API_KEY", environment) { .environment($0) },
      secretCase("file", "A file that only the daemon may read.", "/etc/scoreboard-bridge/ably-key", file) {
        .file($0)
      },
      secretCase("credential", "A systemd credential (LoadCredential=).", "ably-key", credential) { .credential($0) },
    ])
    return Schema(choice.shape) { node, decoding in
      if case .scalar(let text, let style) = node.content, !(text.isEmpty && style == .plain), style != .null {
        decoding.problem(
          "a secret stands in the file", at: node.position,
          remedy: "Take it out and have it renewed, then say where it is kept:"
            + " {env: NAME}, {file: /PATH} or {credential: NAME}")
        return nil
      }
      return choice.read(node, &decoding)
    }
  }

  private static func secretCase(
    _ key: String, _ about: String, _ example: String, _ schema: Schema<String>,
    _ make: @escaping (String) -> SecretSource
  ) -> (field: FieldShape, read: Schema<SecretSource>) {
    let field = FieldShape(
      key: key, about: about, example: example, presence: .optional("another one is given"), shape: schema.shape)
    let read = Schema<SecretSource>(schema.shape) { node, decoding in
      // What does not fit is not repeated: somebody may have put the secret itself here.
      guard let name = node.text, let value = readQuietly(schema, node) else {
        decoding.problem(
          "this is not the name of a place where a secret is kept", at: node.position,
          remedy: "Allowed: \(allowed(by: schema))")
        return nil
      }
      return name.isEmpty ? nil : make(value)
    }
    return (field, read)
  }

  private static func readQuietly(_ schema: Schema<String>, _ node: Node) -> String? {
    var aside = Decoding()
    return schema.read(node, &aside)
  }

  private static func allowed(by schema: Schema<String>) -> String {
    if case .scalar(let shape) = schema.shape { shape.allowed } else { "" }
  }

  private static func isVariable(_ text: String) -> Bool {
    guard let first = text.utf8.first, !(48...57).contains(first), text.utf8.count <= 128 else { return false }
    return text.utf8.allSatisfy { letter in
      (48...57).contains(letter) || (65...90).contains(letter) || (97...122).contains(letter) || letter == 95
    }
  }

  private static func isPath(_ text: String) -> Bool {
    text.utf8.first == UInt8(ascii: "/") && text.utf8.count <= 4096 && !text.utf8.contains { $0 < 32 }
  }

  private static func isCredential(_ text: String) -> Bool {
    !text.isEmpty && text != "." && text != ".." && text.utf8.count <= 255
      && text.utf8.allSatisfy { $0 > 32 && $0 < 127 && $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: ":") }
  }
}
