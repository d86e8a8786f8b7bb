import CCurl
import GameCore
import Glibc
import Publishing

/// One easy handle, set up once and used for one request after another.
final class CurlTransfer {
  /// The C type is `CURL`.
  let easy: UnsafeMutableRawPointer
  private var headerList: UnsafeMutablePointer<curl_slist>?
  private var errorText: UnsafeMutablePointer<CChar>
  private var outgoing: [UInt8] = []
  private var sent = 0
  private var headers: [HTTPHeader] = []
  private var body: [UInt8] = []
  private var userTimeout: Int32 = 0

  static let bodyBound = 65536
  private static let headerBound = 100

  /// The C function is `curl_easy_init`.
  init(caFile: String?) throws(PlatformError) {
    guard let easy = curl_easy_init() else {
      throw PlatformError(operation: "start", subject: "a curl transfer", reason: "out of memory")
    }
    self.easy = easy
    errorText = .allocate(capacity: Int(CURL_ERROR_SIZE))
    errorText.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
    setUp(caFile: caFile)
  }

  /// The C function is `curl_easy_cleanup`.
  deinit {
    curl_easy_cleanup(easy)
    curl_slist_free_all(headerList)
    errorText.deallocate()
  }

  private func setUp(caFile: String?) {
    let me = Unmanaged.passUnretained(self).toOpaque()
    bridge_curl_set_pointer(easy, CURLOPT_PRIVATE, me)
    bridge_curl_set_pointer(easy, CURLOPT_ERRORBUFFER, errorText)
    bridge_curl_set_callback(easy, CURLOPT_WRITEFUNCTION, bodyCame)
    bridge_curl_set_pointer(easy, CURLOPT_WRITEDATA, me)
    bridge_curl_set_callback(easy, CURLOPT_HEADERFUNCTION, headerCame)
    bridge_curl_set_pointer(easy, CURLOPT_HEADERDATA, me)
    // The body is read from us and cannot be rewound: after a lost connection curl would send a rewindable body again
    // by itself, and what must happen once would happen twice.
    bridge_curl_set_callback(easy, CURLOPT_READFUNCTION, bodyWanted)
    bridge_curl_set_pointer(easy, CURLOPT_READDATA, me)
    bridge_curl_set_sockopt(easy, socketMade)
    bridge_curl_set_pointer(easy, CURLOPT_SOCKOPTDATA, me)
    bridge_curl_set_long(easy, CURLOPT_NOSIGNAL, 1)
    // Otherwise a transfer that times out while its name is looked up waits for the lookup's thread.
    bridge_curl_set_long(easy, CURLOPT_QUICK_EXIT, 1)
    bridge_curl_set_text(easy, CURLOPT_PROTOCOLS_STR, "http,https")
    bridge_curl_set_long(easy, CURLOPT_FOLLOWLOCATION, 0)
    bridge_curl_set_long(easy, CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
    bridge_curl_set_long(easy, CURLOPT_PIPEWAIT, 1)
    bridge_curl_set_long(easy, CURLOPT_TCP_NODELAY, 1)
    bridge_curl_set_long(easy, CURLOPT_HAPPY_EYEBALLS_TIMEOUT_MS, 200)
    // A connection that is kept warm lives for the whole game; a dead one is found out by keep-alive probes.
    bridge_curl_set_long(easy, CURLOPT_MAXAGE_CONN, 86400)
    bridge_curl_set_long(easy, CURLOPT_TCP_KEEPALIVE, 1)
    bridge_curl_set_long(easy, CURLOPT_TCP_KEEPIDLE, 15)
    bridge_curl_set_long(easy, CURLOPT_TCP_KEEPINTVL, 5)
    bridge_curl_set_long(easy, CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
    bridge_curl_set_long(easy, CURLOPT_PATH_AS_IS, 1)
    // Debian's default folder of certificates would switch off curl's cache of the bundle, 15 ms per connection.
    bridge_curl_set_text(easy, CURLOPT_CAPATH, nil)
    if let caFile { bridge_curl_set_text(easy, CURLOPT_CAINFO, caFile) }
  }

  /// Readies the handle for a request; false when curl refuses one of its parts.
  func prepare(_ request: HTTPRequest, _ options: HTTPClient.Options) -> Bool {
    headers = []
    body = []
    outgoing = request.body
    sent = 0
    errorText[0] = 0
    userTimeout = Int32(clamping: options.deadline.milliseconds)
    let host = request.host.contains(":") ? "[\(request.host)]" : request.host
    let url = "\(request.scheme)://\(host):\(request.port)\(request.target)"
    guard bridge_curl_set_text(easy, CURLOPT_URL, url) == CURLE_OK else { return false }
    bridge_curl_set_long(easy, CURLOPT_CONNECTTIMEOUT_MS, max(1, Int(options.openTimeout.milliseconds)))
    bridge_curl_set_long(easy, CURLOPT_TIMEOUT_MS, max(1, Int(options.deadline.milliseconds)))
    bridge_curl_set_long(easy, CURLOPT_FRESH_CONNECT, options.freshConnection ? 1 : 0)
    return setMethod(request) && setHeaders(request)
  }

  private func setMethod(_ request: HTTPRequest) -> Bool {
    if request.method == "HEAD" {
      bridge_curl_set_long(easy, CURLOPT_NOBODY, 1)
    } else if request.body.isEmpty, request.method != "POST" {
      bridge_curl_set_long(easy, CURLOPT_HTTPGET, 1)
    } else {
      bridge_curl_set_long(easy, CURLOPT_POST, 1)
      bridge_curl_set_offset(easy, CURLOPT_POSTFIELDSIZE_LARGE, curl_off_t(request.body.count))
    }
    return bridge_curl_set_text(easy, CURLOPT_CUSTOMREQUEST, request.method) == CURLE_OK
  }

  /// The C function is `curl_slist_append`.
  private func setHeaders(_ request: HTTPRequest) -> Bool {
    curl_slist_free_all(headerList)
    headerList = nil
    // curl would add these two by itself: the first costs a round trip, the second would be a lie.
    var lines = ["Expect:"]
    if !request.headers.contains(where: { $0.name.lowercased() == "content-type" }) { lines.append("Content-Type:") }
    lines += request.headers.map { $0.value.isEmpty ? "\($0.name);" : "\($0.name): \($0.value)" }
    for line in lines {
      guard !line.utf8.contains(10), !line.utf8.contains(13), let longer = curl_slist_append(headerList, line) else {
        return false
      }
      headerList = longer
    }
    return bridge_curl_set_list(easy, CURLOPT_HTTPHEADER, headerList) == CURLE_OK
  }

  /// True once curl has begun to hand the request to a connection.
  var mayHaveBeenSent: Bool { bridge_curl_info_offset(easy, CURLINFO_PRETRANSFER_TIME_T) > 0 }

  func response() -> HTTPResponse {
    HTTPResponse(status: bridge_curl_info_long(easy, CURLINFO_RESPONSE_CODE), headers: headers, body: body)
  }

  func timing() -> HTTPClient.Timing {
    func time(_ info: CURLINFO) -> Duration { .microseconds(bridge_curl_info_offset(easy, info)) }
    return HTTPClient.Timing(
      nameLookup: time(CURLINFO_NAMELOOKUP_TIME_T), connected: time(CURLINFO_CONNECT_TIME_T),
      secured: time(CURLINFO_APPCONNECT_TIME_T), ready: time(CURLINFO_PRETRANSFER_TIME_T),
      firstByte: time(CURLINFO_STARTTRANSFER_TIME_T), total: time(CURLINFO_TOTAL_TIME_T),
      usedWarmConnection: bridge_curl_info_long(easy, CURLINFO_NUM_CONNECTS) == 0 && mayHaveBeenSent,
      usedHTTP2: bridge_curl_info_long(easy, CURLINFO_HTTP_VERSION) == Int(CURL_HTTP_VERSION_2_0))
  }

  /// In curl's words, with its code. They name hosts, never paths or headers; but a proxy that curl cannot make out is
  /// quoted whole, with its password.
  func detail(of code: CURLcode) -> String {
    var words = errorText[0] == 0 ? String(cString: curl_easy_strerror(code)) : String(cString: errorText)
    if words.hasPrefix("Unsupported proxy") {
      words = "HTTPS_PROXY or ALL_PROXY cannot be used: write http://USER:PASSWORD@HOST:PORT, odd signs as %23"
    }
    return "\(words.prefix(200)) (curl \(code.rawValue))"
  }

  fileprivate func add(body bytes: UnsafeRawBufferPointer) {
    body.append(contentsOf: bytes.prefix(max(0, Self.bodyBound - body.count)))
  }

  /// A line with its end; a status line begins anew, as after an interim answer.
  fileprivate func add(headerLine line: UnsafeRawBufferPointer) {
    if line.starts(with: "HTTP/".utf8) { headers = [] }
    guard headers.count < Self.headerBound, let colon = line.firstIndex(of: UInt8(ascii: ":")) else { return }
    let isSpace = { (byte: UInt8) in byte == 32 || (9...13).contains(byte) }
    let value = line[(colon + 1)...].drop(while: isSpace)
    let end = value.lastIndex { !isSpace($0) }.map { $0 + 1 } ?? value.startIndex
    headers.append(
      HTTPHeader(
        String(decoding: line[..<colon], as: UTF8.self), String(decoding: value[..<end], as: UTF8.self)))
  }

  fileprivate func fill(_ buffer: UnsafeMutableRawBufferPointer) -> Int {
    let count = min(buffer.count, outgoing.count - sent)
    buffer.copyBytes(from: outgoing[sent..<(sent + count)])
    sent += count
    return count
  }

  /// A peer that stops acknowledging is noticed within the request's own deadline, not after the kernel's quarter hour.
  fileprivate func tune(_ socket: Int32) {
    var timeout = userTimeout
    setsockopt(socket, Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, &timeout, socklen_t(MemoryLayout<Int32>.size))
  }
}

private nonisolated func transfer(_ data: UnsafeMutableRawPointer?) -> CurlTransfer {
  guard let data else { preconditionFailure("curl hands back the pointer it was given.") }
  return Unmanaged<CurlTransfer>.fromOpaque(data).takeUnretainedValue()
}

private nonisolated func bodyCame(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
  transfer(data).add(body: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private nonisolated func headerCame(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
  transfer(data).add(headerLine: UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

private nonisolated func bodyWanted(
  _ bytes: UnsafeMutablePointer<CChar>?, _ size: Int, _ count: Int, _ data: UnsafeMutableRawPointer?
) -> Int {
  transfer(data).fill(UnsafeMutableRawBufferPointer(start: bytes, count: size * count))
}

private nonisolated func socketMade(
  _ data: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ purpose: curlsocktype
) -> Int32 {
  transfer(data).tune(socket)
  return CURL_SOCKOPT_OK
}
