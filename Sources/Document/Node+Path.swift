extension Node {
  /// The position of the value at a path such as `mqtt.brokers[0].tls`, or of the last step that is there.
  package func nearest(to path: String) -> Position {
    var node = self
    for step in path.split(whereSeparator: { $0 == "." || $0 == "[" }) {
      let next = step.last == "]" ? Int(step.dropLast()).flatMap { node.element($0) } : node[String(step)]
      guard let next else { break }
      node = next
    }
    return node.position
  }

  private func element(_ index: Int) -> Node? {
    guard let elements, elements.indices.contains(index) else { return nil }
    return elements[index]
  }
}
