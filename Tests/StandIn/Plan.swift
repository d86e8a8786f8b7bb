import GameCore

/// What becomes of one request: which answer, when and how.
struct Plan {
  enum Manner {
    case whole, cut
    case slow(Duration)
    case close, never, freeze
  }

  var answer: Answer
  var manner: Manner
  var due: Instant
}

extension Plan {
  var reachesTheClient: Bool {
    switch manner {
    case .whole, .slow: true
    case .cut, .close, .never, .freeze: false
    }
  }

  mutating func apply(_ effect: Fault.Effect) {
    switch effect {
    case .answer(let other): answer = other
    case .stall: manner = .never
    case .close: manner = .close
    case .cut: manner = .cut
    case .delay(let span): due = due + span
    case .slow(let span): manner = .slow(span)
    case .freeze: manner = .freeze
    }
  }
}

extension Fault {
  /// Late answers are right answers; the others take effect only where the test says so.
  var leavesTheServiceAlone: Bool {
    switch effect {
    case .delay, .slow: false
    case .answer, .stall, .close, .cut, .freeze: !processed
    }
  }
}
