/// A text with places to fill: `{code}[ {player}] goal`. What stands in brackets goes when a place in it is empty.
package struct Template: Hashable, Sendable {
  private enum Piece: Hashable, Sendable {
    case text(String)
    case place(String)
    case optional([Piece])
  }

  private let pieces: [Piece]
  /// The names of all its places.
  package let places: [String]

  /// Nil when a brace or a bracket is not closed.
  package init?(_ text: String) {
    var rest = Substring(text)
    guard let pieces = Self.pieces(of: &rest, inBrackets: false), rest.isEmpty else { return nil }
    self.pieces = pieces
    places = Self.places(in: pieces)
  }

  private static func pieces(of rest: inout Substring, inBrackets: Bool) -> [Piece]? {
    var pieces: [Piece] = []
    while let character = rest.first {
      switch character {
      case "{":
        guard let end = rest.firstIndex(of: "}") else { return nil }
        pieces.append(.place(String(rest[rest.index(after: rest.startIndex)..<end])))
        rest = rest[rest.index(after: end)...]
      case "[":
        rest = rest.dropFirst()
        guard !inBrackets, let inner = Self.pieces(of: &rest, inBrackets: true) else { return nil }
        pieces.append(.optional(inner))
      case "]":
        guard inBrackets else { return nil }
        rest = rest.dropFirst()
        return pieces
      case "}": return nil
      default:
        let text = rest.prefix { !"{}[]".contains($0) }
        pieces.append(.text(String(text)))
        rest = rest.dropFirst(text.count)
      }
    }
    return inBrackets ? nil : pieces
  }

  private static func places(in pieces: [Piece]) -> [String] {
    pieces.flatMap { piece -> [String] in
      switch piece {
      case .text: []
      case .place(let name): [name]
      case .optional(let inner): places(in: inner)
      }
    }
  }

  package func filled(_ values: [String: String]) -> String { Self.filled(pieces, values) ?? "" }

  /// Nil when a place is empty, which matters inside brackets only.
  private static func filled(_ pieces: [Piece], _ values: [String: String], isOptional: Bool = false) -> String? {
    var text = ""
    for piece in pieces {
      switch piece {
      case .text(let words): text += words
      case .place(let name):
        let value = values[name] ?? ""
        if isOptional, value.isEmpty { return nil }
        text += value
      case .optional(let inner): text += filled(inner, values, isOptional: true) ?? ""
      }
    }
    return text
  }
}
