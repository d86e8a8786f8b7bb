import Document
import Foundation
import GameCore
import Input
import Platform
import Testing

@testable import Bridge

/// The page of topics is what an integrator reads instead of our code: each line of it is held against the daemon.
@Suite struct TopicsPageTests {
  /// The cells of the rows of one table, by its header's first word.
  private func rows(_ header: String) throws -> [[String]] {
    let page = try String(
      contentsOf: Place.package.appendingPathComponent("Sources/Bridge/topics.md"), encoding: .utf8)
    let lines = page.components(separatedBy: "\n")
    let start = try #require(lines.firstIndex { $0.hasPrefix("| \(header) |") })
    return lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
      line.dropFirst().dropLast().components(separatedBy: "|")
    }
  }

  /// What stands between backticks.
  private func quoted(_ cell: String) -> [String] {
    cell.components(separatedBy: "`").enumerated().filter { $0.offset % 2 == 1 }.map(\.element)
  }

  private func parse(_ verb: MQTTCommand.Verb, _ payload: String) -> Result<MQTTCommand, CommandRefusal> {
    MQTTCommand.parse(verb: verb, payload: Array(payload.utf8)) { try? JSONDocument.parse($0) }
  }

  @Test("every object and every bare word of the table of verbs is understood, and no verb is missing")
  func verbs() throws {
    let schema = try Place.schema("command")
    var seen: Set<String> = []
    var examples = 0
    for row in try rows("Verb") {
      for name in quoted(row[0]) {
        seen.insert(name)
        let verb = try #require(MQTTCommand.Verb(rawValue: name))
        for object in quoted(row[1]) {
          examples += 1
          #expect(throws: Never.self, "\(name) \(object)") { try parse(verb, object).get() }
          #expect(schema.problems(Array(object.utf8), of: name) == [], "\(name) \(object)")
        }
        for word in quoted(row[2]) {
          examples += 1
          #expect(throws: Never.self, "\(name) \(word)") { try parse(verb, word).get() }
        }
      }
    }
    #expect(seen == Set(MQTTCommand.Verb.allCases.map(\.rawValue)) && examples > 50)
  }

  @Test("the schema of commands and the daemon take the same objects and refuse the same ones")
  func schema() throws {
    let schema = try Place.schema("command")
    #expect(Set(schema.definitions) == Set(MQTTCommand.Verb.allCases.map(\.rawValue)).union(["id", "time", "team"]))
    let more: [(MQTTCommand.Verb, String, Bool)] = [
      (.practice, #"{"id":"p","action":"on"}"#, true), (.practice, #"{"action":true}"#, false),
      (.game, #"{"action":"start","home":{"name":"A","code":"a"}}"#, false),
      (.game, #"{"action":"new","home":{"name":"A","code":"a"},"away":{"name":"B","code":"b"}}"#, true),
      (.game, #"{"action":"new","start":"2026-12-05T20:00:00.250+01:00"}"#, true),
      (.game, #"{"action":"teams","home":{"name":"","code":"a"}}"#, false),
      (.period, #"{"number":0}"#, false), (.period, #"{"number":2,"overtime":1}"#, false),
      (.clock, #"{"set":"59.4"}"#, true), (.clock, #"{"set":"5:00","action":"start"}"#, false),
      (.score, #"{"id":"a","time":1796000000000,"team":"away","points":-2}"#, true),
      (.score, #"{"time":"2026-12-05T19:00:00.000Z","team":"away"}"#, true),
      (.score, #"{"team":"home","player":"123456789"}"#, false),
      (.activity, #"{"action":"adopt","broadcast":"b","apnsChannelId":"c","storagePolicy":2}"#, false),
      (.activity, #"{"action":"end","broadcast":"b"}"#, false), (.lastplay, #"{"text":""}"#, true),
    ]
    let objects =
      CommandTests.good.map { ($0.0, $0.1, true) } + CommandTests.bad.map { ($0.0, $0.1, false) } + more
    var held = 0
    for (verb, payload, isGood) in objects {
      // Bare words, and what is no JSON at all, are not a schema's affair.
      guard payload.first == "{", (try? JSONDocument.parse(Array(payload.utf8))) != nil else { continue }
      held += 1
      let problems = schema.problems(Array(payload.utf8), of: verb.rawValue)
      #expect(problems.isEmpty == isGood, "\(verb) \(payload): \(problems)")
      let isTaken = (try? parse(verb, payload).get()) != nil
      #expect(isTaken == isGood, "\(verb) \(payload)")
    }
    #expect(held > 40)
  }

  @Test("the table of topics has every topic on which the daemon speaks, and says how it is kept")
  func topics() throws {
    var table: [String: Bool] = [:]
    for row in try rows("Topic") where !row[1].contains("in,") {
      table[try #require(quoted(row[0]).first)] = row[1].contains("retained")
    }
    var venue = try Venue()
    _ = venue.command("game", "start")
    _ = venue.command("score", "home")
    var used: [String: Bool] = [:]
    for message in venue.published {
      let topic = message.topic.replacingOccurrences(of: Venue.main, with: "C")
        .replacingOccurrences(of: Venue.prefix, with: "P")
      used[topic] = message.isRetained
    }
    #expect(used == table)
  }

  @Test("the page lists every code that a reason can have, and no other")
  func codes() throws {
    let page = try String(
      contentsOf: Place.package.appendingPathComponent("Sources/Bridge/topics.md"), encoding: .utf8)
    let list = try #require(
      page.components(separatedBy: "Codes: ").dropFirst().first?.components(separatedBy: ".\n")[0])
    let folder = Place.package.appendingPathComponent("Sources/Bridge/Engine")
    var used: Set<String> = []
    for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
      let text = try String(contentsOf: file, encoding: .utf8)
      let found = text.matches(of: /(?:complain\(\s*(?:\.\w+,\s*)?|health: \.\w+, code: )"([a-z-]+)"/)
      used.formUnion(found.map { String($0.output.1) })
    }
    #expect(Set(quoted(list)) == used)
  }
}
