import CMosquitto
import Glibc
import Input

/// The way from one attempt's thread into the loop; what the library's callbacks get as their argument.
final class MQTTLine: Sendable {
  typealias Said = (attempt: UInt64, word: MQTTClient.Word)

  private struct Notes: Sendable {
    var serverReason: Int32 = 0
    var complaint = ""
    var silentAddresses: [String] = []
    var isCut = false
    var isAwaited = false
  }

  private let attempt: UInt64
  private let mailbox: Mailbox<Said>
  private let notes = Locked(Notes())

  init(attempt: UInt64, mailbox: Mailbox<Said>) {
    self.attempt = attempt
    self.mailbox = mailbox
  }

  /// Nobody listens any more; the thread is not to wait for it.
  func cut() { notes.withLock { $0.isCut = true } }

  /// Whether somebody waits for acknowledgements: the last ones, or those that make room.
  func expect(_ isAwaited: Bool) { notes.withLock { $0.isAwaited = isAwaited } }

  /// Waits while the loop is behind: the thread then reads no further, and the broker keeps the rest.
  fileprivate func say(_ word: MQTTClient.Word, isUrgent: Bool = true) {
    while !mailbox.post((attempt, word), isUrgent: isUrgent), !notes.withLock({ $0.isCut }) { usleep(2000) }
  }

  /// The thread's last word.
  func end(result: Int32, systemError: Int32) {
    let notes = notes.withLock { $0 }
    say(
      .ended(
        MQTTEnd(
          result, systemError, serverReason: notes.serverReason, complaint: notes.complaint)))
  }

  /// That a broker has a message is no news, unless somebody waits for it.
  fileprivate func acknowledged(id: Int32, code: Int32) {
    say(.published(id: id, code: code), isUrgent: code >= 128 || notes.withLock { $0.isAwaited })
  }

  /// The last word when there was nobody to connect to.
  func end(unreachable reason: String) { say(.ended(MQTTEnd(unreachable: reason))) }

  func note(silentAddresses: [String]) { notes.withLock { $0.silentAddresses = silentAddresses } }

  fileprivate var silentAddresses: [String] { notes.withLock { $0.silentAddresses } }

  fileprivate func note(serverReason: Int32) { notes.withLock { $0.serverReason = serverReason } }

  fileprivate func note(complaint: String) { notes.withLock { $0.complaint = complaint } }
}

private nonisolated func line(_ argument: UnsafeMutableRawPointer?) -> MQTTLine {
  guard let argument else { preconditionFailure("The library hands back the pointer it was given.") }
  return Unmanaged<MQTTLine>.fromOpaque(argument).takeUnretainedValue()
}

nonisolated func connectAnswered(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ code: Int32, _ flags: Int32,
  _ properties: OpaquePointer?
) {
  guard code == 0 else { return line(argument).say(.refused(code: code)) }
  var size: UInt32 = 0
  let isTold = mosquitto_property_read_int32(properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.identifier, &size, false) != nil
  let line = line(argument)
  line.say(
    .accepted(
      isResumed: flags & 1 == 1, maximumPacketSize: isTold ? Int(size) : nil, silentAddresses: line.silentAddresses))
}

nonisolated func disconnected(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ code: Int32, _ properties: OpaquePointer?
) {
  line(argument).note(serverReason: code)
}

nonisolated func messageCame(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ message: UnsafePointer<mosquitto_message>?,
  _ properties: OpaquePointer?
) {
  guard let message = message?.pointee, let topic = message.topic else { return }
  let payload = UnsafeRawBufferPointer(start: message.payload, count: Int(message.payloadlen))
  line(argument).say(
    .message(
      MQTTMessage(
        topic: String(cString: topic), payload: [UInt8](payload),
        qos: QoS(rawValue: UInt8(clamping: message.qos)) ?? .atMostOnce, isRetained: message.retain,
        responseTopic: responseTopic(properties), correlation: correlation(properties))))
}

nonisolated func publishAnswered(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ id: Int32, _ code: Int32,
  _ properties: OpaquePointer?
) {
  line(argument).acknowledged(id: id, code: code)
}

nonisolated func subscribeAnswered(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ id: Int32, _ count: Int32,
  _ granted: UnsafePointer<Int32>?, _ properties: OpaquePointer?
) {
  let isGranted = count > 0 && granted.map { $0[0] < 128 } ?? false
  line(argument).say(.subscribed(id: id, isGranted: isGranted))
}

/// Only complaints are kept: with TLS they are the only place where the library says what is wrong with a certificate.
nonisolated func libraryComplained(
  _ handle: OpaquePointer?, _ argument: UnsafeMutableRawPointer?, _ level: Int32, _ text: UnsafePointer<CChar>?
) {
  guard level == MOSQ_LOG_ERR, let text else { return }
  line(argument).note(complaint: String(String(cString: text).prefix(200)))
}

/// Strings come as copies of the library's own making. The C function is `mosquitto_property_read_string`.
private nonisolated func responseTopic(_ properties: OpaquePointer?) -> String? {
  var text: UnsafeMutablePointer<CChar>?
  mosquitto_property_read_string(properties, MQTT_PROP_RESPONSE_TOPIC.identifier, &text, false)
  defer { free(text) }
  return text.map { String(cString: $0) }
}

/// The C function is `mosquitto_property_read_binary`.
private nonisolated func correlation(_ properties: OpaquePointer?) -> [UInt8]? {
  var bytes: UnsafeMutableRawPointer?
  var count: UInt16 = 0
  guard mosquitto_property_read_binary(properties, MQTT_PROP_CORRELATION_DATA.identifier, &bytes, &count, false) != nil
  else { return nil }
  defer { free(bytes) }
  return [UInt8](UnsafeRawBufferPointer(start: bytes, count: Int(count)))
}
