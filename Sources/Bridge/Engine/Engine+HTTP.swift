package import GameCore
package import Publishing

// The local HTTP server: a request value in, a response value out.
extension Engine {
  /// Reads, and changes nothing: commands come over MQTT, where the broker knows who may send them.
  package func response(to request: HTTPRequest, at now: Moment) -> HTTPResponse {
    guard request.method == "GET" else {
      return Self.answer(405, text: "only GET is answered here\n", extra: [HTTPHeader("Allow", "GET")])
    }
    let path = request.target.split(separator: "?", omittingEmptySubsequences: false)[0]
    switch path {
    case "/healthz": return Self.answer(200, text: "alive\n")
    case "/status": return Self.answer(200, json: statusJSON(at: now))
    default: break
    }
    let prefix = "/app/courts/"
    if path.hasPrefix(prefix) {
      let name = path.dropFirst(prefix.count)
      let place = UInt16(name).map { Int($0) - 1 } ?? courts.firstIndex { $0.config.slug == name } ?? -1
      if courts.indices.contains(place) { return Self.answer(200, json: Told.activity(activity(of: place))) }
    }
    return Self.answer(404, text: "nothing here; there are /status, /healthz and /app/courts/1 to \(courts.count)\n")
  }

  private static func answer(_ status: Int, text: String, extra: [HTTPHeader] = []) -> HTTPResponse {
    HTTPResponse(
      status: status, headers: [HTTPHeader("Content-Type", "text/plain; charset=utf-8")] + extra,
      body: Array(text.utf8))
  }

  private static func answer(_ status: Int, json: [UInt8]) -> HTTPResponse {
    HTTPResponse(
      status: status,
      headers: [HTTPHeader("Content-Type", "application/json"), HTTPHeader("Cache-Control", "no-store")], body: json)
  }
}
