internal import CLinux
package import GameCore
internal import Glibc

/// What the service manager wants to hear: ready, reloading, stopping, a line of status, and that the loop still turns.
/// Without a manager (`NOTIFY_SOCKET` unset) every call does nothing.
package final class Systemd {
  private let socket: FileDescriptor?
  private var address = sockaddr_un()
  private var addressLength: socklen_t = 0
  /// How often the manager wants a sign of life; nil when it does not watch.
  package let watchdogPeriod: Duration?
  private var watchdog: LoopTimer?

  package init(environment: (String) -> String? = environmentVariable) {
    watchdogPeriod = Systemd.watchdogPeriod(environment)
    let path = Array((environment("NOTIFY_SOCKET") ?? "").utf8)
    let capacity = MemoryLayout.size(ofValue: address.sun_path)
    // A path, or a name after "@" that lives outside the file system; other kinds (vsock) are for machines, not services.
    guard let first = path.first, first == UInt8(ascii: "/") || first == UInt8(ascii: "@"), path.count < capacity else {
      socket = nil
      return
    }
    let number = Glibc.socket(AF_UNIX, CLX_SOCK_DGRAM | CLX_SOCK_CLOEXEC, 0)
    socket = number >= 0 ? FileDescriptor(owning: number) : nil
    address.sun_family = sa_family_t(AF_UNIX)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path)
      if first == UInt8(ascii: "@") { bytes[0] = 0 }
    }
    addressLength = socklen_t(MemoryLayout<sa_family_t>.size + path.count)
  }

  package func ready(status: String) { send("READY=1\nSTATUS=\(Systemd.oneLine(status))") }

  /// Followed by `ready` when the new configuration is in force.
  package func reloading(at now: Instant) { send("RELOADING=1\nMONOTONIC_USEC=\(now.nanoseconds / 1000)") }

  package func stopping(status: String) { send("STOPPING=1\nSTATUS=\(Systemd.oneLine(status))") }

  package func status(_ text: String) { send("STATUS=\(Systemd.oneLine(text))") }

  /// A sign of life at half the manager's period, sent by the loop itself: a loop that hangs is restarted.
  package func startWatchdog(on loop: EventLoop) {
    guard let period = watchdogPeriod, watchdog == nil else { return }
    let timer = loop.timer { [unowned self] in beat(every: period / 2) }
    watchdog = timer
    beat(every: period / 2)
  }

  package func stopWatchdog() {
    watchdog?.cancel()
    watchdog = nil
  }

  private func beat(every interval: Duration) {
    send("WATCHDOG=1")
    watchdog?.set(after: interval)
  }

  /// A manager that does not listen is not worth waiting for. The C function is `sendto`.
  private func send(_ message: String) {
    guard let number = FileDescriptor.number(of: socket) else { return }
    let body = Array(message.utf8)
    let length = addressLength
    withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { generic in
        _ = sendto(number, body, body.count, Int32(MSG_NOSIGNAL | MSG_DONTWAIT), generic, length)
      }
    }
  }

  private static func watchdogPeriod(_ environment: (String) -> String?) -> Duration? {
    guard let microseconds = environment("WATCHDOG_USEC").flatMap(Int64.init), microseconds > 0 else { return nil }
    // The variables are inherited; they are meant for the process they name.
    if let process = environment("WATCHDOG_PID"), process != String(getpid()) { return nil }
    return .microseconds(microseconds)
  }

  /// The protocol's lines end at a line feed, so a text must not bring its own.
  private static func oneLine(_ text: String) -> String {
    String(String.UnicodeScalarView(text.unicodeScalars.map { $0.value < 0x20 ? " " : $0 }))
  }
}
