import GameCore
import Publishing
import Testing

@testable import Bridge

@Suite("Pushes that fail after they were accepted") struct PushLogWatchTests {
  private func at(_ seconds: Int64) -> Instant { Instant(nanoseconds: seconds * 1_000_000_000) }
  private let begin = WallTime(milliseconds: 1_796_431_800_000)

  private func entry(_ id: String, code: Int? = 2, after seconds: Int64 = 1, message: String? = nil) -> PushLogEntry {
    PushLogEntry(
      id: id, timestampMilliseconds: begin.milliseconds + seconds * 1000, code: code,
      message: message ?? "message \(code.map(String.init) ?? "none")")
  }

  private func watching() -> PushLogWatch {
    var watch = PushLogWatch()
    watch.gameChanged(isOn: true, serverTime: begin, at: at(0))
    return watch
  }

  @Test("B120: it asks once a minute while a game is on phones, and not otherwise")
  func interval() {
    var watch = PushLogWatch()
    watch.gameChanged(isOn: false, serverTime: begin, at: at(0))
    #expect(watch.nextDeadline == nil && watch.deadlineReached(at: at(1000)) == nil)
    watch.gameChanged(isOn: true, serverTime: begin, at: at(10))
    #expect(watch.deadlineReached(at: at(69)) == nil && watch.nextDeadline == at(70))
    #expect(watch.deadlineReached(at: at(70)) == .pushLog(limit: 100))
    #expect(watch.deadlineReached(at: at(200)) == nil, "one question at a time")
    #expect(watch.answered(.notSent(TransportFault(.notConnected, detail: "test")), at: at(75)) == [])
    #expect(watch.nextDeadline == at(135))
    watch.gameChanged(isOn: false, serverTime: begin, at: at(80))
    #expect(watch.nextDeadline == nil)
  }

  @Test("B120: each failure is counted once under its reason, and each reason is said once")
  func counts() {
    var watch = watching()
    _ = watch.deadlineReached(at: at(60))
    // The newest first, as the service gives them; the last one is from before the game.
    let first = [entry("c", code: 1), entry("b"), entry("a"), entry("old", after: -1)]
    #expect(
      watch.answered(.accepted(.pushLog(first)), at: at(60)) == [
        .newReason(code: 2, message: "message 2", advice: nil), .newReason(code: 1, message: "message 1", advice: nil),
      ])
    _ = watch.deadlineReached(at: at(120))
    #expect(watch.answered(.accepted(.pushLog([entry("d")] + first)), at: at(120)) == [])
    #expect(watch.reasons.map(\.code) == [2, 1] && watch.reasons.map(\.count) == [3, 1])
  }

  @Test("traps 30 and 31: two causes under one number are two reasons, each with the place to mend it")
  func causes() {
    var watch = watching()
    _ = watch.deadlineReached(at: at(60))
    let entries = ["FeatureNotEnabled", "BadDeviceToken", "BadDeviceToken"].enumerated().map {
      entry("e\($0)", code: 103_004, message: $1)
    }
    let notices = watch.answered(.accepted(.pushLog(entries)), at: at(60))
    #expect(watch.reasons.map(\.count) == [2, 1])
    #expect(watch.reasons.map { $0.advice?.contains("sandbox and production") } == [true, false])
    #expect(watch.reasons.last?.advice?.contains("developer portal") == true && notices.count == 2)
  }

  @Test("a key that may not read the log is told of once, and nothing more is asked")
  func notPermitted() {
    var watch = watching()
    _ = watch.deadlineReached(at: at(60))
    let refusal = Refusal(code: 40_160, status: 401, message: "no history", action: .stopAll)
    #expect(watch.answered(.refused(refusal), at: at(60)) == [.notPermitted("no history")])
    watch.gameChanged(isOn: true, serverTime: begin, at: at(61))
    #expect(watch.deadlineReached(at: at(9999)) == nil && watch.nextDeadline == nil && watch.word == "not-permitted")
  }

  @Test("a question that was under way at a reload does not close the log when the old key is refused")
  func askedBeforeTheReload() {
    var watch = watching()
    _ = watch.deadlineReached(at: at(60))
    watch.settingsChanged()
    let refusal = Refusal(code: 40_160, status: 401, message: "no history", action: .stopChannel)
    #expect(watch.answered(.refused(refusal), at: at(61)) == [] && watch.word == "reading")
    #expect(watch.deadlineReached(at: at(121)) == .pushLog(limit: 100))
    #expect(watch.answered(.refused(refusal), at: at(122)) == [.notPermitted("no history")])
  }

  @Test("reasons are bounded, however many the service invents")
  func bound() {
    var watch = watching()
    _ = watch.deadlineReached(at: at(60))
    let entries = (0..<100).map { (number: Int) in entry("e\(number)", code: number) }
    #expect(watch.answered(.accepted(.pushLog(entries)), at: at(60)).count == 32)
    #expect(watch.reasons.count == 32)
  }
}
