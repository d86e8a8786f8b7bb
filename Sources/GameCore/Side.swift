/// Home or away. Decoders translate "guest".
package enum Side: String, Hashable, Sendable, CaseIterable {
  case home, away

  package var other: Side { self == .home ? .away : .home }
}

/// One value for each team.
package struct Pair<Value> {
  package var home: Value
  package var away: Value

  package init(home: Value, away: Value) {
    self.home = home
    self.away = away
  }

  package subscript(_ side: Side) -> Value {
    get { side == .home ? home : away }
    set {
      switch side {
      case .home: home = newValue
      case .away: away = newValue
      }
    }
  }
}

extension Pair: Equatable where Value: Equatable {}
extension Pair: Hashable where Value: Hashable {}
extension Pair: Sendable where Value: Sendable {}

extension Pair where Value: Equatable {
  package var isTied: Bool { home == away }
}

extension Pair where Value: Comparable {
  /// Nil while they are level.
  package var leader: Side? { home == away ? nil : home > away ? .home : .away }
}
