import Foundation
import Testing

@testable import Platform

/// A name server that hears every question and answers none, for one thread alone and those it starts.
final class SilentResolver: Sendable {
  private let socket: FileDescriptor

  /// Root may give a thread a view of its own on the file system, unless `/` is no mount: that of a mere chroot.
  static let isPossible: Bool = {
    let mounts = (try? String(contentsOfFile: "/proc/self/mountinfo", encoding: .utf8)) ?? ""
    return geteuid() == 0
      && mounts.split(separator: "\n").contains { line in
        let fields = line.split(separator: " ")
        return fields.count > 4 && fields[4] == "/"
      }
  }()

  /// An address of this machine that nothing else uses.
  private static let address = "127.86.75.30"

  /// Whether anybody has asked.
  var wasAsked: Bool {
    var byte: UInt8 = 0
    return recv(socket.number, &byte, 1, Int32(MSG_DONTWAIT)) >= 0
  }

  private init() throws {
    socket = FileDescriptor(owning: Foundation.socket(AF_INET, Int32(SOCK_DGRAM.rawValue), 0))
    let address = try #require(SocketAddress(numeric: Self.address, port: 53))
    try #require(address.withPointer { bind(socket.number, $0, $1) } == 0)
  }

  /// Runs `body` where only this name server is known.
  static func run<Outcome: Sendable>(_ body: @escaping @Sendable (SilentResolver) throws -> Outcome) throws -> Outcome {
    let resolver = try SilentResolver()
    let text = "nameserver \(address)\noptions timeout:30 attempts:1\n"
    return try OwnView.run("/etc/resolv.conf", reads: text) { try body(resolver) }
  }
}

/// A thread, and those it starts, that see another file than the rest of the machine at some path.
enum OwnView {
  static func run<Outcome: Sendable>(
    _ path: String, reads text: String, _ body: @escaping @Sendable () throws -> Outcome
  ) throws -> Outcome {
    let folder = try TemporaryFolder()
    let file = try folder.write(text, to: "file")
    let outcome = Locked<Result<Outcome, any Error>>(.failure(WaitedInVain()))
    try WorkerThread(named: "own view") {
      let result = Result {
        try mountOver(path, file)
        return try body()
      }
      outcome.withLock { $0 = result }
    }.join()
    return try outcome.withLock { $0 }.get()
  }

  /// Glibc's module has neither call. The C functions are `unshare` and `mount`.
  private static func mountOver(_ path: String, _ other: String) throws {
    typealias Unshare = @convention(c) (Int32) -> Int32
    typealias Mount =
      @convention(c) (
        UnsafePointer<CChar>?, UnsafePointer<CChar>?, UnsafePointer<CChar>?, UInt, UnsafeRawPointer?
      ) -> Int32
    let unshare = unsafeBitCast(try #require(dlsym(nil, "unshare")), to: Unshare.self)
    let mount = unsafeBitCast(try #require(dlsym(nil, "mount")), to: Mount.self)
    let (newNamespace, privately, recursive, bind): (Int32, UInt, UInt, UInt) = (0x20000, 1 << 18, 16384, 4096)
    try #require(unshare(newNamespace) == 0)
    try #require(mount(nil, "/", nil, privately | recursive, nil) == 0)
    try #require(mount(other, path, nil, bind, nil) == 0)
  }
}
