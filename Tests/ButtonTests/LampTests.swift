import Bridge
import GameCore
import Testing

@Suite struct LampTests {
  /// When a lamp is lit, in milliseconds, up to `end`.
  private func played(_ board: LampBoard, from start: Double, until end: Double) -> [Double] {
    var board = board
    var changes: [Double] = []
    var now = Instant.at(start)
    while now <= .at(end) {
      if !board.update(at: now).isEmpty { changes.append(Double(now.nanoseconds) / 1_000_000) }
      guard let next = board.nextDeadline, next > now else { break }
      now = next
    }
    return changes
  }

  @Test("every receipt has a rhythm of its own")
  func rhythms() {
    let patterns = LampConfig.Receipt.allCases.map(\.pattern)
    #expect(Set(patterns).count == patterns.count)
    #expect(LampConfig.Receipt.allCases.allSatisfy { $0.pattern.steps.count.isMultiple(of: 2) })
  }

  @Test("ten presses a second are ten flashes: counted is over before the next")
  func shortEnough() {
    #expect(LampConfig.Receipt.counted.pattern.steps.reduce(.zero, +) <= .milliseconds(100))
  }

  @Test("a flash goes on and off by itself, and nothing wakes the loop after it")
  func flash() {
    var board = LampBoard([[.counted]])
    _ = board.update(at: .at(0))
    board.pressed("a", at: .at(1000))
    board.counted("a", at: .at(1010))
    #expect(played(board, from: 1010, until: 60_000) == [1010, 1070])
  }

  @Test("sent is played after counted, even when phones were told before the disk")
  func sentAfterCounted() {
    var board = LampBoard([[.counted, .sent]])
    _ = board.update(at: .at(0))
    board.pressed("a", at: .at(1000))
    board.sent(at: .at(1002))
    board.counted("a", at: .at(1010))
    #expect(played(board, from: 1010, until: 60_000) == [1010, 1070, 1110, 1150, 1210, 1250])
  }

  @Test("sent waits until counted is over when phones are told in the middle of its flash")
  func sentInsideCounted() {
    var board = LampBoard([[.counted, .sent]])
    _ = board.update(at: .at(0))
    board.pressed("a", at: .at(1000))
    board.counted("a", at: .at(1010))
    _ = board.update(at: .at(1010))
    board.sent(at: .at(1015))
    #expect(played(board, from: 1015, until: 60_000) == [1070, 1110, 1150, 1210, 1250])
  }

  @Test("on a lamp that is lit because all is well, a flash is a moment of darkness")
  func inverted() {
    var board = LampBoard([[.ready, .counted]])
    board.conditions([.ready], at: .at(0))
    let changes1 = board.update(at: .at(0))
    #expect(changes1 == [LampBoard.Change(lamp: 0, isLit: true)])
    board.pressed("a", at: .at(10))
    board.counted("a", at: .at(20))
    let changes2 = board.update(at: .at(20))
    #expect(changes2 == [LampBoard.Change(lamp: 0, isLit: false)])
    let changes3 = board.update(at: .at(80))
    #expect(changes3 == [LampBoard.Change(lamp: 0, isLit: true)])
  }

  @Test("trouble hides counted on a lamp that shows both")
  func importance() {
    var board = LampBoard([[.counted, .trouble]])
    board.conditions([.trouble], at: .at(0))
    _ = board.update(at: .at(0))
    board.counted("a", at: .at(150))
    let changes4 = board.update(at: .at(150))
    #expect(changes4 == [LampBoard.Change(lamp: 0, isLit: false)])
  }

  @Test("a lamp whose line came back is set again")
  func reopened() {
    var board = LampBoard([[.ready]])
    board.conditions([.ready], at: .at(0))
    _ = board.update(at: .at(0))
    let changes5 = board.update(at: .at(1))
    #expect(changes5 == [])
    board.opened(0)
    let changes6 = board.update(at: .at(2))
    #expect(changes6 == [LampBoard.Change(lamp: 0, isLit: true)])
  }
}
