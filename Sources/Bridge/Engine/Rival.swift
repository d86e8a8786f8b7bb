internal import Document
internal import GameCore
internal import Input

/// Another daemon that speaks for the same venue, as two boards with one config do: both say "online", each overwrites
/// the other's scores, and neither is wrong in its own eyes. We hear our own topics to find out.
struct Rival: Hashable, Sendable {
  private enum State: Hashable, Sendable {
    /// Nobody else has told a status lately.
    case alone
    /// Somebody has. A daemon speaks at every heartbeat; one that misses two is gone.
    case heard(goneAt: Instant)
  }

  private var state = State.alone

  mutating func spoke(at now: Instant) { state = .heard(goneAt: now + StatusDesk.heartbeat * 2 + .seconds(5)) }

  mutating func timePassed(at now: Instant) { if let due = nextDeadline, due <= now { state = .alone } }

  var isThere: Bool { state != .alone }

  var nextDeadline: Instant? {
    switch state {
    case .alone: nil
    case .heard(let goneAt): goneAt
    }
  }
}

extension Engine {
  var availabilityTopic: String { "\(config.topicPrefix)/availability" }
  var statusTopic: String { "\(config.topicPrefix)/status" }

  /// Whether the message was on one of our own topics. A stored copy is of the run before, which is nobody.
  mutating func heardOurselves(_ message: MQTTMessage, at now: Moment) -> Bool {
    switch message.topic {
    case availabilityTopic:
      // Said by another daemon's end, or by the broker for a connection that was ours: we are here all the same.
      if !message.isRetained, message.payload != Array(Availability.online.rawValue.utf8) {
        desk.repeatRetained { $0 == message.topic }
      }
      return true
    case statusTopic:
      if !message.isRetained, let status = ports.json(message.payload), status["run"]?.text != runID {
        rival.spoke(at: now.instant)
      }
      return true
    case _: return false
    }
  }
}
