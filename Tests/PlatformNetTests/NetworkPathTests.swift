import Foundation
import GameCore
import Glibc
import Publishing
import Testing

@testable import Platform

@Suite("Ways to a server") struct NetworkPathTests {
  /// Takes connections until its queue is full, and then none: what is sent there vanishes, as on an IPv6 that leads
  /// nowhere.
  private final class BlackHole: Sendable {
    private let sockets: [Int32]

    init(port: Int) throws {
      let address = try #require(SocketAddress(numeric: "::1", port: UInt16(port)))
      let sockets = (0..<5).map { _ in
        Glibc.socket(AF_INET6, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_NONBLOCK.rawValue), 0)
      }
      self.sockets = sockets
      try #require(address.withPointer { bind(sockets[0], $0, $1) } == 0)
      try #require(listen(sockets[0], 0) == 0)
      for caller in sockets.dropFirst() { _ = address.withPointer { connect(caller, $0, $1) } }
    }

    deinit { for socket in sockets { close(socket) } }
  }

  @Test(
    "an IPv6 address that leads nowhere costs a fifth of a second, and not the time to open",
    .enabled(if: SilentResolver.isPossible, "needs root, not in a chroot, to give one thread names of its own"))
  func blackHole() throws {
    let server = try ScriptedServer { connection, _ in
      while connection.readRequest() != nil { connection.write("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n") }
    }
    let hole = try BlackHole(port: server.port)
    let port = server.port
    let names = "::1 two-ways.example\n127.0.0.1 two-ways.example\n"
    let (result, took) = try OwnView.run("/etc/hosts", reads: names) {
      let began = SystemClock.now().instant
      let options = HTTPClient.Options(openTimeout: .seconds(5), deadline: .seconds(5))
      let answer = try RunningClient().call(push(to: port, host: "two-ways.example"), options: options).result
      return (answer, SystemClock.now().instant - began)
    }
    #expect(Kind(result) == .answered(200))
    #expect(took >= .milliseconds(150), "the first address was tried")
    #expect(took < .seconds(3))
    withExtendedLifetime(hole) {}
  }
}
