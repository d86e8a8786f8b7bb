import LiveContract

/// What the fan app decodes, as its makers declare it. A phone cannot be asked, so every payload is held against this.
package struct Contract: Hashable, Sendable {
  /// The types a Swift property may have, by the word that the configuration uses.
  package enum FieldType: String, Hashable, Sendable, CaseIterable {
    case text = "string"
    case integer = "int"
    case integer32 = "int32"
    case number = "double"
    case truth = "bool"
    case date = "date"
    case dateRange = "date_range"
  }

  package struct Field: Hashable, Sendable {
    package var name: String
    package var type: FieldType
    package var isOptional: Bool
    /// The words of an enum; empty for any text.
    package var allowed: [String]

    package init(_ name: String, _ type: FieldType, isOptional: Bool = false, allowed: [String] = []) {
      self.name = name
      self.type = type
      self.isOptional = isOptional
      self.allowed = allowed
    }
  }

  /// A key of the state that only this app has, with the one value that it always carries.
  package struct Extra: Hashable, Sendable {
    package enum Value: Hashable, Sendable {
      case text(String)
      case integer(Int64)
    }

    package var name: String
    package var value: Value

    package init(_ name: String, _ value: Value) {
      self.name = name
      self.value = value
    }

    /// As the app declares it.
    package var field: Field {
      switch value {
      case .text: Field(name, .text)
      case .integer: Field(name, .integer)
      }
    }
  }

  /// The exact name of the app's `ActivityAttributes` type.
  package var attributesType: String
  package var attributes: [Field]
  /// The keys of the state that we fill.
  package var state: [Field]
  package var extra: [Extra]

  package init(attributesType: String, attributes: [Field], state: [Field], extra: [Extra] = []) {
    self.attributesType = attributesType
    self.attributes = attributes
    self.state = state
    self.extra = extra
  }

  /// All keys of the state, the app's own behind ours.
  package var wholeState: [Field] { state + extra.map(\.field) }

  /// What the reference app decodes.
  package static let reference = Contract(
    attributesType: "GameAttributes",
    attributes: [Field("homeTeam", .text), Field("awayTeam", .text)],
    state: [
      Field("homeScore", .integer), Field("awayScore", .integer),
      Field("gameStatus", .text, allowed: GameAttributes.GameStatus.allCases.map(\.rawValue)),
      Field("period", .text), Field("clock", .text), Field("lastPlay", .text),
    ])

  /// The reference with our extra keys: a clock that runs by itself, and the revision number.
  package static let standard = Contract(
    attributesType: reference.attributesType, attributes: reference.attributes,
    state: reference.state + [
      Field("clockDir", .text, allowed: GameAttributes.ClockDirection.allCases.map(\.rawValue)),
      Field("clockAnchorMs", .integer), Field("seq", .integer),
    ])
}

/// Why a contract and what we send do not go together, with the key to look at.
package struct ContractIssue: Hashable, Sendable {
  package var key: String
  package var reason: String

  package init(key: String, reason: String) {
    self.key = key
    self.reason = reason
  }
}

extension Contract {
  /// Every key of this contract that a push of ours would fail on. Empty: the app decodes whatever we send.
  package var issues: [ContractIssue] {
    var found: [ContractIssue] = []
    if !Self.isName(attributesType) {
      found.append(ContractIssue(key: "attributesType", reason: "\(attributesType) is not the name of a Swift type"))
    }
    found += Self.issues(of: attributes, offered: Offer.attributes, place: "attributes")
    found += Self.issues(of: wholeState, offered: Offer.state + extra.map(Offer.init), place: "content-state")
    return found
  }

  private static func issues(of fields: [Field], offered: [Offer], place: String) -> [ContractIssue] {
    var seen: Set<String> = []
    return fields.compactMap { field in
      guard seen.insert(field.name).inserted else {
        return ContractIssue(key: field.name, reason: "declared twice")
      }
      guard isName(field.name) else {
        return ContractIssue(key: field.name, reason: "not the name of a Swift property")
      }
      guard let offer = offered.first(where: { $0.name == field.name }) else {
        guard !field.isOptional else { return nil }
        return ContractIssue(
          key: field.name, reason: "the app needs it in \(place), but it is not sent: the whole push would be dropped")
      }
      return offer.objection(to: field).map { ContractIssue(key: field.name, reason: $0) }
    }
  }

  private static func isName(_ text: String) -> Bool {
    guard let first = text.unicodeScalars.first, first == "_" || first.properties.isXIDStart else { return false }
    return text.unicodeScalars.allSatisfy { $0.properties.isXIDContinue }
  }
}

/// One key that we send, and what its value can be.
private struct Offer {
  enum Kind {
    case text
    case words([String])
    case integer
    /// More than 32 bits hold, as Unix milliseconds are.
    case instant
  }

  var name: String
  var kind: Kind

  init(name: String, kind: Kind) {
    self.name = name
    self.kind = kind
  }

  init(_ extra: Contract.Extra) {
    name = extra.name
    switch extra.value {
    case .text(let word): kind = .words([word])
    case .integer(let value): kind = Int32(exactly: value) == nil ? .instant : .integer
    }
  }

  static let attributes = [Offer(name: "homeTeam", kind: .text), Offer(name: "awayTeam", kind: .text)]
  static let state = [
    Offer(name: "homeScore", kind: .integer), Offer(name: "awayScore", kind: .integer),
    Offer(name: "gameStatus", kind: .words(GameAttributes.GameStatus.allCases.map(\.rawValue))),
    Offer(name: "period", kind: .text), Offer(name: "clock", kind: .text), Offer(name: "lastPlay", kind: .text),
    Offer(name: "clockDir", kind: .words(GameAttributes.ClockDirection.allCases.map(\.rawValue))),
    Offer(name: "clockAnchorMs", kind: .instant), Offer(name: "seq", kind: .integer),
  ]

  /// Why a property of that type would not decode what is sent, or decode it wrongly; nil when all is well.
  func objection(to field: Contract.Field) -> String? {
    switch (kind, field.type) {
    case (.text, .text):
      field.allowed.isEmpty ? nil : "free text is sent, but the app takes only \(field.allowed.joined(separator: ", "))"
    case (.words(let words), .text):
      words.first { !field.allowed.isEmpty && !field.allowed.contains($0) }.map { "the app does not take \"\($0)\"" }
    case (.integer, .integer), (.integer, .integer32), (.integer, .number), (.instant, .integer), (.instant, .number):
      nil
    case (.instant, .integer32): "what is sent does not fit into 32 bits"
    case (.integer, .date), (.instant, .date):
      "an integer is sent, which the app would read as seconds since 2001"
    case (.text, _), (.words, _): "a text is sent, but the app takes \(field.type.rawValue)"
    case (.integer, _), (.instant, _): "an integer is sent, but the app takes \(field.type.rawValue)"
    }
  }
}
