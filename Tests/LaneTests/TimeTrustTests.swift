import Bridge
import GameCore
import Publishing
import Testing

@Suite("Whether the clock is believed")
struct TimeTrustTests {
  private static let now: Int64 = 1_796_432_400_000

  private func at(_ seconds: Int64, wall: Int64 = now) -> Moment {
    Moment(instant: Instant(nanoseconds: seconds * 1_000_000_000), wall: WallTime(milliseconds: wall + seconds * 1000))
  }

  @Test("nobody has spoken: untrusted; the kernel says in step: trusted")
  func kernel() {
    var trust = TimeTrust()
    #expect(trust.trust == .untrusted)
    #expect(trust.reason == "clock untrusted: the clock is not synchronised")
    #expect(trust.kernelSaid(isSynchronised: true, at: at(0)) == .trusted)
    #expect(trust.reason == nil)
    #expect(trust.kernelSaid(isSynchronised: false, at: at(10)) == .untrusted)
  }

  @Test(
    "a server's time outweighs the kernel: half a second is exact, a minute is usable, more is untrusted",
    arguments: [
      (400, true, ClockTrust.trusted), (400, false, .rough), (-900, true, .rough), (59_000, true, .rough),
      (61_000, true, .untrusted), (-61_000, false, .untrusted),
    ])
  func server(offset: Int64, synchronised: Bool, expected: ClockTrust) {
    var trust = TimeTrust()
    _ = trust.kernelSaid(isSynchronised: synchronised, at: at(0))
    _ = trust.serverSaid(WallTime(milliseconds: Self.now + 1000 - offset), roundTrip: .zero, at: at(1))
    #expect(trust.trust == expected)
  }

  @Test("an answer that took longer than two seconds says nothing; half of the way is taken off")
  func roundTrip() {
    var trust = TimeTrust()
    #expect(trust.serverSaid(WallTime(milliseconds: Self.now), roundTrip: .seconds(3), at: at(0)) == nil)
    #expect(trust.trust == .untrusted)
    _ = trust.kernelSaid(isSynchronised: true, at: at(1))
    // Sent at 0 s, answered at 2 s with the time at 1 s: the clock is right.
    _ = trust.serverSaid(WallTime(milliseconds: Self.now + 1000), roundTrip: .seconds(2), at: at(2))
    #expect(trust.trust == .trusted)
  }

  @Test("B81: a clock before the last stamp is untrusted until a server speaks, although the kernel is content")
  func behindLastStamp() {
    var trust = TimeTrust()
    _ = trust.stampGiven(WallTime(milliseconds: Self.now), at: at(0, wall: 0))
    _ = trust.kernelSaid(isSynchronised: true, at: at(0, wall: 0))
    #expect(trust.trust == .untrusted)
    #expect(trust.reason == "clock untrusted: clock 56 years behind the last stamp")
    #expect(trust.kernelSaid(isSynchronised: true, at: at(5)) == .trusted)
  }

  @Test("a jump of an unsynchronised clock is doubted until somebody speaks for it; what a server said moves along")
  func jumps() {
    var trust = TimeTrust()
    _ = trust.serverSaid(WallTime(milliseconds: Self.now), roundTrip: .zero, at: at(0))
    #expect(trust.trust == .rough)
    #expect(trust.looked(at: at(10, wall: Self.now - 3_600_000)) == .untrusted)
    #expect(trust.doubt == .offBy(.seconds(-3600)))
    #expect(trust.looked(at: at(20)) == .rough, "set back to what the server had said")
  }

  @Test("B82: a refused certificate in 1970 is called by its cause, and the time's return is told at once")
  func certificate() {
    var trust = TimeTrust()
    #expect(trust.reasonForRefusedCertificate(at: at(0, wall: 0)) == "clock wrong by 56 years or more")
    _ = trust.serverSaid(WallTime(milliseconds: Self.now), roundTrip: .zero, at: at(0, wall: 0))
    #expect(trust.reasonForRefusedCertificate(at: at(0, wall: 0)) == "clock wrong by 56 years")
    #expect(trust.kernelSaid(isSynchronised: true, at: at(1)) == .trusted)
    #expect(trust.reasonForRefusedCertificate(at: at(2)) == "certificate refused")
  }

  @Test(
    "B82, B87: three refused certificates and the time comes: the lane tries again in that very turn, like any other")
  func retryAfterSync() {
    var story = Story(trust: .untrusted, at: 0)
    let refused = Verdict.notSent(TransportFault(.certificateRefused, detail: "not yet valid"))
    story.answers = [refused, refused, refused]
    story.open()
    for _ in 1...2 {
      story.pass(.seconds(30))
      #expect(story.lane.waitsForProbe)
      story.tell(.providerReachable)
    }
    #expect(story.calls() == ["create", "create", "create"])
    story.stepWall(.seconds(1_796_432_400))
    story.tell(.trustChanged(.trusted))
    #expect(story.calls() == ["create", "create", "create", "create", "start"])
  }
}
