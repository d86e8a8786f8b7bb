import Document
import GameCore
import LiveContract
import Testing

@testable import Publishing

/// Looks at requests as values, before any host is chosen.
enum Draft {
  static func request(
    _ call: AblyCall, settings: AblySettings? = nil
  ) throws -> HTTPRequest {
    let settings = try settings ?? Fixture.settings()
    let identity = CallIdentity(requestID: "AAAAAAAAAAAAAAAA", messageBase: "BBBBBBBBBBBBBBBB")
    return try AblyRequest(call, settings: settings, identity: identity).addressed(
      to: settings.hosts.primary, settings.hosts)
  }

  static func body(_ call: AblyCall) throws -> Node { try #require(JSONText.parse(request(call).body)) }

  static func path(_ call: AblyCall) throws -> String {
    String(try request(call).target.prefix { $0 != "?" })
  }

  static func refusal(_ call: AblyCall, settings: AblySettings? = nil) -> LocalRefusal? {
    do {
      _ = try request(call, settings: settings)
      return nil
    } catch {
      return error as? LocalRefusal
    }
  }
}
