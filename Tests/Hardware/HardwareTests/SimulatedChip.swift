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

  /// The folder of the chip's lines; its number may change when it comes back.
  private static var folder: String {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: device)) ?? []
    return device + "/" + (names.first { $0.hasPrefix("gpiochip") } ?? "gone")
  }

  static func press(_ line: Int, _ isDown: Bool) { write(isDown ? "pull-down" : "pull-up", line) }

  /// Levels in turn from pressed, each for that many microseconds; the last one stays.
  static func play(_ line: Int, _ microseconds: Int...) {
    var isDown = true
    for time in microseconds {
      press(line, isDown)
      usleep(UInt32(time))
      isDown.toggle()
    }
    press(line, isDown)
  }

  /// One press as a contact makes it: bounce of half a millisecond at both ends.
  static func bouncingPress(_ line: Int, milliseconds: Int = 60) {
    play(line, 200, 300, milliseconds * 1000, 200, 300)
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

/// Looks at a lamp all the time, so that a short flash is not missed.
final class LampWatch: Sendable {
  private let lit = Flag()

  var wasLit: Bool { lit.isSet }

  /// Until it was lit, or for some seconds.
  init(_ line: Int) {
    let lit = lit
    Thread.detachNewThread {
      let end = Date(timeIntervalSinceNow: 20)
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
