import Document
import Publishing

/// How the config declares what the fan's app decodes. A sender cannot ask a phone, and a phone drops silently what it
/// cannot decode, so a difference must be found here, before the first game.
enum ContractConfig {
  private struct KeyDraft {
    var type = Contract.FieldType.text
    var isOptional = false
    var allowed: [String] = []
  }

  private enum ExtraType: String, CaseIterable {
    case text = "string"
    case integer = "int"
  }

  private struct ExtraDraft {
    var type = ExtraType.text
    var value = ""
  }

  static func schema() -> Schema<Contract> {
    let start = Contract.standard
    return Schema.record(
      start,
      [
        .setting(
          "attributes_type", \.attributesType, .swiftName, "The exact name of the app's ActivityAttributes type.",
          example: "GameAttributes"),
        .setting(
          "attributes", \.attributes, fields(), "The keys of its attributes.", example: "{homeTeam: {type: string}}",
          otherwise: start.attributes.map(\.name).joined(separator: ", ")),
        .setting(
          "state", \.state, fields(), "The keys of its content state.", example: "{homeScore: {type: int}}",
          otherwise: start.state.map(\.name).joined(separator: ", ")),
        .setting(
          "extra", \.extra, extras(),
          "Keys of the state that only this app has, each with the value it always carries.",
          example: "{league: {type: string, value: U19}}", otherwise: "none"),
      ]
    ).checked { contract, node, decoding in
      // Each half is judged by itself, so that a key of both is reported in the right one.
      report(Contract(attributesType: "X", attributes: contract.attributes, state: []), "attributes", node, &decoding)
      report(Contract(attributesType: "X", attributes: [], state: contract.state), "state", node, &decoding)
      let room = Self.bytes(of: contract.extra)
      if room > mostExtra {
        decoding.inside(key: "extra") { decoding in
          decoding.problem(
            "the app's own keys take \(room) bytes of every push, and \(mostExtra) is the most",
            at: node.nearest(to: "extra"), remedy: "Shorten or remove some: the game needs the rest")
        }
      }
      for issue in sentBeside(contract.extra) {
        decoding.inside(key: "extra") { decoding in
          decoding.inside(key: issue.key) { decoding in
            decoding.problem(
              issue.reason, at: node.nearest(to: "extra.\(issue.key)"),
              remedy: "Remove or rename it: we send this key with the game's own value")
          }
        }
      }
    }
  }

  private static func fields() -> Schema<[Contract.Field]> {
    let value = Schema.record(
      KeyDraft(),
      [
        .required("type", \.type, .words("type"), "The property's Swift type.", example: "int"),
        .setting("optional", \.isOptional, .truth, "Whether the app decodes without it.", example: "true"),
        .setting(
          "values", \.allowed, .list(of: .text(atMost: 60), count: 0...32), "The only words that the app knows.",
          example: "[scheduled, live, halftime, finished]", otherwise: "any text"),
      ])
    return Schema.map(.swiftName, value, atMost: 32).converted { pairs, _, _ in
      pairs.map { name, draft in
        Contract.Field(name, draft.type, isOptional: draft.isOptional, allowed: draft.allowed)
      }
    }
  }

  private static func extras() -> Schema<[Contract.Extra]> {
    let value = Schema.record(
      ExtraDraft(),
      [
        .required("type", \.type, .words("type"), "The property's Swift type.", example: "string"),
        .required("value", \.value, .text(atMost: 100), "What it always carries.", example: "U19"),
      ]
    ).converted { draft, node, decoding -> Contract.Extra.Value? in
      switch draft.type {
      case .text: return .text(draft.value)
      case .integer:
        if let number = Int64(draft.value) { return .integer(number) }
        if node["value"] != nil {
          decoding.problem(
            "the value is not a whole number", at: node.nearest(to: "value"), remedy: "Allowed: digits, as in 12")
        }
        return nil
      }
    }
    return Schema.map(.swiftName, value, atMost: 16).converted { pairs, _, _ in
      pairs.map { Contract.Extra($0.key, $0.value) }
    }
  }

  /// Half of what a state may have.
  private static let mostExtra = 512

  /// In JSON, with quotes, colon and comma.
  private static func bytes(of extra: [Contract.Extra]) -> Int {
    extra.reduce(0) { sum, key in
      switch key.value {
      case .text(let text): sum + key.name.utf8.count + text.utf8.count + 6
      case .integer(let integer): sum + key.name.utf8.count + String(integer).utf8.count + 4
      }
    }
  }

  /// What is wrong with an app's own keys: one of ours among them would stand twice in the state.
  private static func sentBeside(_ extra: [Contract.Extra]) -> [ContractIssue] {
    Contract(attributesType: "X", attributes: [], state: Contract.standard.state, extra: extra).issues
  }

  private static func report(_ half: Contract, _ key: String, _ node: Node, _ decoding: inout Decoding) {
    let sent = key == "state" ? Contract.standard.state : Contract.standard.attributes
    for issue in half.issues {
      let member = node[key]?.members?.first { $0.key == issue.key }
      decoding.inside(key: key) { decoding in
        decoding.inside(key: issue.key) { decoding in
          decoding.problem(
            issue.reason, at: member?.keyPosition ?? node.position, remedy: remedy(for: issue.key, sent.map(\.name)))
        }
      }
    }
  }

  private static func remedy(for key: String, _ sent: [String]) -> String {
    if sent.contains(key) { return "Change the app: a phone drops what it cannot decode, without a word" }
    if let nearest = NearestName.to(key, among: sent) { return "Did you mean \(nearest)?" }
    return "Sent are: \(sent.joined(separator: ", ")). Change the app, or mark the key optional: true"
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
