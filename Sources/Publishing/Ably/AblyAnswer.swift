package import Document
package import GameCore

/// Reads JSON text into a tree; nil when it is not JSON. Of a key that comes twice the first must stay, or the text be
/// refused. `Platform` brings it (jansson).
package typealias JSONParse = @Sendable ([UInt8]) -> Node?

/// What one complete answer says about one call.
package enum AblyAnswer {
  package static func verdict(
    _ response: HTTPResponse, to call: AblyCall, json: JSONParse, now: WallTime
  ) -> Verdict {
    guard (200...299).contains(response.status) else {
      let refusal = refusal(response, to: call, json: json, now: now)
      return leavesOpen(refusal, status: response.status) ? .ambiguous(.answered(refusal)) : .refused(refusal)
    }
    var body: Node?
    if !response.body.isEmpty {
      guard mediaType(response) == jsonType, let parsed = json(response.body) else {
        return unreadable(notJSON(response), call)
      }
      body = parsed
    }
    return acceptance(body, of: call, json: json).map { .accepted($0) } ?? unreadable(incomplete(call), call)
  }

  /// A 5xx and a stop midway say nothing about what was done. Switched-off pushes are a plain no in spite of their 500.
  private static func leavesOpen(_ refusal: Refusal, status: Int) -> Bool {
    guard refusal.code != 103009 else { return false }
    return status >= 500 || refusal.code == 40033
  }

  /// Nobody knows what a success did that cannot be read; asking again for something that is only read does no harm.
  private static func unreadable(_ refusal: Refusal, _ call: AblyCall) -> Verdict {
    switch call {
    case .time, .pushLog, .requestToken: .refused(refusal)
    case .create, .start, .update, .end, .publish, .publishToDevice, .publishToDevices: .ambiguous(.answered(refusal))
    }
  }

  private static func notJSON(_ response: HTTPResponse) -> Refusal {
    Refusal(
      code: 40013, status: 400,
      message: "answer \(response.status) is \(mediaType(response)), not JSON: captive portal? \(opening(response))",
      action: .retry)
  }

  private static func incomplete(_ call: AblyCall) -> Refusal {
    Refusal(code: 50000, status: 500, message: "the answer to \(call.name) lacks what it must hold", action: .retry)
  }
}

// MARK: - Refusals

extension AblyAnswer {
  /// In this order: the error in the body, the two headers, the bare status.
  private static func refusal(
    _ response: HTTPResponse, to call: AblyCall, json: JSONParse, now: WallTime
  ) -> Refusal {
    let told = errorInBody(response, json: json) ?? errorInHeaders(response)
    let message = told?.message ?? "answer \(response.status) of type \(mediaType(response)): \(opening(response))"
    return Refusal(
      code: told?.code, status: told?.status ?? response.status, message: shortened(message),
      action: AblyErrors.action(code: told?.code, status: response.status, message: message, call: call),
      retryAfter: RetryAfter.wait(response, now: now))
  }

  private typealias Told = (code: Int, status: Int?, message: String)

  private static func errorInBody(_ response: HTTPResponse, json: JSONParse) -> Told? {
    guard mediaType(response) == jsonType, let error = json(response.body)?["error"] else { return nil }
    return told(error)
  }

  private static func told(_ error: Node) -> Told? {
    guard let code = error["code"]?.integer.flatMap({ Int(exactly: $0) }) else { return nil }
    return (code, error["statusCode"]?.integer.flatMap { Int(exactly: $0) }, error["message"]?.text ?? "no message")
  }

  private static func errorInHeaders(_ response: HTTPResponse) -> Told? {
    guard let code = response.header("X-Ably-Errorcode").flatMap({ Int($0) }) else { return nil }
    return (code, nil, response.header("X-Ably-Errormessage") ?? "no message")
  }

  private static let jsonType = "application/json"

  private static func mediaType(_ response: HTTPResponse) -> String {
    guard let value = response.header("Content-Type") else { return "no type" }
    let type = value.prefix { $0 != ";" }
    return String(type.split(separator: " ").joined(separator: " ").lowercased().prefix(100))
  }

  /// The first 512 bytes in base64: enough to recognise a foreign page, and harmless in a log.
  private static func opening(_ response: HTTPResponse) -> String {
    Base64.standard.encode(response.body.prefix(512))
  }

  private static func shortened(_ message: String) -> String { String(message.prefix(1000)) }
}

// MARK: - What came back

extension AblyAnswer {
  /// Nil when the answer lacks what the call was made for.
  private static func acceptance(_ body: Node?, of call: AblyCall, json: JSONParse) -> Acceptance? {
    switch call {
    case .create(let policy):
      guard let id = quoted(body?["id"]), let channel = quoted(body?["apnsChannelId"]) else { return nil }
      return .created(Broadcast(id: id, apnsChannelID: channel, policy: policy))
    case .start, .update, .end, .publishToDevice: return .plain
    case .publish:
      return .published(
        messageID: body?["messageId"]?.text, serials: (body?["serials"]?.elements ?? []).map(\.text))
    case .publishToDevices(let ids, _): return .devices(refused: refused(body, ids: ids, call: call))
    case .time:
      guard let values = body?.elements, values.count == 1, case .scalar(_, .number) = values[0].content,
        let milliseconds = values[0].integer
      else { return nil }
      return .time(WallTime(milliseconds: milliseconds))
    case .pushLog: return (body?.elements).map { .pushLog($0.map { entry($0, json: json) }) }
    case .requestToken:
      guard let text = quoted(body?["token"]) else { return nil }
      return .token(
        AblyToken(text: text, expiresMilliseconds: body?["expires"]?.integer, capability: body?["capability"]?.text))
    }
  }

  private static func quoted(_ node: Node?) -> String? {
    guard case .scalar(let text, .quoted)? = node?.content, !text.isEmpty else { return nil }
    return text
  }

  private static func refused(_ body: Node?, ids: [String], call: AblyCall) -> [String: Refusal] {
    var refused: [String: Refusal] = [:]
    for (id, item) in zip(ids, body?.elements ?? []) {
      let status = item["statusCode"]?.integer.flatMap { Int(exactly: $0) } ?? 200
      let error = item["error"].flatMap(told)
      guard error != nil || item["error"]?.members != nil || status != 200 else { continue }
      let message = error?.message ?? "no message"
      refused[id] = Refusal(
        code: error?.code, status: error?.status ?? status, message: message,
        action: AblyErrors.action(code: error?.code, status: status, message: message, call: call))
    }
    return refused
  }

  /// The log's messages carry their error as an object or as JSON in a text.
  private static func entry(_ node: Node, json: JSONParse) -> PushLogEntry {
    var data = node["data"]
    if case .scalar(let text, .quoted)? = data?.content { data = json(Array(text.utf8)) ?? data }
    let error = data?["error"].flatMap(told) ?? data.flatMap(told)
    return PushLogEntry(
      id: node["id"]?.text, timestampMilliseconds: node["timestamp"]?.integer, code: error?.code,
      message: shortened(error?.message ?? data?["message"]?.text ?? data?.text ?? node["name"]?.text ?? "no message"))
  }
}
