import CCurl
import GameCore
import Glibc
package import Publishing

/// Sends requests over warm connections and says of each what certainly happened: answered, not sent, or nobody knows.
package final class HTTPClient {
  package struct Options: Hashable, Sendable {
    /// For name lookup, connection and TLS together.
    package var openTimeout: Duration
    /// For all of it, name lookup and the whole answer included.
    package var deadline: Duration
    /// Takes no connection that was used before.
    package var freshConnection: Bool

    package init(openTimeout: Duration = .seconds(2), deadline: Duration = .seconds(5), freshConnection: Bool = false) {
      self.openTimeout = openTimeout
      self.deadline = deadline
      self.freshConnection = freshConnection
    }
  }

  /// When each step was reached, counted from the request's start; zero for a step that was not reached or not needed.
  package struct Timing: Hashable, Sendable {
    package var nameLookup = Duration.zero
    package var connected = Duration.zero
    package var secured = Duration.zero
    /// About to write the request.
    package var ready = Duration.zero
    package var firstByte = Duration.zero
    package var total = Duration.zero
    /// No connection had to be opened.
    package var usedWarmConnection = false
    package var usedHTTP2 = false
  }

  /// A request that is under way.
  package struct Handle: Hashable, Sendable {
    fileprivate var number: UInt64
  }

  package typealias Completion = (TransportResult, Timing) -> Void

  private struct Pending {
    var transfer: CurlTransfer
    var multi: CurlMulti
    var completion: Completion
  }

  private struct Finished {
    var completion: Completion
    var result: TransportResult
    var timing: Timing
  }

  private let loop: EventLoop
  private let caFile: String?
  private var current: CurlMulti?
  private var pending: [UInt64: Pending] = [:]
  private var idle: [CurlTransfer] = []
  private var finished: [Finished] = []
  private var nextNumber: UInt64 = 1
  private var later: LoopTimer?

  private static let idleBound = 8
  /// Where Debian, Fedora and Alpine keep the bundle.
  private static let systemBundles = [
    "/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt", "/etc/ssl/cert.pem",
  ]
  private static let isCurlReady = curl_global_init(Int(CURL_GLOBAL_DEFAULT)) == CURLE_OK

  /// Trusts the certificates in `caFile`, else those of the system. Nothing is connected yet.
  package init(loop: EventLoop, caFile: String? = nil) throws(PlatformError) {
    guard Self.isCurlReady else {
      throw PlatformError(operation: "start", subject: "curl", reason: "its libraries do not initialise")
    }
    self.loop = loop
    self.caFile = caFile ?? Self.systemBundles.first { access($0, R_OK) == 0 }
    later = loop.timer { [unowned self] in tellFinished() }
    current = try makeMulti()
  }

  /// Whatever is under way ends without being told.
  deinit {
    later?.cancel()
    for entry in pending.values { curl_multi_remove_handle(entry.multi.handle, entry.transfer.easy) }
  }

  /// Sends; on a warm connection the bytes have left when this returns. `completion` is called once, later, on the loop.
  @discardableResult package func send(
    _ request: HTTPRequest, options: Options = Options(), completion: @escaping Completion
  ) -> Handle {
    let number = nextNumber
    nextNumber += 1
    do throws(PlatformError) {
      let multi = try currentMulti()
      let transfer = try nextTransfer()
      guard transfer.prepare(request, options), curl_multi_add_handle(multi.handle, transfer.easy) == CURLM_OK else {
        tellLater(completion, .notSent(TransportFault(.notConnected, detail: "the request cannot be written")))
        return Handle(number: number)
      }
      pending[number] = Pending(transfer: transfer, multi: multi, completion: completion)
      multi.push()
      collect()
    } catch {
      tellLater(completion, .notSent(TransportFault(.notConnected, detail: error.description)))
    }
    return Handle(number: number)
  }

  /// Gives a request up; its completion is told so, later. One that is finished already is left alone.
  package func cancel(_ handle: Handle) {
    guard let entry = pending.removeValue(forKey: handle.number) else { return }
    let fault = TransportFault(.cancelled, detail: "given up by us")
    let result: TransportResult = entry.transfer.mayHaveBeenSent ? .ambiguous(fault) : .notSent(fault)
    let timing = entry.transfer.timing()
    curl_multi_remove_handle(entry.multi.handle, entry.transfer.easy)
    tellLater(entry.completion, result, timing)
  }

  private func currentMulti() throws(PlatformError) -> CurlMulti {
    if let current { return current }
    let multi = try makeMulti()
    current = multi
    return multi
  }

  private func nextTransfer() throws(PlatformError) -> CurlTransfer {
    if let transfer = idle.popLast() { return transfer }
    return try CurlTransfer(caFile: caFile)
  }

  private func makeMulti() throws(PlatformError) -> CurlMulti {
    try CurlMulti(loop: loop) { [unowned self] in
      collect()
      tellFinished()
    }
  }

  /// Takes finished transfers out of curl. Their completions are called afterwards: they may send again.
  private func collect() {
    for multi in multis {
      while let (easy, code) = multi.nextFinished() {
        guard let number = pending.first(where: { $0.value.transfer.easy == easy })?.key,
          let entry = pending.removeValue(forKey: number)
        else { continue }
        let result = Self.result(code, entry.transfer)
        let timing = entry.transfer.timing()
        curl_multi_remove_handle(multi.handle, easy)
        retireConnections(after: result, of: multi)
        keep(entry.transfer, after: result)
        tellLater(entry.completion, result, timing)
      }
    }
  }

  /// A request that timed out on an HTTP/2 connection leaves it in curl's pool, and the next request would go onto it
  /// again, dead as it may be. So the pool itself is given up: what runs on it may finish, what comes next starts anew.
  private func retireConnections(after result: TransportResult, of multi: CurlMulti) {
    if case .ambiguous(let fault) = result, fault.reason == .timedOut, multi === current { current = nil }
  }

  private var multis: [CurlMulti] {
    var multis = current.map { [$0] } ?? []
    for entry in pending.values where !multis.contains(where: { $0 === entry.multi }) { multis.append(entry.multi) }
    return multis
  }

  /// A lost connection leaves in its handle curl's wish to send the body again (seen with 8.14), and every later request
  /// on that handle would fail before a byte has left.
  private func keep(_ transfer: CurlTransfer, after result: TransportResult) {
    if case .answered = result, idle.count < Self.idleBound { idle.append(transfer) }
  }

  private func tellLater(_ completion: @escaping Completion, _ result: TransportResult, _ timing: Timing = Timing()) {
    finished.append(Finished(completion: completion, result: result, timing: timing))
    later?.set(to: Instant(nanoseconds: 0))
  }

  private func tellFinished() {
    let told = finished
    finished = []
    later?.set(to: nil)
    for entry in told { entry.completion(entry.result, entry.timing) }
  }

  /// The table of what curl's codes mean for a request that may be repeated or may not.
  private static func result(_ code: CURLcode, _ transfer: CurlTransfer) -> TransportResult {
    func fault(_ reason: TransportFault.Reason) -> TransportFault {
      TransportFault(reason, detail: transfer.detail(of: code))
    }
    switch code {
    case CURLE_OK:
      return .answered(transfer.response())
    case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
      return .notSent(fault(.nameNotResolved))
    case CURLE_COULDNT_CONNECT, CURLE_PROXY:
      return .notSent(fault(.notConnected))
    case CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
      CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_INVALIDCERTSTATUS:
      return .notSent(fault(.certificateRefused))
    case CURLE_SSL_CONNECT_ERROR, CURLE_SSL_CERTPROBLEM, CURLE_SSL_CIPHER, CURLE_SSL_ENGINE_INITFAILED:
      return .notSent(fault(.tlsFailed))
    case CURLE_OPERATION_TIMEDOUT:
      return transfer.mayHaveBeenSent ? .ambiguous(fault(.timedOut)) : .notSent(fault(.timedOut))
    case CURLE_GOT_NOTHING, CURLE_SEND_ERROR, CURLE_RECV_ERROR, CURLE_PARTIAL_FILE, CURLE_HTTP2, CURLE_HTTP2_STREAM,
      CURLE_SEND_FAIL_REWIND:
      return .ambiguous(fault(.connectionLost))
    default:
      // Garbled answers, requests that cannot be written, and whatever curl may come to call them.
      return transfer.mayHaveBeenSent ? .ambiguous(fault(.connectionLost)) : .notSent(fault(.notConnected))
    }
  }
}
