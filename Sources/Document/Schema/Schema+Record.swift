/// One key of a record and where its value goes.
package struct Field<Root> {
  let key: String
  let shape: (Root) -> FieldShape
  /// The member when there is one, and the record it should have stood in.
  let read: (Node.Member?, Node, inout Root, inout Decoding) -> Void

  /// Must be there. What the record holds before is a placeholder that never gets out.
  package static func required<Value>(
    _ key: String, _ path: WritableKeyPath<Root, Value>, _ schema: Schema<Value>, _ about: String, example: String
  ) -> Field {
    Field(
      key: key,
      shape: { _ in
        FieldShape(key: key, about: about, example: example, presence: .required, shape: schema.shape)
      },
      read: { member, record, root, decoding in
        decoding.inside(key: key) { decoding in
          guard let member else {
            decoding.problem(
              "the key is missing", at: record.position, remedy: "Write it, for example: \(key): \(example)")
            return
          }
          if let value = schema.read(member.value, &decoding) { root[keyPath: path] = value }
        }
      })
  }

  /// May be absent; then the record's first value stands, and the reference page shows it.
  package static func setting<Value>(
    _ key: String, _ path: WritableKeyPath<Root, Value>, _ schema: Schema<Value>, _ about: String, example: String,
    otherwise: String? = nil
  ) -> Field {
    Field(
      key: key,
      shape: { start in
        let written = schema.write.map { FieldShape.Presence.defaulted($0(start[keyPath: path])) }
        return FieldShape(
          key: key, about: about, example: example,
          presence: otherwise.map { .optional($0) } ?? written ?? .optional("none"), shape: schema.shape)
      },
      read: { member, _, root, decoding in
        guard let member else { return }
        decoding.inside(key: key) { decoding in
          if let value = schema.read(member.value, &decoding) { root[keyPath: path] = value }
        }
      })
  }

  /// May be absent; then there is no value, and the sentence says what that means.
  package static func optional<Value>(
    _ key: String, _ path: WritableKeyPath<Root, Value?>, _ schema: Schema<Value>, _ about: String, example: String,
    otherwise: String
  ) -> Field {
    Field(
      key: key,
      shape: { _ in
        FieldShape(key: key, about: about, example: example, presence: .optional(otherwise), shape: schema.shape)
      },
      read: { member, _, root, decoding in
        guard let member else { return }
        decoding.inside(key: key) { decoding in
          if let value = schema.read(member.value, &decoding) { root[keyPath: path] = value }
        }
      })
  }
}

extension Schema {
  /// A map with these keys and no others, read into a copy of `start`, which holds every default.
  package static func record(_ start: Value, _ fields: [Field<Value>]) -> Schema {
    let known = fields.map(\.key)
    return Schema(.record(fields.map { $0.shape(start) })) { node, decoding in
      guard let members = node.members else {
        decoding.problem(
          wrongKind(node), at: node.position, remedy: "A map with these keys belongs here: \(names(known))")
        return nil
      }
      let meant = reportUnknown(members, known: known, &decoding)
      var value = start
      for field in fields {
        let member = members.first { $0.key == field.key }
        // One slip of the pen is one problem: a key that was misspelt is not missing as well.
        if member != nil || !meant.contains(field.key) { field.read(member, node, &value, &decoding) }
      }
      return value
    }
  }

  /// A map with exactly one of these keys.
  package static func choice(_ cases: [(field: FieldShape, read: Schema<Value>)]) -> Schema {
    let known = cases.map(\.field.key)
    return Schema(.choice(cases.map(\.field))) { node, decoding in
      guard let members = node.members else {
        decoding.problem(wrongKind(node), at: node.position, remedy: "A map with one of these keys: \(names(known))")
        return nil
      }
      reportUnknown(members, known: known, &decoding)
      let given = members.filter { known.contains($0.key) }
      guard given.count == 1, let member = given.first,
        let reader = cases.first(where: { $0.field.key == member.key })?.read
      else {
        if given.count > 1 || members.isEmpty {
          decoding.problem(
            "\(given.count) of its keys are given", at: node.position, remedy: "Give exactly one of: \(names(known))")
        }
        return nil
      }
      return decoding.inside(key: member.key) { reader.read(member.value, &$0) }
    }
  }

  /// The known keys that were probably meant.
  @discardableResult
  private static func reportUnknown(
    _ members: [Node.Member], known: [String], _ decoding: inout Decoding
  ) -> [String] {
    members.filter { !known.contains($0.key) }.compactMap { member in
      let nearest = NearestName.to(member.key, among: known)
      decoding.inside(key: member.key) { decoding in
        decoding.problem(
          "this key is not known here", at: member.keyPosition,
          remedy: nearest.map { "Did you mean \($0)?" } ?? "Known here: \(names(known))")
      }
      return nearest
    }
  }

  /// A text where a map belongs is not repeated: it may be a secret that lost its key.
  private static func wrongKind(_ node: Node) -> String {
    if case .scalar(let text, let style) = node.content, style != .null, !text.isEmpty { return "a text stands here" }
    return Quoted.node(node)
  }

  private static func names(_ known: [String]) -> String { known.joined(separator: ", ") }
}
