internal import CLinux
internal import GameCore
internal import Glibc

// The library tries a name's addresses in order and waits for the kernel each time, two minutes for an address that
// swallows everything, and our patience ends before that: behind a dead IPv6 address it would never reach the live IPv4
// one. So the addresses are tried here first, side by side, and the library is led to the one that answers. For plain
// TCP that is its number. With TLS the name must stay, as the certificate is held against it: then a local address of
// the right family is named to the library, which makes it skip the others.

/// How the library gets to a broker.
struct MQTTRoute {
  /// The name, or the address in digits.
  var host: String
  /// Nil leaves the choice to the kernel.
  var bindAddress: String?
  /// Those that did not take us.
  var silentAddresses: [String] = []

  /// The next address is tried this much later, unless one answers before.
  private static let head = Duration.milliseconds(250)
  private static let patience = Duration.seconds(8)

  /// Waits for name servers and for connections: only for a thread that may.
  static func find(_ broker: MQTTSettings.Broker, isWary: Bool) -> Result<MQTTRoute, PlatformError> {
    let addresses: [SocketAddress]
    switch SocketAddress.lookUp(broker.host, port: UInt16(clamping: broker.port)) {
    case .success(let found): addresses = found
    case .failure(let error): return .failure(error)
    }
    // The usual case: nothing to choose from, and no connection more than needed.
    if addresses.count == 1, !isWary { return .success(MQTTRoute(host: broker.host)) }
    var race = Race(addresses)
    guard let winner = race.run(head: head, patience: patience) else {
      let reason = "\(race.silent.joined(separator: ", ")): \(race.reason)"
      return .failure(PlatformError(operation: "connect to", subject: broker.host, reason: reason))
    }
    let isTLS = broker.tls != nil
    return .success(
      MQTTRoute(
        host: isTLS ? broker.host : winner.host ?? broker.host,
        bindAddress: isTLS && addresses.count > 1 ? winner.family == AF_INET6 ? "::" : "0.0.0.0" : nil,
        silentAddresses: race.silent))
  }

  /// Connections to all addresses, each a little after the one before; the first that stands wins, and all are closed.
  private struct Race {
    private let addresses: [SocketAddress]
    /// A socket for each address that was begun; -1 is one that has failed.
    private var sockets: [Int32] = []
    private(set) var reason = "no answer"
    private(set) var silent: [String] = []

    init(_ addresses: [SocketAddress]) { self.addresses = Array(addresses.prefix(8)) }

    mutating func run(head: Duration, patience: Duration) -> SocketAddress? {
      defer { for socket in sockets where socket >= 0 { close(socket) } }
      let end = SystemClock.now().instant + patience
      var winner: Int?
      while winner == nil {
        let hasMore = sockets.count < addresses.count
        if hasMore { begin(addresses[sockets.count]) }
        let left = end - SystemClock.now().instant
        if left <= .zero || (!hasMore && sockets.allSatisfy { $0 < 0 }) { break }
        winner = wait(hasMore ? min(head, left) : left)
      }
      silent = addresses.indices.filter { $0 != winner && $0 < sockets.count }.map { addresses[$0].description }
      return winner.map { addresses[$0] }
    }

    /// The C functions are `socket` and `connect`.
    private mutating func begin(_ address: SocketAddress) {
      let number = socket(
        address.family, CLX_SOCK_STREAM | CLX_SOCK_NONBLOCK | CLX_SOCK_CLOEXEC, 0)
      sockets.append(number)
      guard number >= 0, address.withPointer({ connect(number, $0, $1) }) != 0, errno != EINPROGRESS else { return }
      fail(sockets.count - 1, errno)
    }

    private mutating func fail(_ place: Int, _ code: Int32) {
      reason = PlatformError(operation: "", subject: "", code: code, hint: nil).reason
      close(sockets[place])
      sockets[place] = -1
    }

    /// The first that stands within the time. The C function is `poll`, which passes over negative numbers.
    private mutating func wait(_ time: Duration) -> Int? {
      var watched = sockets.map { pollfd(fd: $0, events: Int16(POLLOUT), revents: 0) }
      guard poll(&watched, nfds_t(watched.count), Int32(clamping: time.milliseconds + 1)) > 0 else { return nil }
      for (place, one) in watched.enumerated() where one.fd >= 0 && one.revents != 0 {
        let code = NetworkSocket.pendingError(one.fd)
        if code == 0 { return place }
        fail(place, code)
      }
      return nil
    }
  }
}
