package import Document
package import GameCore

/// What a message on a court's command topic asks for, checked against what the verb accepts.
package struct MQTTCommand: Hashable, Sendable {
  /// Every verb is the last level of a command topic, `…/cmd/<verb>`.
  package enum Verb: String, Hashable, Sendable, CaseIterable {
    case score, set, clock, period, undo, redo, correct, timeout, foul, possession, game, practice, activity, lastplay
  }

  package enum Request: Hashable, Sendable {
    case event(GameEvent.Kind)
    case newGame(home: Team?, away: Team?, start: WallTime?)
    case practice(Bool)
    case startActivity
    case endActivity
    /// Takes over a broadcast that another board has made.
    case adoptActivity(broadcast: String, apnsChannel: String, storesNewest: Bool)
  }

  /// The sender's own name for this command: a repeat is answered again and not applied again.
  package var id: String?
  /// When it was given; an old one is refused.
  package var time: WallTime?
  package var request: Request

  package init(id: String?, time: WallTime?, request: Request) {
    self.id = id
    self.time = time
    self.request = request
  }
}

/// Why a command was not understood, with what would be.
package struct CommandRefusal: Error, Hashable, Sendable {
  /// Answered with the refusal, where the message was readable enough to have one.
  package var id: String?
  package var reason: String

  package init(id: String? = nil, _ reason: String) {
    self.id = id
    self.reason = reason
  }
}

extension Result<MQTTCommand, CommandRefusal> {
  /// The sender's name for the command, as far as it could be read.
  package var id: String? {
    switch self {
    case .success(let command): command.id
    case .failure(let refusal): refusal.id
    }
  }
}

extension MQTTCommand {
  private static var longest: Int { 4096 }

  /// Reads a command. A payload is a JSON object, or a bare word where one value is all there is to say.
  package static func parse(
    verb: Verb, payload: [UInt8], json: ([UInt8]) -> Node?
  ) -> Result<MQTTCommand, CommandRefusal> {
    var fields = CommandFields(verb: verb)
    guard payload.count <= longest else {
      return .failure(CommandRefusal("\(payload.count) bytes; a command has at most \(longest)"))
    }
    let text = String(decoding: payload, as: UTF8.self).trimmed
    if text.first == "{" || text.first == "[" || text.first == "\"" {
      guard let node = json(payload), let members = node.members else {
        return .failure(CommandRefusal("not valid JSON: send one JSON object, or a bare word (\(verb.bareWords))"))
      }
      fields.members = members
    } else {
      fields.word = text.isEmpty ? nil : text
    }
    do throws(CommandRefusal) {
      let id = try fields.identifier()
      fields.id = id
      let time = try fields.time()
      let request = try fields.request()
      try fields.refuseUnknown()
      return .success(MQTTCommand(id: id, time: time, request: request))
    } catch {
      return .failure(error)
    }
  }
}

extension MQTTCommand.Verb {
  /// What may stand alone as a payload; for refusals and documentation.
  package var bareWords: String {
    switch self {
    case .score: "home, away, home +2, away -1"
    case .set: "none; send {\"what\":\"score\",\"team\":\"home\",\"value\":12}"
    case .clock: "start, stop, toggle, or a reading such as 5:00"
    case .period: "next, shoot-out, or a number such as 3"
    case .undo, .redo: "nothing at all"
    case .correct: "none; send {\"event\":\"ID\",\"points\":3} or {\"event\":\"ID\",\"remove\":true}"
    case .timeout: "home, away, official, over"
    case .foul: "home, away"
    case .possession: "home, away, none, switch"
    case .game: "new, start, final, end, abandon, postpone, cancel, delay, resume, confirm, reject"
    case .practice: "on, off"
    case .activity: "start, end"
    case .lastplay: "the text itself"
    }
  }
}
