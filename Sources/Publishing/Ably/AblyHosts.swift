import Document

/// Where requests go: the first host and the hosts to try when it fails.
package struct AblyHosts: Hashable, Sendable {
  package var scheme: String
  package var primary: String
  package var fallbacks: [String]
  package var port: Int

  /// `fallbacks` replaces the endpoint's own list; an empty one switches fallback off, and so does a port of one's own.
  package init(
    endpoint: String? = nil, fallbacks: [String]? = nil, scheme: String = "https", port: Int? = nil
  ) throws(LocalRefusal) {
    if endpoint?.isEmpty == true || fallbacks?.contains("") == true {
      throw LocalRefusal(
        code: 40000, status: 400, message: "a host name in ably.endpoint or ably.fallback_hosts is empty")
    }
    self.scheme = scheme
    self.port = port ?? (scheme == "https" ? 443 : 80)
    let name = endpoint ?? "main"
    if name.contains(".") || name.holds("::") || name == "localhost" {
      primary = name
      self.fallbacks = []
    } else if name.hasPrefix("nonprod:") {
      let id = name.dropFirst("nonprod:".count)
      primary = "\(id).realtime.ably-nonprod.net"
      self.fallbacks = Self.letters.map { "\(id).\($0).fallback.ably-realtime-nonprod.com" }
    } else {
      primary = "\(name).realtime.ably.net"
      self.fallbacks = Self.letters.map { "\(name).\($0).fallback.ably-realtime.com" }
    }
    if port != nil { self.fallbacks = [] }
    if let fallbacks { self.fallbacks = fallbacks }
  }

  private static let letters = ["a", "b", "c", "d", "e"]

  /// This machine itself: the only place to which a key may travel without TLS, and only in tests.
  package var isLoopback: Bool { ["localhost", "127.0.0.1", "::1"].contains(primary) }
}
