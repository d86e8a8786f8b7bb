internal import CLinux
internal import Glibc

/// The few socket calls that the network's sources share.
enum NetworkSocket {
  /// The C function is `socket`.
  static func make(
    _ kind: Int32, for address: SocketAddress, subject: String
  ) throws(PlatformError) -> FileDescriptor {
    let kind = kind | CLX_SOCK_NONBLOCK | CLX_SOCK_CLOEXEC
    return FileDescriptor(owning: try systemCall("open a socket for", subject) { socket(address.family, kind, 0) })
  }

  /// A peer whose cable was pulled sends no goodbye. The kernel asks it every few seconds of silence, and gives it up
  /// after about twenty.
  static func keepAlive(_ number: Int32) {
    set(number, SOL_SOCKET, SO_KEEPALIVE, 1)
    set(number, Int32(IPPROTO_TCP), TCP_KEEPIDLE, 5)
    set(number, Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5)
    set(number, Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
  }

  /// The C function is `setsockopt`; an option the kernel lacks is not worth failing for.
  static func set(_ number: Int32, _ level: Int32, _ option: Int32, _ value: Int32) {
    var value = value
    setsockopt(number, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
  }

  /// What became of a connection attempt: 0, or the error number. The C function is `getsockopt`.
  static func pendingError(_ number: Int32) -> Int32 {
    var code: Int32 = 0
    var size = socklen_t(MemoryLayout<Int32>.size)
    return getsockopt(number, SOL_SOCKET, SO_ERROR, &code, &size) == 0 ? code : errno
  }
}
