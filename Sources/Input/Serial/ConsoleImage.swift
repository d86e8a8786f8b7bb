package import Document

/// What a console shows in one field. *Unknown* was never seen, *blank* was seen dark; neither is 0, and only `ConsoleField`
/// keeps the two apart, since a reader of the JSON gets null for both.
package enum ConsoleField: Hashable, Sendable {
  /// Nothing has been received for it yet.
  case unknown
  /// The console has it, and shows nothing there.
  case blank
  case number(Int)
  case text(String)
  case truth(Bool)
  /// In the console's own order, by slot or line.
  case list([ConsoleField])
  /// By slot, shirt or lane.
  case map([String: ConsoleField])

  /// A number that was shown; nil when unknown, blank or of another kind.
  package var number: Int? {
    guard case .number(let value) = self else { return nil }
    return value
  }

  package var text: String? {
    guard case .text(let value) = self else { return nil }
    return value
  }

  package var truth: Bool? {
    guard case .truth(let value) = self else { return nil }
    return value
  }

  package var elements: [ConsoleField]? {
    guard case .list(let value) = self else { return nil }
    return value
  }

  package var members: [String: ConsoleField]? {
    guard case .map(let value) = self else { return nil }
    return value
  }

  /// Text that is there, or blank: for fields whose record has arrived.
  package static func shown(_ text: String?) -> ConsoleField { text.map { .text($0) } ?? .blank }

  package static func shown(_ number: Int?) -> ConsoleField { number.map { .number($0) } ?? .blank }
}

/// Everything a console has shown so far, by field name: the one shape in which all protocols end.
/// Names are those of the captures, with away for guest: `home_score`, `away_penalties`, `clock_tenths`.
package struct ConsoleImage: Hashable, Sendable {
  package private(set) var fields: [String: ConsoleField] = [:]
  /// Fields that show what their console means by never having sent them: a mark is off until it is set.
  private var assumed: Set<String> = []

  package init() {}

  /// Whether the field was really received; only that may be reported as a fact of the game.
  package func isSeen(_ name: String) -> Bool {
    if case .unknown = self[name] { return false }
    return !assumed.contains(name)
  }

  /// A mark or a level that counts as off, and as not seen, until its place was received.
  package mutating func set(_ name: String, _ field: ConsoleField, seen: Bool) {
    fields[name] = field
    if !seen { assumed.insert(name) }
  }

  package subscript(_ name: String) -> ConsoleField {
    get { fields[name] ?? .unknown }
    set { fields[name] = newValue }
  }

  /// A clock under its name, and its tenths of a second under `<name>_tenths`.
  package mutating func show(clock: ShownClock?, as name: String, seen: Bool = true) {
    fields[name] = seen ? .shown(clock?.text) : .unknown
    fields[name + "_tenths"] = seen ? .shown(clock?.tenths) : .unknown
  }

  /// One line of JSON members in the order of their names; unknown and blank are both null.
  package func write(to json: inout JSONWriter) { ConsoleField.map(fields).write(to: &json) }
}

extension ConsoleField {
  fileprivate func write(to json: inout JSONWriter) {
    switch self {
    case .unknown, .blank: json.null()
    case .number(let value): json.integer(value)
    case .text(let value): json.string(value)
    case .truth(let value): json.truth(value)
    case .list(let values):
      json.array { json in
        for value in values { value.write(to: &json) }
      }
    case .map(let members):
      json.object { json in
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          json.key(name)
          value.write(to: &json)
        }
      }
    }
  }
}
