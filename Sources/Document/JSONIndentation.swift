/// Compact JSON laid out for people: one member per line, two spaces per level. For files that are kept and compared.
package enum JSONIndentation {
  package static func indented(_ compact: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(compact.count * 2)
    var level = 0
    var inText = false
    var isEscaped = false
    for (index, byte) in compact.enumerated() {
      if inText {
        result.append(byte)
        if isEscaped {
          isEscaped = false
        } else if byte == UInt8(ascii: "\\") {
          isEscaped = true
        } else if byte == UInt8(ascii: "\"") {
          inText = false
        }
        continue
      }
      switch byte {
      case UInt8(ascii: "{"), UInt8(ascii: "["):
        result.append(byte)
        level += 1
        let closes = index + 1 < compact.count && (compact[index + 1] == byte + 2)
        if !closes { newLine(level, &result) }
      case UInt8(ascii: "}"), UInt8(ascii: "]"):
        level -= 1
        if let last = result.last, last != byte - 2 { newLine(level, &result) }
        result.append(byte)
      case UInt8(ascii: ","):
        result.append(byte)
        newLine(level, &result)
      case UInt8(ascii: ":"): result.append(contentsOf: ": ".utf8)
      default:
        inText = byte == UInt8(ascii: "\"")
        result.append(byte)
      }
    }
    result.append(UInt8(ascii: "\n"))
    return result
  }

  private static func newLine(_ level: Int, _ result: inout [UInt8]) {
    result.append(UInt8(ascii: "\n"))
    result.append(contentsOf: repeatElement(UInt8(ascii: " "), count: level * 2))
  }
}
