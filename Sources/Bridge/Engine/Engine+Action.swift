package import GameCore
package import Input
package import Outbox
package import Publishing

/// Everything the engine may want done. The order in which actions come is a promise: what stands first is done first.
package enum Action: Hashable, Sendable {
  case send(AblyAttempt)
  case persist(StoreBatch)
  case publish(MQTTPublication)
  case log(LogLine)
  /// A line for the person at the terminal.
  case show(TerminalLine)
  /// Drain the line's queue, tell what it held as `edges`, and then what it says now as `read`.
  case readLine(LinePlace)
  case light(LinePlace, Bool)
  /// Nothing is left to do: the daemon may end.
  case stop
}

/// An event name and its fields, for the log.
package struct LogLine: Hashable, Sendable {
  package enum Level: Hashable, Sendable {
    case error, warning, notice, info, debug
  }

  package struct Field: Hashable, Sendable {
    package var key: String
    package var value: String
  }

  package var level: Level
  package var event: String
  package var fields: [Field]

  package init(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, String> = [:]) {
    self.level = level
    self.event = event
    self.fields = fields.map { Field(key: $0.key, value: $0.value) }
  }
}

/// What the terminal shows of a press or of a push, and since when it has been under way.
package struct TerminalLine: Hashable, Sendable {
  package var text: String
  /// The press that it answers; the shell adds how long that took.
  package var since: Instant?

  package init(_ text: String, since: Instant? = nil) {
    self.text = text
    self.since = since
  }
}
