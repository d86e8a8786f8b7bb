internal import CLinux
internal import Glibc

/// A thread for what may block (a disk, a name lookup). It talks to the loop through a `Mailbox` and nothing else.
package struct WorkerThread: ~Copyable {
  private let thread: pthread_t

  /// Starts `body` on a thread of its own, all signals blocked there. The C function is `pthread_create`.
  package init(named name: String, _ body: @escaping @Sendable () -> Void) throws(PlatformError) {
    var blocked = sigset_t()
    var previous = sigset_t()
    sigfillset(&blocked)
    // The new thread inherits the mask, so no signal can land on it between its start and a first line of its own.
    pthread_sigmask(SIG_SETMASK, &blocked, &previous)
    defer { pthread_sigmask(SIG_SETMASK, &previous, nil) }
    let box = Unmanaged.passRetained(ThreadBody(name, body))
    var thread = pthread_t()
    let code = pthread_create(&thread, nil, runThreadBody, box.toOpaque())
    guard code == 0 else {
      box.release()
      throw PlatformError(operation: "start", subject: "the thread \(name)", code: code)
    }
    self.thread = thread
  }

  /// Waits until the body has returned. The C function is `pthread_join`.
  package consuming func join() { pthread_join(thread, nil) }

  /// Lets the thread end by itself. The C function is `pthread_detach`.
  package consuming func detach() { pthread_detach(thread) }
}

private final class ThreadBody: Sendable {
  let name: String
  let run: @Sendable () -> Void

  init(_ name: String, _ run: @escaping @Sendable () -> Void) {
    self.name = name
    self.run = run
  }
}

private nonisolated func runThreadBody(_ box: UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? {
  guard let box else { return nil }
  let body = Unmanaged<ThreadBody>.fromOpaque(box).takeRetainedValue()
  clx_name_this_thread(body.name)
  body.run()
  return nil
}
