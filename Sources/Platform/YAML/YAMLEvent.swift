import CYAML
import Document

/// One of libyaml's events as a value.
struct YAMLEvent {
  enum Kind: Equatable {
    case documentStart, streamEnd
    case scalar(String, Node.ScalarStyle)
    case alias
    case listStart, listEnd
    case mapStart, mapEnd
    /// The stream's start and a document's end say nothing that we need.
    case other
  }

  var kind: Kind
  /// The name behind `&`, or behind `*` for an alias.
  var anchor: String?
  var tag: String?
  var position: Position

  init(_ event: yaml_event_t) {
    position = Position(line: Int(event.start_mark.line) + 1, column: Int(event.start_mark.column) + 1)
    switch event.type {
    case YAML_DOCUMENT_START_EVENT: kind = .documentStart
    case YAML_STREAM_END_EVENT: kind = .streamEnd
    case YAML_SCALAR_EVENT:
      let scalar = event.data.scalar
      let bytes = UnsafeBufferPointer(start: scalar.value, count: scalar.length)
      let isPlain = scalar.style == YAML_PLAIN_SCALAR_STYLE
      kind = .scalar(String(decoding: bytes, as: UTF8.self), isPlain ? .plain : .quoted)
      anchor = Self.text(scalar.anchor)
      tag = Self.text(scalar.tag)
    case YAML_ALIAS_EVENT:
      kind = .alias
      anchor = Self.text(event.data.alias.anchor)
    case YAML_SEQUENCE_START_EVENT:
      kind = .listStart
      anchor = Self.text(event.data.sequence_start.anchor)
      tag = Self.text(event.data.sequence_start.tag)
    case YAML_SEQUENCE_END_EVENT: kind = .listEnd
    case YAML_MAPPING_START_EVENT:
      kind = .mapStart
      anchor = Self.text(event.data.mapping_start.anchor)
      tag = Self.text(event.data.mapping_start.tag)
    case YAML_MAPPING_END_EVENT: kind = .mapEnd
    default: kind = .other  // The library's enum, not ours.
    }
  }

  private static func text(_ pointer: UnsafeMutablePointer<yaml_char_t>?) -> String? {
    pointer.map { String(cString: $0) }
  }

  /// `tag:yaml.org,2002:str` is what `!!str` stands for.
  var shownTag: String? {
    guard let tag, tag.hasPrefix("tag:yaml.org,2002:") else { return tag }
    return "!!" + tag.dropFirst("tag:yaml.org,2002:".count)
  }
}

/// libyaml's complaints, in words that help somebody who has never read the YAML specification.
enum YAMLFault {
  static func issue(from parser: yaml_parser_t) -> DocumentIssue {
    let problem = parser.problem.map { String(cString: $0) } ?? "this is not valid YAML"
    // What was never closed is found at its end; a person looks for its beginning.
    let mark = isUnclosed(problem) ? parser.context_mark : parser.problem_mark
    let position = Position(line: Int(mark.line) + 1, column: Int(mark.column) + 1)
    if problem.hasPrefix("found a tab character") { return tab(at: position) }
    return DocumentIssue(sentence(for: problem), at: position, remedy: remedy(for: problem))
  }

  static func tab(at position: Position) -> DocumentIssue {
    DocumentIssue(
      "a tab stands in the indentation", at: position,
      remedy: "YAML indents with spaces; inside a double-quoted text a tab is written \\t")
  }

  private static func sentence(for problem: String) -> String {
    switch problem {
    case "mapping values are not allowed in this context": "a colon stands where no key can begin"
    case "did not find expected key": "a key was expected here"
    case "found character that cannot start any token": "a value cannot begin with this character"
    case "could not find expected ':'": "a key without its colon"
    case "found unexpected end of stream": "the quoted text that begins here is never closed"
    case "did not find expected ',' or ']'": "the list in brackets that begins here is not closed"
    case "did not find expected ',' or '}'": "the map in braces that begins here is not closed"
    default: problem
    }
  }

  private static func isUnclosed(_ problem: String) -> Bool {
    ["found unexpected end of stream", "did not find expected ',' or ']'", "did not find expected ',' or '}'"]
      .contains(problem)
  }

  private static func remedy(for problem: String) -> String {
    switch problem {
    case "mapping values are not allowed in this context", "did not find expected key", "could not find expected ':'":
      "Compare the indentation with the lines above; a text that holds a colon and a space needs quotes"
    case "found character that cannot start any token":
      "Put the text in quotes; indent with spaces, never with tabs"
    default: "Compare the quotes, brackets and indentation with the lines above"
    }
  }
}
