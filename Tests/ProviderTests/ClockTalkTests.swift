import GameCore
import Publishing
import Testing

@testable import Bridge

@Suite("The engine and a clock that is wrong") struct ClockTalkTests {
  @Test(
    "B82, B87: certificates of the future in 1970 are told as the clock's fault, and the time's return is used at once")
  func certificates() throws {
    var talk = try EngineTalk()
    talk.stepWall(.seconds(-1_796_431_800))
    talk.fault = TransportFault(.certificateRefused, detail: "certificate is not yet valid")
    talk.restart(clockIsInStep: false)
    talk.press("h")
    talk.pass(.seconds(10))
    let reason = talk.status?["courts"]?.elements?.first?["outbox"]?.elements?.first?["reason"]?.text
    #expect(reason?.contains("clock") == true, "\(reason ?? "none")")
    let answers = talk.log.filter { $0.event.hasPrefix("push ") }.flatMap(\.fields).filter { $0.key == "answer" }
    #expect(
      answers.contains { $0.value.hasPrefix("clock wrong by 55 years or more: certificate is not yet valid") },
      "\(answers.map(\.value))")
    #expect(talk.status?["reasons"]?.elements?.contains { $0["code"]?.text == "clock-untrusted" } == true)

    talk.fault = nil
    talk.stepWall(.seconds(1_796_431_800))
    let before = talk.sent.count
    talk.check(clockIsInStep: true)
    talk.pass(.seconds(2))
    let kinds = talk.sent[before...].map(EngineTalk.kind)
    #expect(kinds.contains("start") || kinds.contains("create"))
    #expect(kinds.contains("android"))
  }

  @Test("a certificate that is refused while the clock is good is not blamed on the clock")
  func goodClock() throws {
    var talk = try EngineTalk()
    talk.fault = TransportFault(.certificateRefused, detail: "self-signed")
    talk.press("h")
    talk.pass(.seconds(5))
    let answers = talk.log.filter { $0.event.hasPrefix("push ") }.flatMap(\.fields).filter { $0.key == "answer" }
    #expect(!answers.isEmpty && answers.allSatisfy { $0.value == "certificate refused: self-signed" })
  }
}
