/// Swiss Timing's OSM6 output (Quantum, ARES): results in pairs of frames, the first saying what and where, the second
/// who and how fast. There is no running clock on the wire: it starts with the start message.
package struct SwissTimingOSM6: FrameDecoder {
  private var scanner = FrameScanner(Grammar())
  private var race = OSM6Race()
  private let readsLaneTen: Bool

  /// How lane 10 is written is not known; `0`, `:` and `A` are taken for it only when asked for.
  package init(readsLaneTen: Bool = false) { self.readsLaneTen = readsLaneTen }

  package var counts: FrameCounts { scanner.counts }

  package mutating func dropPartialFrame() {
    scanner.dropPartialFrame()
    race.forgetFirstPart()
  }

  package mutating func take(_ byte: UInt8) -> Bool {
    let bad = scanner.counts.bad
    let isWhole = scanner.take(byte) { frame in
      if frame[3] == 0x0A {
        race.accept(second: frame[3..<20], readsLaneTen: readsLaneTen)
      } else {
        race.accept(first: frame[3..<19])
      }
    }
    // The second part that was damaged may have been this one's: the next would tell of another swimmer.
    if scanner.counts.bad != bad { race.forgetFirstPart() }
    return isWhole
  }

  package func image() -> ConsoleImage { race.image() }

  struct Grammar: FrameGrammar {
    private static let keepAlive: [UInt8] = [0x01, 0x12, 0x39, 0x14, 0x54, 0x50, 0x04]

    let longest = 21

    func starts(_ byte: UInt8) -> Bool { byte == 0x01 }

    func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
      let byte = frame[index]
      if index == 0 { return .more }
      if frame[1] == 0x12 {
        guard byte == Grammar.keepAlive[index] else { return .bad }
        return index == 6 ? .other : .more
      }
      switch index {
      case 1: return byte == 0x02 ? .more : .bad
      case 2: return byte == 0x08 ? .more : .bad
      case 3: return byte == 0x0A || isPrintable(byte) ? .more : .bad
      case _: return frame[3] == 0x0A ? second(byte, index) : first(byte, index)
      }
    }

    /// `A B C DD EE FFF GG ·· HH`: event and heat are digits, lap and rank may be blank, the used lanes are bits.
    private func first(_ byte: UInt8, _ index: Int) -> FrameStep {
      switch index {
      case 6, 7: return .more
      case 8...14, 17, 18: return isDigitOrBlank(byte) ? .more : .bad
      case 19: return byte == 0x04 ? .good : .bad
      case _: return isPrintable(byte) ? .more : .bad
      }
    }

    /// `0A J KK 02 time ·`
    private func second(_ byte: UInt8, _ index: Int) -> FrameStep {
      switch index {
      case 4: return isPrintable(byte) ? .more : .bad
      case 5, 6: return isDigitOrBlank(byte) ? .more : .bad
      case 7: return byte == 0x02 ? .more : .bad
      case 8...18:
        let isMark = byte == UInt8(ascii: ":") || byte == UInt8(ascii: ".")
        return isDigitOrBlank(byte) || isMark ? .more : .bad
      case 19: return isPrintable(byte) ? .more : .bad
      case _: return byte == 0x04 ? .good : .bad
      }
    }
  }
}

/// The race as the pairs tell it.
struct OSM6Race: Sendable {
  private struct Lane: Sendable {
    var lap: Int?
    var rank: Int?
    var time: String?
    var isFinished: Bool
  }

  /// The half of a pair that has come; keep-alives may follow before its other half.
  private var first: [UInt8]?
  private var event: Int?
  private var heat: Int?
  private var race: String?
  private var lanes: [String: Lane] = [:]
  private var startTimeOfDay: String?

  mutating func forgetFirstPart() { first = nil }

  mutating func accept(first part: ArraySlice<UInt8>) { first = Array(part) }

  /// A second part without a first is dropped.
  mutating func accept(second part: ArraySlice<UInt8>, readsLaneTen: Bool) {
    guard let first else { return }
    self.first = nil
    let second = Array(part)
    let newEvent = decimal(first[7...9])
    let newHeat = decimal(first[10...11])
    let isAnotherRace = newEvent != event || newHeat != heat
    event = newEvent
    heat = newHeat
    switch first[0] {
    case UInt8(ascii: "0"):
      race = "ready"
      lanes = [:]
      startTimeOfDay = nil
    case UInt8(ascii: "1"): race = "official"
    case _:
      if isAnotherRace {
        lanes = [:]
        startTimeOfDay = nil
      }
      accept(kind: first[1], first, second, readsLaneTen: readsLaneTen)
    }
  }

  private mutating func accept(kind: UInt8, _ first: [UInt8], _ second: [UInt8], readsLaneTen: Bool) {
    switch kind {
    case UInt8(ascii: "S"):
      race = "running"
      lanes = [:]
      // Here the time is the time of day, not a race time.
      startTimeOfDay = trimmedText(second[5...15])
    case UInt8(ascii: "I"), UInt8(ascii: "A"):
      guard let number = lane(second[1], readsLaneTen: readsLaneTen) else { return }
      race = race == "official" ? race : "running"
      lanes[number] = Lane(
        lap: decimal(second[2...3]), rank: decimal(first[14...15]), time: trimmedText(second[5...15]),
        isFinished: kind == UInt8(ascii: "A"))
    case _: break  // Relay take-overs, reactions and buttons change no lane's time.
    }
  }

  private func lane(_ byte: UInt8, readsLaneTen: Bool) -> String? {
    switch byte {
    case UInt8(ascii: "1")...UInt8(ascii: "9"): return String(UnicodeScalar(byte))
    case UInt8(ascii: "0"), UInt8(ascii: ":"), UInt8(ascii: "A"): return readsLaneTen ? "10" : nil
    case _: return nil
    }
  }

  func image() -> ConsoleImage {
    var image = ConsoleImage()
    guard race != nil || event != nil else { return image }
    image["event"] = .shown(event)
    image["heat"] = .shown(heat)
    image["race"] = .shown(race)
    image["start_time_of_day"] = .shown(startTimeOfDay)
    image["lanes"] = .map(
      lanes.mapValues { lane in
        .map([
          "lap": .shown(lane.lap), "rank": .shown(lane.rank), "time": .shown(lane.time),
          "finished": .truth(lane.isFinished),
        ])
      })
    return image
  }
}
