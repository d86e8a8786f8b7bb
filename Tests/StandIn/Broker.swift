import Foundation

/// A real mosquitto of the test's own: loopback, a free port, nothing kept on disk. Ended by its process id.
package final class Broker: @unchecked Sendable {
  package let port: UInt16
  private let configuration: String
  private let lock = NSLock()
  private var child: Child?

  /// Nil where mosquitto is not installed.
  package static var program: String? { Child.find("mosquitto") }

  /// `lines` are further lines of mosquitto's configuration. The folder is the caller's.
  package init(folder: String, lines: [String] = []) throws {
    var failure: (any Error)?
    // A port that was free a moment ago may be another's when mosquitto asks for it.
    for _ in 1...3 {
      let port = try Broker.freePort()
      let configuration = "\(folder)/mosquitto-\(port).conf"
      try Broker.text(port, lines).write(toFile: configuration, atomically: true, encoding: .utf8)
      do {
        child = try Broker.launch(configuration)
        self.port = port
        self.configuration = configuration
        return
      } catch { failure = error }
    }
    throw failure ?? Child.Failure(description: "mosquitto did not start")
  }

  deinit { stop() }

  /// Starts it again after `stop`: same port, everything retained forgotten.
  package func start() throws {
    let child = try Broker.launch(configuration)
    lock.withLock { self.child = child }
  }

  private static func launch(_ configuration: String) throws -> Child {
    guard let program else { throw Child.Failure(description: "mosquitto is not installed") }
    let child = try Child(program, ["-c", configuration], environment: ["PATH": "/usr/sbin:/usr/bin"])
    guard child.line(where: { $0.hasSuffix("running") }) != nil else {
      let code = child.terminate().map(String.init) ?? "none"
      throw Child.Failure(description: "mosquitto did not start, exit code \(code): \(child.text(.error))")
    }
    return child
  }

  private static func text(_ port: UInt16, _ lines: [String]) -> String {
    let logs = ["error", "warning", "notice", "information", "subscribe"].map { "log_type \($0)" }
    let access = lines.contains { $0.hasPrefix("allow_anonymous") } ? [] : ["allow_anonymous true"]
    let all = ["listener \(port) 127.0.0.1", "persistence false", "set_tcp_nodelay true", "log_dest stderr"]
    return (all + logs + access + lines).joined(separator: "\n") + "\n"
  }

  package func stop() {
    let child = lock.withLock {
      defer { self.child = nil }
      return self.child
    }
    child?.terminate()
  }

  /// It takes what the kernel takes for it, and answers nothing.
  package func freeze() { lock.withLock { child }?.signal(SIGSTOP) }
  package func thaw() { lock.withLock { child }?.signal(SIGCONT) }

  /// What the broker wrote about connections that came and went.
  package var log: String { lock.withLock { child }?.text(.error) ?? "" }

  /// A port that nobody had a moment ago.
  package static func freePort() throws -> UInt16 {
    let fd = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(fd) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    inet_pton(AF_INET, "127.0.0.1", &address.sin_addr)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let found = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        bind(fd, $0, length) == 0 && getsockname(fd, $0, &length) == 0
      }
    }
    guard found else { throw Child.Failure(description: "no free port: errno \(errno)") }
    return UInt16(bigEndian: address.sin_port)
  }

  // MARK: - A client

  /// Publishes one message and waits for it to be taken.
  package func publish(_ topic: String, _ payload: String, retained: Bool = false) throws {
    var arguments = ["-h", "127.0.0.1", "-p", "\(port)", "-q", "1", "-t", topic, "-m", payload]
    if retained { arguments.append("-r") }
    guard let program = Child.find("mosquitto_pub") else {
      throw Child.Failure(description: "mosquitto_pub is not installed")
    }
    let result = try Child.run(program, arguments)
    guard result.code == 0 else { throw Child.Failure(description: "mosquitto_pub: \(result.error)") }
  }

  /// Listens from now on, and to what is retained.
  package func subscribe(_ filters: String...) throws -> Subscription {
    let id = "test-\(UUID().uuidString.prefix(13))"
    let subscription = try Subscription(port: port, id: id, filters: filters)
    let broker = lock.withLock { child }
    for filter in filters where broker?.line(where: { $0.hasSuffix("\(id) 1 \(filter)") }) == nil {
      throw Child.Failure(description: "no subscription to \(filter)")
    }
    return subscription
  }
}

/// Messages of one subscription, in order.
package final class Subscription: Sendable {
  package struct Message: Sendable {
    package var topic: String
    package var payload: String
    package var retained: Bool
    package var json: JSON? { JSON(payload.utf8) }
  }

  private let child: Child

  init(port: UInt16, id: String, filters: [String]) throws {
    guard let program = Child.find("mosquitto_sub") else {
      throw Child.Failure(description: "mosquitto_sub is not installed")
    }
    let arguments = ["-h", "127.0.0.1", "-p", "\(port)", "-i", id, "-q", "1", "-F", "%r %t\u{1}%p"]
    child = try Child(program, arguments + filters.flatMap { ["-t", $0] })
  }

  package var messages: [Message] { child.lines.compactMap { Subscription.message($0.text) } }

  /// Those from a line on, which becomes the line after them.
  package func messages(from line: inout Int) -> [Message] {
    let lines = child.lines
    defer { line = lines.count }
    return lines[min(line, lines.count)...].compactMap { Subscription.message($0.text) }
  }

  /// Waits for a message, among those that came already as well.
  package func message(
    on topic: String, within limit: Duration = .seconds(10), where predicate: (Message) -> Bool = { _ in true }
  ) -> Message? {
    let found = child.line(within: limit) { line in
      Subscription.message(line).map { $0.topic == topic && predicate($0) } ?? false
    }
    return found.flatMap(Subscription.message)
  }

  private static func message(_ line: String) -> Message? {
    guard let gap = line.firstIndex(of: " "), let end = line.firstIndex(of: "\u{1}"), gap < end else { return nil }
    let retained = line[..<gap]
    guard retained == "0" || retained == "1" else { return nil }
    return Message(
      topic: String(line[line.index(after: gap)..<end]), payload: String(line[line.index(after: end)...]),
      retained: retained == "1")
  }
}
