import Outbox
import Testing

@Suite("Backoff and budget")
struct BackoffTests {
  @Test("waits double up to half a minute, moved by a quarter at most")
  func doubling() {
    var least = Backoff()
    var most = Backoff()
    let seconds = [1, 2, 4, 8, 16, 30, 30]
    for expected in seconds {
      #expect(least.refused(asked: nil, least: nil, random: 0) == .milliseconds(expected * 750))
      #expect(most.refused(asked: nil, least: nil, random: 50) == .milliseconds(expected * 1250))
    }
  }
}
