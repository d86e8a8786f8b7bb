/// What a connection speaks: bytes in, requests out; answers in, bytes out.
protocol Speaker: AnyObject {
  var name: String { get }
  /// Nil when the peer broke the protocol: the connection ends after what `output` holds.
  func feed(_ bytes: [UInt8]) -> [(stream: Int32, request: Incoming)]?
  func answer(_ stream: Int32, _ answer: Answer, cut: Bool)
  /// Takes what is to be written.
  func output() -> [UInt8]
}

/// HTTP/1.1, one request after another on a connection that stays open. Only what Ably's clients need: no chunked bodies.
final class HTTP1: Speaker {
  let name = "http/1.1"
  private var buffer: [UInt8] = []
  private var pending: [UInt8] = []
  private var stream: Int32 = 0
  private let limit = 1 << 20

  func feed(_ bytes: [UInt8]) -> [(stream: Int32, request: Incoming)]? {
    buffer += bytes
    var requests: [(stream: Int32, request: Incoming)] = []
    while let end = headEnd() {
      guard let head = Head(buffer[..<end]) else { return broken(400) }
      guard head.value("transfer-encoding") == nil else { return broken(411) }
      guard let length = Int(head.value("content-length") ?? "0"), (0...limit).contains(length) else {
        return broken(413)
      }
      if head.value("expect") != nil { pending += Array("HTTP/1.1 100 Continue\r\n\r\n".utf8) }
      guard buffer.count >= end + 4 + length else { break }
      let body = Array(buffer[(end + 4)..<(end + 4 + length)])
      buffer.removeFirst(end + 4 + length)
      stream += 1
      requests.append(
        (stream, Incoming(method: head.method, target: head.target, headers: head.headers, body: body)))
    }
    return buffer.count <= limit + 65_536 ? requests : broken(431)
  }

  private func broken(_ status: Int) -> [(stream: Int32, request: Incoming)]? {
    pending += Array("HTTP/1.1 \(status) Refused\r\ncontent-length: 0\r\nconnection: close\r\n\r\n".utf8)
    return nil
  }

  private func headEnd() -> Int? {
    guard buffer.count >= 4 else { return nil }
    return (0...(buffer.count - 4)).first { buffer[$0..<$0 + 4].elementsEqual([13, 10, 13, 10]) }
  }

  func answer(_ stream: Int32, _ answer: Answer, cut: Bool) {
    var head = "HTTP/1.1 \(answer.status) \(answer.status < 300 ? "OK" : "Refused")\r\n"
    for (name, value) in answer.headers.sorted(by: { $0.key < $1.key }) { head += "\(name): \(value)\r\n" }
    if answer.status != 204 { head += "content-length: \(answer.body.utf8.count + (cut ? 64 : 0))\r\n" }
    pending += Array((head + "\r\n" + answer.body).utf8)
  }

  func output() -> [UInt8] {
    defer { pending = [] }
    return pending
  }

  private struct Head {
    var method: String
    var target: String
    var headers: [(name: String, value: String)]

    func value(_ name: String) -> String? { headers.first { $0.name == name }?.value }

    init?(_ bytes: ArraySlice<UInt8>) {
      let lines = String(decoding: bytes, as: UTF8.self).split(separator: "\r\n", omittingEmptySubsequences: false)
      let words = lines[0].split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 3, words[2] == "HTTP/1.1", words[1].first == "/" else { return nil }
      method = String(words[0])
      target = String(words[1])
      headers = []
      for line in lines.dropFirst() {
        guard let colon = line.firstIndex(of: ":"), colon > line.startIndex else { return nil }
        let value = line[line.index(after: colon)...].drop { $0 == " " || $0 == "\t" }
        headers.append((line[..<colon].lowercased(), String(value)))
      }
    }
  }
}
