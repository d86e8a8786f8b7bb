internal import CLinux
internal import Glibc

/// Opens serial ports that listen and never speak: for reading only, so that no mistake can send a byte.
enum SerialLine {
  /// Opens, claims and sets up the port, or says what keeps it from that.
  static func open(_ path: String, _ settings: SerialSettings) throws(PlatformError) -> FileDescriptor {
    let file = FileDescriptor(
      owning: try systemCall("open", path, hint: openHint()) {
        Glibc.open(path, O_RDONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC)
      })
    try claim(file.number, path)
    do {
      dropControlLines(file.number)
      try configure(file.number, path, settings)
    } catch {
      release(file.number)
      throw error
    }
    dropControlLines(file.number)
    _ = clx_ask_for_low_latency(file.number)
    // What came before the speed was right is noise.
    tcflush(file.number, TCIFLUSH)
    return file
  }

  /// The mark of exclusive use stays on a port that another process keeps open (a pty's other end), so it is taken back
  /// before the port is closed.
  static func release(_ number: Int32) { _ = clx_ioctl(number, CLX_TIOCNXCL, nil) }

  /// Two readers would each get half of the bytes: the lock keeps out those who ask, the kernel's mark the others.
  private static func claim(_ number: Int32, _ path: String) throws(PlatformError) {
    guard flock(number, LOCK_EX | LOCK_NB) == 0 else {
      throw PlatformError(
        operation: "use", subject: path, code: errno, reason: "another program reads this port",
        hint: "stop it; fuser -v \(path) names it")
    }
    guard isatty(number) == 1 else {
      throw PlatformError(
        operation: "use", subject: path, code: ENOTTY, reason: "this is not a serial port",
        hint: "look into /dev/serial/by-id for the adaptor's name")
    }
    _ = clx_ioctl(number, CLX_TIOCEXCL, nil)
  }

  /// The kernel raises RTS and DTR when a port is opened. On RS-485 some adaptors would then drive the pair and disturb the
  /// venue's board. A pty has no such lines and refuses, which is no harm.
  private static func dropControlLines(_ number: Int32) {
    var lines = Int32(TIOCM_RTS | TIOCM_DTR)
    _ = clx_ioctl(number, CLX_TIOCMBIC, &lines)
  }

  /// Raw bytes, no flow control, modem lines ignored. Bytes with a wrong parity are kept: a wrong setting must look like
  /// garbage and not like silence.
  private static func configure(_ number: Int32, _ path: String, _ settings: SerialSettings) throws(PlatformError) {
    var mode = clx_termios2()
    _ = try systemCall("read the settings of", path) { clx_ioctl(number, CLX_TCGETS2, &mode) }
    mode.c_iflag = UInt32(IGNBRK)
    mode.c_oflag = 0
    mode.c_lflag = 0
    mode.c_cflag = CLX_BOTHER | UInt32(CREAD) | UInt32(CLOCAL) | SerialLine.controlFlags(settings)
    mode.c_ispeed = settings.baudRate
    mode.c_ospeed = settings.baudRate
    withUnsafeMutableBytes(of: &mode.c_cc) { characters in
      characters[Int(VMIN)] = 1
      characters[Int(VTIME)] = 0
    }
    let hint = "this adaptor may not know \(settings.summary)"
    _ = try systemCall("set up", path, hint: hint) { clx_ioctl(number, CLX_TCSETS2, &mode) }
    // A driver takes the nearest thing it can do and says nothing.
    _ = try systemCall("read the settings of", path) { clx_ioctl(number, CLX_TCGETS2, &mode) }
    let wanted = Int64(settings.baudRate)
    guard abs(Int64(mode.c_ospeed) - wanted) * 100 <= wanted * 3 else {
      throw PlatformError(
        operation: "set up", subject: path, reason: "the adaptor offers \(mode.c_ospeed) baud instead of \(wanted)",
        hint: "use another adaptor or another speed")
    }
  }

  private static func controlFlags(_ settings: SerialSettings) -> UInt32 {
    var flags: UInt32
    switch settings.dataBits {
    case .five: flags = UInt32(CS5)
    case .six: flags = UInt32(CS6)
    case .seven: flags = UInt32(CS7)
    case .eight: flags = UInt32(CS8)
    }
    switch settings.parity {
    case .none: break
    case .even: flags |= UInt32(PARENB)
    case .odd: flags |= UInt32(PARENB) | UInt32(PARODD)
    case .mark: flags |= UInt32(PARENB) | UInt32(PARODD) | CLX_CMSPAR
    case .space: flags |= UInt32(PARENB) | CLX_CMSPAR
    }
    switch settings.stopBits {
    case .one: break
    case .two: flags |= UInt32(CSTOPB)
    }
    return flags
  }

  private static func openHint() -> String {
    "is the adaptor plugged in? /dev/serial/by-id lists them; the service's user needs the group dialout"
  }
}
