import CLinux
import GameCore
import Glibc
import Platform
import Testing

@Suite struct LinkMessagesTests {
  /// One route message, laid out as the kernel does.
  private func message<Body: BitwiseCopyable>(_ kind: Int, _ body: Body, claimedLength: Int? = nil) -> [UInt8] {
    var header = nlmsghdr()
    header.nlmsg_type = UInt16(kind)
    header.nlmsg_len = UInt32(claimedLength ?? MemoryLayout<nlmsghdr>.size + MemoryLayout<Body>.size)
    return withUnsafeBytes(of: header) { Array($0) } + withUnsafeBytes(of: body) { Array($0) }
  }

  private func link(_ index: Int32, running: Bool) -> ifinfomsg {
    var link = ifinfomsg()
    link.ifi_index = index
    link.ifi_flags = running ? UInt32(IFF_RUNNING) : 0
    return link
  }

  private func address(_ index: UInt32) -> ifaddrmsg {
    var address = ifaddrmsg()
    address.ifa_index = index
    return address
  }

  @Test("an interface that repeats its state is told once per change; addresses each time")
  func changes() {
    var messages = LinkMessages()
    let stream =
      message(Int(RTM_NEWLINK), link(2, running: false)) + message(Int(RTM_NEWLINK), link(2, running: true))
      + message(Int(RTM_NEWLINK), link(2, running: true)) + message(Int(RTM_NEWADDR), address(2))
      + message(Int(RTM_NEWLINK), link(3, running: true)) + message(Int(RTM_DELADDR), address(2))
      + message(Int(RTM_DELLINK), link(2, running: true))
    #expect(
      messages.changes(in: stream[...]) == [
        .down(interface: 2), .up(interface: 2), .addressGained(interface: 2), .up(interface: 3),
        .addressLost(interface: 2), .down(interface: 2),
      ])
  }

  @Test("lengths that cannot be true end the walk", arguments: [0, 3, 15, 16, 1_000, Int(UInt32.max)])
  func lies(length: Int) {
    var messages = LinkMessages()
    let stream = message(Int(RTM_NEWLINK), link(2, running: true), claimedLength: length)
    #expect(messages.changes(in: stream[...]).isEmpty)
    #expect(messages.changes(in: stream[..<10]).isEmpty)
    #expect(messages.changes(in: []).isEmpty)
  }

  @Test("an interface that comes up is heard from the kernel itself")
  func kernel() throws {
    let outcome = Locked("the thread did not end")
    // A network of its own, for this one thread; its only interface is down at first.
    let thread = try WorkerThread(named: "network") {
      guard unshareNetwork() else {
        outcome.withLock { $0 = "skipped: no right to make a network namespace" }
        return
      }
      guard let loop = try? EventLoop() else { return }
      var changes: [LinkChange] = []
      guard let monitor = try? LinkMonitor(on: loop, { changes.append($0) }) else { return }
      guard setLoopbackUp() else {
        outcome.withLock { $0 = "skipped: no right to set an interface up" }
        return
      }
      _ = try? loop.turn(until: SystemClock.now().instant + .seconds(5))
      let heard = changes.contains(.up(interface: 1))
      outcome.withLock { $0 = heard ? "heard" : "heard only \(changes)" }
      withExtendedLifetime(monitor) {}
    }
    thread.join()
    let result = outcome.withLock { $0 }
    if result.hasPrefix("skipped") { print(result) }
    #expect(result == "heard" || result.hasPrefix("skipped"))
  }
}

/// Swift's Glibc does not have `unshare`; the library does.
private func unshareNetwork() -> Bool {
  typealias Unshare = @convention(c) (Int32) -> Int32
  guard let symbol = dlsym(nil, "unshare") else { return false }
  return unsafeBitCast(symbol, to: Unshare.self)(0x4000_0000) == 0
}

private func setLoopbackUp() -> Bool {
  let descriptor = socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0)
  defer { close(descriptor) }
  // The interface's name, then its flags.
  var request = [UInt8](repeating: 0, count: 40)
  request.replaceSubrange(0..<2, with: Array("lo".utf8))
  request[16] = 1
  return request.withUnsafeMutableBytes { ioctl(descriptor, 0x8914, $0.baseAddress!) } == 0
}
