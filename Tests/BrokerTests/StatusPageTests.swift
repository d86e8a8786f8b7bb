import GameCore
import Testing

@testable import Bridge
@testable import scoreboard_bridge

@Suite struct StatusPageTests {
  private static let now = WallTime(milliseconds: 1_796_000_000_000)

  private func page(_ health: String = "ok", age: Int64 = 5, availability: String? = "online", trouble: String? = nil)
    -> StatusPage
  {
    let at = WallTime(milliseconds: Self.now.milliseconds - age * 1000).iso8601
    let status = #"{"health":"\#(health)","venue":"Riverside Arena","software":"1","heartbeatS":60,"at":"\#(at)"}"#
    return StatusPage(
      StatusHeard(availability: availability, status: Array(status.utf8), trouble: trouble), now: Self.now)
  }

  @Test("only a fresh ok of a daemon that is online is healthy")
  func healthy() {
    #expect(page().isHealthy && page(age: 120).isHealthy && page(age: -120).isHealthy)
    #expect(page(availability: nil).isHealthy, "over HTTP the answer is proof enough")
    for doubtful in [
      page("degraded"), page("down"), page("fine"), page(age: 121), page(age: -121), page(age: 86_400),
      page(age: -86_400), page(availability: "offline"), page(availability: "lost"), page(availability: "ONLINE"),
      page(trouble: "the broker does not answer"),
    ] {
      #expect(!doubtful.isHealthy, "\(doubtful.text)")
    }
  }

  @Test("an ok that nobody can vouch for is not printed as one")
  func unknown() {
    #expect(page(availability: "lost").text.hasPrefix("UNKNOWN"))
    #expect(page(age: 121).text.contains("121 s old"))
    #expect(page(age: -121).text.contains("121 s from now"))
    #expect(StatusPage(StatusHeard(status: Array("{}".utf8)), now: Self.now).text.hasPrefix("UNKNOWN"))
  }

  @Test("another broker on the command line keeps the login's protection")
  func otherBroker() {
    var tls = MQTTConfig.TLS()
    tls.caFile = "/ca"
    var mqtt = MQTTConfig()
    mqtt.brokers = [.init(host: "a", port: 8883, tls: tls), .init(host: "b", port: 1883)]
    for (host, isProtected) in [("a", true), ("b", false), ("c", true)] {
      var other = mqtt
      other.use(HostPort(host: host, port: 9000))
      #expect(other.brokers == [.init(host: host, port: 9000, tls: isProtected ? tls : nil)])
    }
    var none = MQTTConfig()
    none.use(HostPort(host: "c", port: 1883))
    #expect(none.brokers == [.init(host: "c", port: 1883)])
  }
}
