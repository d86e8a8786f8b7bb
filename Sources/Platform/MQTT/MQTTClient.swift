import CMosquitto
import Glibc
import Input

// One attempt at one broker: a handle of the library, and a thread that looks up the name, connects and turns the
// library until the connection ends. The library's own thread is not used: it ends for good on a refused MQTT 5 login
// and reconnects when it likes, and a client that is made anew for each attempt carries nothing over from the last one.
// Publishing and subscribing may be done from the loop's thread meanwhile; the library locks for itself.

/// A connection to one broker, from its attempt to its end.
final class MQTTClient {
  /// What comes from the thread, with the number of the attempt, as a late word of an old one means nothing.
  enum Word: Sendable {
    case accepted(isResumed: Bool, maximumPacketSize: Int?, silentAddresses: [String])
    case refused(code: Int32)
    case subscribed(id: Int32, isGranted: Bool)
    case published(id: Int32, code: Int32)
    case message(MQTTMessage)
    /// The last word: the thread no longer touches the handle.
    case ended(MQTTEnd)
  }

  private let handle: OpaquePointer
  private let line: MQTTLine
  private let keepsMQTT5: Bool

  private static let isLibraryReady = mosquitto_lib_init() == Int32(MOSQ_ERR_SUCCESS.rawValue)

  /// Sets all that must be known before connecting. The C function is `mosquitto_new`.
  init(settings: MQTTSettings, broker: MQTTSettings.Broker, usesMQTT5: Bool, line: MQTTLine) throws(PlatformError) {
    guard Self.isLibraryReady,
      let handle = mosquitto_new(settings.clientID, true, Unmanaged.passUnretained(line).toOpaque())
    else { throw PlatformError(operation: "prepare", subject: "an MQTT client", reason: "the library refuses") }
    self.handle = handle
    self.line = line
    keepsMQTT5 = usesMQTT5
    mosquitto_threaded_set(handle, true)
    mosquitto_int_option(handle, MOSQ_OPT_PROTOCOL_VERSION, usesMQTT5 ? MQTT_PROTOCOL_V5 : MQTT_PROTOCOL_V311)
    mosquitto_int_option(handle, MOSQ_OPT_TCP_NODELAY, 1)
    setCallbacks()
    do {
      try setLogin(settings)
      if let tls = broker.tls { try setTLS(tls) }
    } catch {
      mosquitto_destroy(handle)
      throw error
    }
  }

  /// Only after the last word. The C function is `mosquitto_destroy`.
  deinit { mosquitto_destroy(handle) }

  /// Looks the name up, connects and turns the library on a thread of its own, until the end. `isWary` after an attempt
  /// that hung: then even a single address is tried before the library is let loose on it.
  /// The C functions are `mosquitto_connect_bind_v5` and `mosquitto_loop`.
  func start(_ broker: MQTTSettings.Broker, keepAlive: Duration, isWary: Bool) throws(PlatformError) {
    // A handle is a pointer, which may not cross threads as one; the library's locks make it safe.
    let address = UInt(bitPattern: handle)
    let seconds = Self.seconds(keepAlive)
    let (line, usesMQTT5) = (line, keepsMQTT5)
    try WorkerThread(named: "mqtt") {
      guard let handle = OpaquePointer(bitPattern: address) else { return }
      let route: MQTTRoute
      switch MQTTRoute.find(broker, isWary: isWary) {
      case .success(let found): route = found
      case .failure(let error): return line.end(unreachable: error.reason)
      }
      line.note(silentAddresses: route.silentAddresses)
      var properties: OpaquePointer?
      if usesMQTT5 { mosquitto_property_add_int32(&properties, MQTT_PROP_MAXIMUM_PACKET_SIZE.identifier, 262_144) }
      var result = mosquitto_connect_bind_v5(
        handle, route.host, Int32(broker.port), seconds, route.bindAddress, properties)
      bridge_mosquitto_free_properties(properties)
      // The library looks at its keep-alive each time it comes back; messages of either direction wake it at once.
      let patience = max(1000, seconds * 1000 / 5)
      while result == Int32(MOSQ_ERR_SUCCESS.rawValue) { result = mosquitto_loop(handle, patience, 1) }
      line.end(result: result, systemError: errno)
    }.detach()
  }

  /// What to tell the library, so that a silent broker is noticed within 1.5 times of what was asked for: it asks after
  /// this silence and waits as long again, and each time looks a fifth late. At least the 5 s that it takes.
  static func seconds(_ keepAlive: Duration) -> Int32 {
    Int32(clamping: max(5, keepAlive.components.seconds * 5 / 8))
  }

  /// The message's id, or nil when the library refuses it. The C function is `mosquitto_publish_v5`.
  func publish(_ publication: MQTTPublication, _ extras: MQTTPublishProperties) -> Int32? {
    var properties = keepsMQTT5 ? Self.properties(publication, extras) : nil
    defer { mosquitto_property_free_all(&properties) }
    var id: Int32 = 0
    let result = publication.payload.withUnsafeBytes {
      mosquitto_publish_v5(
        handle, &id, publication.topic, Int32($0.count), $0.baseAddress, Int32(publication.qos.rawValue),
        publication.isRetained, properties)
    }
    return result == Int32(MOSQ_ERR_SUCCESS.rawValue) ? id : nil
  }

  /// The C function is `mosquitto_subscribe_v5`.
  func subscribe(_ subscription: MQTTSettings.Subscription) -> Int32? {
    var id: Int32 = 0
    let result = mosquitto_subscribe_v5(handle, &id, subscription.filter, Int32(subscription.qos.rawValue), 0, nil)
    return result == Int32(MOSQ_ERR_SUCCESS.rawValue) ? id : nil
  }

  /// Sends what is queued, says goodbye and ends; the will is not sent. The C function is `mosquitto_disconnect_v5`.
  func disconnect() { mosquitto_disconnect_v5(handle, 0, nil) }

  private func setCallbacks() {
    mosquitto_connect_v5_callback_set(handle, connectAnswered)
    mosquitto_disconnect_v5_callback_set(handle, disconnected)
    mosquitto_message_v5_callback_set(handle, messageCame)
    mosquitto_publish_v5_callback_set(handle, publishAnswered)
    mosquitto_subscribe_v5_callback_set(handle, subscribeAnswered)
    mosquitto_log_callback_set(handle, libraryComplained)
  }

  /// The C functions are `mosquitto_username_pw_set` and `mosquitto_will_set_v5`.
  private func setLogin(_ settings: MQTTSettings) throws(PlatformError) {
    try check("use", "the MQTT user", mosquitto_username_pw_set(handle, settings.username, settings.password))
    guard let will = settings.will else { return }
    try check(
      "set", "the MQTT will",
      will.payload.withUnsafeBytes {
        mosquitto_will_set_v5(
          handle, will.topic, Int32($0.count), $0.baseAddress, Int32(will.qos.rawValue), will.isRetained, nil)
      })
  }

  /// The C functions are `mosquitto_tls_set` and `mosquitto_tls_opts_set`.
  private func setTLS(_ tls: MQTTSettings.TLS) throws(PlatformError) {
    if tls.caFile == nil { mosquitto_int_option(handle, MOSQ_OPT_TLS_USE_OS_CERTS, 1) }
    let result = mosquitto_tls_set(handle, tls.caFile, nil, tls.certificateFile, tls.keyFile, nil)
    try check("use", "the MQTT certificates", result, hint: "check that the files exist and can be read")
    try check("use", "TLS 1.2", mosquitto_tls_opts_set(handle, 1, "tlsv1.2", nil))
    if let alpn = tls.alpn { try check("use", "ALPN", mosquitto_string_option(handle, MOSQ_OPT_TLS_ALPN, alpn)) }
  }

  private func check(
    _ operation: String, _ subject: String, _ result: Int32, hint: String = ""
  ) throws(PlatformError) {
    guard result != Int32(MOSQ_ERR_SUCCESS.rawValue) else { return }
    throw PlatformError(
      operation: operation, subject: subject, reason: String(cString: mosquitto_strerror(result)), hint: hint)
  }

  private static func properties(_ publication: MQTTPublication, _ extras: MQTTPublishProperties) -> OpaquePointer? {
    var list: OpaquePointer?
    if let topic = extras.responseTopic {
      mosquitto_property_add_string(&list, MQTT_PROP_RESPONSE_TOPIC.identifier, topic)
    }
    if let data = publication.correlation {
      mosquitto_property_add_binary(&list, MQTT_PROP_CORRELATION_DATA.identifier, data, UInt16(clamping: data.count))
    }
    if let expiry = publication.expiry {
      let seconds = UInt32(clamping: expiry.components.seconds)
      mosquitto_property_add_int32(&list, MQTT_PROP_MESSAGE_EXPIRY_INTERVAL.identifier, seconds)
    }
    return list
  }
}

/// What MQTT 5 can say beside a message; left out on a 3.1.1 connection.
package struct MQTTPublishProperties: Hashable, Sendable {
  package var responseTopic: String?

  package init(responseTopic: String? = nil) { self.responseTopic = responseTopic }
}

extension mqtt5_property {
  /// As the library's functions want it.
  var identifier: Int32 { Int32(rawValue) }
}
