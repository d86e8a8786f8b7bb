import Foundation
import LiveContract
import Testing

@testable import Publishing

/// The same pushes, made by us and by PyPI's `ably`, a client that nobody here wrote. Its requests are recorded beside
/// this test; `Tests/StandIn/record-pypi-ably.py` records them again.
@Suite("Our requests beside a foreign client's") struct ForeignClientTests {
  struct Recorded {
    var method: String
    var path: String
    var contentType: String?
    var accept: String?
    var scheme: String?
    var body: NSObject

    init(_ object: [String: Any]) throws {
      method = try #require(object["method"] as? String)
      path = try #require((object["target"] as? String)?.removingPercentEncoding)
      contentType = object["content-type"] as? String
      accept = object["accept"] as? String
      scheme = object["authorization"] as? String
      body = try #require(object["body"] as? NSObject)
    }
  }

  static func recorded() throws -> [Recorded] {
    let file = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .appendingPathComponent("Fixtures/pypi-ably-requests.json")
    let whole = try JSONSerialization.jsonObject(with: Data(contentsOf: file)) as? [String: Any]
    return try #require(whole?["requests"] as? [[String: Any]]).map { try Recorded($0) }
  }

  static let update = LiveUpdatePayload(
    event: .update, gameID: "bb-20261205-riv-har", attributes: Fixture.attributes,
    state: Fixture.state(direction: .down, anchor: 1_796_440_620_000), stampMilliseconds: 1_796_440_548_250,
    staleAtMilliseconds: 1_796_440_968_000, alert: nil, fcm: FCMOptions(priority: .high, timeToLive: .seconds(180)))

  static let calls: [AblyCall] = [
    .publish(channel: "live-android:bb-20261205-riv-har", [update.message]),
    .publishToDevice(id: "01JD8Z3T8Q4V6N2K9B5D7F1G0M", update),
  ]

  @Test("a channel publish and a direct push ask for the same thing in the same way", arguments: [0, 1])
  func same(_ index: Int) throws {
    let theirs = try ForeignClientTests.recorded()[index]
    let ours = try AblyRequest(
      ForeignClientTests.calls[index], settings: Fixture.settings(),
      identity: CallIdentity(requestID: "abcdefghijklmnop", messageBase: "abcdefghijklmnop"))
    func header(_ name: String) -> String? { ours.headers.first { $0.name == name }?.value }

    #expect(ours.method == theirs.method)
    #expect(ours.target.split(separator: "?")[0].removingPercentEncoding == theirs.path)
    #expect(header("Content-Type") == theirs.contentType)
    #expect(header("Accept") == theirs.accept)
    #expect(header("Authorization")?.split(separator: " ").first.map(String.init) == theirs.scheme)
    // A one-element array says the same as the object in it.
    let body = try JSONSerialization.jsonObject(with: Data(ours.body))
    let one = (body as? [Any]).map { $0.count == 1 ? $0[0] : $0 } ?? body
    #expect(one as? NSObject == theirs.body)
  }
}
