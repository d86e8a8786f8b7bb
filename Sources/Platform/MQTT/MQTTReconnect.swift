import GameCore

/// Decides when to connect again, and where: soon after a broken network, in minutes after a refused login, and slowly
/// when another client with our id and we throw each other out.
struct MQTTReconnect {
  struct Attempt: Hashable {
    var delay: Duration
    var broker: Int
    /// What the loss turned out to be.
    var loss: MQTTConnectionEvent.Loss
  }

  private enum State: Hashable {
    /// Never connected since the last loss: so many whole rounds through the brokers have failed.
    case searching(roundsFailed: Int)
    case connected(since: Instant)
  }

  private let brokerCount: Int
  private var state = State.searching(roundsFailed: 0)
  /// The broker of the running or next attempt.
  private(set) var broker = 0
  /// Losses of a working connection that the next attempt mended at once: what a take-over looks like from a broker
  /// that does not name it.
  private var kicks: [Instant] = []
  private var isFighting = false

  private static let kickWindow = Duration.seconds(60)
  private static let kicksForTakeOver = 3

  init(brokerCount: Int) { self.brokerCount = brokerCount }

  mutating func connected(at now: Instant) { state = .connected(since: now) }

  /// `jitter` is between 0 and 1.
  mutating func ended(_ loss: MQTTConnectionEvent.Loss, at now: Instant, jitter: Double) -> Attempt {
    let attempt =
      switch loss {
      case .lost: afterLoss(at: now)
      case .takenOver: takenOver(at: now)
      case .unreachable: afterFailure(loss, slowest: .seconds(30), first: .seconds(1))
      case .tlsFailed, .loginRefused, .refused: afterFailure(loss, slowest: .seconds(300), first: .seconds(30))
      }
    let spread = Duration.nanoseconds(Int64(Double(attempt.delay.nanoseconds) * 0.25 * jitter))
    return Attempt(delay: attempt.delay + spread, broker: attempt.broker, loss: attempt.loss)
  }

  private mutating func afterLoss(at now: Instant) -> Attempt {
    kicks = kicks.filter { now - $0 < Self.kickWindow } + [now]
    if case .connected(let since) = state, isFighting { isFighting = now - since < Self.kickWindow }
    if isFighting || kicks.count >= Self.kicksForTakeOver { return takenOver(at: now) }
    state = .searching(roundsFailed: 0)
    broker = 0
    return Attempt(delay: .milliseconds(500), broker: broker, loss: .lost)
  }

  private mutating func takenOver(at now: Instant) -> Attempt {
    isFighting = true
    kicks = []
    state = .searching(roundsFailed: 0)
    broker = 0
    return Attempt(delay: .seconds(60), broker: broker, loss: .takenOver)
  }

  /// The next broker at once; after the last one a pause that doubles.
  private mutating func afterFailure(
    _ loss: MQTTConnectionEvent.Loss, slowest: Duration, first: Duration
  ) -> Attempt {
    kicks = []
    var rounds = 0
    if case .searching(let failed) = state { rounds = failed }
    broker = (broker + 1) % brokerCount
    state = .searching(roundsFailed: broker == 0 ? rounds + 1 : rounds)
    let delay = broker == 0 ? min(first * (1 << min(rounds, 10)), slowest) : .milliseconds(100)
    return Attempt(delay: delay, broker: broker, loss: loss)
  }
}
