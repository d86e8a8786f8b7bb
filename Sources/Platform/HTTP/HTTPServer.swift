import CMicroHTTPD
import GameCore
import Glibc
package import Publishing

// The library keeps its sockets in an event queue of its own, and that queue is one descriptor in our loop: whenever it
// is readable, or the library's own timeout is over, the library runs, and the handler is called inside that.

/// A small HTTP server for the local network, bounded in every direction.
package final class HTTPServer {
  package struct Settings: Hashable, Sendable {
    /// An address of this machine in digits; `0.0.0.0` and `::` are all of them.
    package var address: String
    /// Zero takes any free one.
    package var port: Int
    /// The names and addresses by which clients may call us, without ports. A page from elsewhere that makes a browser
    /// resolve its own name to us is thus turned away.
    package var allowedHosts: Set<String>

    package init(address: String, port: Int, allowedHosts: Set<String>) {
      self.address = address
      self.port = port
      self.allowedHosts = allowedHosts
    }
  }

  package typealias Handler = (HTTPRequest) -> HTTPResponse

  static let bodyBound = 65536
  private static let connectionBound: UInt32 = 64
  private static let connectionsPerAddress: UInt32 = 16
  private static let idleSeconds: UInt32 = 10
  private static let memoryPerConnection = 32768

  private let settings: Settings
  /// In small letters.
  private let names: Set<String>
  private let loop: EventLoop
  private let handler: Handler
  /// The C type is `struct MHD_Daemon`.
  private var daemon: OpaquePointer?
  private var timer: LoopTimer?
  private var epoll: Int32 = -1

  /// The port that is listened on.
  package private(set) var port = 0

  /// Listens from here on. The C function is `MHD_start_daemon`.
  package init(
    settings: Settings, loop: EventLoop, handler: @escaping Handler
  ) throws(PlatformError) {
    self.settings = settings
    names = Set((settings.allowedHosts + [settings.address]).map { $0.lowercased() })
    self.loop = loop
    self.handler = handler
    try listen()
    timer = loop.timer { [unowned self] in run() }
    try loop.watch(epoll, for: .read) { [unowned self] _ in run() }
  }

  /// Connections are closed, whatever they are doing. The C function is `MHD_stop_daemon`.
  deinit {
    timer?.cancel()
    if epoll >= 0 { loop.unwatch(epoll) }
    if let daemon { MHD_stop_daemon(daemon) }
  }

  private func listen() throws(PlatformError) {
    let subject = "\(settings.address) port \(settings.port)"
    guard let number = UInt16(exactly: settings.port),
      let address = SocketAddress(numeric: settings.address, port: number)
    else {
      throw PlatformError(
        operation: "listen on", subject: subject, reason: "this is not an address",
        hint: "write it in digits, such as 127.0.0.1 or ::1")
    }
    var flags = UInt32(MHD_USE_EPOLL.rawValue)
    if address.family == AF_INET6 { flags |= UInt32(MHD_USE_IPv6.rawValue) }
    errno = 0
    let me = Unmanaged.passUnretained(self).toOpaque()
    let started = address.withPointer { socketAddress, _ in
      bridge_mhd_start(
        flags, socketAddress, requestCame, me, requestBegan, requestEnded, Self.connectionBound,
        Self.connectionsPerAddress, Self.idleSeconds, Self.memoryPerConnection)
    }
    guard let started else {
      throw PlatformError(operation: "listen on", subject: subject, code: Self.refusal(of: address), hint: nil)
    }
    daemon = started
    epoll = bridge_mhd_epoll_descriptor(started)
    port = Int(bridge_mhd_port(started))
  }

  /// Why the kernel lets nobody listen there. Newer versions of the library lose that while they clean up, so the kernel
  /// is asked again; the C functions are `bind` and `listen`.
  private static func refusal(of address: SocketAddress) -> Int32 {
    let told = errno
    let number = socket(address.family, Int32(SOCK_STREAM.rawValue), 0)
    guard number >= 0 else { return errno }
    defer { close(number) }
    var yes: Int32 = 1
    setsockopt(number, SOL_SOCKET, SO_REUSEADDR, &yes, socklen_t(MemoryLayout<Int32>.size))
    let isFree = address.withPointer { bind(number, $0, $1) == 0 } && Glibc.listen(number, 1) == 0
    return isFree ? told : errno
  }

  /// The C functions are `MHD_run` and `MHD_get_timeout`.
  private func run() {
    guard let daemon else { return }
    MHD_run(daemon)
    var milliseconds: UInt64 = 0
    let isSet = MHD_get_timeout(daemon, &milliseconds) == MHD_Result.YES
    timer?.set(to: isSet ? SystemClock.now().instant + .milliseconds(Int64(clamping: milliseconds)) : nil)
  }

  fileprivate func answer(_ incoming: IncomingRequest, method: String, headers: [HTTPHeader]) -> HTTPResponse {
    if incoming.isTooLarge { return Self.refusal(413, "The body is too large.") }
    guard let host = headers.first(where: { $0.name.lowercased() == "host" })?.value else {
      return Self.refusal(400, "The Host header is missing.")
    }
    let name = Self.withoutPort(host)
    guard names.contains(name) else {
      return Self.refusal(421, "This server does not go by that name; its own are in http.host_names of its config.")
    }
    return handler(
      HTTPRequest(
        method: method, scheme: "http", host: name, port: port, target: incoming.target, headers: headers,
        body: incoming.body))
  }

  private static func refusal(_ status: Int, _ sentence: String) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "text/plain; charset=utf-8")],
      body: [UInt8]("\(sentence)\n".utf8))
  }

  private static func withoutPort(_ host: String) -> String {
    let host = host.lowercased()
    if host.hasPrefix("[") { return String(host.dropFirst().prefix { $0 != "]" }) }
    return String(host.prefix { $0 != ":" })
  }
}

/// What is known of a request while it comes in.
private final class IncomingRequest {
  let target: String
  private(set) var body: [UInt8] = []
  private(set) var isTooLarge = false
  var hasHeaders = false

  init(target: String) { self.target = target }

  func add(_ bytes: UnsafeRawBufferPointer) {
    isTooLarge = isTooLarge || body.count + bytes.count > HTTPServer.bodyBound
    if isTooLarge { body = [] } else { body.append(contentsOf: bytes) }
  }
}

private nonisolated func server(_ argument: UnsafeMutableRawPointer?) -> HTTPServer {
  guard let argument else { preconditionFailure("The library hands back the pointer it was given.") }
  return Unmanaged<HTTPServer>.fromOpaque(argument).takeUnretainedValue()
}

/// The request's line has come; what is returned stays with the request until `requestEnded`.
private nonisolated func requestBegan(
  _ argument: UnsafeMutableRawPointer?, _ target: UnsafePointer<CChar>?, _ connection: OpaquePointer?
) -> UnsafeMutableRawPointer? {
  Unmanaged.passRetained(IncomingRequest(target: target.map { String(cString: $0) } ?? "/")).toOpaque()
}

private nonisolated func requestEnded(
  _ argument: UnsafeMutableRawPointer?, _ connection: OpaquePointer?,
  _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?, _ how: MHD_RequestTerminationCode
) {
  guard let incoming = state?.pointee else { return }
  Unmanaged<IncomingRequest>.fromOpaque(incoming).release()
  state?.pointee = nil
}

/// Called once with the headers, once for each piece of the body, and once at the end.
private nonisolated func requestCame(
  _ argument: UnsafeMutableRawPointer?, _ connection: OpaquePointer?, _ path: UnsafePointer<CChar>?,
  _ method: UnsafePointer<CChar>?, _ version: UnsafePointer<CChar>?, _ piece: UnsafePointer<CChar>?,
  _ size: UnsafeMutablePointer<Int>?, _ state: UnsafeMutablePointer<UnsafeMutableRawPointer?>?
) -> MHD_Result {
  guard let pointer = state?.pointee, let size, let method else { return MHD_Result.NO }
  let incoming = Unmanaged<IncomingRequest>.fromOpaque(pointer).takeUnretainedValue()
  if !incoming.hasHeaders {
    incoming.hasHeaders = true
    return MHD_Result.YES
  }
  if size.pointee > 0 {
    incoming.add(UnsafeRawBufferPointer(start: piece, count: size.pointee))
    size.pointee = 0
    return MHD_Result.YES
  }
  let response = server(argument).answer(incoming, method: String(cString: method), headers: headers(of: connection))
  return queue(response, on: connection)
}

/// The C function is `MHD_get_connection_values`.
private nonisolated func headers(of connection: OpaquePointer?) -> [HTTPHeader] {
  var headers: [HTTPHeader] = []
  withUnsafeMutablePointer(to: &headers) {
    _ = MHD_get_connection_values(connection, MHD_ValueKind.HEADER_KIND, headerCame, $0)
  }
  return headers
}

private nonisolated func headerCame(
  _ list: UnsafeMutableRawPointer?, _ kind: MHD_ValueKind, _ name: UnsafePointer<CChar>?, _ value: UnsafePointer<CChar>?
) -> MHD_Result {
  guard let list, let name else { return MHD_Result.YES }
  list.assumingMemoryBound(to: [HTTPHeader].self).pointee.append(
    HTTPHeader(String(cString: name), value.map { String(cString: $0) } ?? ""))
  return MHD_Result.YES
}

/// The C functions are `MHD_create_response_from_buffer` and `MHD_queue_response`.
private nonisolated func queue(_ response: HTTPResponse, on connection: OpaquePointer?) -> MHD_Result {
  var body = response.body
  let made = body.withUnsafeMutableBytes {
    MHD_create_response_from_buffer($0.count, $0.baseAddress, MHD_ResponseMemoryMode.RESPMEM_MUST_COPY)
  }
  guard let made else { return MHD_Result.NO }
  defer { MHD_destroy_response(made) }
  for header in response.headers { MHD_add_response_header(made, header.name, header.value) }
  return MHD_queue_response(connection, UInt32(response.status), made)
}
