import GameCore
import Testing

@testable import Publishing

@Suite("Ably hosts and fallback") struct AblyHostTests {
  let publish = AblyCall.publish(channel: "games:lal-bos", [Fixture.android().message])

  @Test(
    "an endpoint names its hosts",
    arguments: [
      ("case 1: none", nil, "main.realtime.ably.net", "main.{}.fallback.ably-realtime.com"),
      ("main is none", "main", "main.realtime.ably.net", "main.{}.fallback.ably-realtime.com"),
      ("case 2", "acme", "acme.realtime.ably.net", "acme.{}.fallback.ably-realtime.com"),
      (
        "case 3", "nonprod:sandbox", "sandbox.realtime.ably-nonprod.net",
        "sandbox.{}.fallback.ably-realtime-nonprod.com"
      ),
      ("an address", "127.0.0.1", "127.0.0.1", nil), ("IPv6", "::1", "::1", nil),
      ("a name", "ably.example.com", "ably.example.com", nil), ("localhost", "localhost", "localhost", nil),
    ] as [(String, String?, String, String?)])
  func hosts(claim: String, endpoint: String?, primary: String, pattern: String?) throws {
    let hosts = try AblyHosts(endpoint: endpoint)
    #expect(hosts.primary == primary)
    #expect(hosts.scheme == "https" && hosts.port == 443)
    let expected = pattern.map { pattern in
      ["a", "b", "c", "d", "e"].map { pattern.split(separator: "{}").joined(separator: $0) }
    }
    #expect(hosts.fallbacks == expected ?? [])
  }

  @Test("a list of one's own replaces the fallbacks, an own port drops them, and an empty name is refused")
  func ownFallbacks() throws {
    #expect(try AblyHosts(endpoint: "127.0.0.1", fallbacks: ["a.example"]).fallbacks == ["a.example"])
    #expect(try AblyHosts(fallbacks: []).fallbacks == [])
    #expect(try AblyHosts(port: 8443).fallbacks == [])
    #expect(try AblyHosts(fallbacks: ["a.example"], port: 8443).fallbacks == ["a.example"])
    #expect(throws: LocalRefusal.self) { try AblyHosts(fallbacks: [""]) }
    #expect(throws: LocalRefusal.self) { try AblyHosts(endpoint: "") }
  }

  @Test("case 1: without an endpoint the first request goes to the main host")
  func first() throws {
    var talk = try Conversation()
    _ = talk.call(.time, .answered(.json(200, "[1767225600123]")))
    #expect(talk.hosts == ["main.realtime.ably.net"])
    #expect(talk.requests[0].scheme == "https" && talk.requests[0].port == 443)
  }

  @Test("case 4: an endpoint without fallbacks hands its error back and pins nothing")
  func noFallback() throws {
    var talk = try Conversation(endpoint: "127.0.0.1")
    let outcome = talk.call(publish, .error(500, 50000))
    #expect(talk.hosts == ["127.0.0.1"])
    #expect(outcome.verdict.refusal?.code == 50000 && outcome.verdict.refusal?.status == 500)
    #expect(talk.client.pin == nil)
  }

  @Test("case 5: a fallback is sent the same bytes, only the host differs")
  func sameBytes() throws {
    var talk = try Conversation()
    let outcome = talk.call(publish, .status(503), .answered(.json(201, "{}")))
    #expect(outcome.verdict.isAccepted && outcome.attempts == 2)
    #expect(talk.hosts.count == 2 && talk.hosts[0] == "main.realtime.ably.net")
    #expect(try AblyHosts().fallbacks.contains(talk.hosts[1]))
    var second = talk.requests[1]
    second.host = talk.hosts[0]
    #expect(second == talk.requests[0])
  }

  @Test("case 6: the good fallback is asked first for ten minutes, then the main host again")
  func pin() throws {
    var talk = try Conversation()
    _ = talk.call(publish, .status(503), .answered(.json(201, "{}")))
    let good = talk.hosts[1]
    #expect(talk.client.preferredHost(at: talk.now.instant) == good)
    talk.pass(.milliseconds(599_999))
    _ = talk.call(publish, .answered(.json(201, "{}")))
    #expect(talk.hosts == [good])
    talk.pass(.milliseconds(2))
    _ = talk.call(publish, .answered(.json(201, "{}")))
    #expect(talk.hosts == ["main.realtime.ably.net"])
  }

  @Test("a pinned host that fails loses its pin, and the round begins at the main host with fresh counters")
  func pinLost() throws {
    var talk = try Conversation()
    _ = talk.call(publish, .status(503), .answered(.json(201, "{}")))
    let outcome = talk.call(publish, .status(503))
    #expect(talk.requests.count == 5 && outcome.attempts == 5)
    #expect(talk.hosts[1] == "main.realtime.ably.net")
    #expect(talk.client.pin == nil)
  }

  @Test("an answer that is not the host's fault neither makes a pin nor renews it")
  func pinOnlyOnSuccess() throws {
    var talk = try Conversation()
    _ = talk.call(publish, .status(503), .error(400, 40000))
    #expect(talk.client.pin == nil)
    _ = talk.call(publish, .status(503), .answered(.json(201, "{}")))
    let pin = talk.client.pin
    talk.pass(.seconds(60))
    _ = talk.call(publish, .answered(.json(201, "{}")))
    #expect(talk.client.pin == pin)
  }

  @Test("case 7: four hosts are asked, all different, and the last error is told", arguments: [1, 2, 3, 4, 5])
  func all(seed: UInt64) throws {
    var talk = try Conversation(seed: seed)
    let outcome = talk.call(publish, .error(500, 50000))
    #expect(talk.requests.count == 4 && Set(talk.hosts).count == 4)
    #expect(talk.hosts[0] == "main.realtime.ably.net")
    #expect(outcome.verdict.refusal?.code == 50000 && outcome.verdict.refusal?.status == 500)
    #expect(outcome.verdict.refusal?.action == .fallback)
  }

  @Test(
    "case 8: an answer that no other host would change is asked for once",
    arguments: [(400, 40000), (401, 40101), (403, 40300), (404, 40400), (413, 40009), (429, 42910), (505, 50000)])
  func once(status: Int, code: Int) throws {
    var talk = try Conversation()
    let outcome = talk.call(publish, .error(status, code))
    #expect(talk.requests.count == 1)
    #expect(outcome.verdict.refusal?.code == code)
  }

  @Test("case 9: a refusal of the edge network is the host's fault, but not a 429 of it")
  func edge() throws {
    var talk = try Conversation()
    let edge = [HTTPHeader("server", "cloudfront")]
    let start = AblyCall.start(Fixture.broadcast, audience: .channels(["c"]), Fixture.start())
    let outcome = talk.call(start, .answered(HTTPResponse(status: 403, headers: edge)), .status(201))
    #expect(talk.requests.count == 2 && outcome.verdict.isAccepted)
    _ = talk.call(publish, .answered(HTTPResponse(status: 429, headers: edge)))
    #expect(talk.requests.count == 1)
  }

  @Test(
    "case 10: a host that cannot be reached or does not answer sends us to a fallback",
    arguments: [
      TransportResult.refusedConnection, .connectTimedOut, .timedOut,
      .notSent(TransportFault(.nameNotResolved, detail: "")), .notSent(TransportFault(.tlsFailed, detail: "")),
      .ambiguous(TransportFault(.connectionLost, detail: "")),
    ])
  func unreachable(result: TransportResult) throws {
    var talk = try Conversation()
    let outcome = talk.call(publish, result, .answered(.json(201, "{}")))
    #expect(talk.requests.count == 2 && outcome.verdict.isAccepted)
    #expect(outcome.unsureAttempts == (result.isUnsure ? 1 : 0))
  }

  @Test("case 11: a certificate that is not trusted ends the call, and no other host is asked")
  func certificate() throws {
    var talk = try Conversation()
    let fault = TransportFault(.certificateRefused, detail: "self-signed")
    let outcome = talk.call(publish, .notSent(fault))
    #expect(talk.requests.count == 1)
    #expect(outcome.verdict == .notSent(fault))
  }

  @Test("B121: when every host hangs the call ends by its one deadline, a tenth of tolerance included")
  func deadline() throws {
    for (timeout, limit) in [(10, 15), (5, 15), (5, 10), (2, 15)] {
      var settings = try Fixture.settings()
      settings.requestTimeout = .seconds(timeout)
      settings.maxRetryDuration = .seconds(limit)
      var talk = Conversation(settings)
      let began = talk.now.instant
      let outcome = talk.call(publish, .timedOut)
      #expect(talk.now.instant - began <= .milliseconds(limit * 1100))
      #expect(outcome.verdict.isAmbiguous)
      #expect(talk.timeouts[0] == .seconds(timeout))
    }
  }

  @Test("after the longest retry no further host is tried, and the outcome says so")
  func outOfTime() throws {
    var talk = try Conversation()
    var unsure = talk.call(publish, .timedOut)
    #expect(talk.requests.count == 2)
    #expect(unsure.verdict.refusal?.code == 50003 && unsure.verdict.refusal?.status == 500)
    unsure = talk.call(publish, .connectTimedOut)
    #expect(unsure.verdict.isNotSent)
  }

  @Test("case 31, trap 11: a start that may have been processed is never repeated; one that was not finds a fallback")
  func start() throws {
    let start = AblyCall.start(Fixture.broadcast, audience: .channels(["c"]), Fixture.start())
    for result in [TransportResult.timedOut, .status(500), .status(502), .status(504), .error(503, 50003)] {
      var talk = try Conversation()
      let outcome = talk.call(start, result)
      #expect(talk.requests.count == 1 && outcome.verdict.isAmbiguous && outcome.unsureAttempts == 1)
    }
    var talk = try Conversation()
    let outcome = talk.call(start, .refusedConnection, .status(201))
    #expect(talk.requests.count == 2 && outcome.verdict.isAccepted)
  }

  @Test("B106: a start whose pinned host goes silent is not repeated, and the pin is gone all the same")
  func startOnPin() throws {
    var talk = try Conversation()
    _ = talk.call(publish, .status(503), .answered(.json(201, "{}")))
    let outcome = talk.call(.start(Fixture.broadcast, audience: .device("D1"), Fixture.start()), .timedOut)
    #expect(talk.requests.count == 1 && outcome.verdict.isAmbiguous && talk.client.pin == nil)
  }

  @Test("each call repeats what perhaps was processed as its own rule says")
  func unsure() throws {
    let device = AblyCall.publishToDevice(id: "D1", Fixture.android(event: .start, alert: Fixture.alert))
    let rows: [(AblyCall, Int)] = [
      (.create(.newest), 2), (.update(Fixture.broadcast, Fixture.update()), 4),
      (.update(Fixture.broadcast, Fixture.update(alert: Fixture.alert)), 1),
      (.end(Fixture.broadcast, Fixture.end()), 4), (publish, 4),
      (.publishToDevice(id: "D1", Fixture.android()), 4), (device, 1), (.time, 4), (.pushLog(limit: 1), 4),
    ]
    for (call, attempts) in rows {
      var talk = try Conversation()
      _ = talk.call(call, .status(500))
      #expect(talk.requests.count == attempts, "\(call.name)")
      _ = talk.call(call, .refusedConnection)
      #expect(talk.requests.count == 4, "\(call.name), certainly not processed")
    }
  }

  @Test("an update that newer news is waiting behind is not repeated")
  func newer() throws {
    var talk = try Conversation()
    talk.newerWaits = true
    let outcome = talk.call(.update(Fixture.broadcast, Fixture.update()), .status(502))
    #expect(talk.requests.count == 1 && outcome.verdict.isAmbiguous)
  }

  @Test("a create without an answer is repeated once, and both attempts are counted as perhaps leaked")
  func create() throws {
    var talk = try Conversation()
    let outcome = talk.call(.create(.newest), .timedOut, .refusedConnection, .refusedConnection, .refusedConnection)
    #expect(outcome.verdict.isAmbiguous && outcome.unsureAttempts == 1)
    let second = talk.call(.create(.newest), .timedOut, .timedOut, .status(201))
    #expect(talk.requests.count == 2 && second.unsureAttempts == 2)
  }

  @Test("the end of a broadcast that is gone is done")
  func endGone() throws {
    var talk = try Conversation()
    let end = AblyCall.end(Fixture.broadcast, Fixture.end())
    #expect(talk.call(end, .status(502), .error(404, 40400)).verdict == .accepted(.alreadyEnded))
    #expect(talk.call(end, .status(410)).verdict == .accepted(.alreadyEnded))
    #expect(talk.call(end, .error(400, 40000)).verdict.refusal?.action == .bug)
  }

  @Test("under the letter of the client spec, where it is asked for, the edge's 429 goes to a fallback")
  func strict() throws {
    var settings = try Fixture.settings()
    settings.strictSpecFallback = true
    var talk = Conversation(settings)
    _ = talk.call(
      publish, .answered(HTTPResponse(status: 429, headers: [HTTPHeader("Server", "CloudFront")])), .status(201))
    #expect(talk.requests.count == 2)
  }

  @Test("two calls may be under way at once, and each gets its own answer")
  func twoCalls() throws {
    var talk = try Conversation()
    let first = talk.begin(publish)
    let second = talk.begin(.time)
    guard case .attempt(let one)? = first.first, case .attempt(let two)? = second.first else {
      Issue.record("two attempts expected")
      return
    }
    guard case .finished(let number, let outcome)? = talk.answer(two, .answered(.json(200, "[5]"))).first else {
      Issue.record("an outcome expected")
      return
    }
    #expect(number == two.call && outcome.verdict == .accepted(.time(WallTime(milliseconds: 5))))
    #expect(talk.answer(one, .status(201)).count == 1)
    #expect(talk.client.flights.isEmpty)
  }
}

extension TransportResult {
  fileprivate var isUnsure: Bool {
    if case .ambiguous = self { true } else { false }
  }
}
