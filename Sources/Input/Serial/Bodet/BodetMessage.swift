/// What one type of Bodet message may hold, byte by byte. The check byte is weak (bit 7 is masked, and a change of
/// 0x20 can hide), so the length and the kind of every byte are checked too.
struct BodetMessage: Sendable {
  /// The console's sport, as far as the type alone tells it.
  enum Family: Hashable, Sendable {
    /// Shared by all sports.
    case any
    case basketball, handball, hockey, football, futsal, volleyball, tableTennis, badminton, tennis
  }

  let family: Family
  /// One character per byte after the type's two digits:
  /// `S` bit 7 set; `#` the sport's digit; `d` digit or blank; `D` a clock's third place, where a `D` is a point;
  /// `p` period; `a` a point score, which knows the letter A; `t` text; `.` anything.
  let bytes: [UInt8]
  /// Lengths that were seen on real consoles are exact; where only the manual speaks, more may follow.
  let isExact: Bool

  private init(_ family: Family, _ bytes: StaticString, isExact: Bool) {
    self.family = family
    self.bytes = bytes.withUTF8Buffer { Array($0) }
    self.isExact = isExact
  }

  private static func seen(_ family: Family, _ bytes: StaticString) -> BodetMessage {
    BodetMessage(family, bytes, isExact: true)
  }

  private static func manual(_ family: Family, _ bytes: StaticString) -> BodetMessage {
    BodetMessage(family, bytes, isExact: false)
  }

  /// By type; nil for types we do not read.
  static let ofType: [BodetMessage?] = {
    var table = [BodetMessage?](repeating: nil, count: 100)
    table[1] = manual(.handball, "S#ddDdddp")
    table[2] = manual(.handball, "#dddddd")
    table[3] = manual(.handball, "#dddddddddddddddddddddddddddddd")
    table[4] = manual(.handball, "#..dd")
    table[6] = manual(.volleyball, "S#ddddddddddd")
    table[7] = manual(.volleyball, "S#dddd")
    table[8] = manual(.volleyball, "S#dddd")
    table[10] = manual(.football, "SddDdddddddp.")
    table[11] = seen(.hockey, "S#ddDdddddddp")
    table[12] = seen(.hockey, "#SdddSddd")
    table[13] = seen(.hockey, "#SdddSddd")
    table[14] = seen(.hockey, "#SdddSddd")
    table[15] = seen(.hockey, "#dddddddddddd")
    table[16] = seen(.hockey, "#..dd")
    table[18] = seen(.basketball, "S#ddDddd..p.")
    table[19] = seen(.basketball, "#..dd")
    table[20] = seen(.any, "dddd")
    table[21] = manual(.tableTennis, "S#ddddddd")
    table[22] = manual(.tableTennis, "#ddd")
    table[26] = manual(.tennis, "S#ddddddaaaad")
    table[27] = manual(.tennis, "S#dddd")
    table[30] = seen(.basketball, "#dddddd")
    table[31] = seen(.basketball, "#.d.ddddd")
    table[32] = seen(.any, "#ddd.")
    table[33] = seen(.any, "#SSSSSSSSSSSS")
    table[34] = seen(.any, "#SSSSSSSSSSSS")
    table[36] = seen(.any, "ddd")
    table[37] = seen(.any, "dddddddddddddddddddddddddddddd")
    table[38] = seen(.any, "dddddddddddddddddddddddddddddd")
    table[41] = manual(.badminton, "S#ddddddd")
    table[42] = manual(.badminton, "#ddd")
    table[43] = manual(.badminton, "S#dddd")
    table[45] = manual(.futsal, "SddDddddddddp.")
    table[50] = seen(.any, "Sdd")
    table[56] = seen(.any, "#ddddd")
    table[60] = seen(.basketball, "#..")
    table[98] = seen(.any, "tttttttttttttttttttttt")
    table[99] = seen(.any, "tttttttttttttttttttttt")
    return table
  }()

  func allows(_ byte: UInt8, at index: Int) -> Bool {
    guard index < bytes.count else { return !isExact && (isPrintable(byte) || byte >= 0x80) }
    switch bytes[index] {
    case UInt8(ascii: "S"): return byte >= 0x80
    case UInt8(ascii: "#"): return byte >= 48 && byte <= 57
    case UInt8(ascii: "d"): return isDigitOrBlank(byte)
    case UInt8(ascii: "D"): return isDigitOrBlank(byte) || byte == UInt8(ascii: "D")
    case UInt8(ascii: "p"): return isDigitOrBlank(byte) || byte == UInt8(ascii: "O") || byte == UInt8(ascii: "E")
    case UInt8(ascii: "a"): return isDigitOrBlank(byte) || byte == UInt8(ascii: "A")
    case UInt8(ascii: "t"): return isPrintable(byte)
    case _: return true
    }
  }
}

/// `SOH address STX ctrl message ETX check`, where the message begins with two digits, its type.
struct BodetGrammar: FrameGrammar {
  /// Types of another sport than this are whole, and nothing for us. Nil follows whatever the console plays.
  let family: BodetMessage.Family?
  let longest = 96

  func starts(_ byte: UInt8) -> Bool { byte == 0x01 }

  func step(_ frame: [UInt8], _ index: Int) -> FrameStep {
    let byte = frame[index]
    switch index {
    case 0, 1, 3: return .more
    case 2: return byte == 0x02 ? .more : .bad
    case 4, 5: return byte >= 48 && byte <= 57 ? .more : .bad
    case _: break
    }
    let message = BodetMessage.ofType[Int(frame[4] - 48) * 10 + Int(frame[5] - 48)]
    // The length of a known type says where ETX must be: bonus bytes may hold its value.
    let least = message?.bytes.count ?? 0
    if index > 6 + least, frame[index - 1] == 0x03, index == 7 + least || message?.isExact != true {
      return judge(frame, message)
    }
    if index >= 6 + least, byte == 0x03 { return .more }
    guard let message else { return isPrintable(byte) || byte >= 0x80 ? .more : .bad }
    return message.allows(byte, at: index - 6) ? .more : .bad
  }

  private func judge(_ frame: [UInt8], _ message: BodetMessage?) -> FrameStep {
    var check: UInt8 = 0
    for byte in frame[1..<frame.count - 1] { check ^= byte }
    check &= 0x7F
    if check < 0x20 { check += 0x20 }
    guard frame[frame.count - 1] == check else { return .bad }
    guard let message else { return .other }
    return message.family == .any || family == nil || family == message.family ? .good : .other
  }
}
