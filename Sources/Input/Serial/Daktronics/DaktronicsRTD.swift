/// Daktronics real-time data, as the All Sport 5000 series and the Omnisport 2000 send it: packets that overwrite a part
/// of one long line of characters. A packet says where and what; which field that is, the line's map says.
///
///     SYN  00000000  SOH  004210 0107  STX  ···2  EOT  sum  ETB
///
/// A SYN cannot stand inside a packet, so one always begins anew: a packet that was cut short costs only itself.
package struct DaktronicsRTD: FrameDecoder {
  package private(set) var counts = FrameCounts()
  private(set) var memory: RTDMemory
  private let settings: Settings
  private var part = Part.outside

  package struct Settings: Hashable, Sendable {
    /// Which table reads the line when the console sends no sport code.
    package var sport: ConsoleSport?
    /// Which of the two families is on the wire; found out from the line where nil.
    package var isOmnisport: Bool?
    /// Refuse numbers that do not stand at the right of their columns.
    package var strictColumns: Bool

    package init(sport: ConsoleSport? = nil, isOmnisport: Bool? = nil, strictColumns: Bool = false) {
      self.sport = sport
      self.isOmnisport = isOmnisport
      self.strictColumns = strictColumns
    }
  }

  /// Which part of a packet the next byte belongs to.
  private enum Part {
    /// Before any SYN, or after a packet's end or failure: everything but SYN is skipped.
    case outside
    /// After SYN: eight digits that may be absent, then SOH.
    case prefix(digits: Int)
    /// Ten digits of which the last four are the place in the line.
    case header(digits: Int)
    /// The header is whole: STX, or EOT when there is no text.
    case afterHeader
    /// Characters for the line, up to EOT.
    case text
    /// Two hexadecimal digits that must equal the sum.
    case sum(digits: Int)
    /// Only ETB is missing.
    case end
  }

  private var header: [UInt8] = []
  private var text: [UInt8] = []
  private var sum: UInt8 = 0
  private var claimedSum: UInt8 = 0
  private var hasText = false

  package init(_ settings: Settings = Settings()) {
    self.settings = settings
    // Omnisport's swimming image is twice as long as any All Sport image.
    memory = RTDMemory(size: settings.sport == .swimming || settings.isOmnisport == true ? 2048 : 1024)
  }

  package mutating func dropPartialFrame() { part = .outside }

  package func image() -> ConsoleImage { memory.image(settings) }

  package mutating func take(_ byte: UInt8) -> Bool {
    if byte == 0x16 {
      if case .outside = part {} else { counts.bad += 1 }
      begin()
      return false
    }
    switch part {
    case .outside:
      return false
    case .prefix(let digits):
      sum &+= byte
      if byte == 0x01, digits == 0 || digits == 8 {
        part = .header(digits: 0)
      } else if isDigit(byte), digits < 8 {
        part = .prefix(digits: digits + 1)
      } else {
        refuse()
      }
    case .header(let digits):
      sum &+= byte
      guard isDigit(byte) else { return refuse() }
      header.append(byte)
      part = digits == 9 ? .afterHeader : .header(digits: digits + 1)
    case .afterHeader:
      sum &+= byte
      switch byte {
      case 0x02:
        hasText = true
        part = .text
      case 0x04: part = .sum(digits: 0)
      default: return refuse()
      }
    case .text:
      sum &+= byte
      if byte == 0x04 {
        part = .sum(digits: 0)
      } else if isPrintable(byte), text.count < memory.size {
        text.append(byte)
      } else {
        return refuse()
      }
    case .sum(let digits):
      guard let value = hexDigit(byte) else { return refuse() }
      claimedSum = claimedSum << 4 | value
      part = digits == 1 ? .end : .sum(digits: 1)
    case .end:
      guard byte == 0x17, claimedSum == sum else { return refuse() }
      part = .outside
      return accept()
    }
    return false
  }

  private mutating func begin() {
    part = .prefix(digits: 0)
    header.removeAll(keepingCapacity: true)
    text.removeAll(keepingCapacity: true)
    sum = 0
    claimedSum = 0
    hasText = false
  }

  /// False, so that a refused byte reads as "nothing new".
  @discardableResult
  private mutating func refuse() -> Bool {
    counts.bad += 1
    part = .outside
    return false
  }

  private mutating func accept() -> Bool {
    guard header.starts(with: "004210".utf8) else {
      counts.other += 1
      return false
    }
    guard hasText else {
      counts.other += 1
      return false
    }
    let offset = header[6...].reduce(0) { $0 * 10 + Int($1 - 48) }
    guard memory.write(text, at: offset) else {
      counts.bad += 1
      return false
    }
    counts.good += 1
    return true
  }

  private func isDigit(_ byte: UInt8) -> Bool { byte >= 48 && byte <= 57 }

  private func hexDigit(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 48...57: byte - 48
    case 65...70: byte - 55
    default: nil
    }
  }
}
