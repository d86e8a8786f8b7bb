internal import CLinux
internal import Glibc

/// The signals that people and systemd send, as events on the loop.
package final class Signals {
  package enum Signal: Hashable, Sendable, CaseIterable {
    /// systemd or an operator wants the daemon to end.
    case terminate
    /// Ctrl-C.
    case interrupt
    /// Read the configuration again; or the terminal has closed.
    case hangUp
    /// The daemon was stopped (Ctrl-Z) and goes on: a terminal has to be set up anew.
    case resumed

    fileprivate var number: Int32 {
      switch self {
      case .terminate: SIGTERM
      case .interrupt: SIGINT
      case .hangUp: SIGHUP
      case .resumed: SIGCONT
      }
    }
  }

  private let descriptor: FileDescriptor
  private let loop: EventLoop

  /// Takes the signals over for this thread and every thread it starts later, so it belongs before the first of them.
  /// A broken pipe becomes an error of the write that met it. The C functions are `pthread_sigmask` and `signalfd`.
  package init(on loop: EventLoop, _ handler: @escaping (Signal) -> Void) throws(PlatformError) {
    self.loop = loop
    var taken = sigset_t()
    sigemptyset(&taken)
    for signal in Signal.allCases { sigaddset(&taken, signal.number) }
    pthread_sigmask(SIG_BLOCK, &taken, nil)
    signal(SIGPIPE, SIG_IGN)
    descriptor = FileDescriptor(
      owning: try systemCall("listen for", "signals") { signalfd(-1, &taken, Int32(SFD_NONBLOCK | SFD_CLOEXEC)) })
    try loop.watch(descriptor.number, for: .read) { [unowned self] _ in
      while let signal = next() { handler(signal) }
    }
  }

  deinit { loop.unwatch(descriptor.number) }

  private func next() -> Signal? {
    var received = signalfd_siginfo()
    let size = MemoryLayout<signalfd_siginfo>.size
    guard read(descriptor.number, &received, size) == size else { return nil }
    return Signal.allCases.first { $0.number == Int32(received.ssi_signo) }
  }
}
