import CSSL

/// The server's side of TLS: a certificate from the test's own authority, and ALPN.
enum TLS {
  static func context(_ options: StandIn.Options) -> OpaquePointer {
    guard let context = SSL_CTX_new(TLS_server_method()) else { fatalError("OpenSSL gives no context") }
    let modes = SSL_MODE_ENABLE_PARTIAL_WRITE | SSL_MODE_ACCEPT_MOVING_WRITE_BUFFER
    SSL_CTX_ctrl(context, SSL_CTRL_MODE, Int(modes), nil)
    Authority.shared.furnish(context, names: options.certificateNames, days: options.certificateDays)
    SSL_CTX_set_alpn_select_cb(context, options.http2 ? chooseHTTP2 : chooseHTTP1, nil)
    return context
  }

  private static let chooseHTTP2: ALPNChoice = { _, out, length, offered, offeredLength, _ in
    choose([2, 0x68, 0x32], out, length, offered, offeredLength)
      ?? choose(http1, out, length, offered, offeredLength) ?? SSL_TLSEXT_ERR_NOACK
  }

  private static let chooseHTTP1: ALPNChoice = { _, out, length, offered, offeredLength, _ in
    choose(http1, out, length, offered, offeredLength) ?? SSL_TLSEXT_ERR_NOACK
  }

  private static let http1: [UInt8] = [8] + Array("http/1.1".utf8)

  private typealias ALPNChoice =
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<UnsafePointer<UInt8>?>?, UnsafeMutablePointer<UInt8>?,
      UnsafePointer<UInt8>?, UInt32, UnsafeMutableRawPointer?
    ) -> Int32

  /// Points into the client's offer, which lives as long as OpenSSL needs it.
  private static func choose(
    _ wanted: [UInt8], _ out: UnsafeMutablePointer<UnsafePointer<UInt8>?>?, _ length: UnsafeMutablePointer<UInt8>?,
    _ offered: UnsafePointer<UInt8>?, _ offeredLength: UInt32
  ) -> Int32? {
    guard let offered else { return nil }
    var index = 0
    while index < Int(offeredLength) {
      let count = Int(offered[index])
      let name = UnsafeBufferPointer(start: offered + index + 1, count: count)
      if name.elementsEqual(wanted.dropFirst()) {
        out?.pointee = offered + index + 1
        length?.pointee = UInt8(count)
        return SSL_TLSEXT_ERR_OK
      }
      index += count + 1
    }
    return nil
  }
}
