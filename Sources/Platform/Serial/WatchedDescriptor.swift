/// An open descriptor and the loop's watch over it. They end together, the watch first, so that no event of a closed
/// descriptor can arrive.
struct WatchedDescriptor: ~Copyable {
  private let file: FileDescriptor
  private let loop: EventLoop
  private let farewell: (Int32) -> Void

  /// Takes the descriptor over. `farewell` is done to it just before it is closed.
  init(
    _ file: consuming FileDescriptor, for interest: EventLoop.Interest = .read, on loop: EventLoop,
    farewell: @escaping (Int32) -> Void = { _ in }, _ handler: @escaping () -> Void
  ) throws(PlatformError) {
    do {
      try loop.watch(file.number, for: interest) { _ in handler() }
    } catch {
      farewell(file.number)
      throw error
    }
    self.file = file
    self.loop = loop
    self.farewell = farewell
  }

  deinit {
    loop.unwatch(file.number)
    farewell(file.number)
  }

  /// The kernel's number, if there is a descriptor at all.
  static func number(of descriptor: borrowing WatchedDescriptor?) -> Int32? {
    switch descriptor {
    case .some(let open): open.file.number
    case .none: nil
    }
  }
}
