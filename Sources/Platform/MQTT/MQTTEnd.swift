import CMosquitto
import Document
import Glibc

/// How an attempt ended, in the library's codes, and what that means.
struct MQTTEnd: Sendable {
  private let result: Int32
  private let systemError: Int32
  /// What the broker gave as its reason, or the library's own code again.
  private let serverReason: Int32
  private let complaint: String
  /// Why the library was not even asked.
  private let obstacle: String?

  init(_ result: Int32, _ systemError: Int32, serverReason: Int32, complaint: String) {
    self.result = result
    self.systemError = systemError
    self.serverReason = serverReason
    self.complaint = complaint
    obstacle = nil
  }

  init(unreachable obstacle: String) {
    (result, systemError, serverReason, complaint) = (Int32(MOSQ_ERR_EAI.rawValue), 0, 0, "")
    self.obstacle = obstacle
  }

  /// Only newer brokers name it; the others just hang up.
  var isTakeOver: Bool { serverReason == 0x8E }

  /// The library did not understand the broker and hung up itself. So newer ones do when mosquitto refuses a message for
  /// its size, with a code that has no place in an acknowledgement.
  var isNotUnderstood: Bool { result == Int32(MOSQ_ERR_PROTOCOL.rawValue) }

  /// The broker closed the connection without a word.
  var isHangUp: Bool { result == Int32(MOSQ_ERR_CONN_LOST.rawValue) }

  /// The broker answered in words that are none of MQTT 5; older libraries understand a refusal in 3.1.1 all the same.
  private var isOldAnswer: Bool { result == Int32(MOSQ_ERR_MALFORMED_PACKET.rawValue) }

  /// The broker said so, in either version's words.
  func deniesMQTT5(refusal: Int32) -> Bool { refusal == 0x84 || refusal == 1 || refusal == 0 && isOldAnswer }

  /// It said so, or hung up on a greeting that it did not understand.
  func lacksMQTT5(refusal: Int32) -> Bool { deniesMQTT5(refusal: refusal) || refusal == 0 && isHangUp }

  func loss(refusal: Int32) -> MQTTConnectionEvent.Loss {
    switch refusal {
    case 0: return isTLS ? .tlsFailed : .unreachable
    // Bad user or password, not authorised, banned, bad method; then the same as 3.1.1 says it.
    case 0x86, 0x87, 0x8A, 0x8C, 4, 5: return .loginRefused
    // Not available, busy, quota, too many connections.
    case 0x88, 0x89, 0x97, 0x9F, 3: return .unreachable
    default: return .refused
    }
  }

  func reason(refusal: Int32) -> String {
    if refusal == 0 { return reason }
    return String(cString: refusal < 128 ? mosquitto_connack_string(refusal) : mosquitto_reason_string(refusal))
  }

  /// For people.
  var reason: String {
    if let obstacle { return obstacle }
    if serverReason >= 128 { return String(cString: mosquitto_reason_string(serverReason)) }
    let words =
      result == Int32(MOSQ_ERR_ERRNO.rawValue)
      ? PlatformError(operation: "", subject: "", code: systemError, hint: nil).reason
      : String(cString: mosquitto_strerror(result))
    return isTLS && !complaint.isEmpty ? "\(words) (\(complaint))" : words
  }

  /// A failed handshake is also told as a protocol error of the system's.
  private var isTLS: Bool {
    result == Int32(MOSQ_ERR_TLS.rawValue) || result == Int32(MOSQ_ERR_ERRNO.rawValue) && systemError == EPROTO
      || complaint.holds("OpenSSL")
  }
}
