import Foundation
import StandIn
import Testing

/// Venues whose network lets nothing out but through a proxy, named by the environment as everywhere else.
@Suite("The built daemon behind a proxy", .enabled(if: Needs.daemon), .serialized)
struct ProxyTests {
  @Test("HTTPS_PROXY is used, and NO_PROXY excepts from it", arguments: [false, true])
  func proxy(isExcepted: Bool) throws {
    let proxy = try TunnelProxy()
    defer { proxy.stop() }
    var options = Rig.Options()
    options.hasBroker = false
    options.ios = "{enabled: false}"
    options.android = "{spacing: 0s}"
    options.pattern = nil
    options.environment = ["HTTPS_PROXY": "http://127.0.0.1:\(proxy.port)"]
    if isExcepted { options.environment["NO_PROXY"] = "127.0.0.1" }
    try withRig(options) { rig throws in
      try rig.start()
      rig.press("h")
      try #require(
        rig.standIn.wait(within: .seconds(10)) { $0.contains { $0.score == [1, 0] && $0.processed } } != nil)
      #expect(proxy.asked == (isExcepted ? [] : ["CONNECT 127.0.0.1:\(rig.standIn.port) HTTP/1.1"]))
    }
  }

  @Test("a proxy that cannot be made out is told as such, and its password is not")
  func unreadable() throws {
    var options = Rig.Options()
    options.hasBroker = false
    options.hasKeyboard = false
    options.pattern = nil
    options.environment = ["HTTPS_PROXY": "http://desk:pa#s3cr3t@127.0.0.1:3128"]
    try withRig(options) { rig throws in
      try rig.start()
      for _ in 0..<100 where !rig.log.contains("push create") { usleep(100_000) }
      #expect(rig.log.contains("HTTPS_PROXY or ALL_PROXY cannot be used"))
      #expect(!rig.log.contains("s3cr3t"))
    }
  }
}

/// The changes are inside one lock, hence the promise to the compiler.
private final class Lines: @unchecked Sendable {
  private let lock = NSLock()
  private var lines: Set<String> = []

  var all: [String] { lock.withLock { lines.sorted() } }
  func add(_ line: String) { lock.withLock { _ = lines.insert(line) } }
}

/// A proxy that opens tunnels, one thread per direction, and remembers what it was asked for.
private final class TunnelProxy: Sendable {
  let port: UInt16
  private let listener: Int32
  private let lines = Lines()

  var asked: [String] { lines.all }

  init() throws {
    let listener = try TunnelProxy.socket(to: 0, isListening: true)
    var address = sockaddr_in()
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    withUnsafeMutablePointer(to: &address) {
      _ = $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(listener, $0, &size) }
    }
    port = UInt16(bigEndian: address.sin_port)
    self.listener = listener
    let lines = lines
    Thread.detachNewThread {
      while case let client = accept(listener, nil, nil), client >= 0 {
        Thread.detachNewThread { TunnelProxy.serve(client, lines) }
      }
    }
  }

  func stop() {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  private static func socket(to port: UInt16, isListening: Bool) throws -> Int32 {
    let number = Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = port.bigEndian
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    let done = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        let size = socklen_t(MemoryLayout<sockaddr_in>.size)
        return isListening ? bind(number, $0, size) == 0 && listen(number, 8) == 0 : connect(number, $0, size) == 0
      }
    }
    try #require(done)
    return number
  }

  private static func serve(_ client: Int32, _ lines: Lines) {
    defer { close(client) }
    var head: [UInt8] = []
    var byte: UInt8 = 0
    while !head.suffix(4).elementsEqual("\r\n\r\n".utf8), head.count < 4096, read(client, &byte, 1) == 1 {
      head.append(byte)
    }
    let first = String(decoding: head.prefix { $0 != 13 }, as: UTF8.self)
    lines.add(first)
    guard let port = first.split(separator: " ").dropFirst().first?.split(separator: ":").last.flatMap({ UInt16($0) }),
      let server = try? socket(to: port, isListening: false)
    else { return }
    let answer = Array("HTTP/1.1 200 Connection established\r\n\r\n".utf8)
    _ = write(client, answer, answer.count)
    Thread.detachNewThread { pump(server, client) }
    pump(client, server)
  }

  private static func pump(_ from: Int32, _ to: Int32) {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while case let count = read(from, &buffer, buffer.count), count > 0, write(to, buffer, count) == count {}
    shutdown(to, Int32(SHUT_WR))
  }
}
