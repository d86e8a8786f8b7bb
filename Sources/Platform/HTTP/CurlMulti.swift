import CCurl
import GameCore

// curl says which sockets it wants to hear about and when it wants to be woken; the loop tells it what happened. All of
// curl's work is done inside those calls, on the loop's thread; only its name lookups have threads of their own.

/// A pool of connections and the transfers on them, turned by the loop.
final class CurlMulti {
  /// The C type is `CURLM`.
  let handle: UnsafeMutableRawPointer
  private let loop: EventLoop
  private var watched: Set<Int32> = []
  private var timer: LoopTimer?
  /// Called on the loop after curl has moved; a transfer may be done.
  private let moved: () -> Void

  /// The C function is `curl_multi_init`.
  init(loop: EventLoop, moved: @escaping () -> Void) throws(PlatformError) {
    guard let handle = curl_multi_init() else {
      throw PlatformError(operation: "start", subject: "curl", reason: "out of memory")
    }
    self.handle = handle
    self.loop = loop
    self.moved = moved
    timer = loop.timer { [unowned self] in act(CURL_SOCKET_TIMEOUT, 0) }
    let me = Unmanaged.passUnretained(self).toOpaque()
    bridge_curl_multi_set_socket(handle, socketWanted)
    bridge_curl_multi_set_pointer(handle, CURLMOPT_SOCKETDATA, me)
    bridge_curl_multi_set_timer(handle, timerWanted)
    bridge_curl_multi_set_pointer(handle, CURLMOPT_TIMERDATA, me)
    bridge_curl_multi_set_long(handle, CURLMOPT_PIPELINING, Int(CURLPIPE_MULTIPLEX))
    bridge_curl_multi_set_long(handle, CURLMOPT_MAXCONNECTS, 16)
  }

  /// No transfer may be left in it. The C function is `curl_multi_cleanup`, which says goodbye on every connection: newer
  /// ones would ask us to listen for the answers, and there is nobody left to hear them.
  deinit {
    bridge_curl_multi_set_socket(handle, nil)
    bridge_curl_multi_set_timer(handle, nil)
    for socket in watched { loop.unwatch(socket) }
    timer?.cancel()
    curl_multi_cleanup(handle)
  }

  /// Lets curl do at once whatever it can: on a warm connection the request leaves inside this call.
  /// The C function is `curl_multi_socket_action`.
  func push() {
    var running: Int32 = 0
    curl_multi_socket_action(handle, CURL_SOCKET_TIMEOUT, 0, &running)
  }

  /// The next finished transfer and its result. The C function is `curl_multi_info_read`.
  func nextFinished() -> (easy: UnsafeMutableRawPointer, result: CURLcode)? {
    var left: Int32 = 0
    while let message = curl_multi_info_read(handle, &left) {
      if message.pointee.msg == CURLMSG_DONE {
        return (message.pointee.easy_handle, bridge_curl_message_result(message))
      }
    }
    return nil
  }

  private func act(_ socket: curl_socket_t, _ events: Int32) {
    var running: Int32 = 0
    curl_multi_socket_action(handle, socket, events, &running)
    moved()
  }

  fileprivate func want(_ socket: Int32, _ what: Int32) {
    if what == CURL_POLL_REMOVE {
      watched.remove(socket)
      loop.unwatch(socket)
      return
    }
    var interest: EventLoop.Interest = []
    if what & CURL_POLL_IN != 0 { interest.insert(.read) }
    if what & CURL_POLL_OUT != 0 { interest.insert(.write) }
    do {
      if watched.insert(socket).inserted {
        try loop.watch(socket, for: interest) { [unowned self] in act(socket, Self.events($0)) }
      } else {
        try loop.change(socket, to: interest)
      }
    } catch {
      // The kernel refuses only when memory or descriptors are short; the transfer's deadline then ends it.
      watched.remove(socket)
    }
  }

  fileprivate func wake(after milliseconds: Int) {
    if milliseconds < 0 { timer?.set(to: nil) } else { timer?.set(after: .milliseconds(milliseconds)) }
  }

  private static func events(_ readiness: EventLoop.Readiness) -> Int32 {
    var events: Int32 = 0
    if readiness.contains(.readable) || readiness.contains(.hungUp) { events |= CURL_CSELECT_IN }
    if readiness.contains(.writable) { events |= CURL_CSELECT_OUT }
    if readiness.contains(.failed) { events |= CURL_CSELECT_ERR }
    return events
  }
}

private nonisolated func socketWanted(
  _ easy: UnsafeMutableRawPointer?, _ socket: curl_socket_t, _ what: Int32, _ multi: UnsafeMutableRawPointer?,
  _ unused: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().want(socket, what)
  return 0
}

private nonisolated func timerWanted(
  _ handle: UnsafeMutableRawPointer?, _ milliseconds: Int, _ multi: UnsafeMutableRawPointer?
) -> Int32 {
  guard let multi else { return 0 }
  Unmanaged<CurlMulti>.fromOpaque(multi).takeUnretainedValue().wake(after: milliseconds)
  return 0
}
