/// Colorado Time Systems System 5 and 6, and Gen7 in its legacy mode: not frames, but a stream that refreshes 32 display
/// modules (channels) of eight digits, round and round.
///
/// A control byte names a channel; the digits after it say their own places. A group may hold any number of them, and
/// channel 0, the running clock, breaks into other groups, whose control byte is then sent again.
package struct CTSGen6: FrameDecoder {
  package private(set) var counts = FrameCounts()
  private(set) var memory = CTSMemory()
  private let sport: ConsoleSport?
  private let channels: Channels
  /// Any byte may pass for a part of this stream, so only groups of all eight digits in their order prove it.
  package var evidence: FrameCounts { FrameCounts(good: wholeGroups, bad: counts.bad) }

  private var wholeGroups = 0
  private var group: Group?
  /// A group that channel 0 broke into: half of it may be new, so it is not shown before it goes on or another begins.
  private var interrupted: Group?

  /// Where a water polo console's boards stand; venues set them up differently.
  package struct Channels: Hashable, Sendable {
    package var clock = 0x01
    package var shotClock = 0x03
    package var score = 0x0D
    package var period = 0x0E

    package init() {}
  }

  struct Group: Sendable {
    let control: UInt8
    /// As place × 16 + value, the first in the lowest byte; places only rise or fall, so there are eight at most.
    private var packed: UInt64 = 0
    private(set) var count = 0
    /// It was complete, and is in the memory already: writing it again would look like a second cycle.
    var isWritten = false

    var channel: Int { Int((control >> 1) & 31) ^ 31 }
    var isRunning: Bool { control & 0x40 != 0 }
    var isFormat: Bool { control & 1 != 0 }

    init(control: UInt8) { self.control = control }

    mutating func append(place: UInt8, value: UInt8) {
      packed |= UInt64(place << 4 | value) << UInt64(8 * count)
      count += 1
    }

    /// In the order in which they came.
    subscript(index: Int) -> (place: Int, value: UInt8) {
      let digit = UInt8(truncatingIfNeeded: packed >> UInt64(8 * index))
      return (Int(digit >> 4), digit & 15)
    }

    var first: Int? { count == 0 ? nil : self[0].place }
    var last: Int? { count == 0 ? nil : self[count - 1].place }

    /// Its last digit is there: the seventh place, or the second where the clock is sent from the right.
    var isComplete: Bool {
      count == 8 || (last == 7 && first != 7) || (channel == 0 && first == 7 && last == 2)
    }
  }

  package init(sport: ConsoleSport? = nil, channels: Channels = Channels()) {
    self.sport = sport
    self.channels = channels
  }

  package mutating func dropPartialFrame() {
    group = nil
    interrupted = nil
  }

  package mutating func take(_ byte: UInt8) -> Bool {
    memory.pass()
    return byte >= 0x80 ? begin(byte) : add(place: byte >> 4, value: 0x0F - (byte & 0x0F))
  }

  private mutating func begin(_ control: UInt8) -> Bool {
    counts.good += 1
    let next = Group(control: control)
    var changed = false
    if let open = group {
      if next.channel == 0, open.channel != 0, open.count > 0, !open.isComplete {
        interrupted = open
      } else if !open.isWritten {
        changed = memory.write(open)
      }
    }
    group = next
    guard next.channel != 0, let broken = interrupted else { return changed }
    interrupted = nil
    if broken.control == control {
      group = broken
    } else if memory.write(broken) {
      changed = true
    }
    return changed
  }

  private mutating func add(place: UInt8, value: UInt8) -> Bool {
    guard var open = group else { return false }
    if open.isWritten || !isInOrder(Int(place), in: open) {
      // A digit out of order is a lost or damaged byte: nothing of this group can be trusted.
      group = nil
      counts.good -= 1
      counts.bad += 1
      return false
    }
    open.append(place: place, value: value)
    open.isWritten = open.isComplete
    group = open
    if open.count == 8 { wholeGroups += 1 }
    return open.isWritten && memory.write(open)
  }

  /// Places rise, or, for channel 0 on some consoles, fall.
  private func isInOrder(_ place: Int, in group: Group) -> Bool {
    guard let first = group.first, let last = group.last else { return true }
    if group.count == 1 { return place != last }
    return first < last ? place > last : place < last
  }

  package func image() -> ConsoleImage {
    sport == .waterPolo ? memory.waterPoloImage(channels) : memory.swimmingImage()
  }
}

/// The 32 modules as they are lit.
struct CTSMemory: Sendable {
  /// How long the clock has to stand, in bytes (about two seconds), before new tenths alone mean a new start.
  private static let standing = 1500

  private var digits = [UInt8](repeating: CTSMemory.blank, count: 32 * 8)
  private var seen = [Bool](repeating: false, count: 32)
  private var running = [Bool](repeating: false, count: 32)
  /// Lanes whose last two cycles showed the same: only then is a touch's time final.
  private var settled = [Bool](repeating: false, count: 32)
  private var bytesSinceClockChange = 0

  static let blank: UInt8 = 0x0F

  mutating func pass() { bytesSinceClockChange += 1 }

  /// False when the group tells nothing about what is lit.
  mutating func write(_ group: CTSGen6.Group) -> Bool {
    let channel = group.channel
    if group.isFormat {
      guard seen[channel], running[channel] != group.isRunning else { return false }
      running[channel] = group.isRunning
      return true
    }
    guard group.count > 0 else { return false }
    if channel == 0 { startOver(group) }
    var differs = !seen[channel] || running[channel] != group.isRunning
    for number in 0..<group.count {
      let (place, value) = group[number]
      let index = channel * 8 + place
      // Values above 9 light single segments, which no field of ours shows.
      let digit = value <= 9 ? value : CTSMemory.blank
      if digits[index] != digit { differs = true }
      digits[index] = digit
    }
    if channel == 0, differs { bytesSinceClockChange = 0 }
    settled[channel] = !differs
    seen[channel] = true
    running[channel] = group.isRunning
    return true
  }

  /// In some modes only tenths are sent between whole seconds. After a start the old race's minutes and seconds would
  /// stand beside them until the first second is over.
  private mutating func startOver(_ group: CTSGen6.Group) {
    let isTenthsOnly = (0..<group.count).allSatisfy { group[$0].place >= 6 }
    let changes = (0..<group.count).contains { digits[group[$0].place] != group[$0].value }
    guard isTenthsOnly, changes, bytesSinceClockChange > CTSMemory.standing else { return }
    for place in 2...5 { digits[place] = CTSMemory.blank }
  }

  func isSeen(_ channel: Int) -> Bool { seen[channel] }

  func isRunning(_ channel: Int) -> Bool { running[channel] }

  func isSettled(_ channel: Int) -> Bool { settled[channel] }

  /// The lit digits of some places; nil when all are dark.
  func lit(_ channel: Int, _ places: ClosedRange<Int>) -> String? {
    let text = places.compactMap { place -> String? in
      let digit = digits[channel * 8 + place]
      return digit == CTSMemory.blank ? nil : String(digit)
    }
    return text.isEmpty ? nil : text.joined()
  }

  func number(_ channel: Int, _ places: ClosedRange<Int>) -> Int? { lit(channel, places).flatMap { Int($0) } }
}
