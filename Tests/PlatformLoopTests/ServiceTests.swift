import Foundation
import GameCore
import Platform
import PlatformTestSupport
import Testing

/// The service manager's end of the notification socket.
private final class FakeManager {
  let descriptor: Int32
  let name: String
  private let folder = TemporaryFolder()

  init(abstract: Bool) {
    name = abstract ? "@" + folder.path : folder.file("notify")
    descriptor = socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue | SOCK_NONBLOCK.rawValue), 0)
    var address = sockaddr_un()
    address.sun_family = sa_family_t(AF_UNIX)
    let path = Array(name.utf8)
    withUnsafeMutableBytes(of: &address.sun_path) { bytes in
      bytes.copyBytes(from: path)
      if abstract { bytes[0] = 0 }
    }
    let length = socklen_t(MemoryLayout<sa_family_t>.size + path.count + (abstract ? 0 : 1))
    let result = withUnsafePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(descriptor, $0, length) }
    }
    precondition(result == 0)
  }

  deinit { close(descriptor) }

  func heard() -> [String] {
    var messages: [String] = []
    var buffer = [UInt8](repeating: 0, count: 512)
    while true {
      let count = recv(descriptor, &buffer, buffer.count, 0)
      guard count > 0 else { return messages }
      messages.append(String(decoding: buffer.prefix(count), as: UTF8.self))
    }
  }
}

@Suite struct SystemdTests {
  @Test("the manager hears of ready, reload, status and stop, by a path or an abstract name", arguments: [false, true])
  func notifications(abstract: Bool) {
    let manager = FakeManager(abstract: abstract)
    let systemd = Systemd { ["NOTIFY_SOCKET": manager.name][$0] }
    systemd.ready(status: "1 court")
    systemd.reloading(at: Instant(nanoseconds: 5_000_000))
    systemd.status("game on\nWATCHDOG=trigger")
    systemd.stopping(status: "draining")
    #expect(
      manager.heard() == [
        "READY=1\nSTATUS=1 court", "RELOADING=1\nMONOTONIC_USEC=5000", "STATUS=game on WATCHDOG=trigger",
        "STOPPING=1\nSTATUS=draining",
      ])
  }

  @Test("without a manager, or with one that has gone, nothing happens")
  func nobody() {
    Systemd { _ in nil }.ready(status: "")
    Systemd { ["NOTIFY_SOCKET": "/nowhere/notify"][$0] }.ready(status: "")
    Systemd { ["NOTIFY_SOCKET": "/" + String(repeating: "x", count: 200)][$0] }.ready(status: "")
    Systemd { ["NOTIFY_SOCKET": "vsock:2:1234"][$0] }.ready(status: "")
  }

  @Test("the watchdog hears from the loop at once and then twice per period")
  func watchdog() throws {
    let loop = try EventLoop()
    let manager = FakeManager(abstract: true)
    let systemd = Systemd { ["NOTIFY_SOCKET": manager.name, "WATCHDOG_USEC": "20000"][$0] }
    #expect(systemd.watchdogPeriod == .milliseconds(20))
    let start = SystemClock.now().instant
    systemd.startWatchdog(on: loop)
    var beats = 0
    #expect(
      try loop.turn {
        beats += manager.heard().filter { $0 == "WATCHDOG=1" }.count
        return beats >= 4
      })
    #expect(SystemClock.now().instant - start >= .milliseconds(30))
    systemd.stopWatchdog()
  }

  @Test("a watchdog that is meant for another process, or is none, is not fed")
  func foreignWatchdog() {
    #expect(Systemd { ["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "1"][$0] }.watchdogPeriod == nil)
    #expect(
      Systemd { ["WATCHDOG_USEC": "20000", "WATCHDOG_PID": "\(getpid())"][$0] }.watchdogPeriod == .milliseconds(20))
    for nonsense in ["", "0", "-5", "soon"] {
      #expect(Systemd { ["WATCHDOG_USEC": nonsense][$0] }.watchdogPeriod == nil)
    }
  }
}

@Suite struct SingleInstanceTests {
  @Test("B133: the second start is told who holds the state directory, and the first is untouched")
  func secondStart() throws {
    let folder = TemporaryFolder()
    let first = try SingleInstance.claim(in: folder.path)
    let refusal = refusal(in: folder.path)
    #expect(refusal == .heldBy(process: getpid(), path: folder.file("lock")))
    #expect(refusal?.description.contains("already running as process \(getpid())") == true)
    #expect(self.refusal(in: folder.path) == refusal)
    _ = consume first
    #expect(self.refusal(in: folder.path) == nil)
  }

  @Test("a lock file that a crash left behind does not keep anybody out, and its old holder is not named")
  func leftBehind() throws {
    let folder = TemporaryFolder()
    let path = folder.file("lock")
    let file = creat(path, 0o644)
    _ = write(file, "4194304\n4194304\n", 16)
    close(file)
    let holder = try SingleInstance.claim(in: folder.path)
    #expect(refusal(in: folder.path) == .heldBy(process: getpid(), path: path))
    _ = consume holder
  }

  @Test(
    "a read-only state directory is held all the same, by its lock file or by itself",
    .enabled(if: geteuid() == 0, "needs root for a file system of its own"), arguments: [false, true])
  func readOnly(hasFile: Bool) throws {
    let folder = TemporaryFolder()
    func mount(_ options: String...) throws -> Int32 {
      let process = try Process.run(URL(fileURLWithPath: "/usr/bin/env"), arguments: options + [folder.path])
      process.waitUntilExit()
      return process.terminationStatus
    }
    guard try mount("mount", "-t", "tmpfs", "-o", "size=1m", "tmpfs") == 0 else { return }
    defer { _ = try? mount("umount", "-l") }
    if hasFile { _ = try SingleInstance.claim(in: folder.path) }
    #expect(try mount("mount", "-o", "remount,ro") == 0)
    let holder = try SingleInstance.claim(in: folder.path)
    guard case .heldBy = refusal(in: folder.path) else {
      Issue.record("A second one was let in.")
      return
    }
    _ = consume holder
  }

  @Test("a state directory that is not there is an error that names it")
  func missing() {
    guard case .failed(let error) = refusal(in: "/nowhere") else {
      Issue.record("A lock in a missing directory was given.")
      return
    }
    #expect(error.subject == "/nowhere/lock")
  }

  private func refusal(in directory: String) -> SingleInstance.Refusal? {
    do {
      _ = try SingleInstance.claim(in: directory)
      return nil
    } catch {
      return error
    }
  }
}

@Suite struct SignalTests {
  @Test("signals arrive on the loop, in a thread that survives them, and a broken pipe is only an error")
  func signals() throws {
    let seen = Locked<[Signals.Signal]>([])
    let brokenPipe = Locked<Int32>(0)
    // A thread of its own, because the mask stays with the thread.
    let thread = try WorkerThread(named: "signals") {
      guard let loop = try? EventLoop(),
        let signals = try? Signals(on: loop, { signal in seen.withLock { $0.append(signal) } })
      else { return }
      for signal in [SIGTERM, SIGINT, SIGHUP, SIGCONT] {
        pthread_kill(pthread_self(), signal)
        _ = try? loop.turn(until: SystemClock.now().instant + .seconds(5))
      }
      var ends: [Int32] = [0, 0]
      pipe(&ends)
      close(ends[0])
      let result = write(ends[1], "x", 1)
      let code = errno
      brokenPipe.withLock { $0 = result == -1 ? code : 0 }
      close(ends[1])
      withExtendedLifetime(signals) {}
    }
    thread.join()
    #expect(seen.withLock { $0 } == [.terminate, .interrupt, .hangUp, .resumed])
    #expect(brokenPipe.withLock { $0 } == EPIPE)
  }
}

@Suite struct IdentityTests {
  @Test("HMAC-SHA256 agrees with RFC 4231")
  func hmac() {
    let hex = { (bytes: [UInt8]) in bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }
    #expect(
      hex(Crypto.hmacSHA256(Array("what do ya want for nothing?".utf8), key: Array("Jefe".utf8)))
        == "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843")
    #expect(
      hex(Crypto.hmacSHA256(Array("Hi There".utf8), key: [UInt8](repeating: 0x0B, count: 20)))
        == "b0344c61d8db38535ca8afceaf0bf12b881dc200c9833da726e9376c2e32cff7")
    #expect(
      hex(Crypto.hmacSHA256([], key: []))
        == "b613679a0814d9ec772f95d778c35fc5ff1697c493715653c6c712144292c5ad")
  }

  @Test("random bytes come in the asked number and are not the same twice")
  func random() {
    #expect(Crypto.randomBytes(0).isEmpty)
    #expect(Crypto.randomBytes(1000).count == 1000)
    #expect(Crypto.randomBytes(16) != Crypto.randomBytes(16))
  }

  @Test("a machine has a name that stays, differs from the next one's and does not hold its id")
  func machine() {
    let id = "0123456789abcdef0123456789abcdef"
    let name = MachineIdentity.derive(from: Array("\(id)\n".utf8))
    #expect(name?.utf8.count == 32)
    #expect(name == MachineIdentity.derive(from: Array(id.utf8)))
    #expect(name != MachineIdentity.derive(from: Array("1123456789abcdef0123456789abcdef".utf8)))
    #expect(name?.contains("0123456789abcdef") == false)
  }

  @Test(
    "a machine without an id has no name",
    arguments: ["", "\n", "uninitialized\n", "00000000000000000000000000000000", "0123456789ABCDEF0123456789ABCDEF"])
  func nameless(text: String) {
    #expect(MachineIdentity.derive(from: Array(text.utf8)) == nil)
    #expect(MachineIdentity.read(path: "/nowhere/machine-id") == nil)
  }
}
