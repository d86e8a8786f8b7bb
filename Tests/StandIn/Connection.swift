import CSSL
import Foundation
import GameCore

/// One accepted socket with its TLS and its protocol. Lives on a thread of its own; the others reach it only by
/// shutting its socket down.
final class Connection {
  private let fd: Int32
  private let ssl: OpaquePointer?
  private let receive: (Incoming, String) -> Plan
  private let holdsStill: () -> Bool
  private var speaker: any Speaker = HTTP1()
  private var waiting: [(stream: Int32, plan: Plan)] = []
  private var unsent: [UInt8] = []
  private var slowStep: Duration?
  private var nextSlowByte = Instant(nanoseconds: 0)

  /// `holdsStill` waits a little while the connection is frozen and tells whether it still is.
  init(
    fd: Int32, context: OpaquePointer?, receive: @escaping (Incoming, String) -> Plan,
    holdsStill: @escaping () -> Bool
  ) {
    self.fd = fd
    self.receive = receive
    self.holdsStill = holdsStill
    ssl = context.map { SSL_new($0) }
    if let ssl {
      SSL_set_fd(ssl, fd)
      SSL_set_accept_state(ssl)
    }
  }

  deinit { SSL_free(ssl) }

  /// Serves until the peer leaves, a fault ends it, or the socket is shut down from outside.
  func run() {
    guard shakeHands() else { return }
    var open = true
    while open {
      if holdsStill() { continue }
      open = deliver(Clock.now().instant) && write(Clock.now().instant) && pause()
      // A connection that was frozen while it waited is not read any more, whatever woke it.
      if open, !holdsStill() { open = read() }
    }
  }

  private func shakeHands() -> Bool {
    guard let ssl else { return true }
    let end = Clock.now().instant + .seconds(30)
    while Clock.now().instant < end {
      if holdsStill() { continue }
      let result = SSL_do_handshake(ssl)
      if result == 1 {
        var name: UnsafePointer<UInt8>?
        var length: UInt32 = 0
        SSL_get0_alpn_selected(ssl, &name, &length)
        if length == 2 { speaker = HTTP2() }
        return true
      }
      switch SSL_get_error(ssl, result) {
      case SSL_ERROR_WANT_READ: wait(for: POLLIN, 1_000)
      case SSL_ERROR_WANT_WRITE: wait(for: POLLOUT, 1_000)
      default: return false
      }
    }
    return false
  }

  /// Carries out the plans that are due; false when one of them ends the connection.
  private func deliver(_ now: Instant) -> Bool {
    let due = waiting.filter { $0.plan.due <= now }
    waiting.removeAll { $0.plan.due <= now }
    for (stream, plan) in due {
      switch plan.manner {
      case .whole: speaker.answer(stream, plan.answer, cut: false)
      case .cut:
        speaker.answer(stream, plan.answer, cut: true)
        _ = write(now)
        if speaker.name != "h2" { return false }
      case .slow(let span):
        speaker.answer(stream, plan.answer, cut: false)
        let bytes = speaker.output()
        unsent += bytes
        slowStep = .nanoseconds(span.nanoseconds / Int64(max(1, bytes.count)))
      case .never, .freeze: break
      case .close: return false
      }
    }
    return true
  }

  private func write(_ now: Instant) -> Bool {
    unsent += speaker.output()
    while !unsent.isEmpty {
      if slowStep != nil, now < nextSlowByte { return true }
      let count = unsent.withUnsafeBytes { bytes -> Int in
        let amount = slowStep == nil ? bytes.count : 1
        guard let ssl else { return send(fd, bytes.baseAddress, amount, Int32(MSG_NOSIGNAL)) }
        return Int(SSL_write(ssl, bytes.baseAddress, Int32(amount)))
      }
      guard count > 0 else { return wouldBlock(count) }
      unsent.removeFirst(count)
      if let step = slowStep { nextSlowByte = now + step }
    }
    slowStep = nil
    return true
  }

  private func wouldBlock(_ result: Int) -> Bool {
    guard let ssl else { return result < 0 && (errno == EAGAIN || errno == EINTR) }
    let error = SSL_get_error(ssl, Int32(result))
    return error == SSL_ERROR_WANT_READ || error == SSL_ERROR_WANT_WRITE
  }

  /// Waits for bytes, for room, or for the next thing that is due.
  private func pause() -> Bool {
    if let ssl, SSL_pending(ssl) > 0 { return true }
    let now = Clock.now().instant
    var due = waiting.filter { if case .never = $0.plan.manner { false } else { true } }.map(\.plan.due)
    if slowStep != nil { due.append(nextSlowByte) }
    let milliseconds = due.min().map { max(0, ($0 - now).milliseconds + 1) } ?? 1_000
    wait(for: POLLIN | (unsent.isEmpty || slowStep != nil ? 0 : POLLOUT), Int32(min(1_000, milliseconds)))
    return true
  }

  private func wait(for events: Int32, _ milliseconds: Int32) {
    var poll = pollfd(fd: fd, events: Int16(events), revents: 0)
    _ = Foundation.poll(&poll, 1, milliseconds)
  }

  private func read() -> Bool {
    var buffer = [UInt8](repeating: 0, count: 16_384)
    while true {
      let count: Int
      if let ssl {
        count = Int(SSL_read(ssl, &buffer, Int32(buffer.count)))
      } else {
        count = recv(fd, &buffer, buffer.count, 0)
      }
      guard count > 0 else { return wouldBlock(count) }
      guard let requests = speaker.feed(Array(buffer[..<count])) else {
        _ = write(Clock.now().instant)
        return false
      }
      for (stream, request) in requests { waiting.append((stream, receive(request, speaker.name))) }
    }
  }
}
