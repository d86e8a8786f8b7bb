internal import CLinux
package import GameCore
internal import Glibc

/// The machine's two clocks, and how far its wall clock may be believed.
package enum SystemClock {
  /// Whether the kernel says that something keeps the wall clock right.
  package enum Synchronisation: Hashable, Sendable {
    /// A time service disciplines the clock; the kernel's own estimate of the error goes with it.
    case synchronised(maximumError: Duration)
    /// Nobody does, or it has been silent for hours.
    case unsynchronised
    /// The kernel would not tell (a sandbox, say).
    case unknown
  }

  /// Both clocks, read one right after the other. The C function is `clock_gettime`.
  package static func now() -> Moment {
    Moment(
      instant: Instant(nanoseconds: read(CLOCK_MONOTONIC)),
      wall: WallTime(milliseconds: read(CLOCK_REALTIME).quotientRoundedDown(by: 1_000_000)))
  }

  /// What the kernel knows about its wall clock; changes nothing. The C function is `adjtimex`.
  package static func synchronisation() -> Synchronisation {
    var state = timex()
    let answer = adjtimex(&state)
    return synchronisation(answer: answer, status: state.status, maximumErrorMicroseconds: Int64(state.maxerror))
  }

  /// The rule behind `synchronisation()`, apart from the call so that every answer can be tried.
  package static func synchronisation(
    answer: Int32, status: Int32, maximumErrorMicroseconds: Int64
  ) -> Synchronisation {
    if answer == -1 { return .unknown }
    if answer == TIME_ERROR || status & STA_UNSYNC != 0 { return .unsynchronised }
    return .synchronised(maximumError: .microseconds(maximumErrorMicroseconds))
  }

  private static func read(_ clock: clockid_t) -> Int64 {
    var time = timespec()
    let result = clock_gettime(clock, &time)
    precondition(result == 0, "The kernel always has these two clocks.")
    return Int64(time.tv_sec) * 1_000_000_000 + Int64(time.tv_nsec)
  }
}
