import Document

/// What the fan's app decodes, as its developers declare it. A sender cannot ask a phone, and a phone drops silently what
/// it cannot decode, so a difference must be found here, before the first game.
package struct ContractConfig: Hashable, Sendable {
  package enum ValueType: String, CaseIterable, Hashable, Sendable {
    case integer, text
  }

  package struct StateKey: Hashable, Sendable {
    package var name: String
    package var type: ValueType
    /// The words that the app knows; nil means any.
    package var values: [String]?

    package init(name: String, type: ValueType, values: [String]? = nil) {
      self.name = name
      self.type = type
      self.values = values
    }
  }

  /// A key that only this app has, with the one value that it always carries.
  package struct ExtraKey: Hashable, Sendable {
    package var name: String
    package var type: ValueType
    package var value: String
  }

  package var attributesType = "GameAttributes"
  package var attributes = sentAttributes
  package var state = sentState
  package var extra: [ExtraKey] = []

  package init() {}

  /// The attributes that we send.
  package static let sentAttributes = ["homeTeam", "awayTeam"]

  /// The state that we send: contract R and the additive keys of contract X.
  package static let sentState = [
    StateKey(name: "homeScore", type: .integer),
    StateKey(name: "awayScore", type: .integer),
    StateKey(name: "gameStatus", type: .text, values: ["scheduled", "live", "halftime", "finished"]),
    StateKey(name: "period", type: .text),
    StateKey(name: "clock", type: .text),
    StateKey(name: "lastPlay", type: .text),
    StateKey(name: "clockDir", type: .text, values: ["stop", "down", "up"]),
    StateKey(name: "clockAnchorMs", type: .integer),
    StateKey(name: "seq", type: .integer),
  ]
}

extension ContractConfig {
  private struct KeyDraft {
    var type = ValueType.text
    var values: [String]?
    var value = ""
  }

  static func schema() -> Schema<ContractConfig> {
    let start = ContractConfig()
    return Schema.record(
      start,
      [
        .setting(
          "attributes_type", \.attributesType, .swiftName, "The exact name of the app's ActivityAttributes type.",
          example: "GameAttributes"),
        .setting(
          "attributes", \.attributes, .list(of: .swiftName, count: 1...16), "The keys of its attributes.",
          example: "[homeTeam, awayTeam]"),
        .setting(
          "state", \.state, stateSchema(), "The keys of its content state.", example: "{homeScore: {type: integer}}",
          otherwise: "\(start.state.map(\.name).joined(separator: ", "))"),
        .setting(
          "extra", \.extra, extraSchema(), "Further keys of the content state that always carry the same value.",
          example: "{league: {type: text, value: U19}}", otherwise: "none"),
      ]
    ).checked { contract, node, decoding in check(contract, node, &decoding) }
  }

  private static func stateSchema() -> Schema<[StateKey]> {
    let value = Schema.record(
      KeyDraft(),
      [
        .required("type", \.type, .words("type"), "The key's Swift type: Int or String.", example: "integer"),
        .optional(
          "values", \.values, .list(of: .text(atMost: 60), count: 1...32), "The only words that the app knows.",
          example: "[scheduled, live, halftime, finished]", otherwise: "any"),
      ])
    return Schema.map(.swiftName, value, atMost: 32).converted { pairs, _, _ in
      pairs.map { StateKey(name: $0.key, type: $0.value.type, values: $0.value.values) }
    }
  }

  private static func extraSchema() -> Schema<[ExtraKey]> {
    let value = Schema.record(
      KeyDraft(),
      [
        .required("type", \.type, .words("type"), "The key's Swift type: Int or String.", example: "text"),
        .required("value", \.value, .text(atMost: 100), "What it always carries.", example: "U19"),
      ]
    ).checked { draft, node, decoding in
      guard draft.type == .integer, let value = node["value"], Int64(value.text ?? "0") == nil else { return }
      decoding.problem("the value is not a whole number", at: value.position, remedy: "Allowed: digits, as in 12")
    }
    return Schema.map(.swiftName, value, atMost: 16).converted { pairs, _, _ in
      pairs.map { ExtraKey(name: $0.key, type: $0.value.type, value: $0.value.value) }
    }
  }

  /// Everything that the app wants must be something that we send, of the type and the words that we send.
  private static func check(_ contract: ContractConfig, _ node: Node, _ decoding: inout Decoding) {
    decoding.inside(key: "attributes") { decoding in
      for (index, key) in (node["attributes"]?.elements ?? []).enumerated() {
        guard let name = key.text, !sentAttributes.contains(name) else { continue }
        decoding.inside(index: index) { reportUnsent(name, among: sentAttributes, at: key.position, &$0) }
      }
    }
    decoding.inside(key: "state") { decoding in
      for member in node["state"]?.members ?? [] {
        decoding.inside(key: member.key) { checkState(contract, member, &$0) }
      }
    }
    for member in node["extra"]?.members ?? [] where sentState.contains(where: { $0.name == member.key }) {
      decoding.inside(key: "extra") { decoding in
        decoding.inside(key: member.key) { decoding in
          decoding.problem(
            "this key is sent with the game's own value", at: member.keyPosition, remedy: "Remove it from extra")
        }
      }
    }
  }

  private static func checkState(_ contract: ContractConfig, _ member: Node.Member, _ decoding: inout Decoding) {
    guard let wanted = contract.state.first(where: { $0.name == member.key }) else { return }
    guard let sent = sentState.first(where: { $0.name == wanted.name }) else {
      reportUnsent(wanted.name, among: sentState.map(\.name), at: member.keyPosition, &decoding)
      return
    }
    if wanted.type != sent.type {
      decoding.problem(
        "the app wants \(wanted.type.rawValue), but \(sent.type.rawValue) is sent", at: member.value.position,
        remedy: "Phones would drop every update without a word; change the app's type")
    }
    guard let known = wanted.values else { return }
    let missing = (sent.values ?? []).filter { !known.contains($0) }
    if sent.values == nil || !missing.isEmpty {
      decoding.problem(
        sent.values == nil ? "any text may be sent here" : "the app does not know \(missing.joined(separator: ", "))",
        at: member.value.position, remedy: "Phones would drop such an update without a word; let the app accept it")
    }
  }

  private static func reportUnsent(
    _ name: String, among sent: [String], at position: Position, _ decoding: inout Decoding
  ) {
    let nearest = NearestName.to(name, among: sent).map { "Did you mean \($0)?" }
    decoding.problem(
      "the app wants \(Quoted.text(name)), which is never sent", at: position,
      remedy: (nearest ?? "Sent are: \(sent.joined(separator: ", ")).")
        + " A key of the app's own goes to contract.extra with its value")
  }
}

extension Schema where Value == String {
  /// A name as Swift and JSON keys have it.
  static var swiftName: Schema {
    .name("name", allowed: "a Swift name: letters, digits and _", pattern: "^[A-Za-z_][A-Za-z0-9_]{0,63}$") { text in
      guard let first = text.utf8.first, !(48...57).contains(first), text.utf8.count <= 64 else { return false }
      return text.utf8.allSatisfy { byte in
        (48...57).contains(byte) || (65...90).contains(byte) || (97...122).contains(byte) || byte == 95
      }
    }
  }
}
