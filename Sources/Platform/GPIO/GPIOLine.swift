internal import CGPIO
internal import Glibc

/// One requested line. Released when its owner lets it go.
final class GPIOLine {
  private let line: UnsafeMutablePointer<cgpio_line>
  let place: GPIOChips.Place

  /// The C function is `gpiod_chip_request_lines`, or `gpiod_line_request_both_edges_events_flags` in version 1.
  init(_ settings: GPIOLineSettings, at place: GPIOChips.Place) throws(PlatformError) {
    let bias: cgpio_bias =
      switch settings.direction {
      case .input(.pullUp): CGPIO_PULL_UP
      case .input(.pullDown): CGPIO_PULL_DOWN
      case .input(.disabled): CGPIO_NO_PULL
      case .input(.asIs), .output: CGPIO_AS_IS
      }
    guard
      let opened = cgpio_open(
        place.path, UInt32(place.offset), "scoreboard-bridge", settings.isOutput ? 1 : 0, settings.isActiveLow ? 1 : 0,
        Int32(bias.rawValue))
    else { throw Self.refusal(errno, settings, place) }
    line = opened
    self.place = place
  }

  deinit { cgpio_close(line) }

  /// Readable when events wait; -1 for an output.
  var descriptor: Int32 { cgpio_descriptor(line) }

  /// Everything that waits, and whether some may have been lost before it.
  func drain() throws(PlatformError) -> (edges: [GPIOEdge], queueWasFull: Bool) {
    var edges: [GPIOEdge] = []
    var wasFull = false
    var buffer = [cgpio_event](repeating: cgpio_event(), count: Int(CGPIO_EVENTS))
    // The kernel's queue is finite; a line that rattles faster than it is read goes on in the next turn.
    for _ in 0..<Self.readsAtMost {
      let count = cgpio_read(line, &buffer)
      guard count >= 0 else { throw failure("read events of") }
      for event in buffer[..<Int(count)] {
        edges.append(
          GPIOEdge(isActive: event.is_active != 0, nanoseconds: event.nanoseconds, sequence: event.sequence))
      }
      if cgpio_may_have_lost(count) != 0 { wasFull = true }
      if count == 0 { break }
    }
    return (edges, wasFull)
  }

  /// The C function is `gpiod_line_request_get_value` or `gpiod_line_get_value`.
  func isActive() throws(PlatformError) -> Bool {
    let value = cgpio_value(line)
    guard value >= 0 else { throw failure("read") }
    return value == 1
  }

  /// The C function is `gpiod_line_request_set_value` or `gpiod_line_set_value`.
  func set(_ isActive: Bool) throws(PlatformError) {
    guard cgpio_set_value(line, isActive ? 1 : 0) == 0 else { throw failure("switch") }
  }

  private func failure(_ operation: String) -> PlatformError {
    PlatformError(
      operation: operation, subject: "line \(place.offset) of \(place.label)", code: errno,
      hint: errno == ENODEV ? "the chip is gone; the line is taken again when it is back" : nil)
  }

  private static func refusal(
    _ code: Int32, _ settings: GPIOLineSettings, _ place: GPIOChips.Place
  ) -> PlatformError {
    let subject = "line \(settings.name) (\(place.label) \(place.offset))"
    switch code {
    case EBUSY:
      let holder = GPIOChips.holder(of: place) ?? "somebody who gives no name"
      return PlatformError(
        operation: "use", subject: subject, reason: "line busy: held by \(holder)",
        hint: "end that program, or take the line from its driver; it is tried again")
    case EINVAL where GPIOChips.kernelIsTooNew(for: place.path): return GPIOChips.tooNew(subject)
    case EACCES, EPERM:
      return PlatformError(operation: "use", subject: subject, code: code, hint: GPIOChips.noAccess)
    case let code: return PlatformError(operation: "use", subject: subject, code: code)
    }
  }

  private static let readsAtMost = 64
}
