import Foundation
import GameCore
import Publishing
import Testing

@testable import Platform

/// A client on a loop, and one call at a time.
final class RunningClient {
  let loop: EventLoop
  let client: HTTPClient

  init(caFile: String? = nil) throws {
    loop = try EventLoop()
    client = try HTTPClient(loop: loop, caFile: caFile)
  }

  func call(
    _ request: HTTPRequest, options: HTTPClient.Options = .init(openTimeout: .seconds(5), deadline: .seconds(10))
  ) throws -> (result: TransportResult, timing: HTTPClient.Timing) {
    let answers = Gathered<(TransportResult, HTTPClient.Timing)>()
    client.send(request, options: options) { answers.items.append(($0, $1)) }
    #expect(answers.items.isEmpty, "a completion never comes before send has returned")
    try loop.turn { !answers.items.isEmpty }
    return answers.items[0]
  }
}

/// A push to a port of this machine, with a secret in each place where one may be.
func push(
  to port: Int, scheme: String = "http", host: String = "127.0.0.1", method: String = "POST",
  target: String = "/push?key=SECRET", body: String = "the body SECRET"
) -> HTTPRequest {
  HTTPRequest(
    method: method, scheme: scheme, host: host, port: port, target: target,
    headers: [HTTPHeader("Authorization", "Basic SECRET"), HTTPHeader("Content-Type", "application/json")],
    body: [UInt8](body.utf8))
}

/// A result without its words.
enum Kind: Hashable {
  case answered(Int)
  case notSent(TransportFault.Reason)
  case ambiguous(TransportFault.Reason)

  init(_ result: TransportResult) {
    switch result {
    case .answered(let response): self = .answered(response.status)
    case .notSent(let fault): self = .notSent(fault.reason)
    case .ambiguous(let fault): self = .ambiguous(fault.reason)
    }
  }

  var isTimeOut: Bool { self == .notSent(.timedOut) || self == .ambiguous(.timedOut) }
}

struct PeerStory: CustomTestStringConvertible, Sendable {
  var testDescription: String
  var kind: Kind
  var scheme = "http"
  var script: @Sendable (ScriptedConnection) -> Void

  static let all = [
    PeerStory(testDescription: "answers", kind: .answered(201)) {
      _ = $0.readRequest()
      $0.write("HTTP/1.1 201 Created\r\nContent-Length: 2\r\n\r\n{}")
    },
    PeerStory(testDescription: "says 100 first, then answers", kind: .answered(200)) {
      _ = $0.readRequest()
      $0.write("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    },
    PeerStory(testDescription: "redirects, which nobody follows", kind: .answered(302)) {
      _ = $0.readRequest()
      $0.write("HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\n\r\n")
    },
    PeerStory(testDescription: "B106: closes after the request's body", kind: .ambiguous(.connectionLost)) {
      _ = $0.readRequest()
    },
    PeerStory(testDescription: "resets after the request's body", kind: .ambiguous(.connectionLost)) {
      _ = $0.readRequest()
      $0.reset()
    },
    PeerStory(testDescription: "closes in the middle of its answer", kind: .ambiguous(.connectionLost)) {
      _ = $0.readRequest()
      $0.write("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
    },
    PeerStory(testDescription: "answers something that is not HTTP", kind: .ambiguous(.connectionLost)) {
      _ = $0.readRequest()
      $0.write("SSH-2.0-OpenSSH_9.2\r\n")
    },
    PeerStory(testDescription: "reads and says nothing", kind: .ambiguous(.timedOut)) { $0.waitForEnd() },
    PeerStory(testDescription: "never begins TLS", kind: .notSent(.timedOut), scheme: "https") { $0.waitForEnd() },
    PeerStory(testDescription: "speaks plain where TLS is due", kind: .notSent(.tlsFailed), scheme: "https") {
      $0.write("HTTP/1.1 400 Bad Request\r\n\r\n")
      $0.waitForEnd()
    },
  ]
}

@Suite("The HTTP client") struct HTTPClientTests {
  @Test("what a peer does decides whether a request may be repeated", arguments: PeerStory.all)
  func peers(story: PeerStory) throws {
    let server = try ScriptedServer { connection, _ in story.script(connection) }
    let deadline: Duration = story.kind.isTimeOut ? .milliseconds(300) : .seconds(10)
    let (result, _) = try RunningClient().call(
      push(to: server.port, scheme: story.scheme), options: .init(openTimeout: deadline, deadline: deadline))
    #expect(Kind(result) == story.kind)
    #expect(!"\(result)".contains("SECRET"))
  }

  @Test("nothing was sent when nobody listens, no such name exists, or the request cannot be written")
  func notSent() throws {
    // A label of 70 characters cannot exist, and no name server needs to be asked.
    let client = try RunningClient()
    #expect(Kind(try client.call(push(to: freePort())).result) == .notSent(.notConnected))
    #expect(
      Kind(try client.call(push(to: 80, host: String(repeating: "a", count: 70))).result) == .notSent(.nameNotResolved))
    var broken = push(to: 80)
    broken.headers.append(HTTPHeader("X-Name", "two\nlines"))
    #expect(Kind(try client.call(broken).result) == .notSent(.notConnected))
  }

  @Test(
    "B128: a name lookup that never answers ends at the deadline, and the loop goes on meanwhile",
    .enabled(if: SilentResolver.isPossible, "needs root, not in a chroot, to give one thread a name server of its own"))
  func hangingLookup() throws {
    let outcome = try SilentResolver.run { resolver in
      let client = try RunningClient()
      var (ticks, last, longestGap) = (0, SystemClock.now().instant, Duration.zero)
      var timer: LoopTimer?
      timer = client.loop.timer {
        let now = SystemClock.now().instant
        (ticks, last, longestGap) = (ticks + 1, now, max(longestGap, now - last))
        timer?.set(after: .milliseconds(20))
      }
      timer?.set(after: .milliseconds(20))
      defer { timer?.cancel() }
      let options = HTTPClient.Options(openTimeout: .milliseconds(300), deadline: .milliseconds(300))
      let result = try client.call(push(to: 80, host: "hangs.example"), options: options).result
      try client.loop.turn { ticks > 20 }
      return (kind: Kind(result), longestGap: longestGap, asked: resolver.wasAsked)
    }
    #expect(outcome.kind == .notSent(.timedOut))
    #expect(outcome.asked)
    // The resolver is silent for 30 s; a loop that waited for it would have stood still as long.
    #expect(outcome.longestGap < .seconds(15))
  }

  @Test("the request on the wire is ours to the byte")
  func wire() throws {
    let server = try ScriptedServer { connection, _ in
      while connection.readRequest() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    }
    let client = try RunningClient()
    _ = try client.call(push(to: server.port, target: "/a%2Fb/../c?d=%20", body: "{}"))
    _ = try client.call(push(to: server.port, method: "GET", target: "/time", body: ""))
    _ = try client.call(push(to: server.port, method: "DELETE", target: "/x", body: ""))
    _ = try client.call(push(to: server.port, method: "PATCH", target: "/x", body: "[1]"))
    _ = try client.call(push(to: server.port, method: "POST", target: "/x", body: ""))
    let common = "Host: 127.0.0.1:\(server.port)\r\nAccept: */*\r\nAuthorization: Basic SECRET\r\n"
    let type = "Content-Type: application/json\r\n"
    #expect(
      server.received == [
        "POST /a%2Fb/../c?d=%20 HTTP/1.1\r\n\(common)\(type)Content-Length: 2\r\n\r\n{}",
        "GET /time HTTP/1.1\r\n\(common)\(type)\r\n",
        "DELETE /x HTTP/1.1\r\n\(common)\(type)\r\n",
        "PATCH /x HTTP/1.1\r\n\(common)\(type)Content-Length: 3\r\n\r\n[1]",
        "POST /x HTTP/1.1\r\n\(common)\(type)Content-Length: 0\r\n\r\n",
      ])
  }

  @Test("a second request uses the warm connection and has left when send returns")
  func warm() throws {
    let server = try ScriptedServer { connection, _ in
      while connection.readRequest() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    }
    let client = try RunningClient()
    #expect(try client.call(push(to: server.port)).timing.usedWarmConnection == false)
    let answers = Gathered<HTTPClient.Timing>()
    client.client.send(push(to: server.port)) { answers.items.append($1) }
    // No turn of the loop: only the server's thread runs now.
    for _ in 0..<1000 where server.received.count < 2 { usleep(5000) }
    #expect(server.received.count == 2)
    try client.loop.turn { !answers.items.isEmpty }
    #expect(answers.items[0].usedWarmConnection)
    let fresh = try client.call(push(to: server.port), options: .init(freshConnection: true))
    #expect(!fresh.timing.usedWarmConnection)
  }

  @Test("B106: a request lost on a warm connection is not silently sent again, and those after it go through")
  func noSilentRepeat() throws {
    let server = try ScriptedServer { connection, index in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      if index == 0 { _ = connection.readRequest() } else { connection.waitForEnd() }
    }
    let client = try RunningClient()
    #expect(Kind(try client.call(push(to: server.port)).result) == .answered(200))
    #expect(Kind(try client.call(push(to: server.port, target: "/start")).result) == .ambiguous(.connectionLost))
    #expect(Kind(try client.call(push(to: server.port)).result) == .answered(200))
    #expect(server.received.filter { $0.hasPrefix("POST /start") }.count == 1)
  }

  @Test("B106: a connection that the server closed while it was idle costs nothing")
  func idleClosed() throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    }
    let client = try RunningClient()
    for count in 1...3 {
      #expect(Kind(try client.call(push(to: server.port)).result) == .answered(200))
      try client.loop.turn { server.closedCount == count }
    }
    #expect(server.received.count == 3)
  }

  @Test("after a time-out no connection of before is used again, not even one that was idle")
  func freshAfterTimeout() throws {
    let pairs = Locked(0)
    let server = try ScriptedServer { connection, _ in
      while let request = connection.readRequest() {
        if request.hasPrefix("POST /slow") { continue }
        // These two wait for each other, so that each has a connection of its own.
        if request.hasPrefix("POST /pair") {
          pairs.withLock { $0 += 1 }
          while pairs.withLock({ $0 < 2 }) { usleep(1000) }
        }
        connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
      }
    }
    let client = try RunningClient()
    let answers = Gathered<Kind>()
    // From its first answer curl knows that this server takes one request at a time on a connection.
    _ = try client.call(push(to: server.port))
    for _ in 0..<2 {
      client.client.send(push(to: server.port, target: "/pair")) { result, _ in answers.items.append(Kind(result)) }
    }
    try client.loop.turn { answers.items.count == 2 }
    let slow = try client.call(push(to: server.port, target: "/slow"), options: .init(deadline: .milliseconds(200)))
    #expect(Kind(slow.result) == .ambiguous(.timedOut) && slow.timing.usedWarmConnection)
    let next = try client.call(push(to: server.port))
    #expect(Kind(next.result) == .answered(200) && !next.timing.usedWarmConnection)
    #expect(try client.call(push(to: server.port)).timing.usedWarmConnection)
  }

  @Test("a request that is given up is told so, and says whether it may have got through")
  func cancel() throws {
    let server = try ScriptedServer { connection, _ in
      if connection.readRequest() != nil { connection.waitForEnd() }
    }
    let client = try RunningClient()
    let results = Gathered<Kind>()
    let sent = client.client.send(push(to: server.port)) { result, _ in results.items.append(Kind(result)) }
    try client.loop.turn { server.received.count == 1 }
    client.client.cancel(sent)
    let unsent = client.client.send(push(to: server.port, scheme: "https")) { result, _ in
      results.items.append(Kind(result))
    }
    client.client.cancel(unsent)
    client.client.cancel(unsent)
    #expect(results.items.isEmpty)
    try client.loop.turn { results.items.count == 2 }
    #expect(results.items == [.ambiguous(.cancelled), .notSent(.cancelled)])
  }

  @Test("B100: a captive portal's page arrives with its content type, a long answer only up to the bound")
  func portal() throws {
    let server = try ScriptedServer { connection, _ in
      _ = connection.readRequest()
      connection.write("HTTP/1.1 200 OK\r\ncontent-type:  text/html \r\nContent-Length: 100000\r\n\r\n")
      connection.write([UInt8](repeating: 60, count: 100_000))
    }
    guard case .answered(let response) = try RunningClient().call(push(to: server.port)).result else {
      throw WaitedInVain()
    }
    #expect(response.header("Content-Type") == "text/html")
    #expect(response.body.count == 65536)
  }
}

@Suite("TLS of the HTTP client", .enabled(if: TestTLS.isPresent, "needs the openssl program"))
struct HTTPClientTLSTests {
  @Test("a good certificate is accepted")
  func good() throws {
    let tls = try TestTLS()
    let server = try TLSServer(certificate: tls.certificate("good", for: "DNS:localhost"))
    let client = try RunningClient(caFile: tls.caFile)
    let (result, timing) = try client.call(
      push(to: server.port, scheme: "https", host: "localhost", method: "GET", body: ""))
    #expect(Kind(result) == .answered(200))
    #expect(timing.secured > .zero)
  }

  @Test(
    "a certificate that is not good stops everything before a byte of the request is sent",
    arguments: ["unknown authority", "wrong name", "expired"])
  func refused(defect: String) throws {
    let tls = try TestTLS()
    let names = defect == "wrong name" ? "DNS:other.example" : "DNS:localhost"
    let certificate = try tls.certificate("bad", for: names, days: defect == "expired" ? -1 : 2)
    let server = try TLSServer(certificate: certificate, arguments: [])
    let client = try RunningClient(caFile: defect == "unknown authority" ? tls.strangerFile() : tls.caFile)
    let (result, _) = try client.call(push(to: server.port, scheme: "https", host: "localhost"))
    guard case .notSent(let fault) = result else { throw WaitedInVain() }
    #expect(fault.reason == .certificateRefused)
    #expect(fault.detail.contains("(curl 60)"))
    if defect == "expired" { #expect(fault.detail.contains("expired")) }
    #expect(!server.received.contains("SECRET") && !fault.detail.contains("SECRET"))
  }

  @Test("a client goes while its connection is warm, though the server never answers its goodbye")
  func goesWhileWarm() throws {
    let tls = try TestTLS()
    let server = try TLSServer(certificate: tls.certificate("good", for: "DNS:localhost"), arguments: [])
    var client: RunningClient? = try RunningClient(caFile: tls.caFile)
    let loop = try #require(client?.loop)
    let answers = Gathered<Kind>()
    client?.client.send(push(to: server.port, scheme: "https", host: "localhost")) { result, _ in
      answers.items.append(Kind(result))
    }
    try loop.turn { server.received.contains("the body SECRET") }
    server.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
    try loop.turn { !answers.items.isEmpty }
    #expect(answers.items == [.answered(200)])
    server.freeze()
    client = nil
    // A socket that was still watched would call whom there is no more.
    try loop.turn(until: SystemClock.now().instant)
  }

  @Test("a list of authorities that is not there refuses, and never goes on without")
  func missingAuthorities() throws {
    let tls = try TestTLS()
    let server = try TLSServer(certificate: tls.certificate("good", for: "DNS:localhost"))
    let client = try RunningClient(caFile: tls.folder.file("nothing.pem"))
    let (result, _) = try client.call(push(to: server.port, scheme: "https", host: "localhost"))
    #expect(Kind(result) == .notSent(.certificateRefused))
  }
}
