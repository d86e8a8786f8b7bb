import CYAML
import Document

/// libyaml's events, one after the other, put together to one tree.
struct YAMLReader {
  private let bounds: YAMLDocument.Bounds
  private var parser = yaml_parser_t()
  private var anchors: [String: Anchored] = [:]
  private var nodeCount = 0

  /// What an anchor stands for; nil while its node is still being read.
  private struct Anchored {
    var node: Node?
    var size = 0
    var depth = 0
  }

  init(bounds: YAMLDocument.Bounds) { self.bounds = bounds }

  mutating func read(_ text: [UInt8]) throws(DocumentIssue) -> Node {
    guard yaml_parser_initialize(&parser) == 1 else {
      throw DocumentIssue("there is not enough memory to read the file", at: Position(line: 1, column: 1))
    }
    defer { yaml_parser_delete(&parser) }
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING)
    // The parser keeps the pointer, so the bytes are held in a place of their own while it works.
    let bytes = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: max(text.count, 1))
    defer { bytes.deallocate() }
    _ = bytes.initialize(from: text)
    yaml_parser_set_input_string(&parser, bytes.baseAddress, text.count)
    return try readStream()
  }

  private mutating func readStream() throws(DocumentIssue) -> Node {
    var root: Node?
    while true {
      let event = try next()
      switch event.kind {
      case .documentStart:
        if root != nil {
          throw DocumentIssue(
            "a second document begins here", at: event.position, remedy: "Keep one document per file; remove the ---")
        }
        root = try value(beginning: next(), depth: 0).node
      case .streamEnd:
        guard let root else {
          throw DocumentIssue(
            "the file is empty", at: Position(line: 1, column: 1),
            remedy: "Begin with a copy of one of the examples in Config/")
        }
        return root
      case .other: continue
      case .scalar, .alias, .listStart, .listEnd, .mapStart, .mapEnd:
        throw DocumentIssue("this is not valid YAML", at: event.position)
      }
    }
  }

  /// A finished node with how many nodes it holds and how many levels.
  private struct Measured {
    var node: Node
    var size: Int
    var depth: Int
  }

  private mutating func value(beginning event: YAMLEvent, depth: Int) throws(DocumentIssue) -> Measured {
    if let tag = event.shownTag {
      throw DocumentIssue(
        "the tag \(tag) stands here", at: event.position,
        remedy: "Remove it; every value is text until its key says otherwise")
    }
    guard depth <= bounds.depth else { throw tooDeep(at: event.position) }
    if let anchor = event.anchor, event.kind != .alias { anchors[anchor] = Anchored() }
    let result: Measured
    switch event.kind {
    case .scalar(let text, let style):
      try count(1, at: event.position)
      result = Measured(node: Node(.scalar(text, style), at: event.position), size: 1, depth: 0)
    case .alias: return try resolve(event, depth: depth)
    case .listStart: result = try list(at: event.position, depth: depth)
    case .mapStart: result = try map(at: event.position, depth: depth)
    case .documentStart, .streamEnd, .listEnd, .mapEnd, .other:
      throw DocumentIssue("a value is missing", at: event.position)
    }
    if let anchor = event.anchor {
      anchors[anchor] = Anchored(node: result.node, size: result.size, depth: result.depth)
    }
    return result
  }

  private mutating func resolve(_ event: YAMLEvent, depth: Int) throws(DocumentIssue) -> Measured {
    let name = event.anchor ?? ""
    guard let anchored = anchors[name] else {
      throw DocumentIssue(
        "*\(name) refers to an anchor that does not exist", at: event.position,
        remedy: "Write &\(name) before it, or write the value out")
    }
    guard let node = anchored.node else {
      throw DocumentIssue(
        "*\(name) refers to what it is a part of", at: event.position, remedy: "Write the value out")
    }
    guard depth + anchored.depth <= bounds.depth else { throw tooDeep(at: event.position) }
    try count(anchored.size, at: event.position)
    return Measured(node: node, size: anchored.size, depth: anchored.depth)
  }

  private mutating func list(at position: Position, depth: Int) throws(DocumentIssue) -> Measured {
    try count(1, at: position)
    var result = Measured(node: Node(.list([]), at: position), size: 1, depth: 0)
    var elements: [Node] = []
    while true {
      let event = try next()
      if event.kind == .listEnd { break }
      let element = try value(beginning: event, depth: depth + 1)
      elements.append(element.node)
      result.size += element.size
      result.depth = max(result.depth, element.depth + 1)
    }
    result.node.content = .list(elements)
    return result
  }

  private mutating func map(at position: Position, depth: Int) throws(DocumentIssue) -> Measured {
    try count(1, at: position)
    var result = Measured(node: Node(.map([]), at: position), size: 1, depth: 0)
    var members: [Node.Member] = []
    var lines: [String: Int] = [:]
    while true {
      let event = try next()
      if event.kind == .mapEnd { break }
      let key = try self.key(from: event)
      if let line = lines.updateValue(event.position.line, forKey: key) {
        throw DocumentIssue(
          "the key \(key) stands here a second time", at: event.position,
          remedy: "It was given in line \(line); keep one of the two")
      }
      let value = try value(beginning: next(), depth: depth + 1)
      members.append(Node.Member(key: key, keyPosition: event.position, value: value.node))
      result.size += value.size
      result.depth = max(result.depth, value.depth + 1)
    }
    result.node.content = .map(members)
    return result
  }

  private mutating func key(from event: YAMLEvent) throws(DocumentIssue) -> String {
    if let tag = event.shownTag {
      throw DocumentIssue("the tag \(tag) stands before a key", at: event.position, remedy: "Remove it")
    }
    guard case .scalar(let text, let style) = event.kind else {
      throw DocumentIssue(
        "a key must be a plain word", at: event.position,
        remedy: "A text that begins with {, [, * or & needs quotes")
    }
    if text == "<<", style == .plain {
      throw DocumentIssue(
        "the merge key << is not supported", at: event.position,
        remedy: "Write the keys out, or repeat a whole value with &name and *name")
    }
    return text
  }

  private mutating func count(_ nodes: Int, at position: Position) throws(DocumentIssue) {
    nodeCount += nodes
    guard nodeCount <= bounds.nodes else {
      throw DocumentIssue(
        "the file holds more than \(bounds.nodes) values once every alias is replaced", at: position,
        remedy: "Write it with fewer aliases of aliases")
    }
  }

  private func tooDeep(at position: Position) -> DocumentIssue {
    DocumentIssue(
      "the values are nested more than \(bounds.depth) levels deep", at: position,
      remedy: "No setting needs that; is a bracket missing?")
  }

  private mutating func next() throws(DocumentIssue) -> YAMLEvent {
    var event = yaml_event_t()
    guard yaml_parser_parse(&parser, &event) == 1 else { throw YAMLFault.issue(from: parser) }
    defer { yaml_event_delete(&event) }
    return YAMLEvent(event)
  }
}
