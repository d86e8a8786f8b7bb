/// Which line is meant, and how it is wired.
package struct GPIOLineSettings: Hashable, Sendable {
  package enum Direction: Hashable, Sendable {
    case input(Bias)
    /// Off when it is opened, and off when it is closed.
    case output
  }

  package enum Bias: Hashable, Sendable {
    case asIs, pullUp, pullDown, disabled
  }

  package enum Line: Hashable, Sendable {
    case name(String)
    case offset(Int)
  }

  /// What messages call it.
  package var name: String
  /// A chip's label or path; a bare number is a fallback. Nil: any chip that has a line of that name.
  package var chip: String?
  package var line: Line
  package var isActiveLow: Bool
  package var direction: Direction

  package init(name: String, chip: String? = nil, line: Line, isActiveLow: Bool, direction: Direction) {
    self.name = name
    self.chip = chip
    self.line = line
    self.isActiveLow = isActiveLow
    self.direction = direction
  }

  var isOutput: Bool {
    switch direction {
    case .output: true
    case .input: false
    }
  }
}

/// What a line tells. Every event comes with the moment at which the loop met it.
package enum GPIOLineEvent: Hashable, Sendable {
  /// It is ours, on that chip, and says this now; the warning is for whoever wrote the config.
  case opened(isActive: Bool, place: String, warning: String?)
  /// The kernel's events in their order; `queueWasFull` when some may be missing and no number tells.
  case edges([GPIOEdge], queueWasFull: Bool)
  /// The answer to `read`, everything before it having been told.
  case level(isActive: Bool)
  /// It cannot be had, and is tried again. Told once per change, not once per attempt.
  case down(PlatformError)
}

/// One event as the kernel stamped it (`CLOCK_MONOTONIC`), after active-low.
package struct GPIOEdge: Hashable, Sendable {
  package var isActive: Bool
  package var nanoseconds: Int64
  /// The kernel's count of this line's events, from 1; 0 where the library does not tell.
  package var sequence: UInt32
}
