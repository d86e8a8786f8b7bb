package import GameCore
package import Input
package import Outbox
package import Publishing

/// Everything that can happen to the daemon. The shell turns callbacks into these and adds the moment.
package enum Stimulus {
  /// What the store held, once, before anything else.
  case started(StoreContents)
  /// Bytes of a console, by its place in the config.
  case bytes([UInt8], from: InputAddress)
  /// A console's port or peer came or went; the reason is for people.
  case feedOpened(InputAddress)
  case feedClosed(InputAddress, reason: String)
  /// What an input with a machine of its own has made of it, by the court's place in the config.
  case input(GameEvent.Kind, word: String, from: Source, court: Int)
  /// A key of the daemon's own terminal.
  case key(Character)
  /// A GPIO line of a button or a lamp.
  case line(LinePlace, LineNews)
  case message(MQTTMessage)
  case broker(BrokerState)
  /// What a broker that has taken us says of single topics.
  case brokerSaid(BrokerNews)
  case stored(StoreOutcome)
  case answered(call: UInt64, TransportResult)
  /// The kernel says that a network link or address came up.
  case linkCameUp
  /// What the kernel knows of its wall clock.
  case clockChecked(isSynchronised: Bool?)
  /// The config was read anew.
  case reload(Reload)
  /// `nextDeadline` has passed.
  case deadline
  /// Ends the daemon: everything durable, phones and broker told.
  case terminate
}

/// A console's place: the court's and its own, both from 0 in the order of the config.
package struct InputAddress: Hashable, Sendable {
  package var court: Int
  package var console: Int

  package init(court: Int, console: Int) {
    self.court = court
    self.console = console
  }
}

/// What became of a message of ours, or of what we wanted to hear.
package enum BrokerNews: Hashable, Sendable {
  /// It took the message and would not have it.
  case notPublished(topic: String, reason: String)
  /// It would be too large; it was not sent.
  case tooLarge(topic: String, limit: Int)
  /// A message of the moment found no room, as the broker is behind; it is lost.
  case tooSlow(topic: String)
  /// It has answered our subscriptions; these it refused.
  case subscribed(refused: [String])
}

/// Where the connection to the MQTT broker stands.
package enum BrokerState: Hashable, Sendable {
  case connecting
  case connected(broker: String, maximumPacketSize: Int?)
  /// The broker does not let us in; tried again slowly.
  case loginRefused(reason: String)
  /// Somebody else uses our client id.
  case clientIDTaken
  case lost(reason: String)

  /// One word or two, for status and logs.
  package var summary: String {
    switch self {
    case .connecting: "connecting"
    case .connected: "connected"
    case .loginRefused(let reason): "login refused: \(reason)"
    case .clientIDTaken: "client id in use"
    case .lost(let reason): "lost: \(reason)"
    }
  }
}
