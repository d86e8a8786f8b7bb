import Foundation

/// The kernel's simulated GPIO chip: pulls are buttons, values are lamps. Without one there is nothing to test here.
struct SimulatedChip {
  private static let device = "/sys/devices/platform/gpio-sim.0"

  /// Why the tests are skipped; nil where there is a chip.
  static let absence: String? =
    FileManager.default.fileExists(atPath: device)
    ? nil : "there is no simulated GPIO chip here; run them with Tests/Hardware/run-in-vm"

  static let isPresent: Bool = {
    if let absence { print("skipped: \(absence)") }
    return absence == nil
  }()

  /// Whether the kernel still speaks the first ABI, the only one that libgpiod 1 knows; asked by the call that tells a
  /// line's name.
  static let hasFirstABI: Bool = {
    let chip = open("/dev/" + (folder as NSString).lastPathComponent, O_RDWR)
    defer { close(chip) }
    var information = [UInt8](repeating: 0, count: 72)
    return ioctl(chip, 0xC048_B402, &information) == 0
  }()

  /// The folder of the chip's lines; its number may change when it comes back.
  private static var folder: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: device)) ?? []
    return device + "/" + (names.first { $0.hasPrefix("gpiochip") } ?? "gone")
  }

  /// With one processor, nothing else of the guest runs before a thread that has asked for this.
  static func goFirst(_ isFirst: Bool) {
    var priority = sched_param(sched_priority: isFirst ? 50 : 0)
    sched_setscheduler(0, isFirst ? SCHED_FIFO : SCHED_OTHER, &priority)
  }

  static func press(_ line: Int, _ isDown: Bool) { write(isDown ? "pull-down" : "pull-up", line) }

  /// Levels in turn from pressed, each for that many microseconds; the last one stays. Nothing else runs before it is
  /// played: the daemon shares the guest's one processor.
  static func play(_ line: Int, _ microseconds: Int...) {
    play(line, from: true, microseconds)
  }

  private static func play(_ line: Int, from first: Bool, _ microseconds: [Int]) {
    goFirst(true)
    var isDown = first
    for time in microseconds {
      press(line, isDown)
      usleep(UInt32(time))
      isDown.toggle()
    }
    press(line, isDown)
    goFirst(false)
  }

  /// One press as a contact makes it, bouncing for half a millisecond at both ends; how long the longer of the two took,
  /// in milliseconds, as a host that is busy stretches them.
  @discardableResult static func bouncingPress(_ line: Int, milliseconds: Int = 60) -> Double {
    func bounce(_ isDown: Bool) -> Double {
      let start = now()
      play(line, from: isDown, [200, 300])
      return Double(now() - start) / 1_000_000
    }
    let first = bounce(true)
    usleep(UInt32(milliseconds * 1000))
    return max(first, bounce(false))
  }

  private static func now() -> Int {
    var time = timespec()
    clock_gettime(CLOCK_MONOTONIC, &time)
    return time.tv_sec * 1_000_000_000 + time.tv_nsec
  }

  static func isLit(_ line: Int) -> Bool {
    (try? String(contentsOfFile: "\(folder)/sim_gpio\(line)/value", encoding: .utf8))?.hasPrefix("1") == true
  }

  /// Takes the chip away, or puts it back.
  static func setLive(_ isLive: Bool) throws {
    let root = "/sys/kernel/config/gpio-sim"
    let name = try FileManager.default.contentsOfDirectory(atPath: root).first ?? ""
    try overwrite("\(root)/\(name)/live", isLive ? "1" : "0")
  }

  private static func write(_ pull: String, _ line: Int) { try? overwrite("\(folder)/sim_gpio\(line)/pull", pull) }

  /// Files of the kernel are written in one piece, in place.
  private static func overwrite(_ path: String, _ text: String) throws {
    let file = open(path, O_WRONLY)
    guard file >= 0 else { throw CocoaError(.fileWriteUnknown) }
    defer { close(file) }
    guard text.withCString({ Foundation.write(file, $0, strlen($0)) }) > 0 else { throw CocoaError(.fileWriteUnknown) }
  }
}

/// Looks at a lamp all the time, and before the daemon may go on, so that a short flash is not missed when the host has
/// kept its guest waiting.
final class LampWatch: Sendable {
  private let lit = Flag()

  var wasLit: Bool { lit.isSet }

  /// Until it was lit, or for some seconds.
  init(_ line: Int) {
    let lit = lit
    Thread.detachNewThread {
      SimulatedChip.goFirst(true)
      let end = Date(timeIntervalSinceNow: 90)
      while Date() < end {
        if SimulatedChip.isLit(line) { return lit.set() }
        usleep(1000)
      }
    }
  }

  /// One bit between two threads.
  private final class Flag: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false
    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }
}
