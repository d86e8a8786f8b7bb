import GameCore
import Testing

@testable import Platform

@Suite("When to connect again") struct MQTTReconnectTests {
  private func instant(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1_000_000_000)) }

  @Test("B69: ten refused logins make at most six tries in ten minutes")
  func refusedLogins() {
    var reconnect = MQTTReconnect(brokerCount: 1)
    var now = instant(0)
    var tries = 0
    while now < instant(600) {
      tries += 1
      now = now + reconnect.ended(.loginRefused, at: now, jitter: 0).delay
    }
    #expect(tries <= 6)
  }

  @Test("B71: three losses in a minute that each mend at once are a take-over, and then at most one try in 30 s")
  func takeOver() {
    var reconnect = MQTTReconnect(brokerCount: 1)
    var now = instant(0)
    var losses: [MQTTConnectionEvent.Loss] = []
    for _ in 0..<6 {
      reconnect.connected(at: now)
      let next = reconnect.ended(.lost, at: now + .milliseconds(10), jitter: 1)
      losses.append(next.loss)
      if next.loss == .takenOver { #expect(next.delay >= .seconds(30)) }
      now = now + next.delay
    }
    #expect(losses == [.lost, .lost, .takenOver, .takenOver, .takenOver, .takenOver])
  }

  @Test("a broker that restarts three times in a minute is no take-over, and neither are losses hours apart")
  func noTakeOver() {
    var reconnect = MQTTReconnect(brokerCount: 1)
    for round in 0..<4 {
      let now = instant(Double(round) * 15)
      reconnect.connected(at: now)
      #expect(reconnect.ended(.lost, at: now, jitter: 0).loss == .lost)
      #expect(reconnect.ended(.unreachable, at: now, jitter: 0).loss == .unreachable)
    }
    for hour in 1..<6 {
      let now = instant(Double(hour) * 3600)
      reconnect.connected(at: now)
      #expect(reconnect.ended(.lost, at: now, jitter: 0).loss == .lost)
    }
  }

  @Test("after a fight that has ended a loss is a loss again")
  func fightEnds() {
    var reconnect = MQTTReconnect(brokerCount: 1)
    reconnect.connected(at: instant(0))
    #expect(reconnect.ended(.takenOver, at: instant(1), jitter: 0).delay == .seconds(60))
    reconnect.connected(at: instant(61))
    #expect(reconnect.ended(.lost, at: instant(62), jitter: 0).loss == .takenOver)
    reconnect.connected(at: instant(122))
    #expect(reconnect.ended(.lost, at: instant(500), jitter: 0).loss == .lost)
  }

  @Test("brokers are tried in order, with a pause that doubles after each round up to half a minute")
  func rounds() {
    var reconnect = MQTTReconnect(brokerCount: 2)
    var steps: [MQTTReconnect.Attempt] = []
    for _ in 0..<14 { steps.append(reconnect.ended(.unreachable, at: instant(0), jitter: 0)) }
    #expect(steps.map(\.broker) == [1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0])
    #expect(steps.filter { $0.broker == 0 }.map { $0.delay.components.seconds } == [1, 2, 4, 8, 16, 30, 30])
    reconnect.connected(at: instant(1))
    #expect(reconnect.ended(.lost, at: instant(100), jitter: 0).broker == 0)
  }
}
