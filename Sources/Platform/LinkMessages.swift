internal import CLinux

/// The kernel's route messages as changes. An interface repeats its state whenever anything about it changes; only a
/// change of "can carry packets" counts.
package struct LinkMessages {
  private var running: [Int32: Bool] = [:]
  private static let mostInterfaces = 1024

  package init() {}

  /// Walks one read's messages; a length that cannot be true ends the walk.
  package mutating func changes(in bytes: ArraySlice<UInt8>) -> [LinkChange] {
    var changes: [LinkChange] = []
    var rest = bytes
    let headerSize = MemoryLayout<nlmsghdr>.size
    while rest.count >= headerSize {
      let header = rest.withUnsafeBytes { $0.loadUnaligned(as: nlmsghdr.self) }
      let length = Int(header.nlmsg_len)
      guard length >= headerSize, length <= rest.count else { break }
      let body = rest.dropFirst(headerSize).prefix(length - headerSize)
      if let change = change(kind: Int(header.nlmsg_type), body) { changes.append(change) }
      rest = rest.dropFirst((length + 3) & ~3)
    }
    return changes
  }

  private mutating func change(kind: Int, _ body: ArraySlice<UInt8>) -> LinkChange? {
    switch kind {
    case Int(RTM_NEWLINK):
      guard let link = load(ifinfomsg.self, body) else { return nil }
      return linkChange(link.ifi_index, isRunning: link.ifi_flags & UInt32(IFF_RUNNING) != 0)
    case Int(RTM_DELLINK):
      guard let link = load(ifinfomsg.self, body) else { return nil }
      let change = linkChange(link.ifi_index, isRunning: false)
      running[link.ifi_index] = nil
      return change
    case Int(RTM_NEWADDR):
      return load(ifaddrmsg.self, body).map { .addressGained(interface: Int32($0.ifa_index)) }
    case Int(RTM_DELADDR):
      return load(ifaddrmsg.self, body).map { .addressLost(interface: Int32($0.ifa_index)) }
    default: return nil
    }
  }

  private mutating func linkChange(_ interface: Int32, isRunning: Bool) -> LinkChange? {
    if running[interface] == isRunning { return nil }
    if running.count >= Self.mostInterfaces { running.removeAll() }
    running[interface] = isRunning
    return isRunning ? .up(interface: interface) : .down(interface: interface)
  }

  private func load<Message: BitwiseCopyable>(_ type: Message.Type, _ body: ArraySlice<UInt8>) -> Message? {
    guard body.count >= MemoryLayout<Message>.size else { return nil }
    return body.withUnsafeBytes { $0.loadUnaligned(as: type) }
  }
}
