package import GameCore

/// Where a console's bytes come from: a serial port, a TCP peer on either side, UDP. All are read-only, live on the loop
/// and come back by themselves.
package protocol ByteSource: AnyObject {
  /// The path or address as the operator wrote it.
  var name: String { get }
  var state: ByteSourceState { get }
  /// Opens, and goes on trying until `stop()`.
  func start()
  /// Closes for good and reports nothing more.
  func stop()
}

package enum ByteSourceState: Hashable, Sendable {
  /// Not started yet, or nothing has come of it yet.
  case closed
  /// Bytes may come; the text says from where.
  case open(peer: String)
  /// Why not; the latest reason, even when only the first was reported.
  case down(PlatformError)
}

package enum ByteSourceEvent: Hashable, Sendable {
  /// A new stream begins: what is left of an older one in any buffer is void. A second `up` without a `down` between
  /// means that a newer peer has replaced the older one.
  case up(peer: String)
  /// As one read brought them: neither a whole frame nor only one.
  case bytes([UInt8])
  /// The stream has ended, or could not begin. Told once per change, not once per attempt.
  case down(PlatformError)
}

/// Every event comes with the moment at which the loop met it.
package typealias ByteHandler = (ByteSourceEvent, Moment) -> Void
