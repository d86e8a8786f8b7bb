package import Document
import LiveContract

/// Decides about a JSON object as the stock decoder of a phone would, without that decoder.
package enum ContractCheck {
  /// Nil when it decodes; else the first key on which the whole push is dropped. Keys nobody declared are ignored.
  package static func failure(_ node: Node?, _ fields: [Contract.Field]) -> ContractIssue? {
    guard let node, node.members != nil else { return ContractIssue(key: "", reason: "not a JSON object") }
    for field in fields {
      if let reason = failure(node[field.name], field) { return ContractIssue(key: field.name, reason: reason) }
    }
    return nil
  }

  private static func failure(_ value: Node?, _ field: Contract.Field) -> String? {
    guard let value else { return field.isOptional ? nil : "missing" }
    if case .scalar(_, .null) = value.content { return field.isOptional ? nil : "null" }
    guard decodes(value, as: field) else { return "not \(field.type.rawValue)" }
    return nil
  }

  private static func decodes(_ value: Node, as field: Contract.Field) -> Bool {
    switch field.type {
    case .text:
      guard case .scalar(let text, .quoted) = value.content else { return false }
      return field.allowed.isEmpty || field.allowed.contains(text)
    case .integer: return integer(value) != nil
    case .integer32: return integer(value).flatMap { Int32(exactly: $0) } != nil
    case .number, .date: return number(value) != nil
    case .truth:
      if case .scalar(_, .truth) = value.content { return true }
      return false
    case .dateRange:
      guard let bounds = value.elements, bounds.count >= 2, let lower = number(bounds[0]), let upper = number(bounds[1])
      else { return false }
      return lower <= upper
    }
  }

  /// A JSON number without a fraction, however it is spelled.
  package static func integer(_ value: Node?) -> Int? {
    guard let value, case .scalar(let text, .number) = value.content else { return nil }
    if let plain = Int(text) { return plain }
    guard let number = Double(text), abs(number) < 0x1p63 else { return nil }
    let whole = Int(number)
    return Double(whole) == number ? whole : nil
  }

  private static func number(_ value: Node) -> Double? {
    guard case .scalar(let text, .number) = value.content, let number = Double(text), number.isFinite else {
      return nil
    }
    return number
  }
}

extension Contract {
  /// The first key of this very push that the app would not decode; nil when it decodes.
  package func check(_ payload: LiveActivityPayload) -> ContractIssue? {
    if case .start(let type, let given, _, _, _) = payload.event {
      guard type == attributesType else {
        return ContractIssue(key: "attributes-type", reason: "\(type) is not the app's \(attributesType)")
      }
      if let issue = ContractCheck.failure(given.node, attributes) { return issue }
    }
    return ContractCheck.failure(payload.state.node(payload.extra), wholeState)
  }
}

extension GameAttributes {
  /// As a phone gets to see it.
  var node: Node { .map([("homeTeam", .text(homeTeam)), ("awayTeam", .text(awayTeam))]) }

  /// Nil unless both names are texts.
  init?(_ node: Node?) {
    guard let home = node?["homeTeam"]?.text, let away = node?["awayTeam"]?.text else { return nil }
    self.init(homeTeam: home, awayTeam: away)
  }
}

extension GameAttributes.ContentState {
  /// As a phone gets to see it.
  func node(_ extra: [Contract.Extra]) -> Node {
    let own: [(String, Node)] = extra.map { key in
      switch key.value {
      case .text(let text): (key.name, .text(text))
      case .integer(let integer): (key.name, .integer(integer))
      }
    }
    return .map(
      [
        ("homeScore", .integer(homeScore)), ("awayScore", .integer(awayScore)),
        ("gameStatus", .text(gameStatus.rawValue)), ("period", .text(period)), ("clock", .text(clock)),
        ("lastPlay", .text(lastPlay)), ("clockDir", .text(clockDir.rawValue)),
        ("clockAnchorMs", .integer(clockAnchorMs)), ("seq", .integer(seq)),
      ] + own)
  }

  /// Nil where a key of the reference contract is missing or wrong; our extra keys are neutral when absent.
  init?(_ node: Node?) {
    guard ContractCheck.failure(node, Contract.reference.state) == nil, let node,
      let home = ContractCheck.integer(node["homeScore"]), let away = ContractCheck.integer(node["awayScore"]),
      let status = node["gameStatus"]?.text.flatMap(GameAttributes.GameStatus.init(rawValue:)),
      let period = node["period"]?.text, let clock = node["clock"]?.text, let lastPlay = node["lastPlay"]?.text
    else { return nil }
    self.init(
      homeScore: home, awayScore: away, gameStatus: status, period: period, clock: clock, lastPlay: lastPlay,
      clockDir: node["clockDir"]?.text.flatMap(GameAttributes.ClockDirection.init(rawValue:)) ?? .stop,
      clockAnchorMs: ContractCheck.integer(node["clockAnchorMs"]) ?? 0, seq: ContractCheck.integer(node["seq"]) ?? 0)
  }
}

extension Node {
  fileprivate static func text(_ text: String) -> Node { Node(.scalar(text, .quoted), at: .nowhere) }
  fileprivate static func integer(_ value: some FixedWidthInteger) -> Node {
    Node(.scalar(String(value), .number), at: .nowhere)
  }
  fileprivate static func map(_ members: [(String, Node)]) -> Node {
    Node(.map(members.map { Member(key: $0.0, keyPosition: .nowhere, value: $0.1) }), at: .nowhere)
  }
}

extension Position {
  /// Of a value that was not read from a text.
  fileprivate static let nowhere = Position(line: 0, column: 0)
}
