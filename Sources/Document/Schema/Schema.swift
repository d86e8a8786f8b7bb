/// A description of what may stand at one place of a document. From the one description come the decoder here, the
/// reference page (`SchemaReference`) and the editor's JSON schema (`EditorSchema`), so the three cannot disagree.
package struct Schema<Value> {
  package let shape: Shape
  /// Nil, with at least one issue, when nothing usable stands there.
  package let read: (Node, inout Decoding) -> Value?
  /// The value as a person would write it; nil where no default can be shown in a line.
  package let write: ((Value) -> String)?

  package init(
    _ shape: Shape, write: ((Value) -> String)? = nil, read: @escaping (Node, inout Decoding) -> Value?
  ) {
    self.shape = shape
    self.read = read
    self.write = write
  }

  /// The value, or every problem at once. Warnings come with either.
  package func decode(_ node: Node) -> (value: Value?, issues: [DocumentIssue]) {
    var decoding = Decoding()
    let value = read(node, &decoding)
    let issues = decoding.issues.enumerated().sorted { left, right in
      (left.element.position.line, left.element.position.column, left.offset)
        < (right.element.position.line, right.element.position.column, right.offset)
    }
    let hasProblem = decoding.issues.contains { $0.severity == .problem }
    return (hasProblem ? nil : value, issues.map(\.element))
  }

  /// The same, with a further look at the value once it is there.
  package func checked(_ check: @escaping (Value, Node, inout Decoding) -> Void) -> Schema {
    Schema(shape, write: write) { node, decoding in
      guard let value = read(node, &decoding) else { return nil }
      check(value, node, &decoding)
      return value
    }
  }

  /// The same place, as a value of another type; nil after reporting why it cannot be one.
  package func converted<Other>(
    _ convert: @escaping (Value, Node, inout Decoding) -> Other?
  ) -> Schema<Other> {
    Schema<Other>(shape) { node, decoding in
      read(node, &decoding).flatMap { convert($0, node, &decoding) }
    }
  }
}

extension Schema {
  /// A list of at least and at most so many elements.
  package static func list<Element>(
    of element: Schema<Element>, count: ClosedRange<Int>
  ) -> Schema where Value == [Element] {
    Schema(
      .list(of: element.shape, count: count),
      write: { values in
        guard let write = element.write else { return "[]" }
        return "[\(values.map(write).joined(separator: ", "))]"
      },
      read: { node, decoding in
        guard let nodes = node.elements else {
          decoding.problem(Quoted.node(node), at: node.position, remedy: "A list belongs here: - one, - two")
          return nil
        }
        if !count.contains(nodes.count) {
          decoding.problem(
            "the list has \(nodes.count) entries", at: node.position,
            remedy: "Allowed: \(count.lowerBound) to \(count.upperBound)")
        }
        return nodes.enumerated().compactMap { index, node in
          decoding.inside(index: index) { element.read(node, &$0) }
        }
      })
  }

  /// A map whose keys the writer of the file chooses, in the order of the text.
  package static func map<Key, Element>(
    _ key: Schema<Key>, _ element: Schema<Element>, atMost limit: Int
  ) -> Schema where Value == [(key: Key, value: Element)] {
    guard case .scalar(let keys) = key.shape else { preconditionFailure("The keys of a map are scalars.") }
    return Schema(.map(keys: keys, values: element.shape)) { node, decoding in
      guard let members = node.members else {
        decoding.problem(Quoted.node(node), at: node.position, remedy: "A map belongs here: name: value")
        return nil
      }
      if members.count > limit {
        decoding.problem(
          "the map has \(members.count) entries", at: node.position, remedy: "At most \(limit) are allowed")
      }
      return members.compactMap { member in
        decoding.inside(key: member.key) { decoding in
          let name = Node(.scalar(member.key, .quoted), at: member.keyPosition)
          guard let key = key.read(name, &decoding), let value = element.read(member.value, &decoding) else {
            return nil
          }
          return (key, value)
        }
      }
    }
  }

  /// A map whose keys somebody else knows; its members are handed over as they are.
  package static func open(_ about: String) -> Schema where Value == [Node.Member] {
    Schema(.open(about)) { node, decoding in
      if let members = node.members { return members }
      decoding.problem(Quoted.node(node), at: node.position, remedy: "A map belongs here: name: value")
      return nil
    }
  }
}
