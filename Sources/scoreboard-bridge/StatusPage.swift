import Document
import GameCore
import Platform

/// A status as one screen of text, and whether all is well.
struct StatusPage {
  private(set) var text = ""
  private(set) var isHealthy = false

  init(_ heard: StatusHeard, now: WallTime) {
    guard let status = heard.status.flatMap({ try? JSONDocument.parse($0) }), let health = status["health"]?.text else {
      let word = heard.availability.map { "availability \($0); " } ?? ""
      text = "UNKNOWN: \(word)\(heard.trouble ?? "what came is no status")\n"
      return
    }
    let doubts = Self.doubts(heard, status, now: now)
    isHealthy = health == "ok" && doubts.isEmpty
    let name = status["venue"]?.text ?? "?"
    let rehearsal = status["rehearsal"]?.text == "true" ? ", rehearsal" : ""
    line(
      "\(doubts.isEmpty ? health.uppercased() : "UNKNOWN"): \(name), version \(status["software"]?.text ?? "?")\(rehearsal)"
    )
    for doubt in doubts { line("  ! \(doubt)") }
    for reason in status["reasons"]?.elements ?? [] {
      line("  ! \(reason["code"]?.text ?? "?"): \(reason["text"]?.text ?? "")")
    }
    line(
      "time \(status["time"]?["trust"]?.text ?? "?"), broker \(status["broker"]?.text ?? "?"), said \(status["at"]?.text ?? "?")"
    )
    if let commands = status["commands"] {
      line(
        "commands \(number(commands["done"])) done, \(number(commands["refused"])) refused "
          + "(\(number(commands["retainedRefused"])) retained); messages lost \(number(status["messagesDropped"]))")
    }
    for court in status["courts"]?.elements ?? [] { tell(court) }
  }

  /// Why what was heard may not be so any more.
  private static func doubts(_ heard: StatusHeard, _ status: Node, now: WallTime) -> [String] {
    var doubts: [String] = []
    if let word = heard.availability, word != "online" {
      doubts.append(word == "offline" ? "the daemon was stopped" : "the daemon is lost: the broker does not hear it")
    }
    if let trouble = heard.trouble { doubts.append(trouble) }
    if let said = status["at"]?.text.flatMap(WallTime.init(iso8601:)), let beat = status["heartbeatS"]?.integer {
      let age = (now - said).components.seconds
      if age > 2 * beat { doubts.append("the last word is \(age) s old, and should be \(beat) s at most") }
      // From a clock that is ahead an old word looks fresh for as long.
      if age < -2 * beat {
        doubts.append("the last word is of a time \(-age) s from now: one of the two clocks is wrong")
      }
    }
    return doubts
  }

  private mutating func tell(_ court: Node) {
    line("court \(court["court"]?.text ?? "?"): \(court["game"]?.text ?? "?")")
    for input in court["inputs"]?.elements ?? [] {
      let age = input["lastGoodMsAgo"]?.integer.map { ", last \(Self.seconds($0)) ago" } ?? ""
      let unread = input["lastUnread"]?.text.map { ", cannot read: \($0)" } ?? ""
      line(
        "  in   \(input["name"]?.text ?? "?") (\(input["kind"]?.text ?? "?")): \(input["state"]?.text ?? "?")\(age)\(unread)"
      )
    }
    for lane in court["outbox"]?.elements ?? [] {
      let oldest = lane["oldestMs"]?.integer.map { ", oldest waits \(Self.seconds($0))" } ?? ""
      let last = lane["lastAcceptedMsAgo"]?.integer.map { ", last accepted \(Self.seconds($0)) ago" } ?? ""
      let reason = lane["reason"]?.text.map { ", \($0)" } ?? ""
      line(
        "  out  \(lane["sink"]?.text ?? "?"): \(lane["state"]?.text ?? "?"), queued \(number(lane["queued"])), "
          + "accepted \(number(lane["accepted"])), refused \(number(lane["refused"])), "
          + "unknown \(number(lane["unknown"]))\(oldest)\(last)\(reason)")
    }
  }

  private mutating func line(_ words: String) {
    // What came over a wire must not move the cursor.
    text += String(words.unicodeScalars.map { $0.value < 32 || $0.value == 127 ? " " : Character($0) }) + "\n"
  }

  private func number(_ node: Node?) -> String { node?.text ?? "?" }

  private static func seconds(_ milliseconds: Int64) -> String { "\(milliseconds / 1000) s" }
}
