import CNGHTTP2
import Foundation

/// HTTP/2 by nghttp2, as a server. Confined to its connection's thread.
final class HTTP2: Speaker {
  let name = "h2"
  private var session: OpaquePointer?
  private var open: [Int32: Incoming] = [:]
  private var complete: [(stream: Int32, request: Incoming)] = []
  private var bodies: [Int32: (bytes: [UInt8], sent: Int, cut: Bool)] = [:]

  init() {
    var callbacks: OpaquePointer?
    nghttp2_session_callbacks_new(&callbacks)
    nghttp2_session_callbacks_set_on_begin_headers_callback(callbacks, onBeginHeaders)
    nghttp2_session_callbacks_set_on_header_callback(callbacks, onHeader)
    nghttp2_session_callbacks_set_on_data_chunk_recv_callback(callbacks, onData)
    nghttp2_session_callbacks_set_on_frame_recv_callback(callbacks, onFrame)
    nghttp2_session_callbacks_set_on_stream_close_callback(callbacks, onStreamClose)
    nghttp2_session_server_new(&session, callbacks, Unmanaged.passUnretained(self).toOpaque())
    nghttp2_session_callbacks_del(callbacks)
    var settings = [
      nghttp2_settings_entry(settings_id: Int32(NGHTTP2_SETTINGS_MAX_CONCURRENT_STREAMS.rawValue), value: 100)
    ]
    nghttp2_submit_settings(session, UInt8(NGHTTP2_FLAG_NONE.rawValue), &settings, settings.count)
  }

  deinit { nghttp2_session_del(session) }

  func feed(_ bytes: [UInt8]) -> [(stream: Int32, request: Incoming)]? {
    complete = []
    return nghttp2_session_mem_recv(session, bytes, bytes.count) < 0 ? nil : complete
  }

  func output() -> [UInt8] {
    var bytes: [UInt8] = []
    var pointer: UnsafePointer<UInt8>?
    while true {
      let count = nghttp2_session_mem_send(session, &pointer)
      guard count > 0, let pointer else { return bytes }
      bytes += UnsafeBufferPointer(start: pointer, count: count)
    }
  }

  func answer(_ stream: Int32, _ answer: Answer, cut: Bool) {
    bodies[stream] = (Array(answer.body.utf8), 0, cut)
    var headers =
      [(":status", String(answer.status))] + answer.headers.sorted { $0.key < $1.key }.map { ($0.key, $0.value) }
    if answer.status != 204 { headers.append(("content-length", String(answer.body.utf8.count + (cut ? 64 : 0)))) }
    var provider = nghttp2_data_provider(source: nghttp2_data_source(fd: 0), read_callback: readBody)
    withNameValues(headers) { values in
      if answer.body.isEmpty && !cut {
        nghttp2_submit_response(session, stream, values.baseAddress, values.count, nil)
      } else {
        nghttp2_submit_response(session, stream, values.baseAddress, values.count, &provider)
      }
    }
  }

  fileprivate func begin(_ stream: Int32) { open[stream] = Incoming(method: "", target: "", headers: [], body: []) }

  fileprivate func header(_ stream: Int32, _ name: String, _ value: String) {
    switch name {
    case ":method": open[stream]?.method = value
    case ":path": open[stream]?.target = value
    case ":authority": open[stream]?.headers.append(("host", value))
    case ":scheme": break
    default: open[stream]?.headers.append((name, value))
    }
  }

  fileprivate func data(_ stream: Int32, _ bytes: UnsafeBufferPointer<UInt8>) { open[stream]?.body += bytes }

  fileprivate func ended(_ stream: Int32) {
    guard let request = open.removeValue(forKey: stream) else { return }
    complete.append((stream, request))
  }

  fileprivate func closed(_ stream: Int32) {
    open[stream] = nil
    bodies[stream] = nil
  }

  /// Copies the next piece of an answer's body; a cut one ends in a stream error.
  fileprivate func copyBody(_ stream: Int32, _ buffer: UnsafeMutablePointer<UInt8>, _ room: Int) -> (
    count: Int, end: Bool
  ) {
    guard var body = bodies[stream] else { return (0, true) }
    let count = min(room, body.bytes.count - body.sent)
    for offset in 0..<count { buffer[offset] = body.bytes[body.sent + offset] }
    body.sent += count
    bodies[stream] = body
    guard body.sent == body.bytes.count else { return (count, false) }
    return body.cut && count == 0 ? (Int(NGHTTP2_ERR_TEMPORAL_CALLBACK_FAILURE.rawValue), false) : (count, !body.cut)
  }
}

/// nghttp2 copies names and values while it takes the answer, so they need to live only for the call.
private func withNameValues(_ headers: [(String, String)], _ body: (UnsafeBufferPointer<nghttp2_nv>) -> Void) {
  let texts = headers.map { (strdup($0.0)!, strdup($0.1)!) }
  defer {
    for (name, value) in texts {
      free(name)
      free(value)
    }
  }
  let values = texts.map { name, value in
    nghttp2_nv(
      name: UnsafeMutableRawPointer(name).assumingMemoryBound(to: UInt8.self),
      value: UnsafeMutableRawPointer(value).assumingMemoryBound(to: UInt8.self),
      namelen: strlen(name), valuelen: strlen(value), flags: UInt8(NGHTTP2_NV_FLAG_NONE.rawValue))
  }
  values.withUnsafeBufferPointer(body)
}

private func speaker(_ pointer: UnsafeMutableRawPointer?) -> HTTP2 {
  Unmanaged<HTTP2>.fromOpaque(pointer!).takeUnretainedValue()
}

private func onBeginHeaders(
  _: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  speaker(context).begin(frame!.pointee.hd.stream_id)
  return 0
}

private func onHeader(
  _: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ name: UnsafePointer<UInt8>?, _ nameLength: Int,
  _ value: UnsafePointer<UInt8>?, _ valueLength: Int, _: UInt8, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  let text = { (bytes: UnsafePointer<UInt8>?, count: Int) in
    String(decoding: UnsafeBufferPointer(start: bytes, count: count), as: UTF8.self)
  }
  speaker(context).header(frame!.pointee.hd.stream_id, text(name, nameLength), text(value, valueLength))
  return 0
}

private func onData(
  _: OpaquePointer?, _: UInt8, _ stream: Int32, _ bytes: UnsafePointer<UInt8>?, _ count: Int,
  _ context: UnsafeMutableRawPointer?
) -> Int32 {
  speaker(context).data(stream, UnsafeBufferPointer(start: bytes, count: count))
  return 0
}

private func onFrame(
  _: OpaquePointer?, _ frame: UnsafePointer<nghttp2_frame>?, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  let head = frame!.pointee.hd
  let carriesRequest =
    head.type == UInt8(NGHTTP2_HEADERS.rawValue) || head.type == UInt8(NGHTTP2_DATA.rawValue)
  if carriesRequest, head.flags & UInt8(NGHTTP2_FLAG_END_STREAM.rawValue) != 0 {
    speaker(context).ended(head.stream_id)
  }
  return 0
}

private func onStreamClose(
  _: OpaquePointer?, _ stream: Int32, _: UInt32, _ context: UnsafeMutableRawPointer?
) -> Int32 {
  speaker(context).closed(stream)
  return 0
}

private func readBody(
  _: OpaquePointer?, _ stream: Int32, _ buffer: UnsafeMutablePointer<UInt8>?, _ room: Int,
  _ flags: UnsafeMutablePointer<UInt32>?, _: UnsafeMutablePointer<nghttp2_data_source>?,
  _ context: UnsafeMutableRawPointer?
) -> Int {
  let (count, end) = speaker(context).copyBody(stream, buffer!, room)
  if end { flags!.pointee |= NGHTTP2_DATA_FLAG_EOF.rawValue }
  return count
}
