import Foundation
import GameCore
import Publishing
import Testing

@testable import Platform

/// A server and a client of ours on one loop.
final class ServedLoop {
  let client: RunningClient
  let server: HTTPServer
  let requests = Gathered<HTTPRequest>()

  init(hosts: Set<String> = ["localhost"], answer: @escaping (HTTPRequest) -> HTTPResponse) throws {
    client = try RunningClient()
    let requests = requests
    server = try HTTPServer(
      settings: .init(address: "127.0.0.1", port: 0, allowedHosts: hosts), loop: client.loop
    ) { request in
      requests.items.append(request)
      return answer(request)
    }
  }

  func call(_ request: HTTPRequest) throws -> HTTPResponse {
    guard case .answered(let response) = try client.call(request).result else { throw WaitedInVain() }
    return response
  }
}

@Suite("The local HTTP server") struct HTTPServerTests {
  @Test("a request reaches the handler whole, and its answer the client")
  func roundTrip() throws {
    let served = try ServedLoop { request in
      HTTPResponse(status: 201, headers: [HTTPHeader("X-Court", "1")], body: request.body.reversed())
    }
    let body = [UInt8]((0..<65536).map { UInt8(truncatingIfNeeded: $0) })
    var request = push(to: served.server.port, target: "/app/courts/1%2F2?a=%20b&c")
    request.body = body
    let response = try served.call(request)
    #expect(response.status == 201 && response.body == body.reversed() && response.header("x-court") == "1")
    let seen = try #require(served.requests.items.first)
    #expect(seen.method == "POST" && seen.target == "/app/courts/1%2F2?a=%20b&c" && seen.body == body)
    #expect(seen.host == "127.0.0.1" && seen.port == served.server.port && seen.scheme == "http")
    #expect(seen.headers.contains(HTTPHeader("Authorization", "Basic SECRET")))
    #expect(try served.call(push(to: served.server.port, method: "GET", target: "/", body: "")).body == [])
    #expect(try served.client.call(push(to: served.server.port)).timing.usedWarmConnection)
  }

  @Test("a body beyond the bound is refused without reaching the handler")
  func tooLarge() throws {
    let served = try ServedLoop { _ in HTTPResponse(status: 200) }
    var request = push(to: served.server.port)
    request.body = [UInt8](repeating: 1, count: 65537)
    #expect(try served.call(request).status == 413)
    #expect(served.requests.items.isEmpty)
  }

  @Test(
    "only the names given and the own address are answered to",
    arguments: [
      ("localhost", 200), ("LOCALHOST:8080", 200), ("127.0.0.1:1", 200), ("evil.example", 421),
      ("localhost.evil.example", 421), ("[::1]:80", 421),
    ])
  func hosts(name: String, status: Int) throws {
    let served = try ServedLoop { _ in HTTPResponse(status: 200) }
    var request = push(to: served.server.port, method: "GET", target: "/", body: "")
    request.headers = [HTTPHeader("Host", name)]
    #expect(try served.call(request).status == status)
  }

  @Test("a name of the config is a name in whatever letters it was written")
  func hostLetters() throws {
    let served = try ServedLoop(hosts: ["Scores.Arena.Example"]) { _ in HTTPResponse(status: 200) }
    var request = push(to: served.server.port, method: "GET", target: "/", body: "")
    request.headers = [HTTPHeader("Host", "scores.arena.example")]
    #expect(try served.call(request).status == 200)
  }

  @Test("one address gets sixteen connections, and a free one again when it has closed some")
  func connectionBound() throws {
    let served = try ServedLoop { _ in HTTPResponse(status: 200) }
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: UInt16(served.server.port)))
    var sockets: [Int32] = []
    for _ in 0..<16 {
      let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
      _ = address.withPointer { connect(number, $0, $1) }
      sockets.append(number)
      try served.client.loop.turn(until: SystemClock.now().instant + .milliseconds(20))
    }
    let refused = try served.client.call(push(to: served.server.port)).result
    if case .answered = refused { Issue.record("the seventeenth connection was served") }
    for number in sockets { close(number) }
    for _ in 0..<20 { try served.client.loop.turn(until: SystemClock.now().instant + .milliseconds(5)) }
    #expect(try served.call(push(to: served.server.port)).status == 200)
  }

  @Test("a port that is taken and a text that is no address are told as such")
  func cannotListen() throws {
    let served = try ServedLoop { _ in HTTPResponse(status: 200) }
    let loop = served.client.loop
    func reason(_ address: String, _ port: Int) -> String {
      do throws(PlatformError) {
        _ = try HTTPServer(
          settings: .init(address: address, port: port, allowedHosts: []), loop: loop
        ) { _ in HTTPResponse(status: 200) }
        return ""
      } catch {
        return error.description
      }
    }
    #expect(reason("127.0.0.1", served.server.port).contains("in use"))
    #expect(reason("somewhere", 80).contains("not an address"))
    #expect(reason("127.0.0.1", 65536).contains("not an address"))
  }
}
