import Foundation
import Testing

@testable import StandIn

/// curl's command line as a client that is not ours.
struct Curl {
  static let program = Child.find("curl")

  struct Reply {
    var exit: Int32
    var status: Int
    /// `2` or `1.1`.
    var version: String
    var body: String
    var connections: Int
  }

  var standIn: StandIn
  var http2 = true
  var trusts = true
  var seconds = 5.0

  func get(_ target: String = "/time") throws -> Reply { try run(["https://127.0.0.1:\(standIn.port)\(target)"]) }

  /// The same request twice in one run, so that a kept connection is used again.
  func getTwice() throws -> Reply {
    let url = "https://127.0.0.1:\(standIn.port)/time"
    return try run([url, url])
  }

  func post(_ target: String, _ body: String) throws -> Reply {
    try run([
      "-u", standIn.options.key, "-H", "Content-Type: application/json", "-d", body,
      "https://127.0.0.1:\(standIn.port)\(target)",
    ])
  }

  private func run(_ arguments: [String]) throws -> Reply {
    var all = ["-sS", "-m", "\(seconds)", http2 ? "--http2" : "--http1.1", "-A", "curl"]
    all += ["-H", "Accept: application/json", "-H", "X-Ably-Version: 6", "-H", "Ably-Agent: score-bridge/0.4.0"]
    if trusts { all += ["--cacert", standIn.caFile] }
    all += ["-w", "\n%{http_code} %{http_version} %{num_connects}\n"]
    let result = try Child.run(try #require(Curl.program), all + arguments)
    let lines = result.out.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
    let last = lines.last { !$0.isEmpty }?.split(separator: " ").map(String.init) ?? []
    return Reply(
      exit: result.code, status: last.first.flatMap { Int($0) } ?? 0, version: last.count > 1 ? last[1] : "",
      body: lines.first ?? "", connections: last.count > 2 ? Int(last[2]) ?? -1 : -1)
  }
}

/// A stand-in for the length of one test.
func withStandIn(_ options: StandIn.Options = .init(), _ body: (StandIn) throws -> Void) throws {
  let standIn = try StandIn(options)
  defer { standIn.stop() }
  try body(standIn)
}

enum Bodies {
  static let state =
    #"{"homeScore":98,"awayScore":99,"gameStatus":"live","period":"Q4","clock":"1:12","lastPlay":"","clockDir":"stop","clockAnchorMs":0,"seq":412}"#

  static func start(_ channel: String, at time: Int64 = 1_796_431_800, extra: String = "") -> String {
    #"{"apns":{"aps":{"timestamp":\#(time),"event":"start","input-push-channel":"\#(channel)","content-state":\#(state),"attributes-type":"GameAttributes","attributes":{"homeTeam":"Riverton","awayTeam":"Harbor City"},"alert":{"title":"A","body":"B"}\#(extra)}},"channels":["live-ios:x"],"headers":{"apns-priority":"10","apns-expiration":"1796432400"}}"#
  }

  static func update(
    _ event: String = "update", at time: Int64 = 1_796_440_548, state: String = state, expiration: String = "0",
    extra: String = ""
  ) -> String {
    #"{"apns":{"aps":{"timestamp":\#(time),"event":"\#(event)","content-state":\#(state)\#(extra)}},"headers":{"apns-priority":"5","apns-expiration":"\#(expiration)"}}"#
  }

  static func message(id: String, home: Int = 1, event: String = "update", timestamp: Int64 = 1_796_440_548_250)
    -> String
  {
    #"[{"id":"\#(id)","name":"live-update","extras":{"push":{"data":{"event":"\#(event)","homeTeam":"Riverton","awayTeam":"Harbor City","homeScore":"\#(home)","awayScore":"0","gameStatus":"live","period":"Q1","clock":"","lastPlay":"","timestamp":"\#(timestamp)"},"fcm":{"priority":"HIGH","ttl":"180s"}}}}]"#
  }
}
