package import GameCore
internal import Glibc

/// Lines of GPIO chips, each requested by itself: one that is busy or missing keeps no other back, is tried again, and
/// comes back with its chip.
package final class GPIOLines {
  package typealias Handler = (Int, GPIOLineEvent, Moment) -> Void

  private final class Slot {
    let settings: GPIOLineSettings
    var line: GPIOLine?
    var path: String?
    var watched: Int32?
    var reopening = Reopening()
    var retry: LoopTimer?

    init(_ settings: GPIOLineSettings) { self.settings = settings }
  }

  private let loop: EventLoop
  private let handler: Handler
  private let slots: [Slot]
  private var monitor: ChipMonitor?
  private var isStarted = false

  /// The handler is told of lines by their place in `lines`.
  package init(_ lines: [GPIOLineSettings], on loop: EventLoop, _ handler: @escaping Handler) {
    self.loop = loop
    self.handler = handler
    slots = lines.map(Slot.init)
  }

  deinit { stop() }

  /// Takes the lines, and goes on trying for those it cannot have.
  package func start() {
    guard !isStarted, !slots.isEmpty else { return }
    isStarted = true
    // Without announcements a chip is still found again by the retries, only later.
    monitor = try? ChipMonitor(on: loop) { [unowned self] change in noticed(change) }
    for (number, slot) in slots.enumerated() {
      slot.retry = loop.timer { [unowned self] in open([number]) }
    }
    open(slots.indices)
  }

  /// Lamps go out, and every line is let go.
  package func stop() {
    for slot in slots {
      if slot.settings.isOutput { try? slot.line?.set(false) }
      close(slot)
      slot.retry?.cancel()
      slot.retry = nil
    }
    monitor = nil
    isStarted = false
  }

  /// Tells every event that waits, then what the line says. The level belongs to a moment at which nothing waited.
  package func read(_ number: Int) {
    let slot = slots[number]
    guard slot.line != nil else { return }
    do throws(PlatformError) {
      var isActive = false
      // An edge between draining and reading would make the level newer than the last event told: then once more.
      for _ in 0..<Self.readingsAtMost {
        try drain(number)
        guard slot.line != nil else { return }
        isActive = try slot.line?.isActive() ?? false
        if try !drain(number) { break }
      }
      handler(number, .level(isActive: isActive), SystemClock.now())
    } catch { fail(number, error) }
  }

  /// Switches a lamp; one that cannot be had stays as it is, and is set when it is back.
  package func set(_ number: Int, _ isLit: Bool) {
    do throws(PlatformError) {
      try slots[number].line?.set(isLit)
    } catch { fail(number, error) }
  }

  // MARK: - Coming and going

  private func open(_ numbers: some Sequence<Int>) {
    let wanted = numbers.filter { slots[$0].line == nil }
    guard !wanted.isEmpty else { return }
    let chips = GPIOChips.present()
    for number in wanted {
      do throws(PlatformError) {
        try open(number, among: chips)
      } catch { fail(number, error) }
    }
  }

  private func open(_ number: Int, among chips: GPIOChips) throws(PlatformError) {
    let slot = slots[number]
    let place = try chips.place(of: slot.settings)
    let line = try GPIOLine(slot.settings, at: place)
    let descriptor = line.descriptor
    // What was queued before this reading is older than the baseline, and no event.
    let isActive = slot.settings.isOutput ? false : try line.isActive()
    slot.line = line
    slot.path = place.path
    if descriptor >= 0 {
      try loop.watch(descriptor, for: .read) { [unowned self] readiness in ready(number, readiness) }
      slot.watched = descriptor
    }
    let now = SystemClock.now()
    slot.reopening.opened(at: now.instant)
    slot.retry?.set(to: nil)
    handler(number, .opened(isActive: isActive, place: place.description, warning: place.warning), now)
  }

  private func ready(_ number: Int, _ readiness: EventLoop.Readiness) {
    do throws(PlatformError) {
      if readiness.contains(.readable) { try drain(number) }
      if readiness.contains(.failed) || readiness.contains(.hungUp) {
        throw PlatformError(
          operation: "read events of", subject: "line \(slots[number].settings.name)", code: ENODEV,
          hint: "the chip is gone; the line is taken again when it is back")
      }
    } catch { fail(number, error) }
  }

  /// Whether anything came.
  @discardableResult private func drain(_ number: Int) throws(PlatformError) -> Bool {
    guard let (edges, wasFull) = try slots[number].line?.drain(), !edges.isEmpty || wasFull else { return false }
    handler(number, .edges(edges, queueWasFull: wasFull), SystemClock.now())
    return true
  }

  private func fail(_ number: Int, _ error: PlatformError) {
    let slot = slots[number]
    close(slot)
    let now = SystemClock.now()
    let failure = slot.reopening.failed(at: now.instant)
    slot.retry?.set(to: failure.retryAt)
    if failure.isNews { handler(number, .down(error), now) }
  }

  private func close(_ slot: Slot) {
    if let descriptor = slot.watched { loop.unwatch(descriptor) }
    slot.watched = nil
    slot.path = nil
    slot.line = nil
  }

  private func noticed(_ change: ChipMonitor.Change) {
    switch change {
    case .removed(let path):
      for (number, slot) in slots.enumerated() where slot.path == path {
        fail(
          number,
          PlatformError(
            operation: "use", subject: "line \(slot.settings.name)", reason: "its chip is gone",
            hint: "the line is taken again when it is back"))
      }
    case .added, .uncertain: open(slots.indices)
    }
  }

  private static let readingsAtMost = 8
}
