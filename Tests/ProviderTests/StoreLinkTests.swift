import GameCore
import Outbox
import Testing

@testable import Bridge

@Suite("The engine's side of the store") struct StoreLinkTests {
  @Test("a disk that refuses for long: every event is kept, of entries the newest, of marks the last")
  func bounded() throws {
    var link = StoreLink<Int>()
    var now = Instant(nanoseconds: 0)
    for number in 1...5_000 {
      link.write([
        .event(game: "g", sequence: Int64(number), body: [1]), .entry(lane: "g/a", sequence: Int64(number), body: [1]),
        .mark(key: "m", value: [UInt8(number % 200)]),
      ])
      link.expect(number)
      guard let batch = link.flush() else { continue }
      let released = link.settled(.failed(from: batch.number, through: batch.number, reason: "full"), at: now)
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
        #expect(sequence > 5_000 - 1_024)
      case .mark(_, let value):
        counts.marks += 1
        #expect(value == [0])
      case .forgetGame, .forgetEntries: break
      }
    }
    #expect(counts == (5_000, 1_024, 1))
    let released = link.settled(.persisted(through: last.number), at: now)
    #expect(released.count == 5_001)
    #expect(link.isIdle && link.trouble == nil)
  }
}
