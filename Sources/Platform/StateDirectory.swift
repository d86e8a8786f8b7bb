internal import Glibc

/// Where games and unsent pushes are kept.
package enum StateDirectory {
  /// What systemd gave us, else the usual place.
  package static var usual: String { environmentVariable("STATE_DIRECTORY") ?? "/var/lib/scoreboard-bridge" }

  /// Makes it, readable by us alone, when it is not there. The C function is `mkdir`.
  package static func make(_ path: String) throws(PlatformError) {
    guard mkdir(path, 0o750) != 0, errno != EEXIST else { return }
    throw PlatformError(
      operation: "make", subject: path, code: errno,
      hint: "make the directory for the service's user, or name another with state_directory")
  }
}

/// Which boot of the machine this is: the monotonic clock starts anew with each.
package enum BootIdentity {
  package static func read() -> String {
    guard let file = try? FileContents.read("/proc/sys/kernel/random/boot_id", atMost: 64) else { return "" }
    return String(decoding: file.bytes.filter { $0 > 32 }, as: UTF8.self)
  }
}
