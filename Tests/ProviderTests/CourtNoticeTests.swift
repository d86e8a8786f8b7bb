import Document
import GameCore
import Publishing
import Testing

@testable import Bridge

@Suite("What apps find on a court's channel") struct CourtNoticeTests {
  private func notice() -> CourtNotice { CourtNotice(channel: "scoreboard:riverside:main", run: "run-main") }
  private func at(_ seconds: Double) -> Instant { Instant(nanoseconds: Int64(seconds * 1e9)) }
  private func value(_ text: String) -> [UInt8] { Array("\"\(text)\"".utf8) }

  private func told(_ call: AblyCall?) -> (id: String?, text: String)? {
    guard case .publish("scoreboard:riverside:main", let messages) = call, messages.count == 1,
      case .json(let bytes) = messages[0].body, messages[0].push == nil
    else { return nil }
    return (messages[0].id, String(decoding: bytes, as: UTF8.self))
  }

  private let accepted = Verdict.accepted(.published(messageID: nil, serials: []))
  private let silence = Verdict.ambiguous(.unanswered(TransportFault(.timedOut, detail: "test")))

  @Test("one message is under way at a time, and only the newest value follows it")
  func newestWins() throws {
    var notice = notice()
    #expect(notice.next(at: at(0)) == nil, "nothing was wanted yet")
    notice.wants(value("a"))
    let first = try #require(told(notice.next(at: at(0))))
    for word in ["b", "c", "d"] {
      notice.wants(value(word))
      #expect(notice.next(at: at(1)) == nil)
    }
    #expect(notice.answered(accepted, at: at(2), random: 0) == nil)
    let second = try #require(told(notice.next(at: at(2))))
    #expect(first.text == #""a""# && second.text == #""d""#)
    #expect(first.id != second.id && second.id?.hasSuffix(":0") == true)
    _ = notice.answered(accepted, at: at(3), random: 0)
    notice.wants(value("d"))
    #expect(notice.next(at: at(4)) == nil, "the same value again is not told again")
  }

  @Test("a repeat keeps its id and waits; a value that comes back after another has an id of its own")
  func repeats() throws {
    var notice = notice()
    notice.wants(value("a"))
    let first = try #require(told(notice.next(at: at(0))))
    _ = notice.answered(silence, at: at(5), random: 0)
    #expect(notice.next(at: at(5)) == nil)
    let due = try #require(notice.nextDeadline)
    #expect(due > at(5) && due < at(7))
    let again = try #require(told(notice.next(at: due)))
    #expect(again == first)
    notice.wants(value("b"))
    _ = notice.answered(accepted, at: due, random: 0)
    _ = notice.next(at: due)
    notice.wants(value("a"))
    // Nobody knows whether b arrived, so a is told once more.
    _ = notice.answered(silence, at: due, random: 0)
    let later = try #require(notice.nextDeadline)
    let back = try #require(told(notice.next(at: later)))
    #expect(back.text == first.text && back.id != first.id)
  }

  @Test("a value that was not sent leaves what the channel says: going back to it needs no message")
  func notSent() throws {
    var notice = notice()
    notice.wants(value("a"))
    _ = notice.next(at: at(0))
    _ = notice.answered(accepted, at: at(0), random: 0)
    notice.wants(value("b"))
    _ = notice.next(at: at(1))
    _ = notice.answered(.notSent(TransportFault(.notConnected, detail: "test")), at: at(1), random: 0)
    notice.wants(value("a"))
    #expect(notice.next(at: at(100)) == nil && notice.nextDeadline == nil)
  }

  @Test("a sign of life ends the wait; a refusal for good is said once and the next value is tried again")
  func refusals() throws {
    var notice = notice()
    notice.wants(value("a"))
    _ = notice.next(at: at(0))
    _ = notice.answered(silence, at: at(0), random: 0)
    notice.providerReachable()
    #expect(notice.next(at: at(0)) != nil)
    let refusal = Refusal(code: 40160, status: 401, message: "not permitted", action: .stopChannel)
    #expect(notice.answered(.refused(refusal), at: at(1), random: 0)?.contains("not permitted") == true)
    #expect(notice.next(at: at(1000)) == nil)
    notice.wants(value("b"))
    #expect(notice.next(at: at(1000)) != nil)
  }
}
