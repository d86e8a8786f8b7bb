import CMosquitto
import GameCore
import Glibc
package import Input

/// Keeps one connection to the first broker that takes us, and says so whenever that changes.
package final class MQTTConnection {
  private enum State {
    /// Not started, or stopped.
    case idle
    /// A thread looks up the name and connects.
    case connecting
    /// The broker has accepted us.
    case connected(maximumPacketSize: Int?)
    /// The timer decides when the next attempt begins.
    case waiting
    /// Saying goodbye; what is told when that is over.
    case stopping(() -> Void)
  }

  private struct Outstanding {
    var topic: String
    var size: Int
  }

  private let settings: MQTTSettings
  private let loop: EventLoop
  private let told: (MQTTConnectionEvent) -> Void
  private let mailbox: Mailbox<MQTTLine.Said>
  private var state = State.idle
  private var reconnect: MQTTReconnect
  /// Each attempt whose thread has not said its last word; all but the newest are given up.
  private var attempts: [UInt64: (client: MQTTClient, line: MQTTLine)] = [:]
  private var attempt: UInt64 = 0
  private var refusal: Int32 = 0
  private var outstanding: [Int32: Outstanding] = [:]
  /// The newest value of each retained topic that found no room among the outstanding ones.
  private var waiting: [(publication: MQTTPublication, properties: MQTTPublishProperties)] = []
  private var awaited: [Int32: String] = [:]
  private var refusedFilters: [String] = []
  private var poison = MQTTPoison()
  /// Brokers that do not know MQTT 5: true where they said so, false where they only hung up on it.
  private var oldBrokers: [Int: Bool] = [:]
  /// The attempt before hung in its connect.
  private var isWary = false
  private var timer: LoopTimer?

  private static let outstandingBound = 1000
  /// For a name lookup, a connection and the broker's answer, and again for its answers to our subscriptions.
  private static let patience = Duration.seconds(10)
  private static let attemptBound = 3

  /// Nothing happens before `start`. Events come on the loop, through `told`.
  package init(
    settings: MQTTSettings, loop: EventLoop, told: @escaping (MQTTConnectionEvent) -> Void
  ) throws(PlatformError) {
    self.settings = settings
    self.loop = loop
    self.told = told
    mailbox = try Mailbox(capacity: 1024)
    reconnect = MQTTReconnect(brokerCount: settings.brokers.count)
    try mailbox.deliver(on: loop) { [unowned self] delivery in
      for said in delivery.messages { hear(said) }
    }
    timer = loop.timer { [unowned self] in timeIsUp() }
  }

  /// Without `stop` the thread goes on as long as the broker lets it, unheard: only the end of the process is like it.
  deinit {
    timer?.cancel()
    mailbox.endDelivery(on: loop)
    for (client, line) in attempts.values {
      line.cut()
      // Its thread still uses the handle.
      _ = Unmanaged.passRetained(client)
      _ = Unmanaged.passRetained(line)
    }
  }

  package func start() {
    guard case .idle = state else { return }
    connect()
  }

  /// Says the farewell, waits until the broker has it, and leaves. `done` is called once, on the loop, `bound` later at
  /// the latest.
  package func stop(within bound: Duration, done: @escaping () -> Void) {
    guard case .connected = state, let (client, line) = attempts[attempt] else {
      state = .stopping(done)
      timer?.set(to: Instant(nanoseconds: 0))
      return
    }
    line.expect(true)
    for said in mailbox.collect().messages { hear(said) }
    if let farewell = settings.farewell { publish(farewell) }
    state = .stopping(done)
    timer?.set(after: bound)
    if outstanding.isEmpty { client.disconnect() }
  }

  /// Hands a message to the broker or says why not. Only values of retained topics wait, each one's newest, while the
  /// broker is behind with its acknowledgements: an older value must not be its last.
  @discardableResult package func publish(
    _ publication: MQTTPublication, properties: MQTTPublishProperties = MQTTPublishProperties()
  ) -> MQTTPublishOutcome {
    guard case .connected(let maximum) = state, let (client, line) = attempts[attempt] else { return .notConnected }
    let size = Self.packetSize(publication, properties)
    if let limit = [maximum, poison.limit].compactMap({ $0 }).min(), size > limit { return .tooLarge(limit: limit) }
    waiting.removeAll { $0.publication.topic == publication.topic }
    guard outstanding.count < Self.outstandingBound else {
      guard publication.isRetained else { return .full }
      waiting.append((publication, properties))
      line.expect(true)
      return .handedOver
    }
    return handOver(publication, properties, to: client) ? .handedOver : .notConnected
  }

  private func handOver(
    _ publication: MQTTPublication, _ properties: MQTTPublishProperties, to client: MQTTClient
  ) -> Bool {
    guard let id = client.publish(publication, properties) else { return false }
    outstanding[id] = Outstanding(topic: publication.topic, size: Self.packetSize(publication, properties))
    return true
  }

  private func connect() {
    refusal = 0
    guard attempts.count < Self.attemptBound else {
      // Every thread hangs in a name lookup or a connect; one more would hang beside them.
      return disconnected(.unreachable, reason: "earlier attempts still hang")
    }
    let broker = settings.brokers[reconnect.broker]
    attempt += 1
    state = .connecting
    timer?.set(after: Self.patience)
    do throws(PlatformError) {
      let line = MQTTLine(attempt: attempt, mailbox: mailbox)
      let client = try MQTTClient(
        settings: settings, broker: broker, usesMQTT5: oldBrokers[reconnect.broker] == nil, line: line)
      try client.start(broker, keepAlive: settings.keepAlive, isWary: isWary)
      attempts[attempt] = (client, line)
    } catch {
      disconnected(.refused, reason: error.description)
    }
  }

  private func hear(_ said: MQTTLine.Said) {
    guard said.attempt == attempt else { return hearLate(said) }
    switch said.word {
    case .accepted(let isResumed, let maximumPacketSize, let silentAddresses):
      accepted(isResumed, maximumPacketSize, silentAddresses)
    case .refused(let code): refusal = code
    case .subscribed(let id, let isGranted): subscribed(id, isGranted)
    case .published(let id, let code): published(id, code)
    case .message(let message): told(.message(message))
    case .ended(let end):
      attempts[said.attempt] = nil
      ended(end)
    }
  }

  /// From an attempt that was given up: only its end counts, and that it must not stay connected.
  private func hearLate(_ said: MQTTLine.Said) {
    switch said.word {
    case .ended: attempts[said.attempt] = nil
    case .accepted: attempts[said.attempt]?.client.disconnect()
    case .refused, .subscribed, .published, .message: break
    }
  }

  private func accepted(_ isResumed: Bool, _ maximumPacketSize: Int?, _ silentAddresses: [String]) {
    guard case .connecting = state, let client = attempts[attempt]?.client else { return }
    state = .connected(maximumPacketSize: maximumPacketSize)
    reconnect.connected(at: SystemClock.now().instant)
    isWary = false
    outstanding = [:]
    waiting = []
    awaited = [:]
    refusedFilters = []
    for subscription in settings.subscriptions {
      if let id = client.subscribe(subscription) {
        awaited[id] = subscription.filter
      } else {
        refusedFilters.append(subscription.filter)
      }
    }
    timer?.set(after: Self.patience)
    told(
      .connected(
        .init(
          broker: reconnect.broker, protocolLevel: oldBrokers[reconnect.broker] != nil ? 4 : 5, isResumed: isResumed,
          maximumPacketSize: maximumPacketSize, silentAddresses: silentAddresses)))
    tellSubscribed()
  }

  private func subscribed(_ id: Int32, _ isGranted: Bool) {
    guard let filter = awaited.removeValue(forKey: id) else { return }
    if !isGranted { refusedFilters.append(filter) }
    tellSubscribed()
  }

  private func tellSubscribed() {
    guard case .connected = state, awaited.isEmpty else { return }
    timer?.set(to: nil)
    told(.subscribed(refused: refusedFilters))
  }

  private func published(_ id: Int32, _ code: Int32) {
    if let message = outstanding.removeValue(forKey: id) {
      if code < 128 {
        poison.acknowledged(size: message.size)
      } else {
        told(.notPublished(topic: message.topic, reason: String(cString: mosquitto_reason_string(code))))
      }
    }
    guard let (client, line) = attempts[attempt] else { return }
    if outstanding.count < Self.outstandingBound, !waiting.isEmpty {
      let next = waiting.removeFirst()
      _ = handOver(next.publication, next.properties, to: client)
      if waiting.isEmpty, case .connected = state { line.expect(false) }
    }
    if case .stopping = state, outstanding.isEmpty { client.disconnect() }
  }

  private func ended(_ end: MQTTEnd) {
    let broker = reconnect.broker
    switch state {
    case .stopping: finishStopping()
    case .connected:
      let largest = outstanding.values.max { $0.size < $1.size }
      poison.lost(largest: largest.map { ($0.topic, $0.size) }, isCertain: end.isNotUnderstood)
      if oldBrokers[broker] == false { oldBrokers[broker] = nil }
      let loss: MQTTConnectionEvent.Loss = end.isNotUnderstood ? .unreachable : end.isTakeOver ? .takenOver : .lost
      disconnected(loss, reason: end.reason)
    case .connecting:
      if end.lacksMQTT5(refusal: refusal), oldBrokers[broker] == nil {
        oldBrokers[broker] = end.deniesMQTT5(refusal: refusal)
        return connect()
      }
      if oldBrokers[broker] == false { oldBrokers[broker] = nil }
      disconnected(end.loss(refusal: refusal), reason: end.reason(refusal: refusal))
    case .idle, .waiting: break
    }
  }

  private func disconnected(_ loss: MQTTConnectionEvent.Loss, reason: String) {
    let broker = reconnect.broker
    let next = reconnect.ended(loss, at: SystemClock.now().instant, jitter: Double.random(in: 0...1))
    state = .waiting
    outstanding = [:]
    timer?.set(after: next.delay)
    told(.disconnected(next.loss, broker: broker, reason: reason, retryAfter: next.delay))
  }

  private func timeIsUp() {
    switch state {
    case .idle: break
    case .waiting: connect()
    case .connecting: giveUp(.unreachable, reason: "no answer within \(Self.patience.components.seconds) s")
    case .connected: giveUp(.lost, reason: "no answer to our subscriptions")
    case .stopping: finishStopping()
    }
  }

  /// Its thread may hang for minutes in a lookup or a connect; it is left to end by itself, unheard.
  private func giveUp(_ loss: MQTTConnectionEvent.Loss, reason: String) {
    attempts[attempt]?.client.disconnect()
    attempt += 1
    isWary = true
    disconnected(loss, reason: reason)
  }

  private func finishStopping() {
    guard case .stopping(let done) = state else { return }
    state = .idle
    attempt += 1
    timer?.set(to: nil)
    done()
  }

  /// An upper bound of the bytes on the wire.
  private static func packetSize(_ publication: MQTTPublication, _ properties: MQTTPublishProperties) -> Int {
    let response = properties.responseTopic.map { $0.utf8.count + 3 } ?? 0
    let extras = response + (publication.correlation.map { $0.count + 3 } ?? 0) + 5
    return 11 + publication.topic.utf8.count + extras + publication.payload.count
  }
}
