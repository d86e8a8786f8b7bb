import CGNU
import CSSL
import Foundation
import GameCore

/// A stand-in for Ably's REST service on a loopback address: real sockets, real TLS, HTTP/2 and HTTP/1.1. Strict about
/// what it accepts, remembers all of it in order, and fails in every way a test asks for.
/// All that changes is inside `world`, one lock, hence the promise to the compiler.
package final class StandIn: @unchecked Sendable {
  package struct Options: Sendable {
    package var address = "127.0.0.1"
    /// 0 takes a free one.
    package var port: UInt16 = 0
    /// The made-up key of the facts, useless anywhere.
    package var key = "hG7xQ2.Kd93Lw:Test0nly-S3cret_Value-0123456789abcdEFGH"
    package var tls = true
    package var http2 = true
    /// Accepts other SDKs than our bridge: older protocol versions, optional fields that we never send.
    package var anyClient = false
    package var certificateNames = ["localhost", "127.0.0.1", "127.0.0.2", "127.0.0.3", "127.0.0.4", "::1"]
    /// Days around today on which the certificate is valid.
    package var certificateDays = -1...2

    package init() {}
  }

  struct World {
    var service: AblyService
    var requests: [Seen] = []
    var faults: [Fault] = []
    var connections: [Int: Int32] = [:]
    var connectionCount = 0
    var frozen: Set<Int> = []
    /// New connections are accepted by the kernel and then left alone, TLS included.
    var silent = false
    var accepting = true
    var stopped = false
    var acceptorGone = false
  }

  package let port: UInt16
  package let options: Options
  package var caFile: String { Authority.shared.caFile }
  let world: Monitor<World>
  private let listener: Int32
  private let wake: (read: Int32, write: Int32)
  private let context: OpaquePointer?

  package init(_ options: Options = Options()) throws {
    self.options = options
    signal(SIGPIPE, SIG_IGN)  // A peer that left while we write is an error code, not the end of the process.
    world = Monitor(World(service: AblyService(key: options.key, anyClient: options.anyClient)))
    (listener, port) = try StandIn.listen(options)
    var pipes: [Int32] = [0, 0]
    guard standin_pipe(&pipes) == 0 else { throw POSIXError(.EMFILE) }
    wake = (pipes[0], pipes[1])
    context = options.tls ? TLS.context(options) : nil
    Thread.detachNewThread { self.accept() }
  }

  deinit {
    close(listener)
    close(wake.read)
    close(wake.write)
    SSL_CTX_free(context)
  }

  // MARK: - What was seen

  /// Every request so far, in the order in which they were complete.
  package var requests: [Seen] { world.with { $0.requests } }

  package func requests(_ call: Call) -> [Seen] { requests.filter { $0.call == call } }

  /// How many connections were accepted since the beginning.
  package var connectionCount: Int { world.with { $0.connectionCount } }

  /// Requests that a correct bridge never sends: refused by the rules, not by a fault.
  package var refusals: [Seen] { requests.filter { !$0.processed && ($0.ownAnswer?.status ?? 200) >= 400 } }

  /// Waits until the requests satisfy the predicate, at most this long; nil when they never did.
  @discardableResult
  package func wait(within limit: Duration = .seconds(5), for predicate: ([Seen]) -> Bool) -> [Seen]? {
    world.wait(within: limit) { predicate($0.requests) ? $0.requests : nil }
  }

  /// Waits for this many requests of one call and gives them.
  package func wait(_ count: Int, _ call: Call, within limit: Duration = .seconds(5)) -> [Seen]? {
    wait(within: limit) { $0.count { $0.call == call } >= count }?.filter { $0.call == call }
  }

  // MARK: - Phones

  /// Reads or changes the modelled phones.
  package func phones<Result>(_ body: (inout Fleet) throws -> Result) rethrows -> Result {
    try world.with { try body(&$0.service.fleet) }
  }

  package func waitForPhones(within limit: Duration = .seconds(5), _ predicate: (Fleet) -> Bool) -> Bool {
    world.wait(within: limit) { predicate($0.service.fleet) ? true : nil } ?? false
  }

  /// What Apple or Google refused later: an entry of the push log.
  package func report(_ entry: JSON) { world.with { $0.service.pushLog.append(entry) } }

  /// From now on only this key opens.
  package func rotateKey(to key: String) { world.with { $0.service.key = key } }

  // MARK: - Faults

  package func inject(_ fault: Fault) { world.with { $0.faults.append(fault) } }

  package func clearFaults() { world.with { $0.faults = [] } }

  /// The port refuses connections; those that stand go on.
  package func refuseConnections() {
    world.with { $0.accepting = false }
    shutdown(listener, Int32(SHUT_RD))
  }

  /// The port takes connections again: the same port, which was never given away.
  package func acceptConnections() {
    Foundation.listen(listener, 128)
    world.with { $0.accepting = true }
    poke()
  }

  /// Gone: connections closed, the port refuses.
  package func die() {
    refuseConnections()
    closeConnections()
  }

  package func comeBack() { acceptConnections() }

  package func closeConnections() { world.with { for fd in $0.connections.values { shutdown(fd, Int32(SHUT_RDWR)) } } }

  /// The connections that stand now are read no more, as when a router forgot them. New ones work.
  package func freezeConnections() { world.with { $0.frozen.formUnion($0.connections.keys) } }

  package func thawConnections() { world.with { $0.frozen = [] } }

  /// From now on a connection is accepted and nothing more happens on it, or that ends.
  package func setSilent(_ silent: Bool) { world.with { $0.silent = silent } }

  /// Ends every thread and connection, at most a few seconds.
  package func stop() {
    world.with { $0.stopped = true }
    poke()
    closeConnections()
    _ = world.wait(within: .seconds(5)) { $0.connections.isEmpty && $0.acceptorGone ? true : nil }
  }

  // MARK: - The acceptor's thread

  private func poke() {
    var byte: UInt8 = 1
    _ = write(wake.write, &byte, 1)
  }

  private func accept() {
    while !world.with({ $0.stopped }) {
      let listening = world.with { $0.accepting }
      var polls = [
        pollfd(fd: wake.read, events: Int16(POLLIN), revents: 0),
        pollfd(fd: listening ? listener : -1, events: Int16(POLLIN), revents: 0),
      ]
      _ = poll(&polls, 2, 1_000)
      if polls[0].revents != 0 {
        var drained = [UInt8](repeating: 0, count: 64)
        _ = read(wake.read, &drained, drained.count)
      }
      guard polls[1].revents & Int16(POLLIN) != 0 else { continue }
      let fd = standin_accept(listener)
      if fd >= 0 { serve(fd) }
    }
    world.with { $0.acceptorGone = true }
  }

  private func serve(_ fd: Int32) {
    var one: Int32 = 1
    setsockopt(fd, Int32(IPPROTO_TCP), TCP_NODELAY, &one, socklen_t(MemoryLayout<Int32>.size))
    let id = world.with { world in
      defer { world.connectionCount += 1 }
      world.connections[world.connectionCount] = fd
      if world.silent { world.frozen.insert(world.connectionCount) }
      if world.stopped { shutdown(fd, Int32(SHUT_RDWR)) }
      return world.connectionCount
    }
    Thread.detachNewThread {
      let connection = Connection(
        fd: fd, context: self.context,
        receive: { self.receive($0, connection: id, spoken: $1) },
        holdsStill: { self.holdsStill(id) })
      connection.run()
      self.world.with { world in
        world.connections[id] = nil
        world.frozen.remove(id)
        close(fd)
      }
    }
  }

  private func holdsStill(_ id: Int) -> Bool {
    world.with({ $0.frozen.contains(id) && !$0.stopped })
      && world.wait(within: .milliseconds(200)) { $0.frozen.contains(id) && !$0.stopped ? nil : true } == nil
  }

  /// Notes a request and decides what becomes of it.
  private func receive(_ request: Incoming, connection: Int, spoken: String) -> Plan {
    let now = Clock.now()
    return world.with { world in
      var seen = Seen(request, number: world.requests.count, connection: connection, spoken: spoken, at: now)
      let fault = world.faults.take(seen.call, seen.target)
      var plan = Plan(answer: Answer(status: 200), manner: .whole, due: now.instant)
      if fault.map(\.leavesTheServiceAlone) != true {
        plan.answer = world.service.answer(&seen)
        seen.ownAnswer = plan.answer
      }
      if let fault { plan.apply(fault.effect) }
      if case .freeze = plan.manner { world.frozen.insert(connection) }
      seen.answer = plan.reachesTheClient ? plan.answer : nil
      world.requests.append(seen)
      return plan
    }
  }

  /// The port is bound a second time by its number: one that the system chose is given away when listening stops.
  private static func listen(_ options: Options) throws -> (Int32, UInt16) {
    let chooser = try bound(options.address, options.port)
    defer { close(chooser.fd) }
    let listener = try bound(options.address, chooser.port)
    guard Foundation.listen(listener.fd, 128) == 0 else {
      defer { close(listener.fd) }
      throw POSIXError(.EADDRINUSE)
    }
    return listener
  }

  private static func bound(_ name: String, _ port: UInt16) throws -> (fd: Int32, port: UInt16) {
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var one: Int32 = 1
    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, socklen_t(MemoryLayout<Int32>.size))
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, name, &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, length) == 0 && getsockname(fd, $0, &length) == 0
      }
    }
    guard isBound else {
      defer { close(fd) }
      throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EADDRINUSE)
    }
    return (fd, UInt16(bigEndian: address.sin_port))
  }
}
