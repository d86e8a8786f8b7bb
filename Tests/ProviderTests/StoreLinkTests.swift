import GameCore
import Outbox
import Testing

@testable import Bridge

@Suite("The engine's side of the store") struct StoreLinkTests {
  @Test("a disk that refuses for long: every event is kept, of entries the newest, of marks the last")
  func bounded() throws {
    var link = StoreLink<Int>()
    var now = Instant(nanoseconds: 0)
    for number in 1...1_600 {
      link.write([
        .event(game: "g", sequence: Int64(number), body: [1]), .entry(lane: "g/a", sequence: Int64(number), body: [1]),
        .mark(key: "m", value: [UInt8(number % 200)]),
      ])
      link.expect(number)
      guard let batch = link.flush() else { continue }
      let released = link.settled(.failed(from: batch.number, through: batch.number, reason: "full"), at: now) { _ in
        true
      }
      #expect(released.allSatisfy { if case .delayed = $0 { true } else { false } })
      now = now + .seconds(2)
      link.deadlineReached(at: now)
    }
    link.deadlineReached(at: now + .seconds(2))
    link.expect(0)
    let flushed = link.flush()
    let last = try #require(flushed)
    var counts = (events: 0, entries: 0, marks: 0)
    for operation in last.operations {
      switch operation {
      case .event: counts.events += 1
      case .entry(_, let sequence, _):
        counts.entries += 1
        #expect(sequence > 1_600 - 1_024)
      case .mark(_, let value):
        counts.marks += 1
        #expect(value == [0])
      case .forgetGame, .forgetEntries: break
      }
    }
    #expect(counts == (1_600, 1_024, 1))
    let released = link.settled(.persisted(through: last.number), at: now) { _ in true }
    #expect(released.count == 1_601)
    #expect(link.isIdle && link.trouble == nil)
  }

  @Test("a disk that refuses slowly, batch by batch: what is under way comes back once, however often it is refused")
  func refusedUnderWay() throws {
    var link = StoreLink<Int>()
    var now = Instant(nanoseconds: 0)
    var underWay: [StoreBatch] = []
    for number in 1...200 {
      link.write([.event(game: "g", sequence: Int64(number), body: [1])])
      if let batch = link.flush() { underWay.append(batch) }
      // Its answer takes so long that the next ones are on their way by then.
      if underWay.count > 3 {
        let oldest = underWay.removeFirst()
        _ = link.settled(.failed(from: oldest.number, through: oldest.number, reason: "slow"), at: now) { _ in true }
      }
      now = now + .seconds(2)
      link.deadlineReached(at: now)
      let largest = underWay.map(\.operations.count).max() ?? 0
      #expect(largest <= number)
    }
    link.expect(0)
    let flushed = link.flush()
    let last = try #require(flushed)
    let places = (underWay + [last]).flatMap(\.operations).compactMap { operation in
      if case .event(_, let sequence, _) = operation { sequence } else { nil }
    }
    #expect(Set(places) == Set(1...200))
  }

  @Test("a receipt whose owner asks anew is told of a refusal once; any other one stays until it is kept")
  func owed() throws {
    var link = StoreLink<Int>()
    link.write([.mark(key: "m", value: [1])])
    link.expect(1)
    link.expect(2)
    _ = link.flush()
    var now = Instant(nanoseconds: 0)
    let refused = link.settled(.failed(from: 1, through: 1, reason: "full"), at: now) { $0 == 2 }
    #expect(refused == [.delayed(1, reason: "full"), .delayed(2, reason: "full")])
    now = now + .seconds(1)
    link.deadlineReached(at: now)
    let flushed = link.flush()
    let batch = try #require(flushed)
    #expect(link.settled(.persisted(through: batch.number), at: now) { $0 == 2 } == [.persisted(2)])
  }
}
