/// The two alphabets of base64: the standard one with padding, and the one for addresses without.
package enum Base64: Sendable {
  case standard
  case urlSafe

  package func encode(_ bytes: some Sequence<UInt8>) -> String {
    var text: [UInt8] = []
    var group: UInt32 = 0
    var count = 0
    for byte in bytes {
      group = group << 8 | UInt32(byte)
      count += 1
      if count == 3 {
        append(group, digits: 4, to: &text)
        group = 0
        count = 0
      }
    }
    if count > 0 {
      append(group << UInt32(8 * (3 - count)), digits: count + 1, to: &text)
      if self == .standard { text.append(contentsOf: repeatElement(UInt8(ascii: "="), count: 3 - count)) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  private func append(_ group: UInt32, digits: Int, to text: inout [UInt8]) {
    for place in 0..<digits { text.append(digit(UInt8(group >> UInt32(18 - 6 * place) & 63))) }
  }

  private func digit(_ value: UInt8) -> UInt8 {
    switch value {
    case 0..<26: UInt8(ascii: "A") + value
    case 26..<52: UInt8(ascii: "a") + value - 26
    case 52..<62: UInt8(ascii: "0") + value - 52
    case 62: self == .standard ? UInt8(ascii: "+") : UInt8(ascii: "-")
    default: self == .standard ? UInt8(ascii: "/") : UInt8(ascii: "_")
    }
  }
}

extension RandomNumberGenerator {
  /// Twelve random bytes in sixteen characters fit for an address: request ids, message id bases, nonces.
  package mutating func freshIdentifier() -> String {
    Base64.urlSafe.encode((0..<12).map { _ in UInt8.random(in: 0...255, using: &self) })
  }
}
