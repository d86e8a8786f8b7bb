import Foundation
import StandIn

/// The stand-in service as a program, for demonstrations: prints what it sees until it is ended.
@main enum Main {
  static func main() throws {
    var options = StandIn.Options()
    var arguments = CommandLine.arguments.dropFirst()
    while let argument = arguments.popFirst() {
      switch argument {
      case "--port": options.port = arguments.popFirst().flatMap { UInt16($0) } ?? 0
      case "--any-client": options.anyClient = true
      case "--http1": options.http2 = false
      case "--plain": options.tls = false
      default:
        print("usage: ably-standin [--port N] [--any-client] [--http1] [--plain]")
        print("Prints its port, its CA file and then one JSON object for each request.")
        exit(argument == "--help" ? 0 : 2)
      }
    }
    let standIn = try StandIn(options)
    say("READY port=\(standIn.port) ca_file=\(standIn.caFile) key=\(options.key)")
    for source in [SIGTERM, SIGINT] { signal(source) { _ in exit(0) } }
    var told = 0
    while true {
      guard let requests = standIn.wait(within: .seconds(3_600), for: { $0.count > told }) else { continue }
      for seen in requests[told...] { say(seen.line) }
      told = requests.count
    }
  }
}

/// A line that leaves at once, also into a pipe.
private func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

extension Seen {
  /// One line of JSON; of the credentials only the scheme.
  fileprivate var line: String {
    var members: [(String, JSON)] = [
      ("number", .number(String(number))), ("connection", .number(String(connection))), ("spoken", .string(spoken)),
      ("method", .string(method)), ("target", .string(target)),
    ]
    for name in ["content-type", "accept", "x-ably-version"] {
      members.append((name, header(name).map(JSON.string) ?? .null))
    }
    members.append(
      ("authorization", header("authorization").map { .string(String($0.prefix { $0 != " " })) } ?? .null))
    members.append(("status", answer.map { .number(String($0.status)) } ?? .null))
    members.append(("body", json ?? .string(String(decoding: body, as: UTF8.self))))
    if let answer, answer.status >= 400 { members.append(("error", JSON(answer.body.utf8) ?? .string(answer.body))) }
    return JSON.object(members.map { JSON.Member(key: $0.0, value: $0.1) }).text
  }
}
