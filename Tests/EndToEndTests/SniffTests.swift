import Foundation
import StandIn
import Testing

/// `sniff` as it was built, on a real pseudo-terminal and a real socket.
@Suite(.enabled(if: Needs.daemon)) struct SniffTests {
  private static let seconds = Duration.seconds(60)

  private func sniff(_ words: String...) throws -> Child {
    try Child(try #require(Rig.program), ["sniff"] + words, environment: ["PATH": "/usr/bin:/bin"])
  }

  @Test("a console on a serial line is recognised, and not a byte goes to it")
  func serialLine() throws {
    let console = try PseudoTerminal(isWatched: true)
    let child = try sniff("--seconds", "2", console.path)
    var code: Int32?
    while code == nil {
      console.send(Bodet.frame("30", "5 4138 "))
      code = child.exitCode(within: .milliseconds(20))
    }
    #expect(code == 0, "\(child.text(.error))")
    let out = child.text(.out)
    #expect(out.contains("bodet-scorepad: certain, "), "\(out)")
    #expect(out.contains("in the config: - {name: console, protocol: bodet-scorepad, device: \(console.path)"))
    #expect(console.text == "")
  }

  @Test("a box on the network is connected to, recognised, and hears nothing")
  func box() throws {
    let box = try Box()
    let child = try sniff("127.0.0.1:\(box.port)")
    let peer = try #require(box.accept())
    var code: Int32?
    while code == nil {
      peer.send(Bodet.frame("30", "5  7 12"))
      code = child.exitCode(within: .milliseconds(20))
    }
    #expect(code == 0, "\(child.text(.error))")
    #expect(child.text(.out).contains("connect: \"127.0.0.1:\(box.port)\""), "\(child.text(.out))")
    #expect(peer.received() == [])
  }

  @Test("silence, noise and text are told as such, with what to do about them")
  func nothingKnown() throws {
    let line = Array("SCORE 3 : 4\r\n".utf8)
    let noise = (0..<64).map { UInt8(truncatingIfNeeded: $0 &* 37 &+ 11) | 0x80 }
    for (bytes, words) in [([], "is the console on"), (noise, "swap A and B"), (line, "generic-line reads them")] {
      let box = try Box()
      let child = try sniff("--seconds", "1", "127.0.0.1:\(box.port)")
      let peer = try #require(box.accept())
      var code: Int32?
      while code == nil {
        peer.send(bytes)
        code = child.exitCode(within: .milliseconds(100))
      }
      #expect(code == 1)
      #expect(child.text(.out).contains("no console was recognised\n"), "\(child.text(.out))")
      #expect(child.text(.out).contains(words), "\(child.text(.out))")
    }
  }

  @Test("Ctrl-C ends it, and what was heard until then is told")
  func interrupted() throws {
    let console = try PseudoTerminal()
    let child = try sniff("--seconds", "600", console.path)
    _ = try #require(child.line { $0.hasPrefix("listening for 600 s at each of ") })
    child.signal(SIGINT)
    #expect(child.exitCode() == 1)
    #expect(child.text(.out).contains("19200 8N1: nothing came"))
    #expect(child.text(.out).contains("no console was recognised"))
  }

  @Test("a port that is not there, and words that make no sense, are refused with what to do")
  func refused() throws {
    let missing = try sniff("/dev/serial/by-id/nothing")
    #expect(missing.exitCode() == 1)
    #expect(missing.text(.error).contains("is the adaptor plugged in?"))
    let box = try Box()
    let port = box.port
    box.close()
    let refused = try sniff("127.0.0.1:\(port)")
    #expect(refused.exitCode() == 1)
    #expect(refused.text(.error).contains("check the address"))
    for words in [[], ["ttyUSB0"], ["--seconds", "0", "/dev/null"]] {
      let child = try Child(try #require(Rig.program), ["sniff"] + words, environment: ["PATH": "/usr/bin:/bin"])
      #expect(child.exitCode() == 2)
      #expect(child.text(.error).contains("See scoreboard-bridge sniff --help"))
    }
    let file = try sniff("/etc/hostname")
    #expect(file.exitCode() == 1)
    #expect(file.text(.error).contains("this is not a serial port"))
  }
}

/// Frames of a Bodet Scorepad.
enum Bodet {
  static func frame(_ type: String, _ content: String) -> [UInt8] { frame(type, Array(content.utf8)) }

  static func frame(_ type: String, _ content: [UInt8]) -> [UInt8] {
    let message = [0x7F, 0x02, 0x47] + Array(type.utf8) + content + [0x03]
    let check = message.reduce(0, ^) & 0x7F
    return [0x01] + message + [check < 0x20 ? check + 0x20 : check]
  }
}

/// A network box with a console's port, on loopback.
final class Box {
  let port: UInt16
  private var listener: Int32

  init() throws {
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let (fd, length) = (listener, size)
    let isBound = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, length) == 0 && listen(fd, 4) == 0 && getsockname(fd, $0, &size) == 0
      }
    }
    try #require(isBound)
    port = UInt16(bigEndian: address.sin_port)
  }

  deinit { close() }

  func close() {
    if listener >= 0 { Foundation.close(listener) }
    listener = -1
  }

  func accept() -> Peer? {
    var ready = pollfd(fd: listener, events: Int16(POLLIN), revents: 0)
    guard poll(&ready, 1, 10_000) == 1 else { return nil }
    let fd = Foundation.accept(listener, nil, nil)
    return fd < 0 ? nil : Peer(fd)
  }

  final class Peer {
    private let fd: Int32

    init(_ fd: Int32) { self.fd = fd }

    deinit { Foundation.close(fd) }

    func send(_ bytes: [UInt8]) { _ = Foundation.send(fd, bytes, bytes.count, Int32(MSG_NOSIGNAL)) }

    func received() -> [UInt8] {
      var buffer = [UInt8](repeating: 0, count: 4096)
      let count = recv(fd, &buffer, buffer.count, Int32(MSG_DONTWAIT))
      return Array(buffer.prefix(max(0, count)))
    }
  }
}
