package import Document

extension Schema where Value == Slug {
  /// A slug as it is written out.
  package static var slug: Schema {
    let shape = ScalarShape(
      name: "slug", allowed: "small letters, digits and single hyphens, at most \(Slug.maximumLength)",
      form: .text(pattern: "^[a-z0-9]+(-[a-z0-9]+)*$"))
    return .scalar(shape, write: \.text) { Slug($0) }
  }
}

extension Schema where Value == String {
  package static var absolutePath: Schema {
    .name("path", allowed: "an absolute path", pattern: "^/") { text in
      text.utf8.first == UInt8(ascii: "/") && text.utf8.count <= 4096 && !text.utf8.contains { $0 < 32 }
    }
  }

  package static var path: Schema {
    .name("path", allowed: "a path", pattern: nil) { text in
      !text.isEmpty && text.utf8.count <= 4096 && !text.utf8.contains { $0 < 32 }
    }
  }

  /// A host's name or address, without a port and without `https://`.
  package static var host: Schema {
    .name("host", allowed: "a host name or an address, without a port", pattern: "^[A-Za-z0-9.:_-]+$", isHost)
  }

  /// As the push service names its clusters.
  static var endpoint: Schema {
    .name(
      "endpoint", allowed: "a routing policy's name, nonprod: and its name, or a host",
      pattern: "^(nonprod:)?[A-Za-z0-9.:_-]+$"
    ) { text in
      isHost(text.hasPrefix("nonprod:") ? String(text.dropFirst("nonprod:".count)) : text)
    }
  }

  /// Where this machine itself listens.
  static var ownAddress: Schema {
    .name("address", allowed: Self.digits, pattern: "^[0-9A-Fa-f.:]+$", isAddress)
  }

  static var digits: String { "an address of this machine in digits, such as 0.0.0.0 or ::1" }

  static func isAddress(_ text: String) -> Bool {
    let parts = text.split(separator: ".", omittingEmptySubsequences: false)
    if parts.count == 4, parts.allSatisfy({ UInt8($0) != nil }) { return true }
    let colons = text.utf8.filter { $0 == UInt8(ascii: ":") }.count
    return colons >= 2 && text.allSatisfy { $0.isHexDigit || ":.".contains($0) }
  }

  static func isHost(_ text: String) -> Bool {
    guard !text.isEmpty, text.utf8.count <= 253 else { return false }
    let isAddress6 = text.utf8.filter { $0 == UInt8(ascii: ":") }.count >= 2
    return text.utf8.allSatisfy { byte in
      switch byte {
      case 48...57, 65...90, 97...122, UInt8(ascii: "."), UInt8(ascii: "-"), UInt8(ascii: "_"): true
      case UInt8(ascii: ":"): isAddress6
      default: false
      }
    }
  }

  /// One or more levels of an MQTT topic. `#` and `+` are wildcards and `$` belongs to the broker.
  package static var topic: Schema {
    .name(
      "topic", allowed: "topic levels with / between them, without #, +, $ or blanks",
      pattern: "^[^#+$\\s/]+(/[^#+$\\s/]+)*$"
    ) { text in
      guard !text.isEmpty, text.utf8.count <= 128 else { return false }
      return text.utf8.split(separator: UInt8(ascii: "/"), omittingEmptySubsequences: false).allSatisfy { level in
        !level.isEmpty && level.allSatisfy { $0 > 32 && $0 != 127 && !"#+$".utf8.contains($0) }
      }
    }
  }

  /// The name of an Ably channel (`facts/ably.md` 1.7).
  package static var channel: Schema {
    .name(
      "channel", allowed: "a channel's name of at most 200 characters, not beginning with [ or :",
      pattern: "^[^\\[:\\n,][^\\n,]*$"
    ) { text in
      guard let first = text.unicodeScalars.first, first != "[", first != ":", text.count <= 200 else { return false }
      return text.unicodeScalars.allSatisfy { $0.value >= 32 && $0.value != 127 && $0 != "," }
    }
  }

  /// What a button or a key does, such as `home +1`. Whether the sport has it is asked of the game.
  package static var action: Schema {
    .name("action", allowed: "what to do, such as: home +1", pattern: nil) { text in
      !text.isEmpty && text.utf8.count <= 80
        && text.unicodeScalars.allSatisfy { $0.isASCII && $0.value >= 32 && $0.value != 127 }
    }
  }

  /// What an operator calls a console, a button or a lamp; it stands in logs and status.
  package static var label: Schema {
    .name(
      "name", allowed: "1 to 32 letters, digits, blanks and the signs + - _ . /", pattern: "^[A-Za-z0-9+_./ -]{1,32}$"
    ) { text in
      !text.isEmpty && text.utf8.count <= 32
        && text.utf8.allSatisfy { byte in
          switch byte {
          case 48...57, 65...90, 97...122: true
          default: "+-_./ ".utf8.contains(byte)
          }
        }
    }
  }
}

/// A host and a port in one text: `192.0.2.10:4001`, `scorer.local:4001`, `[::1]:4001`.
package struct HostPort: Hashable, Sendable, CustomStringConvertible {
  package var host: String
  package var port: UInt16

  package init(host: String, port: UInt16) {
    self.host = host
    self.port = port
  }

  package init?(_ text: String) {
    guard let colon = text.lastIndex(of: ":") else { return nil }
    let digits = text[text.index(after: colon)...]
    guard !digits.isEmpty, digits.utf8.allSatisfy({ $0 >= 48 && $0 <= 57 }), let port = UInt16(digits), port > 0
    else { return nil }
    var host = text[..<colon]
    let isBracketed = host.first == "[" && host.last == "]"
    if isBracketed { host = host.dropFirst().dropLast() }
    guard isBracketed || !host.contains(":"), Schema<String>.isHost(String(host)) else { return nil }
    self.init(host: String(host), port: port)
  }

  package var description: String { host.contains(":") ? "[\(host)]:\(port)" : "\(host):\(port)" }
}

extension Schema where Value == HostPort {
  package static var hostPort: Schema {
    let shape = ScalarShape(
      name: "address", allowed: "a host and a port, such as 192.0.2.10:4001",
      form: .text(pattern: "^(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9._-]+):[0-9]{1,5}$"))
    return .scalar(shape, write: \.description) { HostPort($0) }
  }
}
