/// The answer for every console that is not listed: lines of text, read by patterns with named groups.
package struct GenericLine: FrameDecoder {
  package private(set) var counts = FrameCounts()
  /// The newest line that no pattern matched: what an operator looks at to find the pattern.
  package private(set) var lastUnmatched: String?
  private let settings: Settings
  /// Each with what its named groups feed.
  private let patterns: [(pattern: LinePattern, groups: [Group?])]
  private var shown = [ConsoleField](repeating: .unknown, count: Group.allCases.count)
  private var clock: ShownClock?
  private var shotClock: ShownClock?
  private var line: [UInt8] = []
  private var isOverlong = false
  /// With a start byte set: whether it has come since the last line end.
  private var isInside: Bool

  package struct Settings: Hashable, Sendable {
    /// What ends a line.
    package enum LineEnd: Hashable, Sendable {
      /// CR, LF or both; empty lines do not count.
      case newline
      /// CR and LF together; either alone belongs to the line.
      case carriageReturnLineFeed
      /// One byte, such as ETX.
      case byte(UInt8)
    }

    package var lineEnd = LineEnd.newline
    package var startByte: UInt8?
    package var longestLine = 1024
    /// When set, lines of any other length are refused.
    package var length: Int?
    package var check: LineCheck?

    package init() {}
  }

  package init(_ settings: Settings, patterns: [LinePattern]) {
    self.settings = settings
    self.patterns = patterns.map { ($0, $0.groups.map(Group.init(called:))) }
    isInside = settings.startByte == nil
  }

  package mutating func dropPartialFrame() { startLine() }

  package func image() -> ConsoleImage {
    var image = ConsoleImage()
    for group in Group.allCases where shown[group.rawValue] != .unknown {
      image[group == .stopped ? "clock_running" : group.name] = shown[group.rawValue]
    }
    if let clock { image.show(clock: clock, as: Group.clock.name) }
    if let shotClock { image.show(clock: shotClock, as: Group.shotClock.name) }
    return image
  }

  package mutating func take(_ byte: UInt8) -> Bool {
    if byte == settings.startByte {
      startLine()
      isInside = true
      return false
    }
    guard isInside else { return false }
    switch settings.lineEnd {
    case .newline where byte == 0x0D || byte == 0x0A: return endLine()
    case .byte(let end) where byte == end: return endLine()
    case .carriageReturnLineFeed where byte == 0x0A && line.last == 0x0D:
      line.removeLast()
      return endLine()
    case .newline, .byte, .carriageReturnLineFeed: break
    }
    if line.count >= settings.longestLine {
      isOverlong = true
      // The last byte alone is kept up to date, since CR LF has to be recognised.
      line[line.count - 1] = byte
    } else {
      line.append(byte)
    }
    return false
  }

  private mutating func startLine() {
    line.removeAll(keepingCapacity: true)
    isOverlong = false
    isInside = settings.startByte == nil
  }

  private mutating func endLine() -> Bool {
    defer { startLine() }
    if line.isEmpty, !isOverlong { return false }
    guard !isOverlong, settings.length.map({ $0 == line.count }) ?? true, settings.check?.passes(line) ?? true else {
      counts.bad += 1
      return false
    }
    for (pattern, groups) in patterns {
      if case .matched(let ranges) = pattern.match(line[...]) {
        counts.good += 1
        for (group, range) in zip(groups, ranges) {
          if let group, let range { show(group, line[range]) }
        }
        return true
      }
    }
    counts.bad += 1
    lastUnmatched = trimmedText(line) ?? ""
    return false
  }

  /// A blank group leaves its field, but for `stopped`, which says by being blank that the clock runs.
  private mutating func show(_ group: Group, _ bytes: ArraySlice<UInt8>) {
    switch group {
    case .stopped: shown[group.rawValue] = .truth(bytes.allSatisfy { $0 == 0x20 })
    case .homeScore, .awayScore, .homeFouls, .awayFouls, .homeTimeouts, .awayTimeouts:
      if let number = decimal(bytes) { shown[group.rawValue] = .number(number) }
    case .clock: clock = trimmedText(bytes).flatMap(ShownClock.init(reading:)) ?? clock
    case .shotClock: shotClock = trimmedText(bytes).flatMap(ShownClock.init(reading:)) ?? shotClock
    case .period, .homeName, .awayName:
      if let text = trimmedText(bytes) { shown[group.rawValue] = .text(text) }
    case .possession:
      if let holder = trimmedText(bytes).flatMap(GenericLine.holder) { shown[group.rawValue] = .text(holder) }
    }
  }

  private static func holder(_ text: String) -> String? {
    switch text.lowercased() {
    case "home", "h", "1", "<": "home"
    case "guest", "g", "away", "a", "visitor", "v", "2", ">": "away"
    case _: nil
    }
  }

  /// What a pattern may find, in the order of `groups`.
  private enum Group: Int, CaseIterable {
    case homeScore, awayScore, clock, period, homeFouls, awayFouls, homeTimeouts, awayTimeouts
    case shotClock, possession, stopped, homeName, awayName

    var name: String { GenericLine.groups[rawValue] }

    /// Consoles and patterns say guest, we say away.
    init?(called name: String) {
      let name = name.hasPrefix("guest_") ? "away_" + name.dropFirst(6) : name
      guard let place = GenericLine.groups.firstIndex(of: name) else { return nil }
      self.init(rawValue: place)
    }
  }

  /// The names a group may have, with `guest_` for `away_` as well.
  package static let groups = [
    "home_score", "away_score", "clock", "period", "home_fouls", "away_fouls", "home_timeouts", "away_timeouts",
    "shot_clock", "possession", "stopped", "home_name", "away_name",
  ]

  package static func knows(_ group: String) -> Bool { Group(called: group) != nil }
}

/// A sum or an exclusive or over some bytes of a line, written somewhere in the line as a byte or two hex digits.
package struct LineCheck: Hashable, Sendable {
  package enum Kind: String, Hashable, Sendable {
    case sum, xor
  }

  package var kind: Kind
  package var range: ClosedRange<Int>
  package var place: Int
  package var isHex: Bool

  package init(kind: Kind, range: ClosedRange<Int>, place: Int, isHex: Bool) {
    self.kind = kind
    self.range = range
    self.place = place
    self.isHex = isHex
  }

  /// Reads `sum 0-17 at 18` and `xor 1-20 at 21 hex`, places counted from 0 after the start byte.
  package init?(_ text: String) {
    let words = text.split(separator: " ").map(String.init)
    guard words.count == 4 || (words.count == 5 && words[4] == "hex"), words[2] == "at",
      let kind = Kind(rawValue: words[0]), let place = Int(words[3]), (0..<65536).contains(place)
    else { return nil }
    let ends = words[1].split(separator: "-").compactMap { Int($0) }
    guard ends.count == 2, ends[0] >= 0, ends[0] <= ends[1], ends[1] < 65536 else { return nil }
    self.init(kind: kind, range: ends[0]...ends[1], place: place, isHex: words.count == 5)
  }

  func passes(_ line: [UInt8]) -> Bool {
    guard range.upperBound < line.count, place + (isHex ? 2 : 1) <= line.count else { return false }
    let value =
      switch kind {
      case .sum: line[range].reduce(0, &+)
      case .xor: line[range].reduce(0, ^)
      }
    guard isHex else { return line[place] == value }
    return UInt8(String(decoding: line[place...place + 1], as: UTF8.self), radix: 16) == value
  }
}
