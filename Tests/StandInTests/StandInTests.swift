import Foundation
import GameCore
import Testing

@testable import StandIn

@Suite("The stand-in over real sockets", .enabled(if: Curl.program != nil, "curl is not installed"))
struct StandInTests {
  @Test("speaks HTTP/2 and HTTP/1.1 over TLS that only its own authority vouches for", arguments: [true, false])
  func protocols(http2: Bool) throws {
    try withStandIn { standIn throws in
      let curl = Curl(standIn: standIn, http2: http2)
      let reply = try curl.get()
      #expect(reply.status == 200)
      #expect(reply.version == (http2 ? "2" : "1.1"))
      #expect(JSON(reply.body.utf8)?.elements?.count == 1)
      #expect(standIn.requests.map(\.spoken) == [http2 ? "h2" : "http/1.1"])
      #expect(try Curl(standIn: standIn, http2: http2, trusts: false).get().exit == 60)
      _ = try curl.getTwice()
      #expect(standIn.requests.map(\.connection).suffix(2) == [2, 2])
      #expect(standIn.connectionCount == 3)
    }
  }

  @Test("a server that speaks HTTP/1.1 only is understood by a client that would like HTTP/2")
  func oldServer() throws {
    var options = StandIn.Options()
    options.http2 = false
    try withStandIn(options) { standIn throws in
      let reply = try Curl(standIn: standIn).get()
      #expect(reply.version == "1.1")
    }
  }

  @Test("a certificate that is not valid yet is one, and so is one for another name")
  func wrongCertificates() throws {
    var early = StandIn.Options()
    early.certificateDays = 1...2
    var foreign = StandIn.Options()
    foreign.certificateNames = ["somewhere.example"]
    for options in [early, foreign] {
      try withStandIn(options) { standIn throws in
        let reply = try Curl(standIn: standIn).get()
        #expect(reply.exit == 60)
      }
    }
  }

  @Test("one game from create to end: the phones show it, the broadcast is dead afterwards", arguments: [true, false])
  func game(http2: Bool) throws {
    try withStandIn { standIn throws in
      let curl = Curl(standIn: standIn, http2: http2)
      standIn.phones {
        $0.add(IPhone(deviceID: "fan", channels: ["live-ios:x"]))
        $0.add(AndroidPhone(deviceID: "other", channels: ["live-android:x"]))
      }
      let created = try curl.post("/push/apnsBroadcastChannels", #"{"messageStoragePolicy":0}"#)
      #expect(created.status == 201)
      let ids = try #require(JSON(created.body.utf8))
      let id = try #require(ids["id"]?.string)
      let path = "/push/apnsBroadcastChannels/\(id)"
      let now = Clock.now().wall.seconds
      let channel = try #require(ids["apnsChannelId"]?.string)
      #expect(try curl.post("\(path)/start", Bodies.start(channel, at: now)).status == 200)
      #expect(try curl.post("\(path)/broadcast", Bodies.update(at: now + 1)).status == 200)
      #expect(try curl.post("/channels/live-android%3Ax/messages", Bodies.message(id: "x-1:0", home: 98)).status == 201)
      #expect(try curl.post("\(path)/end", Bodies.update("end", at: now + 2)).status == 200)
      #expect(try curl.post("\(path)/broadcast", Bodies.update(at: now + 3)).status == 404)

      #expect(standIn.requests.map(\.call) == [.create, .start, .broadcast, .publish, .end, .broadcast])
      #expect(standIn.refusals.map(\.number) == [5])
      let phone = try #require(standIn.phones { $0[iPhone: "fan"] })
      #expect(phone.tiles.map(\.state.homeScore) == [98])
      #expect(phone.tiles.map(\.applied) == [3])
      #expect(phone.drops.isEmpty)
      #expect(standIn.phones { $0[android: "other"]?.card?.homeScore } == 98)
    }
  }

  @Test("answers on request: any status, HTML, Retry-After, the edge network; then the right one again")
  func answers() throws {
    try withStandIn { standIn throws in
      let curl = Curl(standIn: standIn)
      standIn.inject(.status(503, times: 2))
      let statuses = try [curl.get().status, curl.get().status, curl.get().status]
      #expect(statuses == [503, 503, 200])
      standIn.inject(Fault(.answer(.html(200)), times: 1))
      #expect(try curl.get().body.contains("<!DOCTYPE html>"))
      standIn.inject(Fault(.answer(.edge(429, code: 42922).retryAfter("7")), on: [.time]))
      #expect(try curl.get().status == 429)
      #expect(standIn.requests.last?.answer?.headers["server"] == "CloudFront")
      standIn.clearFaults()
      #expect(try curl.get().status == 200)
    }
  }

  @Test("breaks off on request, in both protocols", arguments: [true, false])
  func breaks(http2: Bool) throws {
    try withStandIn { standIn throws in
      let curl = Curl(standIn: standIn, http2: http2, seconds: 1)
      standIn.inject(Fault(.stall, times: 1))
      #expect(try curl.get().exit == 28)
      standIn.inject(Fault(.close, times: 1))
      let closed = try curl.get().exit
      #expect([16, 18, 52, 55, 56, 92].contains(closed))
      standIn.inject(Fault(.cut, times: 1))
      let cut = try curl.get().exit
      #expect([18, 56, 92].contains(cut))
      standIn.inject(Fault(.delay(.milliseconds(300)), times: 1))
      let before = Clock.now().instant
      #expect(try curl.get().status == 200)
      #expect(Clock.now().instant - before >= .milliseconds(300))
      standIn.inject(Fault(.slow(.milliseconds(300)), times: 1))
      #expect(try curl.get().status == 200)
      #expect(Clock.now().instant - before >= .milliseconds(600))
      standIn.inject(Fault(.freeze, times: 1))
      #expect(try curl.get().exit == 28)
      #expect(try curl.get().status == 200)
    }
  }

  @Test(
    "a fault keeps a request from the service or lets it through unseen, as the test says", arguments: [true, false])
  func processed(_ processed: Bool) throws {
    try withStandIn { standIn throws in
      standIn.phones { $0.add(AndroidPhone(deviceID: "a", channels: ["c"])) }
      standIn.inject(.status(504, on: [.publish], times: 1, processed: processed))
      let curl = Curl(standIn: standIn)
      #expect(try curl.post("/channels/c/messages", Bodies.message(id: "g-1:0")).status == 504)
      #expect(standIn.phones { $0[android: "a"]?.card != nil } == processed)
      #expect(try curl.post("/channels/c/messages", Bodies.message(id: "g-1:0")).status == 201)
      #expect(standIn.requests.map(\.duplicate) == [false, processed])
      #expect(standIn.phones { $0[android: "a"]?.shown.count } == 1)
    }
  }

  @Test("refuses connections, dies and comes back on the same port")
  func portClosed() throws {
    try withStandIn { standIn throws in
      let curl = Curl(standIn: standIn)
      standIn.refuseConnections()
      #expect(try curl.get().exit == 7)
      standIn.acceptConnections()
      #expect(try curl.get().status == 200)
      standIn.die()
      #expect(try curl.get().exit == 7)
      standIn.comeBack()
      #expect(try curl.get().status == 200)
      standIn.setSilent(true)
      #expect(try Curl(standIn: standIn, seconds: 0.5).get().exit == 28)
      standIn.setSilent(false)
      #expect(try curl.get().status == 200)
    }
  }

  @Test("waiting is bounded: nil when the requests never came")
  func bounded() throws {
    try withStandIn { standIn throws in
      #expect(standIn.wait(1, .time, within: .milliseconds(50)) == nil)
      _ = try Curl(standIn: standIn).get()
      #expect(standIn.wait(1, .time, within: .milliseconds(50))?.count == 1)
    }
  }
}
