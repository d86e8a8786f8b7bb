import Foundation
import Glibc
import Testing

@testable import Platform

/// A peer on loopback that does exactly what its script says, on threads of its own, and remembers what it was sent.
final class ScriptedServer: Sendable {
  let port: Int
  private let listener: FileDescriptor
  private let seen = Locked<[[UInt8]]>([])

  private let ended = Locked(0)

  /// How many connections this side has closed.
  var closedCount: Int { ended.withLock { $0 } }

  /// Every request or packet that a script has read, in order.
  var received: [String] { seen.withLock { $0 }.map { String(decoding: $0, as: UTF8.self) } }

  /// The script is run once for each connection, with its number from 0.
  init(_ script: @escaping @Sendable (ScriptedConnection, Int) -> Void) throws {
    let number = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    listener = FileDescriptor(owning: number)
    let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
    try #require(address.withPointer { bind(number, $0, $1) } == 0)
    try #require(listen(number, 16) == 0)
    port = try localPort(of: number)
    let (seen, ended) = (seen, ended)
    try WorkerThread(named: "scripted") {
      var count = 0
      while true {
        let connection = accept(number, nil, nil)
        guard connection >= 0 else { return }
        let index = count
        count += 1
        try? WorkerThread(named: "scripted") {
          let peer = ScriptedConnection(connection, seen)
          script(peer, index)
          peer.close()
          ended.withLock { $0 += 1 }
        }.detach()
      }
    }.detach()
  }

  deinit { _ = shutdown(listener.number, Int32(SHUT_RDWR)) }
}

func localPort(of socket: Int32) throws -> Int {
  var address = sockaddr_in()
  var size = socklen_t(MemoryLayout<sockaddr_in>.size)
  let result = withUnsafeMutablePointer(to: &address) {
    $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { getsockname(socket, $0, &size) }
  }
  try #require(result == 0)
  return Int(UInt16(bigEndian: address.sin_port))
}

/// A port on which nobody listens now.
func freePort() throws -> Int {
  let socket = FileDescriptor(owning: Glibc.socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0))
  let address = try #require(SocketAddress(numeric: "127.0.0.1", port: 0))
  try #require(address.withPointer { bind(socket.number, $0, $1) } == 0)
  return try localPort(of: socket.number)
}

/// One accepted connection, with blocking reads and writes.
final class ScriptedConnection {
  private let number: Int32
  private let seen: Locked<[[UInt8]]>
  private var isOpen = true
  private var buffer: [UInt8] = []

  init(_ number: Int32, _ seen: Locked<[[UInt8]]>) {
    self.number = number
    self.seen = seen
  }

  /// A whole HTTP request with its body; nil when the peer has left.
  func readRequest() -> String? {
    while true {
      if let end = String(decoding: buffer, as: UTF8.self).range(of: "\r\n\r\n") {
        let text = String(decoding: buffer, as: UTF8.self)
        let head = text[..<end.upperBound]
        let length =
          head.split(separator: "\r\n").first { $0.lowercased().hasPrefix("content-length:") }
          .flatMap { Int($0.split(separator: " ")[1]) } ?? 0
        let total = head.utf8.count + length
        if buffer.count >= total { return take(total) }
      }
      guard readSome() else { return nil }
    }
  }

  /// One MQTT packet.
  func readPacket() -> [UInt8]? {
    while true {
      if buffer.count >= 2 {
        var (length, shift, place) = (0, 0, 1)
        while place < buffer.count {
          length |= Int(buffer[place] & 127) << shift
          shift += 7
          place += 1
          if buffer[place - 1] < 128 {
            if buffer.count >= place + length { return takeBytes(place + length) }
            break
          }
        }
      }
      guard readSome() else { return nil }
    }
  }

  func write(_ text: String) { write([UInt8](text.utf8)) }

  func write(_ bytes: [UInt8]) {
    _ = bytes.withUnsafeBytes { send(number, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
  }

  /// Waits until the peer leaves.
  func waitForEnd() { while readSome() {} }

  /// Cuts the connection with a reset instead of an end.
  func reset() {
    var option = linger(l_onoff: 1, l_linger: 0)
    setsockopt(number, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    close()
  }

  func close() {
    if isOpen { _ = Glibc.close(number) }
    isOpen = false
  }

  private func take(_ count: Int) -> String { String(decoding: takeBytes(count), as: UTF8.self) }

  private func takeBytes(_ count: Int) -> [UInt8] {
    let bytes = [UInt8](buffer.prefix(count))
    buffer.removeFirst(count)
    seen.withLock { $0.append(bytes) }
    return bytes
  }

  private func readSome() -> Bool {
    var chunk = [UInt8](repeating: 0, count: 65536)
    let count = recv(number, &chunk, chunk.count, 0)
    guard count > 0 else { return false }
    buffer.append(contentsOf: chunk[..<count])
    return true
  }
}
