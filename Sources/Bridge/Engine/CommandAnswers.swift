internal import GameCore

/// What became of commands that had an id: a repeat is answered again and not applied again. Bounded; what is older is
/// still known to the game's log, which takes no event twice.
struct CommandAnswers: Hashable, Sendable {
  enum Answer: Hashable, Sendable {
    /// Applied, and its commit is under way.
    case pending
    case done
    case refused(String)
  }

  private var answers: [String: Answer] = [:]
  private var order: [String] = []

  subscript(_ id: String) -> Answer? { answers[id] }

  mutating func note(_ id: String, _ answer: Answer) {
    if answers[id] == nil {
      order.append(id)
      if order.count > Self.most { answers[order.removeFirst()] = nil }
    }
    answers[id] = answer
  }

  private static let most = 4096
}

/// Where the answer to a command goes.
package struct ReplyTicket: Hashable, Sendable {
  var court: Int
  var id: String?
  var topic: String
  var correlation: [UInt8]?
}
